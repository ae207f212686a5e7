import type { Actor } from "../../actor.ts";
import type { App } from "../../app.ts";
import type { CampaignView } from "../../campaigns/campaign.ts";
import { createCampaign } from "../../campaigns/create-campaign.ts";
import { campaignByIdempotencyKey } from "../../campaigns/queries.ts";
import { readCampaign } from "../../campaigns/read-campaigns.ts";
import { inTenant, type Tx } from "../../db/pool.ts";
import { type Announced, readAnnounced } from "../../decision/announced.ts";
import { isNoAnswer, type Reason } from "../../decision/checks/check.ts";
import { decideStory, type Verdict } from "../../decision/decide-story.ts";
import { maxTitleLength } from "../../decision/nudge.ts";
import { countCodePoints } from "../../decision/text.ts";
import { AppError, appError } from "../../errors.ts";
import { cleanText } from "../../reading/text.ts";
import { largestPayloadBytes, maxPayloadBytes } from "../../runs/payload.ts";
import { cancelCampaign } from "../../sends/cancel-campaign.ts";
import { checkGates } from "../../sends/check-gates.ts";
import { gateOfCode } from "../../sends/gates.ts";
import { confirmAboveOf } from "../../sends/second-person.ts";
import { sendCampaign } from "../../sends/send-campaign.ts";
import { freezeSegment } from "../../subscribers/segments/queries.ts";
import { defaultClass } from "../../tenants/sites/campaign-classes.ts";
import { siteById, siteOfTenant } from "../../tenants/sites/queries.ts";
import type { FeedRecord } from "../feed.ts";
import { feedMessages as messages } from "../messages.ts";
import { hostOfSite, httpsOf, leadsTo } from "../web-address.ts";
import { blocks, checkHost, checkItem, limitAfterMs } from "./check-item.ts";
import type { DueItem, ItemOutcome, ItemRecord } from "./item.ts";
import { countSends, countSuggestions } from "./queries.ts";
import { refusalReason } from "./refusal-reason.ts";
import { checkSameStory } from "./same-story.ts";
import { isLimit, reachedLimits } from "./site-limits.ts";

/** The pause before an item that waits for a gate is tried again. */
const gateAfterMs = 15_000;
const againAfterMs = 5_000;
/** Pauses between the tries to read a page. A page may be published some moments after the feed announced it. */
const pageAfterMs = [20_000, 60_000, 300_000, 900_000];
/** Refusals that may pass in a moment, so that the next try may succeed. */
export const againCodes = new Set(["unavailable", "illegal_transition", "idempotency_key_reused"]);

/** What the feed's own checks return for an item that passes them. */
type Target = { url: string; topicIds: string[]; hosts: string[]; asksUndated: boolean; announced: Announced };

/**
 * Checks a due item. If the decision says send, creates its campaign and sends it, or leaves it to the editors if the
 * feed suggests. Returns the outcome, which the caller writes. The caller holds the claim of the site. If a call
 * breaks off at any point, any process may repeat it, because campaign and run are found by the item's key. Throws
 * every error that is not a refusal of an operation.
 */
export async function sendItem(app: App, item: DueItem, feed: FeedRecord): Promise<ItemOutcome> {
  const actor: Actor = { kind: "feed", tenantId: item.tenantId, feedId: feed.id };
  const earlier = await earlierCampaign(app, actor, item);
  if (earlier !== undefined && (earlier.status !== "draft" || wasChanged(earlier))) return outcomeOf(earlier);
  const verdict = await check(app, item, feed);
  if (verdict.kind === "skip") return skip(app, actor, earlier, verdict.reasons);
  if (verdict.kind === "wait") return waitFor(verdict.reasons, earlier, verdict.afterMs);
  const shut = await firstShutGate(app, actor, { ...item, ...verdict, segment: feed.segment, followersOf: null });
  if (shut !== undefined) return refusedOutcome(shut, earlier);
  const limits = feed.atLimit === "wait" && !feed.override ? await reachedLimits(app, { ...item, ...verdict }) : [];
  if (limits.length > 0) return waitFor(limits, earlier, limitAfterMs);
  try {
    return await decideAndSend(app, actor, { item, feed, target: verdict, earlier });
  } catch (error) {
    return refusedOutcome(error, earlier ?? (await earlierCampaign(app, actor, item)));
  }
}

/** Returns the Idempotency-Key of an item, for its campaign and for its run. */
export function keyOfItem({ id }: Pick<ItemRecord, "id">): string {
  return `feed:${id}`;
}

