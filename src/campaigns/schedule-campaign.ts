import type { Actor } from "../actor.ts";
import type { App } from "../app.ts";
import { recordAuditEvent } from "../audit/record-event.ts";
import type { Tx } from "../db/pool.ts";
import type { AppError } from "../errors.ts";
import { timeZoneOfSite } from "../tenants/sites/queries.ts";
import { withdrawRequests } from "./approval-requests/queries.ts";
import { assertNoSecondPersonNeeded } from "./approval-requests/second-person.ts";
import { readAudience } from "./audience.ts";
import { type CampaignRecord, type CampaignView, illegalMove, viewCampaign, type Warning } from "./campaign.ts";
import { checkGates } from "./check-gates.ts";
import { assertReadersKnown, readCorrectedRun } from "./correction.ts";
import { gateOfCode } from "./gates.ts";
import { readSchedule, type Schedule, scheduleDetails, warningsOfSchedule } from "./local-time-delivery.ts";
import { campaignOfTenant, moveCampaign } from "./queries.ts";
import { databaseNowMs } from "./schedule-queries.ts";
import { withCountedCampaign } from "./with-campaign.ts";

/**
 * Schedules a draft, or reschedules a scheduled campaign, for `scheduleAt` (RFC 3339 with an offset, in the future by
 * the database's clock), or for `localTime`, a time of a day where each reader is. Returns the campaign, with a warning
 * for each gate that is shut now: gates refuse nothing before the campaign is due. Throws `not_found`,
 * `validation_failed`, `illegal_transition`, `readers_forgotten` and, for a member, `confirmation_required`.
 */
export async function scheduleCampaign(
  app: App,
  actor: Actor,
  input: { campaignId: string; body: unknown },
): Promise<CampaignView> {
  return withCountedCampaign(app, actor, input.campaignId, async (tx, campaign, capCount) => {
    const nowMs = await databaseNowMs(tx);
    const timeZone = await timeZoneOfSite(tx, campaign.siteId);
    const schedule = readSchedule(input.body, { ...campaign, timeZone, nowMs });
    const to = await readAudience(tx, campaign);
    await assertNoSecondPersonNeeded(tx, actor, campaign, { to, atMs: schedule.graceFromMs });
    await scheduleLockedCampaign(app, tx, actor, campaign, schedule);
    const { refusals } = await checkGates(app, tx, to, capCount);
    const warnings = [
      ...refusals.map((refusal) => toWarning(refusal, app.config.GRACE_MINUTES)),
      ...warningsOfSchedule(schedule, nowMs, timeZone),
    ];
    return viewCampaign((await campaignOfTenant(tx, actor.tenantId, campaign.id))!, warnings);
  });
}

/**
 * Schedules a campaign that the caller has locked, and withdraws its approval requests. Throws `illegal_transition`,
 * and `readers_forgotten` for a correction whose readers are not stored any more at that time.
 */
export async function scheduleLockedCampaign(
  app: App,
  tx: Tx,
  actor: Actor,
  campaign: CampaignRecord,
  schedule: Schedule,
): Promise<void> {
  if (!(await moveCampaign(tx, campaign, { to: "scheduled", ...schedule }))) {
    throw illegalMove(campaign, { to: "scheduled", done: "scheduled" });
  }
  assertReadersKnown(app, await readCorrectedRun(tx, campaign), schedule.atMs);
  await withdrawRequests(tx, campaign.id, null);
  const { siteId, id: subjectId } = campaign;
  await recordAuditEvent(tx, actor, "campaign.scheduled", { siteId, subjectId, details: scheduleDetails(schedule) });
}

/** The warning for a gate that is shut now, about what it does to the campaign when that is due. */
function toWarning(refusal: AppError, graceMinutes: number): Warning {
  const { code, message } = refusal;
  const gate = gateOfCode(code);
  if (gate?.whenDue === "delay") return { code, message: gate.warning(refusal, graceMinutes) };
  return { code, message: `${message} As things stand, the campaign fails when it is due.` };
}
