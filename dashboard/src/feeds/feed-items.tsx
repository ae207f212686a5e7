import { Anchor, Badge, Button, Group, NativeSelect, Paper, Stack, Text, Title } from "@mantine/core";
import type { FeedView, ItemStatus, ItemView } from "../api/feed-calls.ts";
import { usePlace } from "../frame/session.tsx";
import { TextLink } from "../parts/links.tsx";
import { count } from "../parts/numbers.ts";
import { Moment, until } from "../parts/times.tsx";
import { itemLooks, itemStatuses } from "./feed-words.ts";

/** What a feed brought, the newest first, and what became of each. */
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
    label: `${itemLooks[name].word} (${count(feed.items[name])})`,
  }));
  return (
    <Paper component="section" aria-label="Items">
      <Group justify="space-between" mb="md">
        <Title order={2} size="h4">
          Items
        </Title>
        <NativeSelect
          aria-label="Which items"
          value={status ?? ""}
          data={[{ value: "", label: `All (${count(all)})` }, ...choices]}
          onChange={(event) => setStatus((event.currentTarget.value || null) as ItemStatus | null)}
        />
      </Group>
      {items.length === 0 && (
        <Text size="sm" c="dimmed">
          {status === null ? "Nothing came yet. What the feed brings appears here." : "There is none of these."}
        </Text>
      )}
      <Stack gap="md" component="ul" p={0} m={0} style={{ listStyle: "none" }}>
        {items.map((item) => (
          <Item key={item.itemId} item={item} />
        ))}
      </Stack>
      {more !== undefined && (
        <Button variant="default" mt="md" onClick={more}>
          Show older ones
        </Button>
      )}
    </Paper>
  );
}

function Item({ item }: { item: ItemView }) {
  const { siteId, site } = usePlace();
  const { word, color, says } = itemLooks[item.status];
  const name = item.title ?? item.url ?? item.guid ?? "An item without a title";
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
          {word}
        </Badge>
      </Group>
      <Text size="sm" c="dimmed" component="div">
        <Moment at={item.foundAt} timeZone={site.timeZone} />
        {item.categories.length > 0 && ` · ${item.categories.join(", ")}`}
        {item.status === "waiting" && item.dueAt !== null && ` · looked at again ${until(item.dueAt)}`}
        {item.campaignId !== null && (
          <>
            {" · "}
            <TextLink
              to="/sites/$siteId/campaigns/$campaignId"
              params={{ siteId, campaignId: item.campaignId }}
              inherit
            >
              Its campaign
              <span className="unseen"> {name}</span>
            </TextLink>
          </>
        )}
      </Text>
      {item.reasons.length === 0 ? (
        <Text size="sm" c="dimmed">
          {says}
        </Text>
      ) : (
        item.reasons.map(({ code, message }) => (
          <Text key={code} size="sm" dir="auto" data-reason={code}>
            {message}
          </Text>
        ))
      )}
    </li>
  );
}
