import { z } from "zod";
import type { Actor } from "../actor.ts";
import type { App } from "../app.ts";
import { recordAuditEvent } from "../audit/record-event.ts";
import type { Tx } from "../db/pool.ts";
import { type AppError, invalidFields } from "../errors.ts";
import { expects, parseInput } from "../input.ts";
import type { CampaignRecord } from "./campaign.ts";
import { type CampaignView, viewCampaign, type Warning } from "./campaign.ts";
import { judgeGates } from "./gates.ts";
import { illegalMove } from "./illegal-move.ts";
import { campaignOfTenant, databaseNowMs, scheduleCampaignAt } from "./queries.ts";
import { isFarAhead, readScheduleTime } from "./schedule-time.ts";
import { withdrawRequests } from "./send-requests/queries.ts";
import { judgeSecondPerson } from "./send-requests/second-person.ts";
import { withCampaign } from "./with-campaign.ts";

const scheduleInput = z.strictObject({ scheduleAt: z.string(expects("a string")) }, expects("a JSON object"));

/**
 * Schedules a draft, or a scheduled campaign anew, for `scheduleAt` (RFC 3339 with an offset, in the future by the
 * database's clock). Gates that are shut now are warnings: they are judged when it is due. Throws `not_found`,
 * `validation_failed`, `illegal_transition` and, to a member, `confirmation_required`.
 */
export async function scheduleCampaign(
  app: App,
  actor: Actor,
  input: { campaignId: string; body: unknown },
): Promise<CampaignView> {
  return withCampaign(app, actor, input.campaignId, async (tx, campaign) => {
    const nowMs = await databaseNowMs(tx);
    const atMs = readScheduleAt(input.body, nowMs);
    await judgeSecondPerson(tx, actor, campaign);
    await scheduleNow(tx, actor, campaign, atMs);
    const { shut } = await judgeGates(app, tx, campaign);
    const warnings = [
      ...shut.map((gate) => toWarning(gate, app.config.GRACE_MINUTES)),
      ...(isFarAhead(atMs, nowMs) ? [farAhead] : []),
    ];
    return viewCampaign((await campaignOfTenant(tx, actor.tenantId, campaign.id))!, warnings);
  });
}

/** Moves a campaign that the caller holds to its time; what waited of it for a second person waits no more. */
export async function scheduleNow(tx: Tx, actor: Actor, campaign: CampaignRecord, atMs: number): Promise<void> {
  if (!(await scheduleCampaignAt(tx, campaign, atMs))) {
    throw illegalMove(campaign, { to: "scheduled", done: "scheduled" });
  }
  await withdrawRequests(tx, campaign.id, null);
  const { siteId, id: subjectId } = campaign;
  const details = { scheduledAt: new Date(atMs).toISOString() };
  await recordAuditEvent(tx, actor, "campaign.scheduled", { siteId, subjectId, details });
}

/** The time of `{ scheduleAt }` in ms since 1970. Throws `validation_failed`, also for what is past. */
export function readScheduleAt(body: unknown, nowMs: number): number {
  const read = readScheduleTime(parseInput(scheduleInput, body).scheduleAt);
  if ("fault" in read) throw invalidFields([{ path: "/scheduleAt", message: read.fault }]);
  if (read.ms > nowMs) return read.ms;
  const message = `must be in the future: here it is ${new Date(nowMs).toISOString()}`;
  throw invalidFields([{ path: "/scheduleAt", message }]);
}

const farAhead: Warning = { code: "far_ahead", message: "scheduleAt is more than a year ahead. Is that meant?" };

/** What a gate that is shut now means for a campaign that is due later. */
function toWarning({ code, message, details }: AppError, graceMinutes: number): Warning {
  if (code === "send_paused") {
    const held = `Sends of this ${details.scope} are paused. Once due, the campaign is held at most ${graceMinutes} minutes.`;
    return { code, message: held };
  }
  return { code, message: `${message} As things stand, the campaign fails when it is due.` };
}
