import { Button, Group, Paper, Stack, Text, Title } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { type FeedView, feeds } from "../api/feed-calls.ts";
import { TextLink } from "../components/links.tsx";
import { Page } from "../components/page.tsx";
import { EmptyState, Loaded } from "../components/states.tsx";
import { feedName, summarizeItems } from "../feeds/feed-labels.ts";
import { FeedAlerts, FeedBadges, Polls } from "../feeds/feed-state.tsx";
import { NewFeed } from "../feeds/new-feed.tsx";
import { ThisDevice } from "../feeds/this-device.tsx";
import { useCurrentSite } from "../layout/session.tsx";
import { words } from "../words/words.ts";

export function FeedsPage() {
  const { tenantId, siteId, canEdit } = useCurrentSite();
  const [isAdding, adding] = useDisclosure();
  const query = useQuery({
    queryKey: ["feeds", siteId],
    queryFn: () => feeds(tenantId, siteId),
  });
  const add = <Button onClick={adding.open}>{words.pages.addAFeed}</Button>;
  const hasSome = query.data !== undefined && query.data.length > 0;
  return (
    <Page
      title={words.pages.feeds}
      lead={words.pages.feedsLead}
      actions={canEdit && hasSome && !isAdding ? add : undefined}
    >
      <Stack gap="lg">
        {canEdit && isAdding && <NewFeed onEnd={adding.close} />}
        <Loaded of={query}>
          {(data) =>
            data.length === 0 ? (
              !isAdding && <NoFeed action={canEdit ? add : undefined} />
            ) : (
              <>
                <List feeds={data} />
                {canEdit && data.some(({ suggest }) => suggest) && <ThisDevice />}
              </>
            )
          }
        </Loaded>
      </Stack>
    </Page>
  );
}

function NoFeed({ action }: { action: React.ReactNode }) {
  return (
    <EmptyState icon="feed" title={words.pages.noFeedYet} action={action}>
      {words.pages.noFeedYetHint}
    </EmptyState>
  );
}

function List({ feeds }: { feeds: FeedView[] }) {
  const { siteId } = useCurrentSite();
  return (
    <Stack gap="md" component="ul" p={0} m={0} style={{ listStyle: "none" }}>
      {feeds.map((feed) => (
        <Paper component="li" key={feed.feedId} data-feed={feed.feedId}>
          <Stack gap="xs">
            <Group justify="space-between" gap="xs">
              <Title order={2} size="h4" miw={0}>
                <TextLink
                  to="/sites/$siteId/feeds/$feedId"
                  params={{ siteId, feedId: feed.feedId }}
                  inherit
                  c="var(--mantine-color-text)"
                >
                  <span dir="auto">{feedName(feed)}</span>
                </TextLink>
              </Title>
              <FeedBadges feed={feed} />
            </Group>
            {feed.title !== null && (
              <Text size="sm" c="dimmed" style={{ overflowWrap: "anywhere" }}>
                {feed.url}
              </Text>
            )}
            <Text size="sm">{words.pages.items({ items: summarizeItems(feed) })}</Text>
            <Polls feed={feed} />
            <FeedAlerts feed={feed} />
          </Stack>
        </Paper>
      ))}
    </Stack>
  );
}
