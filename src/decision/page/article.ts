import type { ParseTask } from "../../parser.ts";
import { isoOf } from "../../reading/dates/read-date.ts";
import { readAddress, readText } from "../../reading/text.ts";
import { readTogether } from "../../reading/tokenize-markup.ts";
import { canonicalAddress, pageIdentity } from "../story-url.ts";
import { decodePage } from "./decode-page.ts";
import { pickDescription } from "./description.ts";
import { findArticleNode, type JsonLdNode, readJsonLd, textsIn } from "./json-ld.ts";
import { bodyReader, type PageBody } from "./page-body.ts";
import { metadataReader, type PageMetadata } from "./page-metadata.ts";
import { type PageSignals, readSignals } from "./page-signals.ts";
import { paragraphsReader } from "./paragraphs.ts";
import { pickPicture } from "./picture.ts";
import { declaredDates, readPublication } from "./publication.ts";
import { datePartsReader, type PagePart } from "./shown-dates.ts";
import { logosIn, siteNamesIn, siteNodes } from "./site-nodes.ts";
import { pickTitle } from "./title.ts";

/** A story as its page describes it. Texts are cleaned, on one line, and not yet cut to a notification's limits. */
export type Article = {
  /** The address where the page was fetched, after redirects. */
  url: string;
  /** The canonical address that the page names, or else `url`. Normalised by `canonicalForm`. */
  canonicalUrl: string | null;
  title: string | null;
  description: string | null;
  /** An https address. Pressbell never fetches it. */
  imageUrl: string | null;
  /** ISO-8601, UTC. A date without a zone is read in the site's zone, or without a site in UTC (`publishedExactly`). */
  publishedAt: string | null;
  /** BCP 47. */
  language: string | null;
  /** The type in schema.org or Open Graph: "NewsArticle", "article", "website". */
  type: string | null;
};

/** The content of a page. `site`: the names and the logos of its site, as the page gives them. */
export type ReadPage = { article: Article; signals: PageSignals; site: { names: string[]; logos: string[] } };

/** A page as `fetchPage` returns it. */
export type StoryPage = {
  url: string;
  body: Uint8Array;
  charset?: string;
  robotsHeader: string | null;
  /** The site's settings: its name, and the zone of dates that have none. */
  site?: { name: string; timeZone: string };
};

/** In UTF-16 units. It is more than a notification may have, so that the checks see whether the title will be cut. */
const maxTitle = 500;

/** Returns the article of a page that could not be read. */
export function emptyArticle(url: string): Article {
  const nothing = { title: null, description: null, imageUrl: null, publishedAt: null, language: null, type: null };
  return { url, canonicalUrl: null, ...nothing };
}

