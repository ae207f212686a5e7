import { z } from "zod";
import type { App } from "../../app.ts";
import { recordAuditEvent } from "../../audit/record-event.ts";
import { appError } from "../../errors.ts";
import { newId } from "../../ids.ts";
import { expects, parseInput } from "../../input.ts";
import { illegalMove } from "../campaign.ts";
import { emailAboutRequest } from "../campaign-emails.ts";
import { countAudienceOf, readCorrectedRun } from "../correction.ts";
import { assertGatesOpen } from "../judge-gates.ts";
import { readScheduleAt } from "../schedule-campaign.ts";
import { databaseNowMs } from "../schedule-queries.ts";
import { isSendable } from "../states.ts";
import { withCountedCampaign } from "../with-campaign.ts";
import { insertSendRequest, openRequestOfCampaign, otherSenders, withdrawRequests } from "./queries.ts";
import { type Member, requestHours, type SendRequest, viewSendRequest } from "./send-request.ts";

const requestInput = z.strictObject({ scheduleAt: z.string(expects("a string")).optional() }, expects("a JSON object"));

/** The request shows the audience exactly up to here. More would cost time and change no decision. */
const countAtMost = 1_000_000;

/**
 * Creates a send request: the send of a draft or a scheduled campaign, at once or at `scheduleAt`, waits until another
 * editor or owner decides. Replaces an earlier request of the campaign. For a send at once the gates must be open now.
 * Throws `not_found`, `validation_failed`, `illegal_transition`, `nobody_else` and what the gates throw.
 */
export async function createSendRequest(
  app: App,
  actor: Member,
  input: { campaignId: string; body: unknown },
): Promise<SendRequest> {
  return withCountedCampaign(app, actor, input.campaignId, async (tx, campaign, capCount) => {
    const { scheduleAt } = parseInput(requestInput, input.body);
    const scheduleAtMs = scheduleAt === undefined ? null : readScheduleAt({ scheduleAt }, await databaseNowMs(tx));
    if (!isSendable(campaign.status)) throw illegalMove(campaign, { to: "sending", done: "sent" });
    const corrected = await readCorrectedRun(tx, campaign);
    if (scheduleAtMs === null) await assertGatesOpen(app, tx, campaign, corrected, capCount);
    const others = await otherSenders(tx, actor.tenantId, actor.userId);
    if (others.length === 0) throw appError("nobody_else");
    const audience = await countAudienceOf(tx, campaign, corrected, countAtMost);
    await withdrawRequests(tx, campaign.id, actor.userId);
    const { siteId, id: campaignId } = campaign;
    const request = { scheduleAtMs, audience, askedBy: actor.userId, hours: requestHours };
    await insertSendRequest(tx, { id: newId(), tenantId: actor.tenantId, siteId, campaignId, ...request });
    const details = { audience, ...(scheduleAt === undefined ? {} : { scheduledAt: scheduleAt }) };
    await recordAuditEvent(tx, actor, "send.requested", { siteId, subjectId: campaignId, details });
    await emailAboutRequest(app, tx, campaign, { others, audience });
    return viewSendRequest((await openRequestOfCampaign(tx, actor.tenantId, campaignId))!);
  });
}
