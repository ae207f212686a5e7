import type { Actor } from "../actor.ts";
import type { App } from "../app.ts";
import { recordAuditEvent } from "../audit/record-event.ts";
import { inTenant, type Tx } from "../db/pool.ts";
import type { AppError } from "../errors.ts";
import { readAudience } from "./audience.ts";
import type { CampaignRecord, Failure } from "./campaign.ts";
import { emailAboutFailure } from "./campaign-emails.ts";
import { countForCap } from "./cap-count.ts";
import { checkGates } from "./check-gates.ts";
import { refusalOfForgotten } from "./correction.ts";
import { gateOfCode } from "./gates.ts";
import { campaignOfTenant, moveCampaign } from "./queries.ts";
import { lockDueCampaign } from "./schedule-queries.ts";
import { startLiveRun } from "./send-campaign.ts";

/**
 * The scheduler's own delay (its poll interval and the database's answer), which counts as on time: without it a
 * GRACE_MINUTES of 0 would fail every campaign.
 */
const schedulerDelayMs = 2_000;

export type DueVerdict = { kind: "send" } | { kind: "delay" } | { kind: "fail"; failure: Failure };

/**
 * Checks a campaign that is due. A gate that delays (a pause) delays it until the grace time ends; any other shut gate
 * fails it at once, and so does a correction whose readers are not stored any more. Otherwise it is sent, unless the
 * grace time has ended: old news is not sent late. `refusal`: that of the first shut gate, or of such a correction.
 */
export function checkDue(facts: { lateMs: number; graceMinutes: number; refusal: AppError | undefined }): DueVerdict {
  const { lateMs, graceMinutes, refusal } = facts;
  const isLate = lateMs > graceMinutes * 60_000 + schedulerDelayMs;
  if (refusal !== undefined) {
    const { code, message } = refusal;
    const gate = gateOfCode(code);
    if (gate?.whenDue !== "delay") return { kind: "fail", failure: { code, message } };
    return isLate ? { kind: "fail", failure: { code, message: gate.failure(graceMinutes) } } : { kind: "delay" };
  }
  if (!isLate) return { kind: "send" };
  const message = `It was due more than ${graceMinutes} minutes before the service could send it.`;
  return { kind: "fail", failure: { code: "missed", message } };
}

/** `taken`: another process handles the campaign, or a person has sent, rescheduled or cancelled it. */
export type DueOutcome =
  | { kind: "sent"; runId: string }
  | { kind: "failed"; failure: Failure }
  | { kind: "delayed" | "taken" };

/**
 * Sends one campaign that is due, by the same rules as a send at this moment, or fails it with the reason. Any number
 * of processes may call this for the same campaign: one of them acts.
 */
export async function sendDueCampaign(app: App, actor: Actor, input: { campaignId: string }): Promise<DueOutcome> {
  const capCount = await countForCap(app, actor.tenantId, input.campaignId);
  return inTenant(app.db, actor.tenantId, async (tx): Promise<DueOutcome> => {
    const due = await lockDueCampaign(tx, input.campaignId);
    if (due === undefined) return { kind: "taken" };
    const campaign = (await campaignOfTenant(tx, actor.tenantId, input.campaignId))!;
    const to = await readAudience(tx, campaign);
    const { refusals, audience } = await checkGates(app, tx, to, capCount);
    const { GRACE_MINUTES: graceMinutes } = app.config;
    const refusal = refusals[0] ?? refusalOfForgotten(app, to.corrected);
    const verdict = checkDue({ lateMs: due.lateMs, graceMinutes, refusal });
    if (verdict.kind === "delay") return { kind: "delayed" };
    if (verdict.kind === "fail") return failCampaign(app, tx, actor, campaign, verdict.failure);
    const send = { to, audience, idempotencyKey: null, atLocalTime: true };
    const { runId } = await startLiveRun(app, tx, actor, campaign, send);
    return { kind: "sent", runId };
  });
}

async function failCampaign(
  app: App,
  tx: Tx,
  actor: Actor,
  campaign: CampaignRecord,
  failure: Failure,
): Promise<DueOutcome> {
  if (!(await moveCampaign(tx, campaign, { to: "failed", failure }))) return { kind: "taken" };
  await emailAboutFailure(app, tx, campaign, failure);
  const { siteId, id: subjectId } = campaign;
  await recordAuditEvent(tx, actor, "campaign.failed", { siteId, subjectId, details: { code: failure.code } });
  return { kind: "failed", failure };
}
