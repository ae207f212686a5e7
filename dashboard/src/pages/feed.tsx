import { Grid, Stack, Text } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { useState } from "react";
import { type ItemStatus, feed as readFeed } from "../api/feed-calls.ts";
import { Page } from "../components/page.tsx";
import { readMore } from "../components/read-more.ts";
import { Loaded } from "../components/states.tsx";
import { FeedItems } from "../feeds/feed-items.tsx";
import { feedName } from "../feeds/feed-labels.ts";
import { FeedSettings } from "../feeds/feed-settings.tsx";
import { FeedAlerts, FeedBadges, Polls } from "../feeds/feed-state.tsx";
import { useCurrentSite } from "../layout/session.tsx";

export function FeedPage() {
  const { tenantId } = useCurrentSite();
  const { feedId } = useParams({ strict: false });
  const [status, setStatus] = useState<ItemStatus | null>(null);
  const query = useInfiniteQuery({
    queryKey: ["feed", feedId, status],
    queryFn: ({ pageParam }) =>
      readFeed(tenantId, feedId!, {
        ...(status === null ? {} : { status }),
        ...(pageParam === null ? {} : { cursor: pageParam }),
      }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    placeholderData: (before) => before,
  });
  return (
    <Loaded of={query}>
      {({ pages }) => {
        const { feed } = pages[0]!;
        const items = pages.flatMap((page) => page.items);
        return (
          <Page title={feedName(feed)} lead={<Lead url={feed.url} />} actions={<FeedBadges feed={feed} />}>
            <Stack gap="lg">
              <Polls feed={feed} />
              <FeedAlerts feed={feed} />
              <Grid gap="lg">
                <Grid.Col span={{ base: 12, md: 7 }}>
                  <FeedItems
                    feed={feed}
                    items={items}
                    status={status}
                    setStatus={setStatus}
                    more={query.hasNextPage ? () => void readMore(query) : undefined}
                  />
                </Grid.Col>
                <Grid.Col span={{ base: 12, md: 5 }}>
                  <FeedSettings feed={feed} categories={[...new Set(items.flatMap((item) => item.categories))]} />
                </Grid.Col>
              </Grid>
            </Stack>
          </Page>
        );
      }}
    </Loaded>
  );
}

function Lead({ url }: { url: string }) {
  return (
    <Text component="span" style={{ overflowWrap: "anywhere" }}>
      {url}
    </Text>
  );
}
