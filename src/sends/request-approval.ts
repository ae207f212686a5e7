import { z } from "zod";
import type { Member } from "../actor.ts";
import type { App } from "../app.ts";
import { recordAuditEvent } from "../audit/record-event.ts";
import { type CampaignRecord, illegalMove } from "../campaigns/campaign.ts";
import { isSendable } from "../campaigns/states.ts";
import type { Tx } from "../db/pool.ts";
import { appError } from "../errors.ts";
import { expects, parseInput } from "../input.ts";
import { enforceLimit } from "../rate-limits/count-requests.ts";
import { approvalRequestLimit } from "../rate-limits/limits.ts";
import { countAudienceOf } from "../runs/audience.ts";
import { spanOf } from "../runs/waves/waves.ts";
import { lockTimeZone } from "../tenants/sites/queries.ts";
import { openRequestOfCampaign, otherSenders } from "./approval-queries.ts";
import { type ApprovalRequest, requestHours, viewApprovalRequest } from "./approval-request.ts";
import { withCountedCampaign } from "./cap-count.ts";
import { assertKnown, assertOpen, checkSend } from "./check-send.ts";
import { databaseNowMs, insertPlannedSend } from "./planned-send-queries.ts";
import { readSchedule, type Schedule, scheduleDetails } from "./schedule.ts";
import { emailAboutRequest } from "./send-emails.ts";

/** The schedule is checked together with the campaign. */
const requestInput = z.strictObject(
  { scheduleAt: z.unknown().optional(), localTime: z.unknown().optional() },
  expects("a JSON object"),
);

/** The request shows the exact audience up to this number. Counting further would take time and change no decision. */
const countAtMost = 1_000_000;

/**
 * Requests approval: the send of a draft or a scheduled campaign waits until another editor or owner decides. It is
 * sent immediately after the approval, at `scheduleAt` or at `localTime`. Replaces the member's own earlier request for
 * the campaign, but not another member's. For an immediate send, the gates must be open now. Throws `rate_limited`,
 * `not_found`, `validation_failed`, `illegal_transition`, `readers_forgotten`, `nobody_else` and what the gates throw.
 */
export async function requestApproval(
  app: App,
  actor: Member,
  input: { campaignId: string; body: unknown },
): Promise<ApprovalRequest> {
  const usedUp = `You have asked ${approvalRequestLimit.quota} times within an hour. Ask again later.`;
  await enforceLimit(app, approvalRequestLimit, actor.userId, usedUp);
  return withCountedCampaign(app, actor, input.campaignId, async (tx, campaign, capCount) => {
    const schedule = await readRequested(tx, campaign, parseInput(requestInput, input.body));
    if (!isSendable(campaign.status)) throw illegalMove(campaign, { to: "sending", done: "sent" });
    const open = await openRequestOfCampaign(tx, actor.tenantId, campaign.id);
    if (open !== undefined && open.userId !== actor.userId) {
      const done = "asked for again: another member's request waits";
      throw illegalMove(campaign, { to: "sending", done, meanwhile: "asked" });
    }
    const checked = await checkSend(app, tx, { campaign, capCount }, schedule?.atMs);
    if (schedule === null) assertOpen(checked);
    assertKnown(checked);
    const others = await otherSenders(tx, campaign.siteId, actor.userId);
    if (others.length === 0) throw appError("nobody_else");
    const audience = await countAudienceOf(tx, checked.to, countAtMost);
    await insertPlannedSend(tx, campaign, { ...requestOf(schedule), userId: actor.userId, audience: { audience } });
    const { siteId, id: subjectId } = campaign;
    const details = { audience, ...(schedule && scheduleDetails(schedule)) };
    await recordAuditEvent(tx, actor, "send.requested", { siteId, subjectId, details });
    await emailAboutRequest(app, tx, campaign, { others, audience });
    return viewApprovalRequest((await openRequestOfCampaign(tx, actor.tenantId, campaign.id))!);
  });
}

/**
 * Returns the request to insert. It expires at its scheduled time or, with local-time delivery, when that time has
 * passed everywhere.
 */
function requestOf(schedule: Schedule | null) {
  const { atMs, localTime } = schedule ?? { atMs: null, localTime: null };
  const untilMs = localTime === null ? atMs : spanOf(localTime).lastMs;
  const starts = atMs === null ? null : { atMs };
  return { waitsFor: "approval", starts, localTime, expires: { hours: requestHours, untilMs } } as const;
}

/** Returns the requested schedule; null for an immediate send. */
async function readRequested(tx: Tx, campaign: CampaignRecord, wanted: object): Promise<Schedule | null> {
  if (Object.keys(wanted).length === 0) return null;
  const timeZone = await lockTimeZone(tx, campaign.siteId);
  return readSchedule(wanted, { ...campaign, timeZone, nowMs: await databaseNowMs(tx) });
}