/** Returns the campaign that an earlier try created. That try's process died, or a gate was shut afterwards. */
async function earlierCampaign(app: App, actor: Actor, item: DueItem): Promise<CampaignView | undefined> {
  const found = await campaignByIdempotencyKey(app.db, actor.tenantId, keyOfItem(item));
  return found && readCampaign(app, actor, { campaignId: found.id });
}

/**
 * Returns whether a member has changed the draft. The feed must not send a member's text, because a second person may
 * have to approve it.
 */
function wasChanged({ createdAt, updatedAt }: CampaignView): boolean {
  return createdAt !== updatedAt;
}

/** Returns the outcome of an item whose campaign was sent, or changed, cancelled or scheduled by a member. */
function outcomeOf({ campaignId, runId, status }: CampaignView): ItemOutcome {
  if (runId !== null) return { to: "sent", campaignId, runId };
  const message = status === "draft" ? messages.item_campaign_edited() : messages.item_campaign_left({ status });
  return { to: "skipped", campaignId, reasons: [blocks("campaign_left", message)] };
}

async function check(app: App, item: DueItem, feed: FeedRecord) {
  const site = await siteOfTenant(app.db, item.tenantId, item.siteId);
  if (site === undefined) return { kind: "skip" as const, reasons: [refusalReason(appError("site_removed"))] };
  const { freshnessHours } = site;
  const hosts = [hostOfSite(site.url), ...feed.allowedHosts];
  const { nowMs, ...sends } = feed.suggest
    ? await countSuggestions(app.db, feed.id)
    : await countSends(app.db, item.siteId, feed.id);
  const facts = {
    url: item.url === null ? null : httpsOf(item.url),
    categories: item.categories,
    feed,
    sends,
    freshnessHours,
    hosts,
    publishedMs: item.publishedAt?.getTime() ?? null,
    foundMs: item.foundAt.getTime(),
    waitingFor: item.status === "waiting" ? item.reasons : [],
  };
  const asksUndated = site.undatedStories === "ask" && !item.answered && !feed.override;
  const announced = await announcedBy(app, item, hosts);
  return { ...checkItem(facts, nowMs), hosts, asksUndated, announced };
}

async function skip(
  app: App,
  actor: Actor,
  earlier: CampaignView | undefined,
  reasons: Reason[],
): Promise<ItemOutcome> {
  if (earlier !== undefined) await cancelCampaign(app, actor, { campaignId: earlier.campaignId });
  return { to: "skipped", reasons, campaignId: earlier?.campaignId ?? null };
}

function waitFor(reasons: Reason[], earlier: CampaignView | undefined, afterMs: number): ItemOutcome {
  return { to: "waiting", reasons, campaignId: earlier?.campaignId ?? null, afterMs, isTry: reasons.some(isNoAnswer) };
}

/** Returns the refusal of the first gate that is shut for a send to these readers, or undefined if all are open. */
export async function firstShutGate(
  app: App,
  actor: Actor,
  { siteId, topicIds, segment, followersOf }: Pick<CampaignView, "siteId" | "topicIds" | "segment" | "followersOf">,
): Promise<AppError | undefined> {
  const check = async (tx: Tx) => {
    const frozen = await freezeSegment(tx, siteId, segment);
    const campaign = { siteId, class: defaultClass, corrects: null };
    return checkGates(app, tx, { of: "readers", siteId, topicIds, segment: frozen, followersOf }, { campaign });
  };
  return (await inTenant(app.db, actor.tenantId, check)).refusals[0];
}

type Work = { item: DueItem; feed: FeedRecord; target: Target; earlier: CampaignView | undefined };

