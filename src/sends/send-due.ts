import type { Actor, Member } from "../actor.ts";
import type { App } from "../app.ts";
import { recordAuditEvent } from "../audit/record-event.ts";
import type { Failure } from "../campaigns/campaign.ts";
import { campaignOfTenant, moveCampaign } from "../campaigns/queries.ts";
import { inTenant, type Tx } from "../db/pool.ts";
import { AppError, messageOf } from "../errors.ts";
import { said } from "../messages.ts";
import { countForCap } from "./cap-count.ts";
import { checkSend, type LockedSend } from "./check-send.ts";
import { commitSend } from "./commit-send.ts";
import { approveLockedRequest } from "./decide-approval.ts";
import { type DueSend, type LateSend, lockDueSend } from "./due-queries.ts";
import { gateOfCode } from "./gates.ts";
import { sendMessages } from "./messages.ts";
import { endPlannedSend, endWaiting } from "./planned-send-queries.ts";
import { refusalOfGrown } from "./second-person.ts";
import { sendLockedCampaign } from "./send-campaign.ts";
import { emailAboutFailure } from "./send-emails.ts";
import { undoFacts } from "./undo-queries.ts";

/**
 * The scheduler's own delay, from its poll interval and the database's answer. It counts as on time. Otherwise
 * GRACE_MINUTES of 0 would fail every campaign.
 */
const schedulerDelayMs = 2_000;

/**
 * The lateness from which an undo window's send does not start, because its author has gone. The service was away
 * until then.
 */
const undoLateMs = 5 * 60 * 1_000;

export type DueVerdict = { kind: "send" } | { kind: "delay" } | { kind: "fail"; failure: Failure };

/**
 * Decides what happens to a due campaign. A gate that delays (a pause) delays it until the grace time ends. Any other
 * refusal fails it immediately: another shut gate, a correction whose readers are no longer stored, or an audience
 * that has grown beyond what one person decides on. Otherwise it is sent, unless the grace time has ended, because
 * old news is not sent late. `refusal`: the refusal of the first shut gate, or one of the other refusals.
 */
export function checkDue(facts: { lateMs: number; graceMinutes: number; refusal: AppError | undefined }): DueVerdict {
  const { lateMs, graceMinutes, refusal } = facts;
  const isLate = lateMs > graceMinutes * 60_000 + schedulerDelayMs;
  if (refusal !== undefined) {
    const gate = gateOfCode(refusal.code);
    if (gate?.whenDue !== "delay")
      return { kind: "fail", failure: { code: refusal.code, ...said(messageOf(refusal)) } };
    if (!isLate) return { kind: "delay" };
    return { kind: "fail", failure: { code: refusal.code, ...said(gate.failure(graceMinutes)) } };
  }
  if (!isLate) return { kind: "send" };
  return { kind: "fail", failure: { code: "missed", ...said(sendMessages.send_missed({ graceMinutes })) } };
}

/**
 * How a due send ended. `taken`: another process handles it, or a person has sent, rescheduled, cancelled or undone it.
 */
export type DueOutcome =
  | { kind: "sent"; runId: string }
  | { kind: "failed"; failure: Failure }
  | { kind: "refused"; code: string }
  | { kind: "approved" | "delayed" | "taken" };

/**
 * Starts one planned send that is due, by the rules of an immediate send, or ends it with the reason. If several
 * processes call this for the same send, only one of them acts.
 */
export async function sendDue(app: App, due: DueSend): Promise<DueOutcome> {
  const { tenantId, campaignId, userId } = due;
  const capCount = await countForCap(app, tenantId, campaignId);
  const isUndo = due.waitsFor === "undo";
  // The account of its author is deleted.
  if (isUndo && userId === null) return refuse(app.db, due, "forbidden");
  const actor: Actor = isUndo ? { kind: "user", tenantId, userId: userId! } : { kind: "schedule", tenantId };
  try {
    return await inTenant(app.db, tenantId, async (tx): Promise<DueOutcome> => {
      const locked = await lockDueSend(tx, due);
      if (locked === undefined) return { kind: "taken" };
      const campaign = (await campaignOfTenant(tx, tenantId, campaignId))!;
      const send = { actor, campaign, capCount };
      return isUndo ? sendAfterUndo(app, tx, due, send, locked) : sendScheduled(app, tx, due, send, locked);
    });
  } catch (error) {
    // Nobody waits for an answer. The dashboard shows the refusal on the page where the send was begun.
    if (!isUndo || !(error instanceof AppError) || error.code === "unavailable") throw error;
    return refuse(app.db, due, error.code);
  }
}

async function sendScheduled(
  app: App,
  tx: Tx,
  due: DueSend,
  send: LockedSend,
  { isUnapproved, atMs, lateMs }: LateSend,
): Promise<DueOutcome> {
  const checked = await checkSend(app, tx, send);
  const grown = isUnapproved ? await refusalOfGrown(tx, due, checked.to, atMs) : undefined;
  const { GRACE_MINUTES: graceMinutes } = app.config;
  const verdict = checkDue({ lateMs, graceMinutes, refusal: checked.shut[0] ?? checked.forgotten ?? grown });
  if (verdict.kind === "delay") return { kind: "delayed" };
  if (verdict.kind === "fail") return failCampaign(app, tx, send, verdict.failure);
  await endPlannedSend(tx, due.id, { status: "sent" });
  const { runId } = await commitSend(app, tx, send, checked, { atLocalTime: true });
  return { kind: "sent", runId };
}

async function failCampaign(app: App, tx: Tx, { actor, campaign }: LockedSend, failure: Failure): Promise<DueOutcome> {
  const { siteId, id: subjectId } = campaign;
  if (!(await moveCampaign(tx, campaign, { to: "failed", failure }))) return { kind: "taken" };
  await endWaiting(tx, subjectId, { waitsFor: ["time"], status: "failed" });
  await endWaiting(tx, subjectId, { status: "withdrawn" });
  await emailAboutFailure(app, tx, campaign, failure);
  await recordAuditEvent(tx, actor, "campaign.failed", { siteId, subjectId, details: { code: failure.code } });
  return { kind: "failed", failure };
}

async function sendAfterUndo(
  app: App,
  tx: Tx,
  due: DueSend,
  send: LockedSend,
  { lateMs }: LateSend,
): Promise<DueOutcome> {
  const { hasChanged, maySend, approves } = await undoFacts(tx, due.id);
  if (!maySend) return refuse(tx, due, "forbidden");
  if (hasChanged) return refuse(tx, due, "changed");
  if (lateMs > undoLateMs) return refuse(tx, due, "late");
  await endPlannedSend(tx, due.id, { status: "sent" });
  if (approves !== null) {
    await approveLockedRequest(app, tx, { ...send, actor: send.actor as Member }, approves);
    return { kind: "approved" };
  }
  const { runId } = await sendLockedCampaign(app, tx, send, `dashboard-${due.campaignId}`);
  return { kind: "sent", runId };
}

async function refuse(on: App["db"] | Tx, { id }: DueSend, code: string): Promise<DueOutcome> {
  const isOpen = await endPlannedSend(on, id, { status: "refused", refusal: code });
  return isOpen ? { kind: "refused", code } : { kind: "taken" };
}
