import { tokenizeMarkup } from "../../decision/page/tokenize-markup.ts";
import { cleanText } from "../../decision/text.ts";
import { readFeedDate } from "./feed-date.ts";

/** One story as a feed announces it: cleaned, resolved and cut to what is kept. */
export type Entry = {
  /** What the feed calls it; unique at best within that feed. */
  guid: string | null;
  /** Absolute http(s). */
  url: string | null;
  title: string | null;
  summary: string | null;
  categories: string[];
  /** Ms since 1970. */
  publishedMs: number | null;
};

/** A feed as it was read. */
export type ParsedFeed = {
  format: "rss" | "rdf" | "atom" | "json";
  title: string | null;
  /** In the feed's own order; at most `maxEntries`. */
  entries: Entry[];
  /** Whether the document ends before its end, or has more entries than are read. */
  isCut: boolean;
  /** How long its publisher wants it to be left alone. */
  ttlMinutes: number | null;
  /** Hubs that tell of what is new (WebSub), and the address under which they know the feed. */
  hubs: string[];
  self: string | null;
};

/** Ten times what the largest archive feeds hold; the rest of a hostile one is not kept. */
export const maxEntries = 10_000;
/** A field longer than this is no headline, address or date. In UTF-16 units. */
export const maxField = 4_096;
const maxGuid = 2_048;
const maxTitle = 300;
const maxSummary = 500;
const maxCategories = 20;
const maxCategory = 100;

/** What a format's reader found of one entry, as written: nothing resolved, cleaned or believed yet. */
export type RawEntry = {
  guids: string[];
  /** The first that resolves counts. */
  links: string[];
  base: string;
  title: string;
  summary: string;
  categories: string[];
  /** The first that can be read counts. */
  dates: string[];
};

export function readEntry(raw: RawEntry): Entry {
  const guid = raw.guids.map((text) => text.trim()).find((text) => text !== "");
  return {
    guid: guid === undefined ? null : storable(guid).slice(0, maxGuid).toWellFormed(),
    url: raw.links.map((link) => webAddress(link, raw.base)).find((url) => url !== null) ?? null,
    title: line(raw.title, maxTitle),
    summary: line(raw.summary, maxSummary),
    categories: [...new Set(raw.categories.flatMap((text) => line(text, maxCategory) ?? []))].slice(0, maxCategories),
    publishedMs: raw.dates.map(readFeedDate).find((ms) => ms !== null) ?? null,
  };
}

/** `raw` as an absolute http(s) address of at most 2,048 characters without a user name, or null. */
export function webAddress(raw: string, base: string): string | null {
  if (raw.trim() === "") return null;
  const url = URL.parse(raw.trim(), base);
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== "" || url.password !== "") return null;
  return url.href.length > 2_048 ? null : url.href;
}

/** One clean line, cut to `max` UTF-16 units; null where nothing is left. */
export function line(text: string, max: number): string | null {
  const clean = cleanText(text).replace(/\s+/g, " ").trim().slice(0, max).toWellFormed();
  return clean === "" ? null : clean;
}

/** The text of a piece of HTML: tags dropped, entities decoded. */
export function plainText(html: string): string {
  if (!/[<&]/.test(html)) return html;
  const parts: string[] = [];
  tokenizeMarkup(html, {
    ontext: (start, end) => void parts.push(html.slice(start, end)),
    ontextentity: (codePoint) => void parts.push(String.fromCodePoint(codePoint)),
    oncdata: (start, end, rest) => void parts.push(html.slice(start, end - rest)),
    onopentagname: (start, end) => void parts.push(gapOf(html.slice(start, end))),
    onclosetag: (start, end) => void parts.push(gapOf(html.slice(start, end))),
  });
  return parts.join("");
}

/** A new paragraph parts words, bold type does not. */
function gapOf(tag: string): string {
  return /^(br|p|div|li|h\d|tr|td)$/i.test(tag) ? " " : "";
}

/** NUL is a character that no column holds. */
function storable(text: string): string {
  return text.replaceAll("\0", "");
}
