import { z } from "zod";
import type { Actor, Member } from "../actor.ts";
import type { App } from "../app.ts";
import { recordAuditEvent } from "../audit/record-event.ts";
import type { CampaignRecord } from "../campaigns/campaign.ts";
import { readCampaign } from "../campaigns/read-campaigns.ts";
import { withCampaign } from "../campaigns/with-campaign.ts";
import type { Tx } from "../db/pool.ts";
import { appError } from "../errors.ts";
import { expects, parseInput } from "../input.ts";
import { lockTimeZone } from "../tenants/sites/queries.ts";
import { openRequestOfCampaign, wasApprovedBy } from "./approval-queries.ts";
import { type ApprovalRequest, type ApprovalRequestRecord, viewApprovalRequest } from "./approval-request.ts";
import { withCountedCampaign } from "./cap-count.ts";
import { assertOpen, checkSend, type LockedSend } from "./check-send.ts";
import { assertMaySendClass } from "./class-rules.ts";
import { commitSend } from "./commit-send.ts";
import { databaseNowMs, endPlannedSend } from "./planned-send-queries.ts";
import { scheduleAtHour } from "./schedule.ts";
import { scheduleLockedCampaign } from "./schedule-campaign.ts";

type Input = { campaignId: string; body: unknown };

/**
 * The input of a decision: the id of the request that the member has seen. A change of the campaign withdraws the
 * request, and a new request has another id.
 */
const decisionInput = z.strictObject({ requestId: z.uuid(expects("a UUID")) }, expects("a JSON object"));

/** Returns the open approval request of a campaign; null if there is none. Throws `not_found`. */
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
    await approveLockedRequest(app, tx, { actor, campaign, capCount }, requestId);
    return { campaignId: campaign.id };
  });
}

/** Approves an approval request of a campaign that the caller has locked, as `approveApprovalRequest` does. */
export async function approveLockedRequest(
  app: App,
  tx: Tx,
  send: LockedSend & { actor: Member },
  requestId: string,
): Promise<void> {
  const { actor, campaign } = send;
  if (await wasApprovedBy(tx, campaign.id, requestId, actor.userId)) return;
  const request = await findRequest(tx, send, requestId);
  if (request.userId === actor.userId) throw appError("own_request");
  await assertMaySendClass(tx, actor, campaign);
  await endPlannedSend(tx, request.id, { status: "approved", by: actor.userId });
  await recordDecision(tx, actor, campaign, "send.approved", { askedBy: request.userId });
  if (request.startsAt !== null) return scheduleApproved(app, tx, send, request);
  const checked = await checkSend(app, tx, send);
  assertOpen(checked);
  await commitSend(app, tx, send, checked);
}

async function scheduleApproved(
  app: App,
  tx: Tx,
  send: LockedSend,
  { startsAt, localTime }: ApprovalRequestRecord,
): Promise<void> {
  const atMs = startsAt!.getTime();
  const timeZone = await lockTimeZone(tx, send.campaign.siteId);
  const schedule = localTime
    ? scheduleAtHour(localTime, timeZone, await databaseNowMs(tx))
    : { atMs, graceFromMs: atMs, localTime };
  const checked = await checkSend(app, tx, send, schedule.atMs);
  await scheduleLockedCampaign(tx, send, checked, { ...schedule, isUnapproved: false });
}

/** Refuses an approval request, or withdraws the member's own. Sends nothing. Throws `not_found` and `request_over`. */
export async function refuseApprovalRequest(app: App, actor: Member, input: Input): Promise<{ campaignId: string }> {
  return withCampaign(app, actor, input.campaignId, async (tx, campaign) => {
    const { requestId } = parseInput(decisionInput, input.body);
    const request = await findRequest(tx, { actor, campaign }, requestId);
    const isOwn = request.userId === actor.userId;
    await endPlannedSend(tx, request.id, { status: isOwn ? "withdrawn" : "refused", by: actor.userId });
    await recordDecision(tx, actor, campaign, isOwn ? "send.withdrawn" : "send.refused", {});
    return { campaignId: campaign.id };
  });
}

/**
 * Returns the open request with this id. Throws `request_over` if the request is decided, withdrawn or expired, or if
 * another request has replaced it.
 */
export async function findRequest(
  tx: Tx,
  { actor, campaign }: Pick<LockedSend, "actor" | "campaign">,
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
