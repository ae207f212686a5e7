import type { Page } from "../egress/fetch-page.ts";
import { allTexts, articleThing, isListing, readThings } from "./json-ld.ts";
import { type PageMarks, readMarks } from "./page-marks.ts";
import { decodePage } from "./page-text.ts";
import { canonicalForm, pictureUrl } from "./story-url.ts";
import { cleanText } from "./text.ts";

/** A story as its page describes it. Texts are clean, on one line and not cut to a nudge's length. */
export type Article = {
  /** Where it was read, after redirects. */
  url: string;
  /** The address the page gives as its own, else `url`; normalised by `canonicalForm`. */
  canonicalUrl: string | null;
  title: string | null;
  description: string | null;
  /** https only; named by the page, never fetched. */
  imageUrl: string | null;
  /** ISO-8601, UTC. */
  publishedAt: string | null;
  /** BCP 47. */
  language: string | null;
  /** Schema.org's or Open Graph's: "NewsArticle", "article", "website". */
  type: string | null;
};

/** What the page shows besides, for the judge alone. */
export type PageSigns = {
  /** False when the page gives a date without a time or an offset: up to a day of doubt. */
  publishedExactly: boolean;
  /** The page says in so many words that it is an article. */
  isArticle: boolean;
  /** The page says that it is a site or a list of stories. */
  isListing: boolean;
  /** Robots directives for everybody or for Google from the markup and X-Robots-Tag, lower case. */
  robots: string[];
};

export type ReadPage = { article: Article; signs: PageSigns };

/** In UTF-16 units: enough to see that a title or body has to be cut. */
const maxTitle = 500;
const maxDescription = 2000;

/** The article of a page that could not be read. */
export function noArticle(url: string): Article {
  const nothing = { title: null, description: null, imageUrl: null, publishedAt: null, language: null, type: null };
  return { url, canonicalUrl: null, ...nothing };
}

/** Reads an HTML page's account of itself: Open Graph, meta tags, JSON-LD, <title>. Never throws, on any bytes. */
export function readArticle(page: Pick<Page, "url" | "body" | "charset" | "robotsHeader">): ReadPage {
  const marks = readMarks(decodePage(page));
  const things = readThings(marks.jsonLd);
  const thing = articleThing(things);
  const linked = (key: string): string[] => allTexts(thing?.value[key]);
  const meta = (...names: string[]): string[] => names.flatMap((name) => marks.metas.get(name) ?? []);
  const ogType = firstClean(meta("og:type"), 64)?.toLowerCase() ?? null;

  const images = [
    ...meta("og:image:secure_url", "og:image", "og:image:url", "twitter:image", "twitter:image:src"),
    ...[...linked("image"), ...linked("thumbnailUrl")],
  ];
  const published = firstDate([
    ...linked("datePublished"),
    ...meta("article:published_time", "og:published_time", "datepublished", "parsely-pub-date", "pubdate"),
    ...meta("dc.date.issued", "dcterms.issued", "dc.date", "date"),
  ]);
  const article: Article = {
    url: page.url,
    canonicalUrl:
      canonicalForm(marks.canonical || meta("og:url")[0] || page.url, page.url) ?? canonicalForm(page.url, page.url),
    title: firstClean(
      [...meta("og:title"), ...linked("headline"), ...meta("twitter:title"), ...pageTitle(marks)],
      maxTitle,
    ),
    description: firstClean(
      [...meta("og:description", "description", "twitter:description"), ...linked("description")],
      maxDescription,
    ),
    imageUrl: images.map((image) => pictureUrl(image, page.url)).find((image) => image !== null) ?? null,
    publishedAt: published?.at ?? null,
    language: firstLanguage([marks.lang ?? "", ...meta("og:locale", "content-language"), ...linked("inLanguage")]),
    type: thing?.types[0] ?? ogType,
  };
  const isArticle = thing !== null || ogType === "article";
  const signs: PageSigns = {
    publishedExactly: published?.exact ?? false,
    isArticle,
    isListing: !isArticle && (ogType === "website" || isListing(things)),
    robots: [...meta("robots", "googlebot", "googlebot-news").flatMap(commaList), ...robotsOfHeader(page.robotsHeader)],
  };
  return { article, signs };
}

/** The <title> without the site's name, where the page tells that name and ends its title with it. */
function pageTitle({ title, metas }: PageMarks): string[] {
  if (title === null) return [];
  const whole = firstClean([title], maxTitle) ?? "";
  const site = firstClean(metas.get("og:site_name") ?? [], maxTitle);
  if (site === null || !whole.endsWith(site)) return [whole];
  const [, rest] = /^(.*\S)\s*[|–—·•:-]\s*$/su.exec(whole.slice(0, -site.length)) ?? [];
  return [rest ?? whole];
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

const isoDate = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?) ?(Z|[+-]\d\d:?\d\d)?)?$/i;
const mailDate = /^(?:[a-z]{3}, )?\d{1,2} [a-z]{3} \d{4} \d\d:\d\d(?::\d\d)? (?:GMT|UTC|[+-]\d{4})$/i;

/** The first real date since 1990; earlier ones are what a content system writes for "none". */
function firstDate(texts: string[]): { at: string; exact: boolean } | null {
  for (const text of texts.map((raw) => raw.slice(0, 64).trim())) {
    const [, day, time, offset] = isoDate.exec(text) ?? [];
    const colonised = offset?.replace(/^([+-]\d\d)(\d\d)$/, "$1:$2").toUpperCase() ?? "Z";
    const iso = day && `${day}T${time ?? "00:00"}${colonised}`;
    const at = Date.parse(iso ?? (mailDate.test(text) ? text : ""));
    if (at >= Date.UTC(1990)) return { at: new Date(at).toISOString(), exact: !iso || Boolean(time && offset) };
  }
  return null;
}

function firstLanguage(texts: string[]): string | null {
  for (const text of texts) {
    try {
      const [language] = Intl.getCanonicalLocales(text.slice(0, 64).trim().replaceAll("_", "-"));
      if (language !== undefined) return language;
    } catch {
      // not a language tag: the next one
    }
  }
  return null;
}

function commaList(text: string): string[] {
  return text
    .toLowerCase()
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
}

/** Each header may begin with whom it is for ("otherbot: noindex"); that holds until the next name in it. */
function robotsOfHeader(header: string | null): string[] {
  const forUs = /^(robots|googlebot|googlebot-news)$/;
  return (header ?? "").split("\n").flatMap((line) => {
    let applies = true;
    return commaList(line).flatMap((part) => {
      const [, agent, directive] = /^([\w-]+)\s*:\s*(.*)$/.exec(part) ?? [];
      const isNamed = agent !== undefined && !/^(unavailable_after|max-.*)$/.test(agent);
      if (isNamed) applies = forUs.test(agent);
      return applies ? [isNamed ? (directive ?? "") : part] : [];
    });
  });
}
