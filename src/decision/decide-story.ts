import type { App } from "../app.ts";
import type { Page, PageFetcher, PageResult } from "../egress/page/fetch-page.ts";
import { urlRefusals } from "../egress/page/url-guard.ts";
import { appError } from "../errors.ts";
import { fault } from "../faults.ts";
import { cleanText } from "../reading/text.ts";
import { freezeSegment } from "../subscribers/segments/queries.ts";
import type { CampaignClass } from "../tenants/sites/campaign-classes.ts";
import { siteById } from "../tenants/sites/queries.ts";
import { type Announced, completeArticle, readAnnounced } from "./announced.ts";
import { type CheckedStory, checkStory } from "./check-story.ts";
import type { Fetched, StoryFacts } from "./checks/check.ts";
import { expectClicks } from "./expect-clicks.ts";
import { type GivenNudge, type Nudge, writeNudge } from "./nudge.ts";
import { type Article, articleTask, emptyArticle, type ReadPage } from "./page/article.ts";
import { readSiteFacts } from "./queries.ts";
import { type Audience, isDefaultPicture, type SiteFacts, viewAudience } from "./site-facts.ts";
import { canonicalForm } from "./story-url.ts";
import { readVisitsWon } from "./visits-won.ts";

/** The result of a decision, for the preview and for the creation of a campaign. `audience`: null without a site. */
export type Verdict = CheckedStory & { article: Article; nudge: Nudge; audience: Audience | null };

export type StoryRequest = {
  url: string;
  /** The tenant whose limit of simultaneous fetches applies. */
  tenantId?: string;
  given?: GivenNudge;
  /**
   * The audience. The caller has checked that the site belongs to the tenant, and that topics and segment belong to
   * the site.
   */
  site?: {
    siteId: string;
    /** Absent or empty: all subscribers. */
    topicIds?: string[] | undefined;
    /** The id of a segment. Absent: all readers. */
    segment?: string | undefined;
    /** The id that readers must follow. Absent: they need not follow anything. */
    followersOf?: string | undefined;
    /** The class of the campaign. Default `normal`. */
    class?: CampaignClass | undefined;
    /**
     * The number at which counting the audience stops. Default 10,000: it is enough to know that there is an audience.
     */
    countAtMost?: number;
    /** Whether it corrects an earlier notification. The story may then have been sent before. Default false. */
    isCorrection?: boolean;
  };
  /** What a feed says of the story. */
  announced?: Announced;
  /** No editor sees the story before it is sent (feeds), so checks of the site block. Default false. */
  strict?: boolean;
};

/** The advice with `unavailable`. */
export const tooManyPages = { message: "Too many pages are being read just now. Try again shortly." };

/** The freshness limit if there is no site. */
const defaultFreshnessHours = 48;

/**
 * Fetches a story, reads its page, checks it and writes its notification. A page that cannot be read results in `skip`
 * with the reason and an empty article. Throws `url_not_allowed` for a URL that must not be fetched, and `unavailable`
 * while too many pages are being read.
 */
export async function decideStory(
  app: Pick<App, "now" | "db" | "parser"> & { pages: Pick<PageFetcher, "fetchPage"> },
  { url, tenantId, given = {}, site: wanted, announced, strict = false }: StoryRequest,
): Promise<Verdict> {
  const result = await app.pages.fetchPage(url, tenantId);
  if (result.kind === "busy") throw appError("unavailable", tooManyPages);
  if (result.kind === "refused") {
    throw appError("url_not_allowed", { errors: [fault("/url", urlRefusals[result.reason])] });
  }
  const settings = wanted === undefined ? undefined : await siteById(app.db, wanted.siteId);
  const { fetched, article: said, signals, site: ofPage } = await readStory(app, { url, result, tenantId, settings });
  const heard = announced === undefined ? null : readAnnounced(announced, said.url, ofPage);
  const complete = completeArticle(said, heard);
  const now = app.now();
  const site = wanted === undefined ? null : await readSite(app, wanted, complete, now);
  // An editor sees the picture and can clear it, so only a feed's default picture is removed.
  const hasDefault = strict && site !== null && isDefaultPicture(site);
  const article = hasDefault ? { ...complete, imageUrl: null } : complete;
  const freshnessHours = site?.freshnessHours ?? defaultFreshnessHours;
  const nudge = writeNudge(article, given);
  const has = ownOf(given, writeNudge(article));
  // The forecast was learnt only from notifications to all readers or to topics.
  const expected =
    site === null || wanted?.isCorrection === true || wanted?.segment !== undefined || wanted?.followersOf !== undefined
      ? null
      : await expectClicks(app, site, factsOf(nudge, article, wanted?.topicIds), now);
  const hasHoldout = wanted !== undefined && wanted.isCorrection !== true;
  const visitsWon = hasHoldout ? await readVisitsWon(app, wanted) : null;
  const facts: StoryFacts = {
    fetched,
    article,
    signals,
    given: has,
    freshnessHours,
    site,
    expected,
    visitsWon,
    strict,
  };
  const checked = checkStory(facts, now);
  const audience = site === null ? null : viewAudience(site, now);
  return { ...checked, article, nudge, audience };
}

