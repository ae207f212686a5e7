import { z } from "zod";
import type { Actor } from "../actor.ts";
import type { App } from "../app.ts";
import { recordAuditEvent } from "../audit/record-event.ts";
import type { Tx } from "../db/pool.ts";
import { type AppError, invalidFields } from "../errors.ts";
import { expects, parseInput } from "../input.ts";
import { type CampaignRecord, type CampaignView, illegalMove, viewCampaign, type Warning } from "./campaign.ts";
import { readCorrectedRun } from "./correction.ts";
import { gateOfCode } from "./gates.ts";
import { judgeGates } from "./judge-gates.ts";
import { campaignOfTenant, moveCampaign } from "./queries.ts";
import { databaseNowMs } from "./schedule-queries.ts";
import { isFarAhead, readScheduleTime } from "./schedule-time.ts";
import { withdrawRequests } from "./send-requests/queries.ts";
import { assertNoSecondPersonNeeded } from "./send-requests/second-person.ts";
import { withCountedCampaign } from "./with-campaign.ts";

const scheduleInput = z.strictObject({ scheduleAt: z.string(expects("a string")) }, expects("a JSON object"));

/**
 * Schedules a draft, or reschedules a scheduled campaign, for `scheduleAt` (RFC 3339 with an offset, in the future by the
 * database's clock). Returns the campaign, with a warning for each gate that is shut now: gates refuse nothing before the
 * campaign is due. Throws `not_found`, `validation_failed`, `illegal_transition` and, for a member,
 * `confirmation_required`.
 */
export async function scheduleCampaign(
  app: App,
  actor: Actor,
  input: { campaignId: string; body: unknown },
): Promise<CampaignView> {
  return withCountedCampaign(app, actor, input.campaignId, async (tx, campaign, capCount) => {
    const nowMs = await databaseNowMs(tx);
    const atMs = readScheduleAt(input.body, nowMs);
    const corrected = await readCorrectedRun(tx, campaign);
    await assertNoSecondPersonNeeded(tx, actor, campaign, { corrected, atMs });
    await scheduleLockedCampaign(tx, actor, campaign, atMs);
    const { refusals } = await judgeGates(app, tx, campaign, corrected, capCount);
    const warnings = [
      ...refusals.map((refusal) => toWarning(refusal, app.config.GRACE_MINUTES)),
      ...(isFarAhead(atMs, nowMs) ? [farAhead] : []),
    ];
    return viewCampaign((await campaignOfTenant(tx, actor.tenantId, campaign.id))!, warnings);
  });
}

/** Schedules a campaign that the caller has locked, and withdraws its send requests. Throws `illegal_transition`. */
export async function scheduleLockedCampaign(
  tx: Tx,
  actor: Actor,
  campaign: CampaignRecord,
  atMs: number,
): Promise<void> {
  if (!(await moveCampaign(tx, campaign, { to: "scheduled", atMs }))) {
    throw illegalMove(campaign, { to: "scheduled", done: "scheduled" });
  }
  await withdrawRequests(tx, campaign.id, null);
  const { siteId, id: subjectId } = campaign;
  const details = { scheduledAt: new Date(atMs).toISOString() };
  await recordAuditEvent(tx, actor, "campaign.scheduled", { siteId, subjectId, details });
}

/** Reads the time of `{ scheduleAt }`, in ms since 1970. Throws `validation_failed`, also for a time before `nowMs`. */
export function readScheduleAt(body: unknown, nowMs: number): number {
  const read = readScheduleTime(parseInput(scheduleInput, body).scheduleAt);
  if ("fault" in read) throw invalidFields([{ path: "/scheduleAt", message: read.fault }]);
  if (read.ms > nowMs) return read.ms;
  const message = `must be in the future: here it is ${new Date(nowMs).toISOString()}`;
  throw invalidFields([{ path: "/scheduleAt", message }]);
}

const farAhead: Warning = { code: "far_ahead", message: "The time is more than a year ahead. Is that meant?" };

/** The warning for a gate that is shut now, about what it does to the campaign when that is due. */
function toWarning(refusal: AppError, graceMinutes: number): Warning {
  const { code, message } = refusal;
  const gate = gateOfCode(code);
  if (gate?.whenDue === "hold") return { code, message: gate.warning(refusal, graceMinutes) };
  return { code, message: `${message} As things stand, the campaign fails when it is due.` };
}
