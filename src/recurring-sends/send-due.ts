import type { Actor } from "../actor.ts";
import type { App } from "../app.ts";
import { createCampaign } from "../campaigns/create-campaign.ts";
import { inTenant, type Tx } from "../db/pool.ts";
import type { Reason } from "../decision/checks/check.ts";
import { AppError } from "../errors.ts";
import { recurringKeyPrefix } from "../feeds/items/recurring-campaign.ts";
import { refusalReason } from "../feeds/items/refusal-reason.ts";
import { againCodes } from "../feeds/items/send-item.ts";
import { withCountedCampaign } from "../sends/cap-count.ts";
import { sendLockedCampaign } from "../sends/send-campaign.ts";
import { decideOnItem, newestStory, type Story, type StoryDecision } from "./decide-on-item.ts";
import { type DueOccurrence, insertOccurrence, lockOccurrence, postpone } from "./due-queries.ts";
import { nextOccurrence } from "./occurrences.ts";
import { updateNext } from "./queries.ts";
import { lateMinutes, type Outcome } from "./recurring-send.ts";

/** The time after which a temporary refusal, or a page that did not answer, is tried again, within `lateMinutes`. */
const againAfterMs = { refusal: 5_000, page: 60_000 };

/** After a long outage, only the missed occurrences of this many days are recorded. */
const missedDays = 7;
const dayMs = 86_400_000;

/** The end of an attempt. `taken`: another process or a person came first. `again`: it is tried again soon. */
export type DueEnd = { kind: Outcome; runId?: string } | { kind: "taken" | "again" };

/** The result for an occurrence, before it is recorded. */
type Found = { kind: "send"; campaignId: string } | { kind: "nothing_new" } | Against;
type Against = { kind: "skipped" | "refused"; reasons: Reason[]; againAfterMs?: number };

/**
 * Sends the newest story of the source of a due occurrence if the decision allows it, or records why nothing was sent.
 * The transaction that starts the run also records the occurrence, so any number of processes may try it. Throws
 * errors that are not refusals.
 */
export async function sendDueOccurrence(app: App, due: DueOccurrence): Promise<DueEnd> {
  if (due.lateMs > lateMinutes * 60_000) return record(app, due, { kind: "missed" });
  const actor: Actor = { kind: "recurring", tenantId: due.tenantId, recurringSendId: due.id };
  const story = await newestStory(app, due);
  if (story === undefined) return record(app, due, { kind: "nothing_new" });
  try {
    const found = await findCampaign(app, actor, story, due.nowMs);
    if (found.kind === "send") return await send(app, actor, { due, story, campaignId: found.campaignId });
    return await recordOrRepeat(app, due, story, found);
  } catch (error) {
    return recordOrRepeat(app, due, story, refused(error));
  }
}

/**
 * Decides on a story. Returns the campaign to send, which is the draft of the story's feed or a new campaign, or the
 * reasons against sending.
 */
async function findCampaign(
  app: App,
  actor: Actor,
  story: Story,
  nowMs: number,
): Promise<{ kind: "send"; campaignId: string } | Against> {
  const decided = await decideOnItem(app, actor, story, nowMs);
  if (decided.kind === "shut") return refused(decided.refusal);
  if (decided.kind !== "send") {
    const repeated = decided.kind === "again" ? { againAfterMs: againAfterMs.page } : {};
    return { kind: "skipped", reasons: decided.reasons, ...repeated };
  }
  if ("campaignId" in decided) return { kind: "send", campaignId: decided.campaignId };
  return { kind: "send", campaignId: await create(app, story, decided) };
}

async function create(
  app: App,
  { item, site }: Story,
  { verdict, topicIds, segment }: Extract<StoryDecision, { verdict: unknown }>,
): Promise<string> {
  const body = { siteId: site.id, mode: "url", url: verdict.article.url, topicIds, segment: segment ?? "" };
  // The author is the feed, as for a suggestion. Lists and figures name the feed as the sender.
  const actor: Actor = { kind: "feed", tenantId: item.tenantId, feedId: item.feedId };
  const { campaignId } = await createCampaign(app, actor, {
    body,
    idempotencyKey: recurringKeyPrefix + item.id,
    verdict,
  });
  return campaignId;
}

function refused(error: unknown): Against {
  if (!(error instanceof AppError)) throw error;
  const reasons = [refusalReason(error)];
  return againCodes.has(error.code)
    ? { kind: "refused", reasons, againAfterMs: againAfterMs.refusal }
    : { kind: "refused", reasons };
}

type Send = { due: DueOccurrence; story: Story; campaignId: string };

/** Starts the run of a campaign and records the occurrence, in one transaction. */
function send(app: App, actor: Actor, { due, story, campaignId }: Send): Promise<DueEnd> {
  return withCountedCampaign(app, actor, campaignId, async (tx, campaign, capCount): Promise<DueEnd> => {
    if (!(await lockOccurrence(tx, due))) return { kind: "taken" };
    const key = `recurring:${due.id}:${due.day}`;
    const { runId } = await sendLockedCampaign(app, tx, { actor, campaign, capCount }, key);
    const { url, title } = campaign;
    await end(tx, due, { outcome: "sent", reasons: [], story: { url, title: title ?? story.item.title }, campaignId });
    return { kind: "sent", runId };
  });
}

function recordOrRepeat(app: App, due: DueOccurrence, story: Story, against: Against): Promise<DueEnd> {
  const { againAfterMs: afterMs } = against;
  const isInTime = afterMs !== undefined && due.lateMs + afterMs < lateMinutes * 60_000;
  if (!isInTime) return record(app, due, against, story);
  return postpone(app.db, due, afterMs).then(() => ({ kind: "again" }));
}

function record(
  app: App,
  due: DueOccurrence,
  found: Exclude<Found, { kind: "send" }> | { kind: "missed" },
  story?: Story,
): Promise<DueEnd> {
  return inTenant(app.db, due.tenantId, async (tx): Promise<DueEnd> => {
    if (!(await lockOccurrence(tx, due))) return { kind: "taken" };
    const reasons = "reasons" in found ? found.reasons : [];
    await end(tx, due, { outcome: found.kind, reasons, story: story?.item ?? null, campaignId: null });
    return { kind: found.kind };
  });
}

/** Records an occurrence and computes the next one. */
async function end(tx: Tx, due: DueOccurrence, recorded: Parameters<typeof insertOccurrence>[2]): Promise<void> {
  await insertOccurrence(tx, due, recorded);
  // Computes from the occurrence on, not from now on, so that the occurrences of an outage are recorded as missed, one
  // after the other.
  const afterMs = Math.max(due.dueAt.getTime(), due.nowMs - missedDays * dayMs);
  await updateNext(tx, due.id, nextOccurrence(due, due.timeZone, { afterMs, afterDay: due.day }), due.timeZone);
}
