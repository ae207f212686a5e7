import { plainText } from "../../reading/plain-text.ts";
import { parseStructuredData } from "../../reading/structured-data.ts";
import { readText } from "../../reading/text.ts";
import { webAddress } from "../web-address.ts";
import { type Entry, maxEntries, maxField, type ParsedFeed, readEntry } from "./entry.ts";

type Members = Record<string, unknown>;

/**
 * Reads a JSON Feed (https://www.jsonfeed.org, versions 1 and 1.1). Returns null if `text` is no JSON Feed. `url`: the
 * address of the document.
 */
export function readJsonFeed(text: string, url: string): ParsedFeed | null {
  const { value, isCut } = parseStructuredData(text);
  const feed = membersOf(value);
  if (feed === null || !Array.isArray(feed.items) || !isFeed(feed)) return null;
  const hubs = listOf(feed.hubs).filter((hub) => textOf(hub.type).toLowerCase() === "websub");
  return {
    format: "json",
    title: readText(textOf(feed.title), 300),
    entries: listOf(feed.items)
      .slice(0, maxEntries)
      .map((item) => entryOf(item, url)),
    isCut: isCut || feed.items.length > maxEntries,
    ttlMinutes: null,
    hubs: hubs.map((hub) => webAddress(textOf(hub.url), url)).filter((hub) => hub !== null),
    self: webAddress(textOf(feed.feed_url), url),
  };
}

/**
 * Returns whether an object is a feed. `version` is required, but some feeds lack it. They must have the addresses of
 * the top level.
 */
function isFeed(feed: Members): boolean {
  const version = textOf(feed.version);
  return version === "" ? "feed_url" in feed || "home_page_url" in feed : /jsonfeed\.org\/version/.test(version);
}

/** Reads an item. An id is a string, but readers must also accept a number (section "Items"). */
function entryOf(item: Members, base: string): Entry {
  const id = typeof item.id === "number" ? String(item.id) : textOf(item.id);
  return readEntry({
    guids: [id],
    links: [textOf(item.url), textOf(item.external_url), /^https?:/i.test(id) ? id : ""],
    base,
    title: plainText(textOf(item.title)),
    summary: textOf(item.summary) || textOf(item.content_text) || plainText(textOf(item.content_html)),
    pictures: [textOf(item.image), textOf(item.banner_image), ...attachedPictures(item)],
    categories: Array.isArray(item.tags) ? item.tags.slice(0, 100).map(textOf) : [],
    dates: [item.date_published, item.date_modified].map(dateOf),
  });
}

function attachedPictures({ attachments }: Members): string[] {
  const isPicture = ({ mime_type }: Members) => /^image\//i.test(textOf(mime_type));
  return listOf(attachments)
    .filter(isPicture)
    .slice(0, 5)
    .map(({ url }) => textOf(url));
}

/** Returns a date as text. Some feeds write seconds or milliseconds since 1970 as a number. */
function dateOf(value: unknown): string {
  return typeof value === "number" ? String(value) : textOf(value);
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
