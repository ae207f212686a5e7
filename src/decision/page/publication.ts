import { findDay, firstDate, type ReadDate, readDate } from "../../reading/dates/read-date.ts";
import { datesIn, type JsonLdNode } from "./json-ld.ts";
import type { PagePart } from "./shown-dates.ts";

/**
 * The date of publication of a page. `isDeclared`: it is a date that the page declares, its only marked date, or the
 * day in its address. False: the page only shows it, or has several marked dates.
 */
export type Publication = ReadDate & { isDeclared: boolean };

export type PublicationFacts = {
  /** The address where the page was fetched. */
  url: string;
  /** Reads the elements of the page that may hold a date. */
  readParts: () => PagePart[];
  /** Contents of <meta> by lower-case name. */
  metas: Map<string, string[]>;
  nodes: JsonLdNode[];
  /** The node that describes the story. */
  node: JsonLdNode | null;
  /** Titles from the page. One of its headings is among them. */
  titles: string[];
};

/** Names of <meta> for the date of publication, the most usual first. */
const metaNames = [
  "article:published_time og:published_time og:article:published_time article:published datepublished",
  "parsely-pub-date pubdate publishdate publish_date publish-date publication_date publication-date",
  "published_date published-date published_time published_at published publishtime publish_time publicationdate",
  "originalpublicationdate displaydate article_date_original article:publish_date article:post_date",
  "cxenseparse:recs:publishtime cxenseparse:publishtime sailthru.date vr:published_time rnews:datepublished",
  "prism.publicationdate citation_publication_date citation_online_date bepress_citation_date",
  "bepress_citation_online_date mediator_published_time weibo:article:create_at",
  "shareaholic:article_published_time dc.date.issued dcterms.issued dc.date.published dc.issued dc.date.created",
  "dcterms.created dcterms.date dc.date dc:date date release_date datecreated created create_date creation_date",
].flatMap((line) => line.split(" "));
const pageTypes = /^(\w*Page|DiscussionForumPosting|SocialMediaPosting|CreativeWork)$/;

const hourMs = 3_600_000;
/** The distances from the headline, in UTF-16 units of the page's text, within which a date is near. */
const [nearBefore, nearAfter] = [200, 500];

/** Returns the dates of publication that a page declares in JSON-LD and <meta>, as written, the best source first. */
export function declaredDates({ metas, nodes, node }: PublicationFacts): string[] {
  const pages = nodes.filter((other) => other !== node && other.types.some((type) => pageTypes.test(type))).slice(0, 5);
  return [
    ...["datePublished", "uploadDate"].flatMap((key) => datesIn(node?.value[key])),
    ...metaNames.flatMap((name) => metas.get(name) ?? []),
    ...pages.flatMap(({ value }) => datesIn(value.datePublished)),
    ...[node, ...pages].flatMap((each) => datesIn(each?.value.dateCreated)),
  ].filter((text) => text.trim() !== "");
}

/**
 * Returns the date of publication of a page, or null if there is none. The sources are, in this order: what the page
 * declares, a mark on one of its elements, the day in its address, the first <time> at the headline, and the day that
 * it shows there. An exact date of a later source replaces an inexact one if both may be the same moment. `declared`:
 * from `declaredDates`.
 */
export function readPublication(facts: PublicationFacts, declared: string[]): Publication | null {
  const dates = declared.map((text) => readDate(text)).filter((date) => date !== null);
  const said = sharpen(dates[0] ?? null, dates);
  // Most pages declare an exact date, so their elements need not be read.
  if (said?.isExact) return { ...said, isDeclared: true };
  const parts = facts.readParts();
  const headline = headlineIn(parts, facts.titles);
  const marked = markedDate(parts, headline);
  const time = nearest(parts, headline, "time", ({ texts }) => firstDate(texts));
  const best = said ?? marked ?? dayOfAddress(facts.url);
  if (best !== null) {
    const isSure = said !== null || marked === null || isOnlyMark(parts);
    return {
      ...sharpen(
        best,
        [marked, time].filter((date) => date !== null),
      )!,
      isDeclared: isSure,
    };
  }
  const shown = time ?? shownDay(parts, headline);
  return shown === null ? null : { ...shown, isDeclared: false };
}

/**
 * Returns an exact date that may be the same moment as an inexact one, whose zone is unknown. Returns `date` if there
 * is none.
 */