/** Reads the article from an HTML page: Open Graph, meta tags, JSON-LD, <title>. Never throws, whatever the bytes. */
export function readArticle(page: StoryPage): ReadPage {
  const html = decodePage(page);
  const [metadata, body] = readTogether<[PageMetadata, PageBody]>(html, [metadataReader(html), bodyReader(html)]);
  const nodes = readJsonLd(metadata.jsonLd);
  const named = [metadata.canonical ?? "", metadata.metas.get("og:url")?.[0] ?? ""].map(readAddress);
  const canonicalUrl = canonicalAddress(named, page.url);
  const node = findArticleNode(nodes, pageTest([canonicalUrl ?? page.url, page.url], page.url));
  // Most pages need neither the elements that show dates nor the paragraphs. A page that lacks the date often lacks a
  // text too, so both are read at once.
  let parts: [PagePart[], string[]] | undefined;
  const readParts = () => {
    parts = readTogether<[PagePart[], string[]]>(html, [datePartsReader(html), paragraphsReader(html)]);
    return parts[0];
  };
  const sources: Sources = {
    page,
    body,
    nodes,
    paragraphs: () => parts?.[1] ?? readTogether<[string[]]>(html, [paragraphsReader(html)])[0],
    linked: (key) => textsIn(node?.value[key]),
    meta: (...names) => names.flatMap((name) => metadata.metas.get(name) ?? []),
  };
  const { linked, meta } = sources;
  const site = {
    names: lines([...meta(...siteNameMetas), ...siteNamesIn(nodes, node), page.site?.name ?? ""]),
    logos: logosIn(nodes, node).map(readAddress),
  };
  const titles = titlesIn(sources, metadata.title);
  const title = titleOf(sources, titles, site.names);
  const dateFacts = { url: page.url, readParts, metas: metadata.metas, nodes, node, titles };
  const dates = declaredDates(dateFacts);
  const published = readPublication(dateFacts, dates);
  const timeZone = page.site?.timeZone ?? "UTC";
  const ogType = lines(meta("og:type"), 64)[0]?.toLowerCase() ?? null;
  const article: Article = {
    url: page.url,
    canonicalUrl,
    title,
    description: descriptionOf(sources, [title ?? "", ...site.names]),
    imageUrl: pictureOf(sources, site.logos),
    publishedAt: isoOf(published, timeZone),
    language: firstLanguage([metadata.lang ?? "", ...meta("og:locale", "content-language"), ...linked("inLanguage")]),
    type: node?.types[0] ?? ogType,
  };
  const { url, robotsHeader } = page;
  const signals = readSignals({
    timeZone,
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
  return { article, signals, site };
}

/** The sources of an article's parts. `linked`: texts of the story in JSON-LD. `meta`: contents of <meta>. */
type Sources = {
  page: StoryPage;
  paragraphs: () => string[];
  body: PageBody;
  nodes: JsonLdNode[];
  linked: (key: string) => string[];
  meta: (...names: string[]) => string[];
};

const siteNameMetas = [
  ...["og:site_name", "application-name", "apple-mobile-web-app-title", "al:ios:app_name", "al:android:app_name"],
];

/**
 * Returns a test of whether an address is one of the page's. Reads the page's identities once, not for each of 30,000
 * addresses.
 */
function pageTest(addresses: string[], base: string): (address: string) => boolean {
  const here = new Set(addresses.map((address) => pageIdentity(address, base)));
  return (address) => {
    const identity = pageIdentity(address, base);
    return identity !== null && here.has(identity);
  };
}

/** Returns the titles of a page, the best source first. */
function titlesIn({ meta, linked, body }: Sources, title: string | null): string[] {
  const declared = [...meta("og:title"), ...linked("headline"), ...meta("twitter:title"), title ?? ""];
  return lines([...declared, ...body.headings.slice(0, 1)]);
}

function titleOf({ linked, body, page }: Sources, candidates: string[], siteNames: string[]): string | null {
  return pickTitle({
    candidates,
    siteNames,
    url: page.url,
    headlines: lines(linked("headline")),
    headings: lines(body.headings),
    subheadings: lines(body.subheadings),
  });
}

function descriptionOf({ meta, linked, nodes, paragraphs }: Sources, names: string[]): string | null {
  return pickDescription({
    candidates: [...meta("og:description", "description", "twitter:description"), ...linked("description")],
    slogans: siteNodes(nodes).flatMap(({ value }) => textsIn(value.description)),
    names,
    paragraphs,
  });
}

function pictureOf({ meta, linked, page }: Sources, logos: string[]): string | null {
  const declared = meta("og:image:secure_url", "og:image", "og:image:url", "twitter:image", "twitter:image:src");
  return pickPicture({
    candidates: [...declared, ...linked("image"), ...linked("thumbnailUrl")].map(readAddress),
    logos,
    base: page.url,
    widths: meta("og:image:width").map(Number),
  });
}

/** The task that runs `readArticle` in a thread. */
export const articleTask: ParseTask<StoryPage, ReadPage> = { module: new URL(import.meta.url), run: readArticle };

/** Returns texts as cleaned lines. Leaves out empty ones. */
function lines(texts: string[], max = maxTitle): string[] {
  return texts.map((text) => readText(text, max)).filter((text) => text !== null);
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
