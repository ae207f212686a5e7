import { Alert, Stack, Text } from "@mantine/core";
import type { TriedFeed } from "../api/feed-calls.ts";
import { Icon } from "../components/icon.tsx";
import { count } from "../components/numbers.ts";
import { Said } from "../components/said.tsx";
import { momentIn } from "../components/times.tsx";
import { useCurrentSite } from "../layout/session.tsx";

const formats = { rss: "RSS", rdf: "RSS 1.0", atom: "Atom", json: "JSON Feed", sitemap: "news sitemap" };

/**
 * Whether a feed may be added. One that cannot be read now may be readable later, except for a URL that is never
 * fetched.
 */
export function canBeAdded(tried: TriedFeed): boolean {
  return tried.isFeed || tried.code !== "url_not_allowed";
}

/** What a poll would read at an address now. Nothing of it is stored. */
export function FeedPreview({ tried }: { tried: TriedFeed }) {
  const { timeZone } = useCurrentSite().site;
  if (!tried.isFeed) {
    return (
      <Alert
        color="yellow"
        variant="light"
        icon={<Icon name="warning" />}
        title="No feed can be read there"
        role="status"
      >
        <Said>{tried.message}</Said> {canBeAdded(tried) && "You can add it all the same: it is tried again and again."}
      </Alert>
    );
  }
  const { title, format, entryCount, entries, isCut, because, everySeconds, hub } = tried;
  return (
    <Stack gap="xs" role="status" data-tried={format}>
      <Text fw={600} dir="auto">
        {title ?? "A feed without a title"}
      </Text>
      <Text size="sm" c="dimmed">
        {formats[format]}, {count(entryCount)} {entryCount === 1 ? "entry" : "entries"}
        {isCut && " (it is too long to be read to its end)"}. It would be read every {formatInterval(everySeconds)}:{" "}
        {because}.{hub !== null && " It names a hub, which notifies us at once of what is new."}
      </Text>
      <Stack gap={4} component="ul" m={0} pl="md">
        {entries.slice(0, 5).map((entry, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two entries may be equal, and the list does not change
          <Text key={at} component="li" size="sm">
            <span dir="auto">{entry.title ?? entry.url ?? "Without a title"}</span>
            <Text component="span" c="dimmed">
              {entry.publishedAt !== null && ` · ${momentIn(timeZone, entry.publishedAt)}`}
              {entry.categories.length > 0 && ` · ${entry.categories.join(", ")}`}
            </Text>
          </Text>
        ))}
      </Stack>
      <Text size="sm" c="dimmed">
        What is in it when you add it is not sent; what is new from then on is.
      </Text>
    </Stack>
  );
}

function formatInterval(seconds: number): string {
  if (seconds < 90) return `${seconds} seconds`;
  return seconds < 5_400 ? `${Math.round(seconds / 60)} minutes` : `${Math.round(seconds / 3_600)} hours`;
}
