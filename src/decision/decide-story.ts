import type { App } from "../app.ts";
import type { Page, PageFetcher, PageResult } from "../egress/page/fetch-page.ts";
import { urlRefusals } from "../egress/page/url-guard.ts";
import { appError } from "../errors.ts";
import { type Judgement, judge } from "./judge.ts";
import { type GivenNudge, type Nudge, writeNudge } from "./nudge.ts";
import { type Article, emptyArticle, type ReadPage, readArticle } from "./page/article.ts";
import { readSiteFacts } from "./queries.ts";
import { type Audience, type SiteFacts, viewAudience } from "./site-facts.ts";
import { canonicalForm } from "./story-url.ts";
import { cleanText } from "./text.ts";

/** What preview answers, and what creation applies. `audience`: null without a site. */
export type Verdict = Judgement & { article: Article; nudge: Nudge; audience: Audience | null };

export type StoryRequest = {
  url: string;
  /** Pages are fetched a few at once for each. */
  tenantId?: string;
  given?: GivenNudge;
  /** For whom. The caller has checked that the site is the tenant's own, and the topics the site's. */
  site?: {
    siteId: string;
    /** Absent or empty: all subscribers. */
    topicIds?: string[] | undefined;
    /** The audience is counted to here. Default 10,000: enough to see whether there is one. */
    countAtMost?: number;
  };
  /** Nobody looks at the story before it goes out (feeds): what would lower blocks. Default false. */
  strict?: boolean;
};

/** Where no site says another limit. In hours. */
const defaultFreshnessHours = 48;

/**
 * Fetches a story, reads it, judges it and writes its nudge. A page that cannot be read is a `skip` with its reason, and an
 * article of nulls. Throws `url_not_allowed` for what the URL itself shows, and `unavailable` where too many pages are
 * being read at once. `now`: ms since 1970.
 */
export async function decideStory(
  app: Pick<App, "now" | "db"> & { pages: Pick<PageFetcher, "fetchPage"> },
  { url, tenantId, given = {}, site: wanted, strict = false }: StoryRequest,
): Promise<Verdict> {
  const result = await app.pages.fetchPage(url, tenantId);
  if (result.kind === "busy") {
    throw appError("unavailable", { message: "Too many pages are being read just now. Try again shortly." });
  }
  if (result.kind === "refused") {
    throw appError("url_not_allowed", { errors: [{ path: "/url", message: urlRefusals[result.reason] }] });
  }
  const fetched = result.kind === "page" ? { ...result, isHtml: isHtml(result) } : result;
  const { article, signals } = readStory(url, result);
  const now = app.now();
  const site = wanted === undefined ? null : await readSite(app, wanted, article, now);
  const has = {
    title: cleanText(given.title ?? "") || null,
    body: cleanText(given.body ?? "") !== "",
    imageUrl: given.imageUrl != null,
  };
  const freshnessHours = site?.freshnessHours ?? defaultFreshnessHours;
  const judgement = judge({ fetched, article, signals, given: has, freshnessHours, site, strict }, now);
  const audience = site === null ? null : viewAudience(site, now);
  return { ...judgement, article, nudge: writeNudge(article, given), audience };
}

async function readSite(
  { db }: Pick<App, "db">,
  { siteId, topicIds = [], countAtMost = 10_000 }: NonNullable<StoryRequest["site"]>,
  { url, canonicalUrl }: Article,
  now: number,
): Promise<SiteFacts | null> {
  const addresses = [canonicalUrl, canonicalForm(url, url)].filter((address) => address !== null);
  return (await readSiteFacts(db, { siteId, topicIds, addresses, countAtMost, now })) ?? null;
}

function readStory(
  url: string,
  result: Exclude<PageResult, { kind: "busy" | "refused" }>,
): ReadPage | { article: Article; signals: null } {
  if (result.kind !== "page") return { article: emptyArticle(url), signals: null };
  if (result.status !== 200 || !isHtml(result)) return { article: emptyArticle(result.url), signals: null };
  return readArticle(result);
}

/** A missing content type is not held against a page that begins as HTML. */
function isHtml({ contentType, body }: Page): boolean {
  if (contentType !== "") return contentType === "text/html" || contentType === "application/xhtml+xml";
  return /<(!doctype html|html|head|title)\b/i.test(body.subarray(0, 1024).toString("latin1"));
}
