import type { Actor } from "../actor.ts";
import type { App } from "../app.ts";
import { recordAuditEvent } from "../audit/record-event.ts";
import { type CampaignView, illegalMove, viewCampaign, type Warning } from "../campaigns/campaign.ts";
import { campaignOfTenant, nextRevision } from "../campaigns/queries.ts";
import type { Tx } from "../db/pool.ts";
import { type AppError, messageOf } from "../errors.ts";
import { said } from "../messages.ts";
import { lockTimeZone } from "../tenants/sites/queries.ts";
import { withCountedCampaign } from "./cap-count.ts";
import { assertKnown, type CheckedSend, checkSend, type LockedSend } from "./check-send.ts";
import { gateOfCode } from "./gates.ts";
import { sendMessages } from "./messages.ts";
import { databaseNowMs, insertPlannedSend } from "./planned-send-queries.ts";
import { readSchedule, type Schedule, scheduleDetails, warningsOfSchedule } from "./schedule.ts";
import { checkSecondPerson } from "./second-person.ts";

/**
 * Schedules a draft, or reschedules a scheduled campaign: for `scheduleAt` (ISO 8601 with an offset, in the future by
 * the database's clock), or for `localTime`, the local time of each reader. Returns the campaign, with a warning for
 * each gate that is shut now. Gates refuse nothing before the campaign is due. Throws `not_found`, `validation_failed`,
 * `illegal_transition`, `readers_forgotten`, `class_not_allowed` and, for a member, `confirmation_required`.
 */
export async function scheduleCampaign(
  app: App,
  actor: Actor,
  input: { campaignId: string; body: unknown },
): Promise<CampaignView> {
  return withCountedCampaign(app, actor, input.campaignId, async (tx, campaign, capCount) => {
    const nowMs = await databaseNowMs(tx);
    const timeZone = await lockTimeZone(tx, campaign.siteId);
    const schedule = readSchedule(input.body, { ...campaign, timeZone, nowMs });
    const checked = await checkSend(app, tx, { campaign, capCount }, schedule.atMs);
    const isUnapproved = await checkSecondPerson(tx, actor, campaign, { to: checked.to, atMs: schedule.graceFromMs });
    await scheduleLockedCampaign(tx, { actor, campaign }, checked, { ...schedule, isUnapproved });
    const warnings = [
      ...checked.shut.map((refusal) => toWarning(refusal, app.config.GRACE_MINUTES)),
      ...warningsOfSchedule(schedule, nowMs, timeZone),
    ];
    return viewCampaign((await campaignOfTenant(tx, actor.tenantId, campaign.id))!, warnings);
  });
}

/**
 * Schedules a campaign that the caller has locked and checked for that time. The campaign then has a new revision,
 * which ends requests for approval and undo windows of the old one. Throws `illegal_transition`, and
 * `readers_forgotten` for a correction whose readers will no longer be stored at that time.
 */
export async function scheduleLockedCampaign(
  tx: Tx,
  { actor, campaign }: Pick<LockedSend, "actor" | "campaign">,
  checked: CheckedSend,
  schedule: Schedule & { isUnapproved: boolean },
): Promise<void> {
  const { atMs, graceFromMs, localTime, isUnapproved } = schedule;
  if (!(await nextRevision(tx, campaign))) throw illegalMove(campaign, { to: "scheduled", done: "scheduled" });
  assertKnown(checked);
  const userId = actor.kind === "user" ? actor.userId : null;
  const lateFromMs = localTime && graceFromMs;
  const when = { starts: { atMs }, localTime, lateFromMs };
  await insertPlannedSend(tx, campaign, { waitsFor: "time", ...when, userId, isUnapproved });
  const { siteId, id: subjectId } = campaign;
  await recordAuditEvent(tx, actor, "campaign.scheduled", { siteId, subjectId, details: scheduleDetails(schedule) });
}

/** Returns the warning for a gate that is shut now: what it will do to the campaign when that is due. */
function toWarning(refusal: AppError, graceMinutes: number): Warning {
  const { code } = refusal;
  const gate = gateOfCode(code);
  if (gate?.whenDue === "delay") return { code, ...said(gate.warning(refusal, graceMinutes)) };
  return { code, ...said(sendMessages.will_fail({ cause: messageOf(refusal) })) };
}
