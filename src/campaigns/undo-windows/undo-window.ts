import { z } from "zod";
import type { Member } from "../../actor.ts";
import type { App } from "../../app.ts";
import type { Tx } from "../../db/pool.ts";
import { appError } from "../../errors.ts";
import { newId } from "../../ids.ts";
import { expects, parseInput } from "../../input.ts";
import { countAudienceOf } from "../../runs/audience.ts";
import { findRequest } from "../approval-requests/decide-approval-request.ts";
import { checkSecondPerson } from "../approval-requests/second-person.ts";
import { readAudience } from "../audience.ts";
import { type CampaignRecord, illegalMove } from "../campaign.ts";
import type { CapCount } from "../cap-count.ts";
import { assertGatesOpen } from "../check-gates.ts";
import { assertReadersKnown } from "../correction.ts";
import { isSendable } from "../states.ts";
import { withCampaign, withCountedCampaign } from "../with-campaign.ts";
import {
  closeUndoWindow,
  insertUndoWindow,
  lastUndoWindow,
  type UndoWindowRecord,
  undoWindowsOfMember,
} from "./queries.ts";

/** The time in which a member can take a send back. */
const undoSeconds = 10;
/** The audience is shown exactly up to here. */
const countAtMost = 1_000_000;

/** `updatedAt`: that of the campaign as the member has seen it. */
const beginInput = z.strictObject(
  {
    requestId: z.uuid(expects("a UUID")).optional(),
    updatedAt: z.iso.datetime({ error: "must be an RFC 3339 time such as 2027-03-01T10:00:00Z" }).optional(),
  },
  expects("a JSON object"),
);

/**
 * A send that a member has confirmed, as the dashboard gets it. `startsInMs`: the time that is left to take it back.
 * `refusal`: why it did not start: an error code, `changed` (the campaign was, meanwhile) or `late` (the service was
 * away).
 */
export type UndoWindow = ReturnType<typeof viewUndoWindow>;

function viewUndoWindow({ id: undoWindowId, userId: _, requestId: _request, ...rest }: UndoWindowRecord) {
  return { undoWindowId, ...rest };
}

/** Lists the member's undo windows, and those that have just ended. */
export async function listUndoWindows(app: App, actor: Member): Promise<{ data: UndoWindow[] }> {
  return { data: (await undoWindowsOfMember(app.db, actor.tenantId, actor.userId)).map(viewUndoWindow) };
}

/**
 * Begins a send: it starts after ten seconds, unless it is taken back, also if its page was closed. With `requestId` it
 * approves that approval request. What would refuse it now refuses it here, and with `updatedAt` a change that the
 * member has not seen: an API key or another member may have made it while the page was open. A campaign whose send the
 * member has begun already returns that one. Throws what `sendCampaign` throws, `own_request` and `request_over`.
 */
export async function beginSend(
  app: App,
  actor: Member,
  input: { campaignId: string; body: unknown },
): Promise<UndoWindow> {
  return withCountedCampaign(app, actor, input.campaignId, async (tx, campaign, capCount) => {
    const { requestId = null, updatedAt } = parseInput(beginInput, input.body);
    const last = await lastUndoWindow(tx, campaign.id);
    if (last?.status === "waiting" && last.userId === actor.userId) return viewUndoWindow(last);
    if (last?.status === "waiting" || !isSendable(campaign.status)) {
      throw illegalMove(campaign, { to: "sending", done: "sent" });
    }
    if (updatedAt !== undefined && Date.parse(updatedAt) !== campaign.updatedAt.getTime())
      throw illegalMove(campaign, { to: "sending", done: "sent: it was changed after you had read it" });
    const { audience } = await checkSend(app, tx, actor, campaign, { requestId, capCount });
    const { userId } = actor;
    const counted = { audience: Math.min(audience, countAtMost), audienceExact: audience <= countAtMost };
    await insertUndoWindow(tx, { id: newId(), campaignId: campaign.id, userId, requestId, ...counted }, undoSeconds);
    return viewUndoWindow((await lastUndoWindow(tx, campaign.id))!);
  });
}

/** Checks a send as its start will. Returns its audience, at most one more than `countAtMost`. */
async function checkSend(
  app: App,
  tx: Tx,
  actor: Member,
  campaign: CampaignRecord,
  { requestId, capCount }: { requestId: string | null; capCount: CapCount | undefined },
) {
  const to = await readAudience(tx, campaign);
  await assertGatesOpen(app, tx, to, capCount);
  assertReadersKnown(app, to.corrected);
  if (requestId === null) await checkSecondPerson(tx, actor, campaign, { to, atMs: null });
  else if ((await findRequest(tx, actor, campaign, requestId)).askedBy === actor.userId) throw appError("own_request");
  return { audience: await countAudienceOf(tx, to, countAtMost + 1) };
}

/** Takes an undo window of the member back. One that has ended is returned as it is. Throws `not_found`. */
export async function takeSendBack(app: App, actor: Member, input: { campaignId: string }): Promise<UndoWindow> {
  return withCampaign(app, actor, input.campaignId, async (tx, campaign) => {
    const last = await lastUndoWindow(tx, campaign.id);
    if (last === undefined || last.userId !== actor.userId) throw appError("not_found");
    if (last.status === "waiting") await closeUndoWindow(tx, last.id, { status: "taken_back" });
    return viewUndoWindow((await lastUndoWindow(tx, campaign.id))!);
  });
}
