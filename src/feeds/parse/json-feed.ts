import { type Entry, line, maxEntries, maxField, type ParsedFeed, plainText, readEntry, webAddress } from "./entry.ts";

type Members = Record<string, unknown>;

/** A JSON Feed (jsonfeed.org, version 1 and 1.1), or null where `text` is none. `url`: where it was read. */
export function readJsonFeed(text: string, url: string): ParsedFeed | null {
  const feed = parse(text);
  if (feed === null || !Array.isArray(feed.items) || !isFeed(feed)) return null;
  const hubs = listOf(feed.hubs).filter((hub) => textOf(hub.type).toLowerCase() === "websub");
  return {
    format: "json",
    title: line(textOf(feed.title), 300),
    entries: listOf(feed.items)
      .slice(0, maxEntries)
      .map((item) => entryOf(item, url)),
    isCut: feed.items.length > maxEntries,
    ttlMinutes: null,
    hubs: hubs.map((hub) => webAddress(textOf(hub.url), url)).filter((hub) => hub !== null),
    self: webAddress(textOf(feed.feed_url), url),
  };
}

function isFeed(feed: Members): boolean {
  const version = textOf(feed.version);
  return version === "" ? "feed_url" in feed || "home_page_url" in feed : /jsonfeed\.org\/version/.test(version);
}

function entryOf(item: Members, base: string): Entry {
  const id = typeof item.id === "number" ? String(item.id) : textOf(item.id);
  return readEntry({
    guids: [id],
    links: [textOf(item.url), textOf(item.external_url), /^https?:/i.test(id) ? id : ""],
    base,
    title: plainText(textOf(item.title)),
    summary: textOf(item.summary) || textOf(item.content_text),
    categories: Array.isArray(item.tags) ? item.tags.slice(0, 100).map(textOf) : [],
    dates: [textOf(item.date_published), textOf(item.date_modified)],
  });
}

function parse(text: string): Members | null {
  try {
    return membersOf(JSON.parse(text.replace(/^\ufeff/, "")));
  } catch {
    return null;
  }
}

function membersOf(value: unknown): Members | null {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Members) : null;
}

function listOf(value: unknown): Members[] {
  return (Array.isArray(value) ? value : []).map(membersOf).filter((members) => members !== null);
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value.slice(0, maxField) : "";
}
