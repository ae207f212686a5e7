import type { App } from "../app.ts";
import { recordAuditEvent } from "../audit/record-event.ts";
import { type CampaignRecord, illegalMove } from "../campaigns/campaign.ts";
import { defaultTestMinutes, defaultTestShare } from "../campaigns/headline-variants.ts";
import { moveCampaign } from "../campaigns/queries.ts";
import { readVariantMessages } from "../campaigns/run-message.ts";
import { stopThread, takePlace } from "../campaigns/thread.ts";
import type { Tx } from "../db/pool.ts";
import { closeEmptyRun } from "../runs/close-run.ts";
import type { RunMessage } from "../runs/run.ts";
import { startRun } from "../runs/start-run.ts";
import { atOnce, type Timing } from "../runs/timing.ts";
import { type ShownAudience, shownAudience } from "./cap-count.ts";
import { assertKnown, type CheckedSend, type LockedSend } from "./check-send.ts";
import { endWaiting } from "./planned-send-queries.ts";

export type SendResult = ShownAudience & {
  campaignId: string;
  runId: string;
  status: "sending" | "sent" | "stopped" | "failed";
  /** Whether this is a replay: an earlier request with the same Idempotency-Key has started the run. */
  duplicate: boolean;
};

/**
 * Starts the live run of a checked send. Every way to send ends here. Withdraws everything else that is planned for the
 * campaign. For a correction, stops the runs of its thread that are still open. A run without readers completes
 * immediately. `atLocalTime`: each reader gets it at the campaign's local time. Throws `illegal_transition` if the
 * campaign cannot be sent, and `readers_forgotten`.
 */
export async function commitSend(
  app: App,
  tx: Tx,
  { actor, campaign }: Pick<LockedSend, "actor" | "campaign">,
  checked: CheckedSend,
  { idempotencyKey = null, atLocalTime = false }: { idempotencyKey?: string | null; atLocalTime?: boolean } = {},
): Promise<SendResult> {
  const { siteId, tenantId, id: campaignId, ttlSeconds, urgency, class: ofClass } = campaign;
  const { siteId: _, corrected, ...audience } = checked.to;
  if (!(await moveCampaign(tx, campaign, { to: "started" })))
    throw illegalMove(campaign, { to: "sending", done: "sent" });
  assertKnown(checked);
  await endWaiting(tx, campaignId, { status: "withdrawn" });
  const thread = corrected && (await takePlace(tx, corrected));
  if (corrected !== undefined) await stopThread(tx, corrected);
  const messages = await readVariantMessages(app, tx, campaign);
  const hour = atLocalTime ? campaign.localTime : null;
  const timing = timingOf(campaign, messages, hour);
  const { runId } = await startRun(tx, {
    siteId,
    tenantId,
    campaignId,
    kind: "live",
    class: ofClass,
    audience,
    timing,
    thread,
    ttlSeconds,
    urgency,
    idempotencyKey,
    messages: timing.at === "test" ? messages : messages.slice(0, 1),
    expectedAudience: checked.audience,
    countsAt: hour && campaign.lateFrom,
  });
  const isEmpty = checked.audience === 0;
  if (isEmpty) await closeEmptyRun(tx, { siteId, runId });
  const shown = shownAudience(checked.audience);
  await recordAuditEvent(tx, actor, "campaign.sent", { siteId, subjectId: campaignId, details: shown });
  return { campaignId, runId, status: isEmpty ? "sent" : "sending", ...shown, duplicate: false };
}

/**
 * Returns when the readers of a campaign get it. The variants of the campaign are tested, unless the site no longer
 * counts who clicked.
 */
function timingOf(campaign: CampaignRecord, [own]: RunMessage[], hour: CampaignRecord["localTime"]): Timing {
  const { variants = [], testShare = defaultTestShare, testMinutes = defaultTestMinutes } = campaign.extras;
  if (hour !== null) return { at: "localTime", hour, from: campaign.scheduledAt?.toISOString() ?? null };
  if (variants.length === 0 || own!.receipts !== undefined) return atOnce;
  return { at: "test", share: testShare, minutes: testMinutes };
}
