import { z } from "zod";
import type { CampaignRecord, Warning } from "../campaigns/campaign.ts";
import { invalidFields } from "../errors.ts";
import { fault, faults, zodText } from "../faults.ts";
import { expects, parseInput } from "../input.ts";
import type { LocalTime } from "../local-time.ts";
import { momentAt } from "../local-time.ts";
import { said } from "../messages.ts";
import { offsetText, spanOf } from "../runs/waves/waves.ts";
import { timeOfDay } from "../tenants/sites/site.ts";
import { sendMessages } from "./messages.ts";
import { isFarAhead, readScheduleTime } from "./schedule-time.ts";

/**
 * When a campaign is sent, in ms since 1970. `atMs`: when its run begins. `graceFromMs`: when it starts to be late.
 * `localTime`: the local time at which each reader gets it; null if all get it at the same moment.
 */
export type Schedule = { atMs: number; graceFromMs: number; localTime: LocalTime | null };

/** Returns a schedule in the form of the audit log. */
export function scheduleDetails({ atMs, localTime }: Pick<Schedule, "atMs" | "localTime">) {
  return { scheduledAt: isoOf(atMs), ...(localTime && { localTime }) };
}

const isDate = (text: string) => {
  const ms = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text);
};

/**
 * The schema of a local time. A date in 9999 is refused, because it may be a later year somewhere, and no time here
 * can show a later year.
 */
export const localTimeInput = z.strictObject(
  {
    date: z
      .string(expects("a date such as 2027-03-01"))
      .refine(isDate, zodText(faults.not_a_real_date({ example: "YYYY-MM-DD" })))
      .refine((date) => !date.startsWith("9999"), zodText(faults.date_too_late())),
    time: timeOfDay,
  },
  expects("an object with date and time"),
);

const atOneMoment = z.strictObject({ scheduleAt: z.string(expects("a string")) }, expects("a JSON object"));
const atLocalTime = z.strictObject({
  localTime: localTimeInput,
  scheduleAt: z.never(zodText(faults.local_time_and_moment())).optional(),
});

/**
 * Returns the schedule in `{ scheduleAt }` or `{ localTime }`. Throws `validation_failed`, also for a time that is
 * not after `nowMs`, a local time that has passed everywhere, and a local time with a headline test.
 */
export function readSchedule(
  body: unknown,
  { timeZone, extras, nowMs }: Pick<CampaignRecord, "extras"> & { timeZone: string; nowMs: number },
): Schedule {
  const isAtHour = typeof body === "object" && body !== null && "localTime" in body && body.localTime !== null;
  if (!isAtHour) return readMoment(parseInput(atOneMoment, withoutHour(body)).scheduleAt, nowMs);
  const { localTime } = parseInput(atLocalTime, body);
  assertOneHeadline({ extras, localTime });
  if (spanOf(localTime).lastMs > nowMs) return scheduleAtHour(localTime, timeZone, nowMs);
  throw invalidFields([fault("/localTime", faults.past_everywhere({ now: isoOf(nowMs) }))]);
}

/** Returns the body without `localTime`, because null counts as absent. */
function withoutHour(body: unknown): unknown {
  if (typeof body !== "object" || body === null || !("localTime" in body)) return body;
  const { localTime: _, ...rest } = body;
  return rest;
}

/**
 * Returns the schedule for a local time. It starts when the first zone on earth has that time, or now if that moment
 * has passed. It is late only after that time at the site.
 */
export function scheduleAtHour(localTime: LocalTime, siteZone: string, nowMs: number): Schedule {
  const atMs = Math.max(nowMs, spanOf(localTime).firstMs);
  return { atMs, graceFromMs: lateFromMs(atMs, localTime, siteZone), localTime };
}

/**
 * Returns when a run that begins at `atMs` for a local time starts to be late: at that local time at the site. In ms
 * since 1970.
 */
export function lateFromMs(atMs: number, localTime: LocalTime, siteZone: string): number {
  return Math.max(atMs, momentAt(siteZone, localTime));
}

function readMoment(scheduleAt: string, nowMs: number): Schedule {
  const read = readScheduleTime(scheduleAt);
  if ("fault" in read) throw invalidFields([fault("/scheduleAt", read.fault)]);
  if (read.ms > nowMs) return { atMs: read.ms, graceFromMs: read.ms, localTime: null };
  throw invalidFields([fault("/scheduleAt", faults.past_here({ now: isoOf(nowMs) }))]);
}

/**
 * Throws `validation_failed` for a campaign with a headline test and a local time. The local time of the first
 * readers comes long before the test has a winner.
 */
export function assertOneHeadline({ extras, localTime }: Pick<CampaignRecord, "extras" | "localTime">): void {
  if (localTime === null || !extras.variants?.length) return;
  throw invalidFields([fault("/localTime", faults.variants_at_local_time())]);
}

/** Returns warnings for a schedule that is far ahead, and for a local time that has already passed for some readers. */
export function warningsOfSchedule({ atMs, localTime }: Schedule, nowMs: number, siteZone: string): Warning[] {
  const warnings = isFarAhead(atMs, nowMs) ? [farAhead] : [];
  if (localTime === null || spanOf(localTime).firstMs >= nowMs) return warnings;
  const aheadMs = Date.parse(`${localTime.date}T${localTime.time}:00Z`) - nowMs;
  // Clocks on earth differ by quarters of an hour.
  const offset = offsetText(Math.ceil(aheadMs / 900_000) * 15);
  const isPastHere = momentAt(siteZone, localTime) < nowMs;
  const passed = { time: localTime.time, offset };
  const message = isPastHere
    ? sendMessages.hour_passed_here({ ...passed, timeZone: siteZone })
    : sendMessages.hour_passed(passed);
  return [...warnings, { code: "hour_passed", ...said(message) }];
}

const farAhead: Warning = { code: "far_ahead", ...said(sendMessages.far_ahead()) };

function isoOf(ms: number): string {
  return new Date(ms).toISOString();
}
