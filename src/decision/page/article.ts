import type { ParseTask } from "../../parser.ts";
import { canonicalAddress, pageIdentity } from "../story-url.ts";
import { cleanText } from "../text.ts";
import { firstDate } from "./dates.ts";
import { decodePage } from "./decode-page.ts";
import { pickDescription } from "./description.ts";

import { findArticleNode, type JsonLdNode, readJsonLd, textsIn } from "./json-ld.ts";

import { type PageBody, readBody } from "./page-body.ts";
import { readMetadata } from "./page-metadata.ts";
import { type PageSignals, readSignals } from "./page-signals.ts";
import { readParagraphs } from "./paragraphs.ts";
import { pickPicture } from "./picture.ts";
import { logosIn, siteNamesIn, siteNodes } from "./site-nodes.ts";
import { pickTitle } from "./title.ts";

/** A story as its page describes it. Texts are cleaned, on one line, and not cut to a notification's limits. */
export type Article = {
  /** Where it was fetched, after redirects. */
  url: string;
  /** The canonical address that the page names, else `url`; normalised by `canonicalForm`. */
  canonicalUrl: string | null;
  title: string | null;
  description: string | null;
  /** https only. Never fetched. */
  imageUrl: string | null;
  /** ISO-8601, UTC. */
  publishedAt: string | null;
  /** BCP 47. */
  language: string | null;
  /** The type in schema.org or Open Graph: "NewsArticle", "article", "website". */
  type: string | null;
};

export type ReadPage = { article: Article; signals: PageSignals };

/** A page as `fetchPage` returns it. */
export type StoryPage = { url: string; body: Uint8Array; charset?: string; robotsHeader: string | null };

/** In UTF-16 units: longer than a notification may be, so that the checks see whether it will be cut. */
const maxTitle = 500;

/** Returns the article of a page that could not be read. */
export function emptyArticle(url: string): Article {
  const nothing = { title: null, description: null, imageUrl: null, publishedAt: null, language: null, type: null };
  return { url, canonicalUrl: null, ...nothing };
}

/** Reads the article from an HTML page: Open Graph, meta tags, JSON-LD, <title>. Never throws, whatever the bytes. */
export function readArticle(page: StoryPage): ReadPage {
  const html = decodePage(page);
  const metadata = readMetadata(html);
  const body = readBody(html);
  const nodes = readJsonLd(metadata.jsonLd);
  const canonicalUrl = canonicalAddress([metadata.canonical ?? "", metadata.metas.get("og:url")?.[0] ?? ""], page.url);
  // Once, and not for each address of JSON-LD: there may be 30,000.
  const here = new Set([canonicalUrl ?? page.url, page.url].map((address) => pageIdentity(address, page.url)));
  const isHere = (address: string): boolean => {
    const identity = pageIdentity(address, page.url);
    return identity !== null && here.has(identity);
  };
  const node = findArticleNode(nodes, isHere);
  const linked = (key: string): string[] => textsIn(node?.value[key]);
  const meta = (...names: string[]): string[] => names.flatMap((name) => metadata.metas.get(name) ?? []);
  const ogType = firstClean(meta("og:type"), 64)?.toLowerCase() ?? null;

  const images = [
    ...meta("og:image:secure_url", "og:image", "og:image:url", "twitter:image", "twitter:image:src"),
    ...[...linked("image"), ...linked("thumbnailUrl")],
  ];
  const dates = [
    ...[...linked("datePublished"), ...linked("uploadDate")],
    ...meta("article:published_time", "og:published_time", "datepublished", "parsely-pub-date", "pubdate"),
    ...meta("dc.date.issued", "dcterms.issued", "dc.date", "date"),
    ...otherDates(page.url, nodes, body),
  ].filter((text) => text.trim() !== "");
  const published = firstDate(dates);
  const siteNames = clean([...meta("og:site_name", "application-name"), ...siteNamesIn(nodes, node)]);
  const title = pickTitle({
    candidates: clean([...meta("og:title"), ...linked("headline"), ...meta("twitter:title"), metadata.title ?? ""]),
    headlines: clean([...linked("headline"), ...body.headings]),
    siteNames,
    url: page.url,
  });
  const article: Article = {
    url: page.url,
    canonicalUrl,
    title,
    description: pickDescription({
      candidates: [...meta("og:description", "description", "twitter:description"), ...linked("description")],
      slogans: siteNodes(nodes).flatMap(({ value }) => textsIn(value.description)),
      names: [title ?? "", ...siteNames],
      paragraphs: () => readParagraphs(html),
    }),
    imageUrl: pickPicture(images, logosIn(nodes, node), page.url),
    publishedAt: published?.at ?? null,
    language: firstLanguage([metadata.lang ?? "", ...meta("og:locale", "content-language"), ...linked("inLanguage")]),
    type: node?.types[0] ?? ogType,
  };
  const { url, robotsHeader } = page;
  const signals = readSignals({
    url,
    canonicalUrl,
    title,
    ogType,
    metadata,
    body,
    nodes,
    node,
    dates,
    published,
    robotsHeader,
  });
  return { article, signals };
}

/** `readArticle` in a thread. */
export const articleTask: ParseTask<StoryPage, ReadPage> = { module: new URL(import.meta.url), run: readArticle };

/**
 * Returns dates that are not said of the article itself: of the page in JSON-LD, of the only <time> that is marked as
 * the date of publication (lists have one for each entry), and the day in the address.
 */
function otherDates(url: string, nodes: JsonLdNode[], { times }: PageBody): string[] {
  const pages = nodes.filter(({ types }) => types.includes("WebPage") || types.includes("ItemPage"));
  const [only, ...more] = new Set(times.published);
  // The day must be a folder: an address that ends with one is a list of that day.
  const [, year, month, day] = /\/((?:19|20)\d\d)[/-](\d\d)[/-](\d\d)[/-][^/]/.exec(url) ?? [];
  return [
    ...pages.slice(0, 5).flatMap(({ value }) => textsIn(value.datePublished)),
    ...(only !== undefined && more.length === 0 ? [only] : []),
    ...(year === undefined ? [] : [`${year}-${month}-${day}`]),
  ];
}

/** Returns the texts that a title can be made of, on one line each. */
function clean(texts: string[]): string[] {
  return texts.map((text) => firstClean([text], maxTitle)).filter((text) => text !== null);
}

function firstClean(texts: string[], max: number): string | null {
  for (const text of texts) {
    const clean = cleanText(text.slice(0, 2 * max))
      .replace(/\s+/g, " ")
      .slice(0, max)
      .toWellFormed();
    if (clean !== "") return clean;
  }
  return null;
}

function firstLanguage(texts: string[]): string | null {
  for (const text of texts) {
    try {
      const [language] = Intl.getCanonicalLocales(text.slice(0, 64).trim().replaceAll("_", "-"));
      if (language !== undefined) return language;
    } catch {
      // Not a language tag: try the next one.
    }
  }
  return null;
}
