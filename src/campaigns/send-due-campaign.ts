import type { Actor } from "../actor.ts";
import type { App } from "../app.ts";
import { recordAuditEvent } from "../audit/record-event.ts";
import { inTenant } from "../db/pool.ts";
import type { AppError } from "../errors.ts";
import type { Failure } from "./campaign.ts";
import { emailAboutFailure } from "./campaign-emails.ts";
import { judgeGates } from "./gates.ts";
import { campaignOfTenant, failCampaign, lockDueCampaign } from "./queries.ts";
import { startLiveRun } from "./send-campaign.ts";

/** A schedule that is kept is late by the scheduler's own step and the database's answer: no one misses it by that. */
const stepMs = 2_000;

export type DueVerdict = { kind: "send" } | { kind: "hold" } | { kind: "fail"; failure: Failure };

/**
 * What becomes of a campaign that is due: a pause holds it until the grace time ends, any other shut gate fails it at
 * once, and so does a start that comes too late (nobody wants this morning's story tonight). `shut`: the first gate.
 */
export function judgeDue(facts: { lateMs: number; graceMinutes: number; shut: AppError | undefined }): DueVerdict {
  const { lateMs, graceMinutes, shut } = facts;
  const isLate = lateMs > graceMinutes * 60_000 + stepMs;
  if (shut !== undefined && (shut.code !== "send_paused" || isLate)) {
    const { code } = shut;
    const message = code === "send_paused" ? `Sends were paused for more than ${graceMinutes} minutes.` : shut.message;
    return { kind: "fail", failure: { code, message } };
  }
  if (shut !== undefined) return { kind: "hold" };
  if (!isLate) return { kind: "send" };
  const message = `It was due more than ${graceMinutes} minutes before the service could send it.`;
  return { kind: "fail", failure: { code: "missed", message } };
}

/** `taken`: another process, or someone's own send or cancel, was quicker. */
export type DueOutcome =
  | { kind: "sent"; runId: string }
  | { kind: "failed"; failure: Failure }
  | { kind: "held" | "taken" };

/**
 * Sends one campaign that is due, as its author's send would at this moment, or writes down why not. Safe to call for
 * the same campaign from any number of processes: one of them acts.
 */
export async function sendDueCampaign(app: App, actor: Actor, input: { campaignId: string }): Promise<DueOutcome> {
  return inTenant(app.db, actor.tenantId, async (tx): Promise<DueOutcome> => {
    const due = await lockDueCampaign(tx, input.campaignId);
    if (due === undefined) return { kind: "taken" };
    const campaign = (await campaignOfTenant(tx, actor.tenantId, input.campaignId))!;
    const { shut, audience } = await judgeGates(app, tx, campaign);
    const verdict = judgeDue({ lateMs: due.lateMs, graceMinutes: app.config.GRACE_MINUTES, shut: shut[0] });
    if (verdict.kind === "hold") return { kind: "held" };
    if (verdict.kind === "fail") {
      await failCampaign(tx, campaign, verdict.failure);
      await emailAboutFailure(app, tx, campaign, verdict.failure);
      const { siteId, id: subjectId } = campaign;
      const details = { code: verdict.failure.code };
      await recordAuditEvent(tx, actor, "campaign.failed", { siteId, subjectId, details });
      return { kind: "failed", failure: verdict.failure };
    }
    const { runId } = await startLiveRun(app, tx, actor, campaign, { audience, idempotencyKey: null });
    return { kind: "sent", runId };
  });
}