/** Decides now, even for a campaign of an earlier try, because page, site and time may have changed since. */
async function decideAndSend(app: App, actor: Actor, { item, feed, target, earlier }: Work): Promise<ItemOutcome> {
  const { url, topicIds, hosts, announced } = target;
  const known = await checkSameStory(app.db, item);
  if (known !== null) return skip(app, actor, earlier, [known]);
  const site = { siteId: item.siteId, topicIds, segment: feed.segment ?? undefined };
  const verdict = await decideStory(app, { url, tenantId: item.tenantId, site, strict: true, announced });
  const redirected = checkHost({ url: verdict.article.url, hosts });
  if (redirected !== null) return skip(app, actor, earlier, [redirected]);
  const blocking = verdict.reasons.filter(({ effect }) => effect === "blocks");
  const silent = blocking.filter(isNoAnswer);
  // The override forces a story, but not a repetition of it.
  const repeated = blocking.filter(({ code }) => code === "already_sent");
  if (repeated.length > 0 && feed.override) return skip(app, actor, earlier, repeated);
  // The override sends what was checked. A page that does not answer was not checked, and readers would meet the
  // error.
  if (feed.override && silent.length > 0)
    return waitFor(silent, earlier, pageAfterMs[item.tries] ?? pageAfterMs.at(-1)!);
  if (blocking.length > 0 && !feed.override) {
    const afterMs = pageAfterMs[item.tries];
    const limits = feed.atLimit === "wait" ? blocking.filter(isLimit) : [];
    // The limits were reached while the page was read: another feed of the site, or an editor, has sent meanwhile.
    if (limits.length === blocking.length) return waitFor(limits, earlier, limitAfterMs);
    const isPassing = silent.length + limits.length === blocking.length;
    if (afterMs !== undefined && isPassing) return waitFor(silent, earlier, afterMs);
    return skip(app, actor, earlier, blocking);
  }
  const undated = verdict.reasons.filter(({ code }) => code === "no_date");
  if (target.asksUndated && earlier === undefined && undated.length > 0) {
    return { to: "asked", reasons: undated, campaignId: null };
  }
  const { campaignId } = earlier ?? (await create(app, actor, { item, feed, target, verdict }));
  if (feed.suggest) return { to: "suggested", campaignId, reasons: [] };
  const { runId } = await sendCampaign(app, actor, { campaignId, idempotencyKey: keyOfItem(item) });
  return { to: "sent", campaignId, runId };
}

type Creation = { item: DueItem; feed: FeedRecord; target: Target; verdict: Verdict };

/** Creates the campaign of an item. Sets forceSend only if the feed's override is on. */
async function create(app: App, actor: Actor, { item, feed, target, verdict }: Creation): Promise<CampaignView> {
  const forced = feed.override ? { forceSend: true } : {};
  const tried = feed.testHeadlines ? await variantOf(app, item, target.announced, verdict) : {};
  const audience = { topicIds: target.topicIds, segment: feed.segment ?? "" };
  const body = { siteId: item.siteId, mode: "url", url: target.url, ...audience, ...forced, ...tried };
  return createCampaign(app, actor, { body, idempotencyKey: keyOfItem(item), verdict });
}

/**
 * Returns the feed's own title as a variant, if it differs from the page's and the site can tell which one is clicked
 * more.
 */
async function variantOf(
  app: App,
  { siteId }: ItemRecord,
  announced: Announced,
  { nudge, article }: Verdict,
): Promise<{ variants?: [{ title: string }] }> {
  const site = await siteById(app.db, siteId);
  if (site?.receipts !== "full") return {};
  const read = readAnnounced(announced, article.url, { names: [site.name], logos: [] });
  const title = cleanText(read.title ?? "");
  const isOther = title !== "" && nudge.title !== null && title !== nudge.title;
  if (!isOther || countCodePoints(title) > maxTitleLength) return {};
  const { body, imageUrl } = nudge;
  const bytes = largestPayloadBytes({ title, body: body ?? "", url: article.url, imageUrl });
  return bytes <= maxPayloadBytes ? { variants: [{ title }] } : {};
}

/**
 * Returns what the feed says of a story. At a tenant where large sends need a second person, words of a host that is
 * neither the site's nor allowed by an owner are not used. Otherwise an editor's feed at any server could write what
 * readers get.
 */
export async function announcedBy(app: App, item: DueItem, hosts: string[]): Promise<Announced> {
  const { title, summary, imageUrl, sourceHost } = item;
  const publishedAt = item.publishedAt?.toISOString() ?? null;
  const isTrusted = sourceHost !== null && leadsTo(`https://${sourceHost}`, hosts);
  if (!isTrusted && (await confirmAboveOf(app.db, item.tenantId)) !== null)
    return { title: null, description: null, imageUrl: null, publishedAt };
  return { title, description: summary, imageUrl, publishedAt };
}

/** Returns a refusal as an outcome. Throws any other error, and the item is tried again. */
function refusedOutcome(error: unknown, begun: CampaignView | undefined): ItemOutcome {
  if (!(error instanceof AppError)) throw error;
  if (gateOfCode(error.code)?.canReopen) return waitFor([refusalReason(error)], begun, gateAfterMs);
  // Too many pages are being read, or someone has just moved the campaign by hand. The next try sees the new state.
  if (againCodes.has(error.code)) return waitFor([refusalReason(error)], begun, againAfterMs);
  return { to: "skipped", reasons: [refusalReason(error)], campaignId: begun?.campaignId ?? null };
}
