import { Alert, Stack, Text } from "@mantine/core";
import type { TriedFeed } from "../api/feed-calls.ts";
import { Icon } from "../components/icon.tsx";
import { inZone, Said } from "../components/said.tsx";
import { momentIn } from "../components/times.tsx";
import { useCurrentSite } from "../layout/session.tsx";
import { words } from "../words/words.ts";

type TriedFormat = Extract<TriedFeed, { isFeed: true }>["format"];

const formats = {
  rss: "RSS",
  rdf: "RSS 1.0",
  atom: "Atom",
  json: "JSON Feed",
};

const nameOf = (format: TriedFormat) => (format === "sitemap" ? words.feeds.newsSitemap : formats[format]);

/**
 * Returns whether a feed may be added. A feed that cannot be read now may be readable later, unless its URL is never
 * fetched.
 */
export function canBeAdded(tried: TriedFeed): boolean {
  return tried.isFeed || tried.code !== "url_not_allowed";
}

/** What a poll of an address would read now. Nothing of it is stored. */
export function FeedPreview({ tried }: { tried: TriedFeed }) {
  const { timeZone } = useCurrentSite().site;
  if (!tried.isFeed) {
    return (
      <Alert
        color="yellow"
        variant="light"
        icon={<Icon name="warning" />}
        title={words.feeds.feedUnreadableTitle}
        role="status"
      >
        <Said of={tried} /> {canBeAdded(tried) && words.feeds.addAnywayHint}
      </Alert>
    );
  }
  const { title, format, entryCount, entries, isCut, because, everySeconds, hub } = tried;
  return (
    <Stack gap="xs" role="status" data-tried={format}>
      <Text fw={600} dir="auto">
        {title ?? words.feeds.aFeedWithoutATitle}
      </Text>
      <Text size="sm" c="dimmed">
        {(isCut ? words.feeds.cutEntries : words.feeds.entries)({ format: nameOf(format), entries: entryCount })}{" "}
        {words.feeds.previewInterval({ interval: formatInterval(everySeconds), because: inZone(because, timeZone) })}
        {hub !== null && ` ${words.feeds.previewHasHub}`}
      </Text>
      <Stack gap={4} component="ul" m={0} pl="md">
        {entries.slice(0, 5).map((entry, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two entries may be equal, and the list does not change
          <Text key={at} component="li" size="sm">
            <span dir="auto">{entry.title ?? entry.url ?? words.feeds.withoutATitle}</span>
            <Text component="span" c="dimmed">
              {entry.publishedAt !== null && ` · ${momentIn(timeZone, entry.publishedAt)}`}
              {entry.categories.length > 0 && ` · ${entry.categories.join(", ")}`}
            </Text>
          </Text>
        ))}
      </Stack>
      <Text size="sm" c="dimmed">
        {words.feeds.existingStoriesHint}
      </Text>
    </Stack>
  );
}

function formatInterval(seconds: number): string {
  if (seconds < 90) return words.feeds.seconds({ seconds });
  return seconds < 5_400
    ? words.feeds.minutes({ round: Math.round(seconds / 60) })
    : words.feeds.hours({ round: Math.round(seconds / 3_600) });
}
