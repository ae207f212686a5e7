import { Anchor, Badge, Button, Group, NativeSelect, Paper, Stack, Text, Title } from "@mantine/core";
import type { FeedView, ItemStatus, ItemView } from "../api/feed-calls.ts";
import { TextLink } from "../components/links.tsx";
import { count } from "../components/numbers.ts";
import { Said } from "../components/said.tsx";
import { Moment, until } from "../components/times.tsx";
import { useCurrentSite } from "../layout/session.tsx";
import { words } from "../words/words.ts";
import { itemColors, itemStatuses } from "./feed-labels.ts";

/** The items of a feed with their outcomes, the newest first. */
export function FeedItems(props: {
  feed: FeedView;
  items: ItemView[];
  status: ItemStatus | null;
  setStatus: (status: ItemStatus | null) => void;
  more: (() => void) | undefined;
}) {
  const { feed, items, status, setStatus, more } = props;
  const all = Object.values(feed.items).reduce((sum, n) => sum + n, 0);
  const choices = itemStatuses.map((name) => ({
    value: name,
    label: `${words.feeds.states[name].label} (${count(feed.items[name])})`,
  }));
  return (
    <Paper component="section" aria-label={words.feeds.items}>
      <Group justify="space-between" mb="md">
        <Title order={2} size="h4">
          {words.feeds.items}
        </Title>
        <NativeSelect
          aria-label={words.feeds.whichItems}
          value={status ?? ""}
          data={[{ value: "", label: words.feeds.all({ all: count(all) }) }, ...choices]}
          onChange={(event) => setStatus((event.currentTarget.value || null) as ItemStatus | null)}
        />
      </Group>
      {items.length === 0 && (
        <Text size="sm" c="dimmed">
          {status === null ? words.feeds.noItemsYet : words.feeds.noItemsInFilter}
        </Text>
      )}
      <Stack gap="md" component="ul" p={0} m={0} style={{ listStyle: "none" }}>
        {items.map((item) => (
          <Item key={item.itemId} item={item} />
        ))}
      </Stack>
      {more !== undefined && (
        <Button variant="default" mt="md" onClick={more}>
          {words.feeds.showOlderOnes}
        </Button>
      )}
    </Paper>
  );
}

function Item({ item }: { item: ItemView }) {
  const { siteId, site } = useCurrentSite();
  const { label, explanation } = words.feeds.states[item.status];
  const color = itemColors[item.status];
  const name = item.title ?? item.url ?? item.guid ?? words.feeds.anItemWithoutATitle;
  return (
    <li data-item={item.status}>
      <Group justify="space-between" wrap="nowrap" align="flex-start" gap="sm">
        <Text fw={500} dir="auto" miw={0} style={{ overflowWrap: "anywhere" }}>
          {item.url === null ? (
            name
          ) : (
            <Anchor href={item.url} rel="noreferrer noopener" target="_blank" inherit c="var(--mantine-color-text)">
              {name}
            </Anchor>
          )}
        </Text>
        <Badge color={color} variant="light" radius="sm" tt="none" fw={600} c={`var(--status-${color})`} flex="none">
          {label}
        </Badge>
      </Group>
      <Text size="sm" c="dimmed" component="div">
        <Moment at={item.foundAt} timeZone={site.timeZone} />
        {item.categories.length > 0 && ` · ${item.categories.join(", ")}`}
        {item.status === "waiting" && item.dueAt !== null && words.feeds.lookedAtAgain({ when: until(item.dueAt) })}
        {item.campaignId !== null && (
          <>
            {" · "}
            <TextLink
              to="/sites/$siteId/campaigns/$campaignId"
              params={{ siteId, campaignId: item.campaignId }}
              inherit
            >
              {words.feeds.itsCampaign}
              <span className="visually-hidden"> {name}</span>
            </TextLink>
          </>
        )}
      </Text>
      {item.reasons.length === 0 ? (
        <Text size="sm" c="dimmed">
          {explanation}
        </Text>
      ) : (
        item.reasons.map(({ code, ...sentence }) => (
          <Text key={code} size="sm" dir="auto" data-reason={code}>
            <Said of={sentence} />
          </Text>
        ))
      )}
    </li>
  );
}
