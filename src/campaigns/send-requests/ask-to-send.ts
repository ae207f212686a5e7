import { z } from "zod";
import type { Actor } from "../../actor.ts";
import type { App } from "../../app.ts";
import { recordAuditEvent } from "../../audit/record-event.ts";
import type { Tx } from "../../db/pool.ts";
import { appError } from "../../errors.ts";
import { newId } from "../../ids.ts";
import { expects, parseInput } from "../../input.ts";
import type { CampaignRecord } from "../campaign.ts";
import { emailAboutRequest } from "../campaign-emails.ts";
import { countAudienceOf } from "../correction.ts";
import { judgeGates } from "../gates.ts";
import { illegalMove } from "../illegal-move.ts";
import { databaseNowMs } from "../queries.ts";
import { readScheduleAt } from "../schedule-campaign.ts";
import { withCampaign } from "../with-campaign.ts";
import { insertSendRequest, openRequestOfCampaign, otherSenders, withdrawRequests } from "./queries.ts";
import { requestHours, type SendRequest, viewSendRequest } from "./send-request.ts";

type Member = Extract<Actor, { kind: "user" }>;

const askInput = z.strictObject({ scheduleAt: z.string(expects("a string")).optional() }, expects("a JSON object"));

/** Nobody has to know an audience more exactly before it is sent to. */
const countAtMost = 1_000_000;

/**
 * Asks for a second person: the send of a draft or a scheduled campaign, at once or at `scheduleAt`, waits until another
 * editor or owner decides. An earlier request of the campaign is replaced. A gate that is shut now refuses a send at
 * once. Throws `not_found`, `validation_failed`, `illegal_transition`, `nobody_else` and what gates throw.
 */
export async function askToSend(
  app: App,
  actor: Member,
  input: { campaignId: string; body: unknown },
): Promise<SendRequest> {
  return withCampaign(app, actor, input.campaignId, async (tx, campaign) => {
    const { scheduleAt } = parseInput(askInput, input.body);
    const scheduleAtMs = scheduleAt === undefined ? null : readScheduleAt({ scheduleAt }, await databaseNowMs(tx));
    await judgeCampaign(app, tx, campaign, scheduleAtMs);
    const others = await otherSenders(tx, actor.tenantId, actor.userId);
    if (others.length === 0) throw appError("nobody_else");
    const audience = await countAudienceOf(tx, campaign, countAtMost);
    await withdrawRequests(tx, campaign.id, actor.userId);
    const { siteId, id: campaignId } = campaign;
    const asked = { scheduleAtMs, audience, askedBy: actor.userId, hours: requestHours };
    await insertSendRequest(tx, { id: newId(), tenantId: actor.tenantId, siteId, campaignId, ...asked });
    const details = { audience, ...(scheduleAt === undefined ? {} : { scheduledAt: scheduleAt }) };
    await recordAuditEvent(tx, actor, "send.requested", { siteId, subjectId: campaignId, details });
    await emailAboutRequest(app, tx, campaign, { others, audience });
    return viewSendRequest((await openRequestOfCampaign(tx, actor.tenantId, campaignId))!);
  });
}

async function judgeCampaign(app: App, tx: Tx, campaign: CampaignRecord, scheduleAtMs: number | null): Promise<void> {
  if (campaign.status !== "draft" && campaign.status !== "scheduled") {
    throw illegalMove(campaign, { to: "sending", done: "sent" });
  }
  if (scheduleAtMs !== null) return;
  const { shut } = await judgeGates(app, tx, campaign);
  if (shut[0] !== undefined) throw shut[0];
}