/**
 * Returns which texts of the caller's notification are the caller's own. A text that is also in the story's
 * notification does not count. A campaign that is created with the notification of a preview therefore gets the same
 * decision as the preview.
 */
function ownOf(given: GivenNudge, story: Nudge): StoryFacts["given"] {
  const [title, body] = [cleanText(given.title ?? ""), cleanText(given.body ?? "")];
  return {
    title: title === story.title ? null : title || null,
    body: body !== "" && body !== story.body,
    imageUrl: Boolean(given.imageUrl),
  };
}

function factsOf({ title, imageUrl }: Nudge, { url, canonicalUrl }: Article, topicIds: string[] = []) {
  return { title: title ?? "", url: canonicalUrl ?? url, hasImage: imageUrl !== null, topicIds };
}

async function readSite(
  { db }: Pick<App, "db">,
  {
    siteId,
    topicIds = [],
    segment: segmentId,
    followersOf,
    countAtMost = 10_000,
    isCorrection = false,
  }: NonNullable<StoryRequest["site"]>,
  { url, canonicalUrl, imageUrl }: Article,
  now: number,
): Promise<SiteFacts | null> {
  const addresses = [canonicalUrl, canonicalForm(url, url)].filter((address) => address !== null);
  const segment = await freezeSegment(db, siteId, segmentId ?? null);
  const facts = await readSiteFacts(db, {
    siteId,
    topicIds,
    segment,
    followersOf: followersOf ?? null,
    addresses,
    imageUrl,
    countAtMost,
    now,
  });
  return facts === undefined ? null : isCorrection ? { ...facts, storySentAt: null } : facts;
}

type FetchedStory = {
  url: string;
  result: Exclude<PageResult, { kind: "busy" | "refused" }>;
  tenantId: string | undefined;
  settings: { name: string; timeZone: string } | undefined;
};

/** Reads the page of a fetched story. A page that takes too long to parse counts as an answer that cannot be read. */
async function readStory(
  { parser }: Pick<App, "parser">,
  { url, result, tenantId, settings }: FetchedStory,
): Promise<{ fetched: Fetched } & (ReadPage | (Omit<ReadPage, "signals"> & { signals: null }))> {
  const site = settings && { name: settings.name, timeZone: settings.timeZone };
  const unread = { signals: null, site: { names: site === undefined ? [] : [site.name], logos: [] } };
  if (result.kind !== "page") return { fetched: result, article: emptyArticle(url), ...unread };
  const nothing = { article: emptyArticle(result.url), ...unread };
  const fetched = { kind: "page", status: result.status, isHtml: isHtml(result) } as const;
  if (fetched.status !== 200 || !fetched.isHtml) return { fetched, ...nothing };
  const { body, charset, robotsHeader } = result;
  const page = { url: result.url, body, robotsHeader, ...(charset && { charset }), ...(site && { site }) };
  const read = await parser.parse(articleTask, page, tenantId);
  if (read.kind === "busy") throw appError("unavailable", tooManyPages);
  if (read.kind === "failed") return { fetched: { kind: "unreachable", reason: "bad_answer" }, ...nothing };
  return { fetched, ...read.value };
}

/** Returns whether a page is HTML. A page without a content type is HTML if it begins like HTML. */
function isHtml({ contentType, body }: Page): boolean {
  if (contentType !== "") return contentType === "text/html" || contentType === "application/xhtml+xml";
  return /<(!doctype html|html|head|title)\b/i.test(body.subarray(0, 1024).toString("latin1"));
}
