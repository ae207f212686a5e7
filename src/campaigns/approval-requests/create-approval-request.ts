import { z } from "zod";
import type { Member } from "../../actor.ts";
import type { App } from "../../app.ts";
import { recordAuditEvent } from "../../audit/record-event.ts";
import type { Tx } from "../../db/pool.ts";
import { appError } from "../../errors.ts";
import { newId } from "../../ids.ts";
import { expects, parseInput } from "../../input.ts";
import { countAudienceOf } from "../../runs/audience.ts";
import { timeZoneOfSite } from "../../tenants/sites/queries.ts";
import { readAudience } from "../audience.ts";
import { type CampaignRecord, illegalMove } from "../campaign.ts";
import { emailAboutRequest } from "../campaign-emails.ts";
import { assertGatesOpen } from "../check-gates.ts";
import { assertReadersKnown } from "../correction.ts";
import { readSchedule, type Schedule, scheduleDetails } from "../local-time-delivery.ts";
import { databaseNowMs } from "../schedule-queries.ts";
import { isSendable } from "../states.ts";
import { withCountedCampaign } from "../with-campaign.ts";
import { type ApprovalRequest, requestHours, viewApprovalRequest } from "./approval-request.ts";
import { insertApprovalRequest, openRequestOfCampaign, otherSenders, withdrawRequests } from "./queries.ts";

/** What it is scheduled for is checked with the campaign. */
const requestInput = z.strictObject(
  { scheduleAt: z.unknown().optional(), localTime: z.unknown().optional() },
  expects("a JSON object"),
);

/** The request shows the audience exactly up to here. More would cost time and change no decision. */
const countAtMost = 1_000_000;

/**
 * Creates an approval request: the send of a draft or a scheduled campaign, at once, at `scheduleAt` or at `localTime`,
 * waits until another editor or owner decides. Replaces an earlier request of the campaign. For a send at once the
 * gates must be open now. Throws `not_found`, `validation_failed`, `illegal_transition`, `readers_forgotten`,
 * `nobody_else` and what the gates throw.
 */
export async function createApprovalRequest(
  app: App,
  actor: Member,
  input: { campaignId: string; body: unknown },
): Promise<ApprovalRequest> {
  return withCountedCampaign(app, actor, input.campaignId, async (tx, campaign, capCount) => {
    const schedule = await readRequested(tx, campaign, parseInput(requestInput, input.body));
    if (!isSendable(campaign.status)) throw illegalMove(campaign, { to: "sending", done: "sent" });
    const to = await readAudience(tx, campaign);
    if (schedule === null) await assertGatesOpen(app, tx, to, capCount);
    assertReadersKnown(app, to.corrected, schedule?.atMs);
    const others = await otherSenders(tx, actor.tenantId, actor.userId);
    if (others.length === 0) throw appError("nobody_else");
    const audience = await countAudienceOf(tx, to, countAtMost);
    await withdrawRequests(tx, campaign.id, actor.userId);
    const { siteId, id: campaignId } = campaign;
    const request = { schedule, audience, askedBy: actor.userId, hours: requestHours };
    await insertApprovalRequest(tx, { id: newId(), tenantId: actor.tenantId, siteId, campaignId, ...request });
    const details = { audience, ...(schedule && scheduleDetails(schedule)) };
    await recordAuditEvent(tx, actor, "send.requested", { siteId, subjectId: campaignId, details });
    await emailAboutRequest(app, tx, campaign, { others, audience });
    return viewApprovalRequest((await openRequestOfCampaign(tx, actor.tenantId, campaignId))!);
  });
}

/** Reads the schedule that is asked for; null: a send at once. */
async function readRequested(tx: Tx, campaign: CampaignRecord, wanted: object): Promise<Schedule | null> {
  if (Object.keys(wanted).length === 0) return null;
  const timeZone = await timeZoneOfSite(tx, campaign.siteId);
  return readSchedule(wanted, { ...campaign, timeZone, nowMs: await databaseNowMs(tx) });
}
