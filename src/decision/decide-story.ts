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

/** The result of a decision, for the preview and for the creation of a campaign. `audience`: null without a site. */
export type Verdict = Judgement & { article: Article; nudge: Nudge; audience: Audience | null };

export type StoryRequest = {
  url: string;
  /** Limits how many pages are fetched at once for one tenant. */
  tenantId?: string;
  given?: GivenNudge;
  /** The audience. The caller has checked that the site belongs to the tenant, and the topics to the site. */
  site?: {
    siteId: string;
    /** Absent or empty: all subscribers. */
    topicIds?: string[] | undefined;
    /** Where counting the audience stops. Default 10,000: enough to know that there is one. */
    countAtMost?: number;
  };
  /** No editor sees the story before it is sent (feeds): checks of the site block. Default false. */
  strict?: boolean;
};

/** Without a site. */
const defaultFreshnessHours = 48;

/**
 * Fetches a story, reads its page, judges it and writes its nudge. A page that cannot be read results in `skip` with the
 * reason and an empty article. Throws `url_not_allowed` for a URL that must not be fetched, and `unavailable` while too
 * many pages are being fetched.
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

/** A page without a content type counts as HTML if it begins as HTML. */
function isHtml({ contentType, body }: Page): boolean {
  if (contentType !== "") return contentType === "text/html" || contentType === "application/xhtml+xml";
  return /<(!doctype html|html|head|title)\b/i.test(body.subarray(0, 1024).toString("latin1"));
}
