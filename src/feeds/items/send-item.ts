import type { Actor } from "../../actor.ts";
import type { App } from "../../app.ts";
import type { CampaignView } from "../../campaigns/campaign.ts";
import { cancelCampaign } from "../../campaigns/cancel-campaign.ts";
import { createCampaign } from "../../campaigns/create-campaign.ts";
import { judgeGates } from "../../campaigns/gates.ts";
import { campaignByIdempotencyKey } from "../../campaigns/queries.ts";
import { readCampaign } from "../../campaigns/read-campaign.ts";
import { sendCampaign } from "../../campaigns/send-campaign.ts";
import { inTenant } from "../../db/pool.ts";
import type { Reason } from "../../decision/checks/check.ts";
import { decideStory, type Verdict } from "../../decision/decide-story.ts";
import { writeNudge } from "../../decision/nudge.ts";
import { AppError, appError, type FieldFault } from "../../errors.ts";
import { siteOfTenant } from "../../tenants/sites/queries.ts";
import type { FeedRecord } from "../feed.ts";
import { httpsOf } from "./item-url.ts";
import { blocks, judgeItem } from "./judge-item.ts";
import { countSends, type ItemOutcome, type ItemRecord } from "./queries.ts";

/** An item that waits for a gate is looked at again after this. */
const gateAfterMs = 15_000;
const againAfterMs = 5_000;
/** A page may come some moments after its feed has announced it. */
const pageAfterMs = [20_000, 60_000, 300_000, 900_000];
const againCodes = new Set(["unavailable", "illegal_transition", "idempotency_key_reused"]);
const gateCodes = new Set(["dpa_required", "send_paused", "billing"]);

export type DueItem = ItemRecord & { tenantId: string };
type Go = { url: string; topicIds: string[] };

/**
 * What becomes of an item that is due: judged, and if the decision says send, made a campaign and sent. Safe to repeat
 * from any point, by any process: the campaign is found by the item's key, and so is its run. The caller holds the
 * site's desk and writes the outcome.
 */
export async function sendItem(app: App, item: DueItem, feed: FeedRecord): Promise<ItemOutcome> {
  const actor: Actor = { kind: "feed", tenantId: item.tenantId, feedId: feed.id };
  const begun = await begunCampaign(app, actor, item);
  if (begun !== undefined && begun.status !== "draft") return endedOutcome(begun);
  const verdict = await judge(app, item, feed);
  if (verdict.kind === "skip") return giveUp(app, actor, begun, verdict.reasons);
  const shut = await firstShutGate(app, actor, item.siteId, verdict.topicIds);
  if (shut !== undefined) return refusedOutcome(shut, begun);
  try {
    return await decideAndSend(app, actor, { item, feed, go: verdict, begun });
  } catch (error) {
    return refusedOutcome(error, begun ?? (await begunCampaign(app, actor, item)));
  }
}

/** The key of an item, for its campaign and for its run. */
export function keyOfItem({ id }: Pick<ItemRecord, "id">): string {
  return `feed:${id}`;
}

/** The campaign that was made of the item before: by a process that died, or before a gate was shut. */
async function begunCampaign(app: App, actor: Actor, item: DueItem): Promise<CampaignView | undefined> {
  const earlier = await campaignByIdempotencyKey(app.db, actor.tenantId, keyOfItem(item));
  return earlier && readCampaign(app, actor, { campaignId: earlier.id });
}

/** What became of a campaign that nobody has to send any more. */
function endedOutcome({ campaignId, runId, status }: CampaignView): ItemOutcome {
  if (runId !== null) return { to: "sent", campaignId, runId };
  const message = `Its campaign is ${status} already, and is left as it is.`;
  return { to: "skipped", campaignId, reasons: [blocks("campaign_left", message)] };
}

async function judge(app: App, item: DueItem, feed: FeedRecord) {
  const site = await siteOfTenant(app.db, item.tenantId, item.siteId);
  if (site === undefined) return { kind: "skip" as const, reasons: [refusalReason(appError("site_removed"))] };
  const { freshnessHours } = site;
  const sends = await countSends(app.db, item.siteId, feed.id);
  const facts = {
    ...{ url: item.url === null ? null : httpsOf(item.url), categories: item.categories, feed, sends, freshnessHours },
    publishedMs: item.publishedAt?.getTime() ?? null,
    foundMs: item.foundAt.getTime(),
    waitingFor: item.status === "waiting" ? item.reasons : [],
  };
  return judgeItem(facts, app.now());
}