function sharpen(date: ReadDate | null, others: ReadDate[]): ReadDate | null {
  if (date === null || date.isExact) return date;
  const isSame = ({ ms }: ReadDate) => ms - date.ms >= -14 * hourMs && ms - date.ms <= 38 * hourMs;
  return others.find((other) => other.isExact && isSame(other)) ?? date;
}

/** Returns the index of the heading with the page's title, else of the first <h1> to <h4>, else -1. */
function headlineIn(parts: PagePart[], titles: string[]): number {
  const folded = titles.map(fold).filter((title) => title.length >= 8);
  const texts = parts.map(({ kind, texts: [text = ""] }) => (kind === "heading" ? fold(text) : ""));
  const index = texts.findIndex((text) => text.length >= 8 && folded.some((title) => title.includes(text)));
  return index >= 0 ? index : texts.findIndex((text) => text !== "");
}

function fold(text: string): string {
  return text
    .slice(0, 500)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "");
}

/** Returns the marked date. If marked dates differ, as in a list, takes the one nearest to the headline. */
function markedDate(parts: PagePart[], headline: number): ReadDate | null {
  const read = ({ texts }: PagePart) => firstDate(texts) ?? dayIn(texts);
  const [only] = parts.filter(({ kind }) => kind === "marked");
  if (only !== undefined && isOnlyMark(parts)) return read(only);
  return nearest(parts, headline, "marked", read);
}

function isOnlyMark(parts: PagePart[]): boolean {
  return new Set(parts.filter(({ kind }) => kind === "marked").map(({ texts }) => texts[0])).size === 1;
}

/**
 * Returns the day in an address. The day must be a folder, because an address that ends with a day is a list of that
 * day.
 */
function dayOfAddress(url: string): ReadDate | null {
  const [, year, month, day] = /\/((?:19|20)\d\d)[/-](\d\d)[/-](\d\d)[/-][^/]/.exec(url) ?? [];
  return year === undefined ? null : readDate(`${year}-${month}-${day}`);
}

/** Returns the day in an element whose class says date, or in a short text at the headline. */
function shownDay(parts: PagePart[], headline: number): ReadDate | null {
  const near = nearby(parts, headline);
  const ofClass = ({ texts }: PagePart) => dayIn(texts);
  // A short text that begins with its date, such as "2 March 2026 | By Jo".
  const ofBlock = ({ texts: [text = ""] }: PagePart) => {
    const start = text.split(/\s[-–—|·•/]\s/u, 1);
    return readDate(start[0]!) === null ? null : dayIn(start);
  };
  return (
    nearest(near, near.indexOf(parts[headline]!), "named", ofClass) ??
    nearest(near, near.indexOf(parts[headline]!), "vague", ofClass) ??
    nearest(near, near.indexOf(parts[headline]!), "block", ofBlock) ??
    nearest(parts, headline, "named", ofClass)
  );
}

function nearby(parts: PagePart[], headline: number): PagePart[] {
  const place = parts[headline]?.at;
  return place === undefined ? [] : parts.filter(({ at }) => at >= place - nearBefore && at <= place + nearAfter);
}

function dayIn(texts: string[]): ReadDate | null {
  const ms = texts.map(findDay).find((day) => day !== null);
  return ms == null ? null : { ms, isExact: false };
}

/**
 * Returns the first date of a kind that is near after the headline, else the last near before it, else the first one
 * farther after it. Returns null without a headline.
 */
function nearest(
  parts: PagePart[],
  headline: number,
  kind: PagePart["kind"],
  read: (part: PagePart) => ReadDate | null,
): ReadDate | null {
  if (headline < 0) return null;
  const { at } = parts[headline]!;
  const ofKind = parts.map((part, index) => ({ part, index })).filter(({ part }) => part.kind === kind);
  const after = ofKind.filter(({ index }) => index > headline);
  const before = ofKind.filter(({ part, index }) => index < headline && at - part.at <= nearBefore).reverse();
  const isNear = ({ part }: { part: PagePart }) => part.at - at <= nearAfter;
  const ordered = [...after.filter(isNear), ...before, ...after.filter((each) => !isNear(each))];
  for (const { part } of ordered) {
    const date = read(part);
    if (date !== null) return date;
  }
  return null;
}
