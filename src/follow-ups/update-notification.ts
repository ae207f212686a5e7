import type { Actor } from "../actor.ts";
import type { App } from "../app.ts";
import { recordAuditEvent } from "../audit/record-event.ts";
import { type CampaignRecord, illegalMove } from "../campaigns/campaign.ts";
import { readUpdateInput } from "../campaigns/campaign-input.ts";
import { assertPayloadFits } from "../campaigns/campaign-rules.ts";
import { campaignOfTenant } from "../campaigns/queries.ts";
import { readVariantMessages } from "../campaigns/run-message.ts";
import { extraRunsUsedUp } from "../campaigns/test-campaign.ts";
import { correctionOf, type ShownRun, shownRunOf, stopThread, takePlace, updateAudience } from "../campaigns/thread.ts";
import { inTenant, type Tx } from "../db/pool.ts";
import { appError } from "../errors.ts";
import { isId } from "../ids.ts";
import { enforceLimit } from "../rate-limits/count-requests.ts";
import { extraRunLimit } from "../rate-limits/limits.ts";
import { closeEmptyRun } from "../runs/close-run.ts";
import { headlineTestOfRun } from "../runs/headline-test/queries.ts";
import type { Thread } from "../runs/run.ts";
import { startRun } from "../runs/start-run.ts";
import { type ShownAudience, shownAudience, withCountedCampaign } from "../sends/cap-count.ts";
import { assertGatesOpen } from "../sends/check-gates.ts";
import { assertOnePersonDecides } from "../sends/second-person.ts";
import { undoSeconds } from "../sends/undo-window.ts";
import { ageOfRun, lastUpdateOf, type Update, updatesOfCampaign } from "./queries.ts";

/**
 * Days for which a browser remembers the notifications that its reader has closed. The service remembers them for
 * RECIPIENT_DAYS.
 */
const rememberedDays = 7;

/** The most updates that are listed. */
export const listed = 100;

export type UpdateView = {
  campaignId: string;
  runId: string;
  title: string;
  body: string;
  imageUrl: string | null;
  /** The status of its run. */
  status: Update["status"];
  createdAt: string;
  /** The time left to stop it before anybody gets it, in ms. Absent if the send has begun or ended. */
  startsInMs?: number;
};

export type UpdateResult = ShownAudience & {
  campaignId: string;
  runId: string;
  /** Whether the notification already had this text. If so, nothing was sent, and `runId` is the run with this text. */
  duplicate: boolean;
};

/**
 * Changes a notification on the screen, silently: title, text or picture, as `body` names them. It goes to the readers
 * of the notification, as a run of kind `update`. It stops the previous update if that is still being sent. Repeating
 * the last update sends nothing. A member's update starts after ten seconds. If it is stopped before that, it reaches
 * nobody. Throws, in this order: `rate_limited`, `not_found`, `validation_failed`, `illegal_transition` (the
 * notification's run has not ended, is older than seven days or RECIPIENT_DAYS, or was corrected), the refusal of the
 * first shut gate, and for a member `confirmation_required`.
 */
export async function updateNudge(
  app: App,
  actor: Actor,
  input: { campaignId: string; body: unknown },
): Promise<UpdateResult> {
  await enforceLimit(app, extraRunLimit, actor.tenantId, extraRunsUsedUp);
  return withCountedCampaign(app, actor, input.campaignId, async (tx, campaign, capCount) => {
    const wanted = readUpdateInput(campaign.mode, input.body);
    const { shown, thread } = await readShown(tx, campaign, Math.min(rememberedDays, app.config.RECIPIENT_DAYS));
    const last = await lastUpdateOf(tx, campaign);
    const { title, body, imageUrl } = last ?? (await chosenText(tx, campaign));
    const nudge = {
      ...campaign,
      title: wanted.title ?? title,
      body: wanted.body ?? body,
      imageUrl: wanted.imageUrl === undefined ? imageUrl : wanted.imageUrl || null,
    };
    // After a headline test, some readers have another text than the chosen one, so the same text is sent again.
    const isKnown = last !== undefined || campaign.extras.variants === undefined;
    if (isKnown && nudge.title === title && nudge.body === body && nudge.imageUrl === imageUrl) {
      const { runId, expectedAudience } = last ?? { runId: campaign.runId!, expectedAudience: shown.expectedAudience };
      return { campaignId: campaign.id, runId, ...shownAudience(expectedAudience), duplicate: true };
    }
    assertPayloadFits(nudge);
    const to = { ...updateAudience(shown), siteId: campaign.siteId };
    const audience = await assertGatesOpen(app, tx, to, capCount);
    await assertOnePersonDecides(tx, actor, to);
    await stopThread(tx, shown);
    return startUpdate(app, tx, actor, nudge, { shown, thread, audience });
  });
}

