import type { Actor } from "../actor.ts";
import type { App } from "../app.ts";
import { recordAuditEvent } from "../audit/record-event.ts";
import type { Tx } from "../db/pool.ts";
import { closeEmptyRun } from "../runs/close-run.ts";
import { liveRunOfCampaign } from "../runs/queries.ts";
import type { RunMessage } from "../runs/run.ts";
import { startRun } from "../runs/start-run.ts";
import { atOnce, type Timing } from "../runs/timing.ts";
import { assertNoSecondPersonNeeded } from "./approval-requests/second-person.ts";
import { type CampaignAudience, readAudience } from "./audience.ts";
import { type CampaignRecord, illegalMove } from "./campaign.ts";
import { type CapCount, type ShownAudience, shownAudience } from "./cap-count.ts";
import { assertGatesOpen } from "./check-gates.ts";
import { assertReadersKnown } from "./correction.ts";
import { defaultTestMinutes, defaultTestShare } from "./headline-variants.ts";
import { moveCampaign } from "./queries.ts";
import { readVariantMessages } from "./run-message.ts";
import { stopThread, takePlace } from "./thread.ts";
import { withCountedCampaign } from "./with-campaign.ts";

export type SendResult = ShownAudience & {
  campaignId: string;
  runId: string;
  status: "sending" | "sent" | "stopped" | "failed";
  /** Whether this is a replay: an earlier request with the same Idempotency-Key has started the run. */
  duplicate: boolean;
};

/**
 * Sends a campaign live, in one short transaction that locks the campaign: of simultaneous sends exactly one starts a
 * run. A replay with the same Idempotency-Key returns that run before any gate is checked, whatever its state is now.
 * Throws, in this order: `not_found`, `site_removed`, `dpa_required`, `send_paused`, `billing`, for a member
 * `confirmation_required`, `illegal_transition`, `readers_forgotten`; for a feed also that first, if a member has
 * changed the campaign.
 */
export async function sendCampaign(
  app: App,
  actor: Actor,
  input: { campaignId: string; idempotencyKey: string | null },
): Promise<SendResult> {
  return withCountedCampaign(app, actor, input.campaignId, (tx, campaign, capCount) =>
    sendLockedCampaign(app, tx, actor, campaign, { idempotencyKey: input.idempotencyKey, capCount }),
  );
}

/** Sends a campaign that the caller has locked, as `sendCampaign` does. */
export async function sendLockedCampaign(
  app: App,
  tx: Tx,
  actor: Actor,
  campaign: CampaignRecord,
  { idempotencyKey, capCount }: { idempotencyKey: string | null; capCount: CapCount | undefined },
): Promise<SendResult> {
  const replay = await findReplay(tx, campaign, idempotencyKey);
  if (replay !== undefined) return replay;
  // A feed sends only what it wrote itself: the text of a member may need a second person.
  if (actor.kind === "feed" && campaign.updatedAt > campaign.createdAt) {
    throw illegalMove(campaign, { to: "sending", done: "sent by a feed, because it was changed by hand" });
  }
  const to = await readAudience(tx, campaign);
  const audience = await assertGatesOpen(app, tx, to, capCount);
  await assertNoSecondPersonNeeded(tx, actor, campaign, { to, atMs: null });
  return startLiveRun(app, tx, actor, campaign, { to, audience, idempotencyKey });
}

async function findReplay(tx: Tx, campaign: CampaignRecord, key: string | null): Promise<SendResult | undefined> {
  const run =
    key === null ? undefined : await liveRunOfCampaign(tx, { siteId: campaign.siteId, campaignId: campaign.id });
  if (run === undefined || run.idempotencyKey !== key) return undefined;
  const status = campaign.shownStatus as SendResult["status"];
  return { campaignId: campaign.id, runId: run.id, status, ...shownAudience(run.expectedAudience), duplicate: true };
}

/**
 * Starts the live run of a campaign that the caller has locked and whose gates it has checked. `to`: its audience.
 * `audience`: as counted by checkGates; a run with an audience of zero completes at once. `atLocalTime`: each reader
 * gets it at the campaign's hour where they are. A correction stops what still runs in its thread. Throws
 * `illegal_transition` if the campaign is not sendable, and `readers_forgotten`.
 */
export async function startLiveRun(
  app: App,
  tx: Tx,
  actor: Actor,
  campaign: CampaignRecord,
  send: { to: CampaignAudience; audience: number; idempotencyKey: string | null; atLocalTime?: boolean },
): Promise<SendResult> {
  const { to, audience, idempotencyKey } = send;
  const localTime = send.atLocalTime ? campaign.localTime : null;
  if (!(await moveCampaign(tx, campaign, { to: "started", localTime })))
    throw illegalMove(campaign, { to: "sending", done: "sent" });
  const { siteId: _, corrected, ...wanted } = to;
  assertReadersKnown(app, corrected);
  const thread = corrected && (await takePlace(tx, corrected));
  if (corrected !== undefined) await stopThread(tx, corrected);
  const { siteId, tenantId, id: campaignId, ttlSeconds, urgency } = campaign;
  const messages = await readVariantMessages(app, tx, campaign);
  const timing = timingOf(campaign, messages, localTime);
  const { runId } = await startRun(tx, {
    siteId,
    tenantId,
    campaignId,
    kind: "live",
    messages: timing.at === "test" ? messages : messages.slice(0, 1),
    audience: wanted,
    timing,
    thread,
    ttlSeconds,
    urgency,
    idempotencyKey,
    expectedAudience: audience,
    countsAt: localTime && campaign.graceFrom,
  });
  if (audience === 0) await closeEmptyRun(tx, { siteId, runId });
  await recordAuditEvent(tx, actor, "campaign.sent", {
    siteId,
    subjectId: campaignId,
    details: shownAudience(audience),
  });
  const status = audience === 0 ? "sent" : "sending";
  return { campaignId, runId, status, ...shownAudience(audience), duplicate: false };
}

/** When the readers of a campaign get it. Its variants are tested unless the site has ceased to count who clicked. */
function timingOf(campaign: CampaignRecord, [own]: RunMessage[], hour: CampaignRecord["localTime"]): Timing {
  const { variants = [], testShare = defaultTestShare, testMinutes = defaultTestMinutes } = campaign.extras;
  if (hour !== null) return { at: "localTime", hour, from: campaign.scheduledAt?.toISOString() ?? null };
  if (variants.length === 0 || own!.receipts !== undefined) return atOnce;
  return { at: "test", share: testShare, minutes: testMinutes };
}
