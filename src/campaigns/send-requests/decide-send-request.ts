import { z } from "zod";
import type { Actor } from "../../actor.ts";
import type { App } from "../../app.ts";
import { recordAuditEvent } from "../../audit/record-event.ts";
import type { Tx } from "../../db/pool.ts";
import { appError } from "../../errors.ts";
import { expects, parseInput } from "../../input.ts";
import type { CampaignRecord } from "../campaign.ts";
import { judgeGates } from "../gates.ts";
import { readCampaign } from "../read-campaign.ts";
import { scheduleNow } from "../schedule-campaign.ts";
import { startLiveRun } from "../send-campaign.ts";
import { withCampaign } from "../with-campaign.ts";
import { decideRequest, openRequestOfCampaign, wasApprovedBy } from "./queries.ts";
import { requestOver, type SendRequest, type SendRequestRecord, viewSendRequest } from "./send-request.ts";

type Member = Extract<Actor, { kind: "user" }>;
type Input = { campaignId: string; body: unknown };

/** The request that one has looked at: after a change it is another one, or none. */
const decision = z.strictObject({ requestId: z.uuid(expects("a UUID")) }, expects("a JSON object"));

/** The request of a campaign that waits for a second person; null: there is none. Throws `not_found`. */
export async function readSendRequest(
  app: App,
  actor: Actor,
  input: { campaignId: string },
): Promise<{ request: SendRequest | null }> {
  const { campaignId } = await readCampaign(app, actor, input);
  const found = await openRequestOfCampaign(app.db, actor.tenantId, campaignId);
  return { request: found === undefined ? null : viewSendRequest(found) };
}

/**
 * Approves a request as its second person: the campaign is sent, or scheduled, in the same transaction. The same
 * person's repeated approval is answered as the first. Throws `not_found`, `own_request`, `request_over`, and what a
 * send throws.
 */
export async function approveSendRequest(app: App, actor: Member, input: Input): Promise<{ campaignId: string }> {
  return withCampaign(app, actor, input.campaignId, async (tx, campaign) => {
    const { requestId } = parseInput(decision, input.body);
    if (await wasApprovedBy(tx, campaign.id, requestId, actor.userId)) return { campaignId: campaign.id };
    const request = await findRequest(tx, actor, campaign, requestId);
    if (request.askedBy === actor.userId) throw appError("own_request");
    await decideRequest(tx, requestId, { status: "approved", by: actor.userId });
    await noteDecision(tx, actor, campaign, "send.approved", { askedBy: request.askedBy });
    await send(app, tx, actor, campaign, request);
    return { campaignId: campaign.id };
  });
}

async function send(
  app: App,
  tx: Tx,
  actor: Member,
  campaign: CampaignRecord,
  { scheduleAt }: SendRequestRecord,
): Promise<void> {
  if (scheduleAt !== null) {
    await scheduleNow(tx, actor, campaign, scheduleAt.getTime());
    return;
  }
  const { shut, audience } = await judgeGates(app, tx, campaign);
  if (shut[0] !== undefined) throw shut[0];
  await startLiveRun(app, tx, actor, campaign, { audience, idempotencyKey: null });
}

/** Refuses a request, or takes one's own back. Nothing is sent. Throws `not_found` and `request_over`. */
export async function refuseSendRequest(app: App, actor: Member, input: Input): Promise<{ campaignId: string }> {
  return withCampaign(app, actor, input.campaignId, async (tx, campaign) => {
    const { requestId } = parseInput(decision, input.body);
    const { askedBy } = await findRequest(tx, actor, campaign, requestId);
    const isOwn = askedBy === actor.userId;
    await decideRequest(tx, requestId, { status: isOwn ? "withdrawn" : "refused", by: actor.userId });
    await noteDecision(tx, actor, campaign, isOwn ? "send.withdrawn" : "send.refused", {});
    return { campaignId: campaign.id };
  });
}

async function findRequest(
  tx: Tx,
  actor: Member,
  campaign: CampaignRecord,
  requestId: string,
): Promise<SendRequestRecord> {
  const request = await openRequestOfCampaign(tx, actor.tenantId, campaign.id);
  if (request === undefined || request.id !== requestId.toLowerCase()) throw requestOver();
  return request;
}

async function noteDecision(
  tx: Tx,
  actor: Member,
  { siteId, id: subjectId }: CampaignRecord,
  deed: "send.approved" | "send.refused" | "send.withdrawn",
  details: Record<string, unknown>,
): Promise<void> {
  await recordAuditEvent(tx, actor, deed, { siteId, subjectId, details });
}