async function giveUp(
  app: App,
  actor: Actor,
  begun: CampaignView | undefined,
  reasons: Reason[],
): Promise<ItemOutcome> {
  if (begun !== undefined) await cancelCampaign(app, actor, { campaignId: begun.campaignId });
  return { to: "skipped", reasons, campaignId: begun?.campaignId ?? null };
}

function waitFor(reasons: Reason[], begun: CampaignView | undefined, afterMs: number): ItemOutcome {
  return { to: "waiting", reasons, campaignId: begun?.campaignId ?? null, afterMs };
}

async function firstShutGate(
  app: App,
  actor: Actor,
  siteId: string,
  topicIds: string[],
): Promise<AppError | undefined> {
  const campaign = { tenantId: actor.tenantId, siteId, topicIds, corrects: null };
  return inTenant(app.db, actor.tenantId, async (tx) => (await judgeGates(app, tx, campaign)).shut[0]);
}

type Work = { item: DueItem; feed: FeedRecord; go: Go; begun: CampaignView | undefined };

/** The decision is taken now, also on a campaign that was begun earlier: what held then may not hold any more. */
async function decideAndSend(app: App, actor: Actor, { item, feed, go, begun }: Work): Promise<ItemOutcome> {
  const { url, topicIds } = go;
  const site = { siteId: item.siteId, topicIds };
  const verdict = await decideStory(app, { url, tenantId: item.tenantId, site, strict: true });
  if (verdict.decision === "skip" && !feed.override) {
    const blocking = verdict.reasons.filter(({ effect }) => effect === "blocks");
    const afterMs = pageAfterMs[item.tries];
    if (afterMs !== undefined && blocking.every(mayPass)) return waitFor(blocking, begun, afterMs);
    return giveUp(app, actor, begun, blocking);
  }
  const { campaignId } = begun ?? (await create(app, actor, { item, feed, go, verdict }));
  const { runId } = await sendCampaign(app, actor, { campaignId, idempotencyKey: keyOfItem(item) });
  return { to: "sent", campaignId, runId };
}

/** A page that does not answer may do so in a moment; a paper's servers are not all as quick as its feed. */
function mayPass({ code }: Reason): boolean {
  return code === "unreachable" || code === "http_status";
}

type Creation = { item: DueItem; feed: FeedRecord; go: Go; verdict: Verdict };

/** forceSend is set for a feed whose override is on, and for no other. */
function create(app: App, actor: Actor, { item, feed, go, verdict }: Creation): Promise<CampaignView> {
  const forced = feed.override ? { forceSend: true } : {};
  const body = { siteId: item.siteId, mode: "url", url: go.url, topicIds: go.topicIds, ...forced };
  return createCampaign(app, actor, { body, idempotencyKey: keyOfItem(item), verdict: withTitle(verdict, item) });
}

/** A forced story that could not be read goes out under the feed's own words. */
function withTitle(verdict: Verdict, { title, summary }: ItemRecord): Verdict {
  if (verdict.nudge.title !== null || title === null) return verdict;
  return { ...verdict, nudge: writeNudge({ title, description: summary, imageUrl: verdict.nudge.imageUrl }) };
}

/** A refusal as an outcome. What is no refusal is thrown: the item is tried again. */
function refusedOutcome(error: unknown, begun: CampaignView | undefined): ItemOutcome {
  if (!(error instanceof AppError)) throw error;
  if (gateCodes.has(error.code)) return waitFor([refusalReason(error)], begun, gateAfterMs);
  // Too many pages are being read, or someone has just moved the campaign by hand: the next look sees what it is then.
  if (againCodes.has(error.code)) return waitFor([refusalReason(error)], begun, againAfterMs);
  return { to: "skipped", reasons: [refusalReason(error)], campaignId: begun?.campaignId ?? null };
}

function refusalReason({ code, message, details }: AppError): Reason {
  const faults = ((details.errors ?? []) as FieldFault[]).map((fault) => `${fault.path} ${fault.message}.`);
  return blocks(code, [message, ...faults].join(" "));
}
