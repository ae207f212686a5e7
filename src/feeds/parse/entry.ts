import { firstDate } from "../../reading/dates/read-date.ts";
import { readAddress, readText } from "../../reading/text.ts";
import { httpsOf, webAddress } from "../web-address.ts";

/** One story as a feed announces it: text cleaned, address resolved, fields cut to the lengths that are stored. */
export type Entry = {
  /** The feed's own id of the entry: `guid` of RSS 2.0, `id` of Atom and JSON Feed. At best unique within the feed. */
  guid: string | null;
  /** An absolute http(s) address. */
  url: string | null;
  title: string | null;
  summary: string | null;
  /** An absolute https address. */
  imageUrl: string | null;
  categories: string[];
  /** Ms since 1970. For a date without a zone, what the feed's clock shows, as if it were UTC. */
  publishedMs: number | null;
  /** Whether the date has a time and a zone. If not, it is in the site's zone, and may lie in the future by mistake. */
  isInstant: boolean;
};

/** A parsed feed. */
export type ParsedFeed = {
  /** `sitemap`: a news sitemap. */
  format: "rss" | "rdf" | "atom" | "json" | "sitemap";
  title: string | null;
  /** In the feed's own order, at most `maxEntries`. */
  entries: Entry[];
  /** Whether the document breaks off or has more than `maxEntries`. */
  isCut: boolean;
  /** The `ttl` of RSS 2.0: the number of minutes that the feed may be cached. */
  ttlMinutes: number | null;
  /** The hubs that push the feed (WebSub section 4). */
  hubs: string[];
  /** The feed's own address: the topic under which its hubs know it. */
  self: string | null;
};

/**
 * The most entries that are read: ten times those of the largest archive feeds. Bounds the memory that a hostile feed
 * can take.
 */
export const maxEntries = 10_000;
/** The number of UTF-16 units that are read of a field. No headline, address or date is longer. */
export const maxField = 4_096;
const maxGuidLength = 2_048;
const maxTitleLength = 300;
const maxSummaryLength = 500;
const maxPictureLength = 2_048;
const maxCategories = 20;
const maxCategoryLength = 100;

/** One entry as the reader of a format finds it: nothing is resolved, cleaned or checked yet. */
export type RawEntry = {
  guids: string[];
  /** The entry uses the first one that is an http(s) address. */
  links: string[];
  /** The address to which links are relative. */
  base: string;
  title: string;
  summary: string;
  /** Addresses of pictures. The entry uses the first one that is an http(s) address, with https. */
  pictures: string[];
  categories: string[];
  /** The entry uses the first one that can be parsed. */
  dates: string[];
};

/** Cleans, resolves and cuts the fields of an entry. */
export function readEntry(raw: RawEntry): Entry {
  const date = firstDate(raw.dates);
  const guid = raw.guids.map((text) => text.trim()).find((text) => text !== "");
  return {
    guid: guid === undefined ? null : storable(guid).slice(0, maxGuidLength).toWellFormed(),
    url: raw.links.map((link) => webAddress(readAddress(link), raw.base)).find((url) => url !== null) ?? null,
    title: readText(raw.title, maxTitleLength),
    summary: readText(raw.summary, maxSummaryLength),
    imageUrl: pictureOf(raw),
    categories: [...new Set(raw.categories.flatMap((text) => readText(text, maxCategoryLength) ?? []))].slice(
      0,
      maxCategories,
    ),
    publishedMs: date?.ms ?? null,
    isInstant: date?.isExact ?? false,
  };
}

/**
 * Returns the picture of an entry, with https, because browsers load pictures of notifications only by https. Leaves
 * out an address that is too long to store.
 */
function pictureOf({ pictures, base }: RawEntry): string | null {
  const url = pictures.map((picture) => webAddress(readAddress(picture), base)).find((address) => address !== null);
  return url === undefined || url === null || url.length > maxPictureLength ? null : httpsOf(url);
}

/** Removes NUL, which PostgreSQL's text cannot hold. */
function storable(text: string): string {
  return text.replaceAll("\0", "");
}
