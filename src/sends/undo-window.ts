import { z } from "zod";
import type { Member } from "../actor.ts";
import type { App } from "../app.ts";
import { illegalMove } from "../campaigns/campaign.ts";
import { isSendable } from "../campaigns/states.ts";
import { withCampaign } from "../campaigns/with-campaign.ts";
import type { Tx } from "../db/pool.ts";
import { appError } from "../errors.ts";
import { faults, zodText } from "../faults.ts";
import { expects, parseInput } from "../input.ts";
import { countAudienceOf } from "../runs/audience.ts";
import { withCountedCampaign } from "./cap-count.ts";
import { assertKnown, assertOpen, checkSend, type LockedSend } from "./check-send.ts";
import { findRequest } from "./decide-approval.ts";
import { endPlannedSend, insertPlannedSend } from "./planned-send-queries.ts";
import { checkSecondPerson } from "./second-person.ts";
import { lastUndoWindow, type UndoWindowRecord, undoWindowsOfMember } from "./undo-queries.ts";

/** How long a member can undo a send or an update, in seconds. */
export const undoSeconds = 10;
/** The number up to which the exact audience is shown. */
const countAtMost = 1_000_000;

/** The input of a send. `updatedAt`: when the campaign, as the member has seen it, was last changed. */
const beginInput = z.strictObject(
  {
    requestId: z.uuid(expects("a UUID")).optional(),
    updatedAt: z.iso.datetime({ error: zodText(faults.not_a_time()) }).optional(),
  },
  expects("a JSON object"),
);

/**
 * A send that a member has confirmed, in the form of the dashboard. `startsInMs`: the time left to undo it.
 * `refusal`: why it did not start: an error code, `changed` (the campaign was changed meanwhile) or `late` (the
 * service was away).
 */
export type UndoWindow = ReturnType<typeof viewUndoWindow>;

function viewUndoWindow({ id: undoWindowId, userId: _, approves: __, ...rest }: UndoWindowRecord) {
  return { undoWindowId, ...rest };
}

/** Returns the member's open undo windows, and those that have just ended. */
export async function listUndoWindows(app: App, actor: Member): Promise<{ data: UndoWindow[] }> {
  return { data: (await undoWindowsOfMember(app.db, actor)).map(viewUndoWindow) };
}

/**
 * Begins a send. The send starts after ten seconds unless the member undoes it, even if they close the page. With
 * `requestId`, it approves that approval request. Refuses now whatever a send would refuse. With `updatedAt`, also
 * refuses if an API key or another member has changed the campaign since the member saw it. If the member has already
 * begun a send of the campaign, returns that send. Throws what `sendCampaign` throws, `own_request` and
 * `request_over`.
 */
export async function beginSend(
  app: App,
  actor: Member,
  input: { campaignId: string; body: unknown },
): Promise<UndoWindow> {
  return withCountedCampaign(app, actor, input.campaignId, async (tx, campaign, capCount) => {
    const { requestId: approves = null, updatedAt } = parseInput(beginInput, input.body);
    const last = await lastUndoWindow(tx, campaign.id);
    if (last?.status === "waiting" && last.userId === actor.userId) return viewUndoWindow(last);
    if (last?.status === "waiting")
      throw illegalMove(campaign, { to: "sending", done: "sent: another member is sending it", meanwhile: "begun" });
    if (!isSendable(campaign.status)) throw illegalMove(campaign, { to: "sending", done: "sent" });
    if (updatedAt !== undefined && Date.parse(updatedAt) !== campaign.updatedAt.getTime()) {
      const done = "sent: it was changed after you had read it";
      throw illegalMove(campaign, { to: "sending", done, meanwhile: "changed" });
    }
    const counted = await countSend(app, tx, { actor, campaign, capCount }, approves);
    const audience = { audience: Math.min(counted, countAtMost), audienceExact: counted <= countAtMost };
    const starts = { inSeconds: undoSeconds };
    await insertPlannedSend(tx, campaign, { waitsFor: "undo", starts, userId: actor.userId, approves, audience });
    return viewUndoWindow((await lastUndoWindow(tx, campaign.id))!);
  });
}

/** Checks a send as its start will. Returns its audience, counted up to `countAtMost` plus one. */
async function countSend(
  app: App,
  tx: Tx,
  send: LockedSend & { actor: Member },
  approves: string | null,
): Promise<number> {
  const { actor, campaign } = send;
  const checked = await checkSend(app, tx, send);
  assertOpen(checked);
  assertKnown(checked);
  if (approves === null) await checkSecondPerson(tx, actor, campaign, { to: checked.to, atMs: null });
  else if ((await findRequest(tx, send, approves)).userId === actor.userId) throw appError("own_request");
  return countAudienceOf(tx, checked.to, countAtMost + 1);
}

/** Undoes a send that the member has begun. Returns a send that has already ended unchanged. Throws `not_found`. */
export async function undoSend(app: App, actor: Member, input: { campaignId: string }): Promise<UndoWindow> {
  return withCampaign(app, actor, input.campaignId, async (tx, campaign) => {
    const last = await lastUndoWindow(tx, campaign.id);
    if (last === undefined || last.userId !== actor.userId) throw appError("not_found");
    if (last.status === "waiting") await endPlannedSend(tx, last.id, { status: "undone" });
    return viewUndoWindow((await lastUndoWindow(tx, campaign.id))!);
  });
}
