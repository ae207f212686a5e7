import { z } from "zod";
import type { Actor, Member } from "../../actor.ts";
import type { App } from "../../app.ts";
import { recordAuditEvent } from "../../audit/record-event.ts";
import type { Tx } from "../../db/pool.ts";
import { appError } from "../../errors.ts";
import { expects, parseInput } from "../../input.ts";
import { timeZoneOfSite } from "../../tenants/sites/queries.ts";
import { readAudience } from "../audience.ts";
import type { CampaignRecord } from "../campaign.ts";
import type { CapCount } from "../cap-count.ts";
import { assertGatesOpen } from "../check-gates.ts";
import { scheduleAtHour } from "../local-time-delivery.ts";
import { readCampaign } from "../read-campaigns.ts";
import { scheduleLockedCampaign } from "../schedule-campaign.ts";
import { databaseNowMs } from "../schedule-queries.ts";
import { startLiveRun } from "../send-campaign.ts";
import { withCampaign, withCountedCampaign } from "../with-campaign.ts";
import { type ApprovalRequest, type ApprovalRequestRecord, viewApprovalRequest } from "./approval-request.ts";
import { decideRequest, openRequestOfCampaign, wasApprovedBy } from "./queries.ts";
import { deleteUnapprovedSend } from "./unapproved-sends.ts";

type Input = { campaignId: string; body: unknown };

/**
 * The id of the request that the member has seen: a change of the campaign withdraws it, and a new one has another id.
 */
const decisionInput = z.strictObject({ requestId: z.uuid(expects("a UUID")) }, expects("a JSON object"));

/** Reads the open approval request of a campaign; null: there is none. Throws `not_found`. */
export async function readApprovalRequest(
  app: App,
  actor: Actor,
  input: { campaignId: string },
): Promise<{ request: ApprovalRequest | null }> {
  const { campaignId } = await readCampaign(app, actor, input);
  const found = await openRequestOfCampaign(app.db, actor.tenantId, campaignId);
  return { request: found === undefined ? null : viewApprovalRequest(found) };
}

/**
 * Approves an approval request: sends or schedules its campaign in the same transaction. A repeated approval by the
 * same member returns the same answer and does nothing. Throws `not_found`, `own_request`, `request_over`, and what a
 * send throws.
 */
export async function approveApprovalRequest(app: App, actor: Member, input: Input): Promise<{ campaignId: string }> {
  return withCountedCampaign(app, actor, input.campaignId, async (tx, campaign, capCount) => {
    const { requestId } = parseInput(decisionInput, input.body);
    await approveLockedRequest(app, tx, actor, campaign, { requestId, capCount });
    return { campaignId: campaign.id };
  });
}

/** Approves an approval request of a campaign that the caller has locked, as `approveApprovalRequest` does. */
export async function approveLockedRequest(
  app: App,
  tx: Tx,
  actor: Member,
  campaign: CampaignRecord,
  { requestId, capCount }: { requestId: string; capCount: CapCount | undefined },
): Promise<void> {
  if (await wasApprovedBy(tx, campaign.id, requestId, actor.userId)) return;
  const request = await findRequest(tx, actor, campaign, requestId);
  if (request.askedBy === actor.userId) throw appError("own_request");
  await decideRequest(tx, requestId, { status: "approved", by: actor.userId });
  await deleteUnapprovedSend(tx, campaign.id);
  await recordDecision(tx, actor, campaign, "send.approved", { askedBy: request.askedBy });
  await sendApproved(app, tx, actor, campaign, { ...request, capCount });
}

async function sendApproved(
  app: App,
  tx: Tx,
  actor: Member,
  campaign: CampaignRecord,
  { scheduleAt, localTime, capCount }: ApprovalRequestRecord & { capCount: CapCount | undefined },
): Promise<void> {
  if (scheduleAt !== null) {
    const timeZone = await timeZoneOfSite(tx, campaign.siteId);
    const atMs = scheduleAt.getTime();
    const moment = { atMs, graceFromMs: atMs, localTime };
    const schedule = localTime ? scheduleAtHour(localTime, timeZone, await databaseNowMs(tx)) : moment;
    await scheduleLockedCampaign(app, tx, actor, campaign, schedule);
    return;
  }
  const to = await readAudience(tx, campaign);
  const audience = await assertGatesOpen(app, tx, to, capCount);
  await startLiveRun(app, tx, actor, campaign, { to, audience, idempotencyKey: null });
}

/** Refuses an approval request, or withdraws the member's own. Sends nothing. Throws `not_found` and `request_over`. */
export async function refuseApprovalRequest(app: App, actor: Member, input: Input): Promise<{ campaignId: string }> {
  return withCampaign(app, actor, input.campaignId, async (tx, campaign) => {
    const { requestId } = parseInput(decisionInput, input.body);
    const { askedBy } = await findRequest(tx, actor, campaign, requestId);
    const isOwn = askedBy === actor.userId;
    await decideRequest(tx, requestId, { status: isOwn ? "withdrawn" : "refused", by: actor.userId });
    await recordDecision(tx, actor, campaign, isOwn ? "send.withdrawn" : "send.refused", {});
    return { campaignId: campaign.id };
  });
}

/** Throws `request_over` if the request is decided, withdrawn or expired, or if another one has replaced it. */
export async function findRequest(
  tx: Tx,
  actor: Member,
  campaign: CampaignRecord,
  requestId: string,
): Promise<ApprovalRequestRecord> {
  const request = await openRequestOfCampaign(tx, actor.tenantId, campaign.id);
  if (request === undefined || request.id !== requestId.toLowerCase()) throw appError("request_over");
  return request;
}

async function recordDecision(
  tx: Tx,
  actor: Member,
  { siteId, id: subjectId }: CampaignRecord,
  event: "send.approved" | "send.refused" | "send.withdrawn",
  details: Record<string, unknown>,
): Promise<void> {
  await recordAuditEvent(tx, actor, event, { siteId, subjectId, details });
}