/** Returns the latest updates of a campaign's notification, newest first, at most 100. Throws `not_found`. */
export async function listUpdates(app: App, actor: Actor, input: { campaignId: string }): Promise<UpdateView[]> {
  if (!isId(input.campaignId)) throw appError("not_found");
  return inTenant(app.db, actor.tenantId, async (tx) => {
    const campaign = await campaignOfTenant(tx, actor.tenantId, input.campaignId);
    if (campaign === undefined) throw appError("not_found");
    const updates = await updatesOfCampaign(tx, campaign, listed);
    return updates.map(({ expectedAudience: _, createdAt, startsInMs, ...update }) => ({
      campaignId: campaign.id,
      ...update,
      createdAt: createdAt.toISOString(),
      ...(startsInMs === null ? {} : { startsInMs }),
    }));
  });
}

/**
 * Returns the run whose notification is on the screens, and the place of an update in its thread. Refuses while that
 * run is open, because its last messages could arrive after the update.
 */
async function readShown(
  tx: Tx,
  campaign: CampaignRecord,
  maxAgeDays: number,
): Promise<{ shown: ShownRun; thread: Thread }> {
  const shown = await shownRunOf(tx, campaign.tenantId, campaign.id);
  const refuse = (done: string) => illegalMove(campaign, { to: campaign.shownStatus, done });
  if (shown === undefined) throw refuse("updated: its notification was not sent");
  if (!shown.isOver) throw refuse("updated yet: stop its run, or wait for its end");
  const age = await ageOfRun(tx, { siteId: campaign.siteId, runId: campaign.runId! });
  if (age > maxAgeDays) throw refuse(`updated: it went out more than ${maxAgeDays} days ago. Send a new one`);
  // An update takes missing fields from its campaign. If the campaign was corrected, they would be the wrong text.
  const thread = await takePlace(tx, shown);
  const correction = await correctionOf(tx, shown);
  if (correction !== undefined) throw refuse(`updated: campaign ${correction} has corrected it. Update that one`);
  return { shown, thread };
}

async function startUpdate(
  app: App,
  tx: Tx,
  actor: Actor,
  nudge: CampaignRecord,
  { shown, thread, audience }: { shown: ShownRun; thread: Thread; audience: number },
): Promise<UpdateResult> {
  const { id: campaignId, siteId, tenantId, ttlSeconds, urgency } = nudge;
  const [message] = await readVariantMessages(app, tx, nudge);
  const { runId } = await startRun(tx, {
    siteId,
    tenantId,
    campaignId,
    kind: "update",
    ttlSeconds,
    urgency,
    idempotencyKey: null,
    messages: [{ ...message!, update: true }],
    ...(actor.kind === "user" ? { afterSeconds: undoSeconds } : {}),
    audience: updateAudience(shown),
    thread,
    expectedAudience: audience,
  });
  if (audience === 0) await closeEmptyRun(tx, { siteId, runId });
  const details = shownAudience(audience);
  await recordAuditEvent(tx, actor, "campaign.updated", { siteId, subjectId: campaignId, details });
  return { campaignId, runId, ...details, duplicate: false };
}

/**
 * Returns the text of a notification before its updates. After a headline test it is the chosen text, which most
 * readers got.
 */
async function chosenText(
  tx: Tx,
  campaign: CampaignRecord,
): Promise<Pick<CampaignRecord, "title" | "body" | "imageUrl">> {
  if (campaign.extras.variants === undefined) return campaign;
  const test = await headlineTestOfRun(tx, { siteId: campaign.siteId, runId: campaign.runId! });
  return test === undefined || test.chosen === null ? campaign : test.messages[test.chosen]!;
}
