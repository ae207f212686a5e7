import { z } from "zod";
import type { CampaignRecord, Warning } from "../campaigns/campaign.ts";
import { invalidFields } from "../errors.ts";
import { expects, parseInput } from "../input.ts";
import type { LocalTime } from "../local-time.ts";
import { momentAt } from "../local-time.ts";
import { offsetText, spanOf } from "../runs/waves/waves.ts";
import { timeOfDay } from "../tenants/sites/site.ts";
import { isFarAhead, readScheduleTime } from "./schedule-time.ts";

/**
 * When a campaign is sent. `atMs`: when its run begins. `graceFromMs`: from when it is late. All in ms since 1970.
 * `localTime`: at that hour where each reader is; null: to all at once.
 */
export type Schedule = { atMs: number; graceFromMs: number; localTime: LocalTime | null };

/** A schedule as the audit log has it. */
export function scheduleDetails({ atMs, localTime }: Pick<Schedule, "atMs" | "localTime">) {
  return { scheduledAt: isoOf(atMs), ...(localTime && { localTime }) };
}

const isDate = (text: string) => {
  const ms = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text);
};

/**
 * Schema of an hour where each reader is. In the year 9999 it may be a later year somewhere, which no time here can
 * show.
 */
export const localTimeInput = z.strictObject(
  {
    date: z
      .string(expects("a date such as 2027-03-01"))
      .refine(isDate, "must be a real date, YYYY-MM-DD")
      .refine((date) => !date.startsWith("9999"), "must be before the year 9999"),
    time: timeOfDay,
  },
  expects("an object with date and time"),
);

const atOneMoment = z.strictObject({ scheduleAt: z.string(expects("a string")) }, expects("a JSON object"));
const atLocalTime = z.strictObject({
  localTime: localTimeInput,
  scheduleAt: z.never("cannot be given together with localTime").optional(),
});

/**
 * Reads when a campaign is to be sent, from `{ scheduleAt }` or `{ localTime }`. Throws `validation_failed`, also for a
 * time before `nowMs`, for an hour that has passed everywhere, and for a campaign with a headline test.
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
  throw invalidFields([{ path: "/localTime", message: `has passed everywhere: here it is ${isoOf(nowMs)}` }]);
}

/** A null counts as absent. */
function withoutHour(body: unknown): unknown {
  if (typeof body !== "object" || body === null || !("localTime" in body)) return body;
  const { localTime: _, ...rest } = body;
  return rest;
}

/**
 * Schedules for an hour where each reader is: from the moment on at which it is that hour in the first zone on earth,
 * or from now where that has passed. It is late only once it was that hour where the site is.
 */
export function scheduleAtHour(localTime: LocalTime, siteZone: string, nowMs: number): Schedule {
  const atMs = Math.max(nowMs, spanOf(localTime).firstMs);
  return { atMs, graceFromMs: lateFromMs(atMs, localTime, siteZone), localTime };
}

/**
 * From when a run that begins at `atMs` for a local time is late, ms since 1970: when it was that hour where the site
 * is.
 */
export function lateFromMs(atMs: number, localTime: LocalTime, siteZone: string): number {
  return Math.max(atMs, momentAt(siteZone, localTime));
}

function readMoment(scheduleAt: string, nowMs: number): Schedule {
  const read = readScheduleTime(scheduleAt);
  if ("fault" in read) throw invalidFields([{ path: "/scheduleAt", message: read.fault }]);
  if (read.ms > nowMs) return { atMs: read.ms, graceFromMs: read.ms, localTime: null };
  throw invalidFields([{ path: "/scheduleAt", message: `must be in the future: here it is ${isoOf(nowMs)}` }]);
}

/**
 * Throws `validation_failed` for a campaign with both: the winner is found long after the first readers had their hour.
 */
export function assertOneHeadline({ extras, localTime }: Pick<CampaignRecord, "extras" | "localTime">): void {
  if (localTime === null || !extras.variants?.length) return;
  const message = "cannot be given to a campaign that tests headlines: take the variants out first";
  throw invalidFields([{ path: "/localTime", message }]);
}

/** What a person should know of a schedule: that it is far ahead, or that it is that hour or later for some readers. */
export function warningsOfSchedule({ atMs, localTime }: Schedule, nowMs: number, siteZone: string): Warning[] {
  const warnings = isFarAhead(atMs, nowMs) ? [farAhead] : [];
  if (localTime === null || spanOf(localTime).firstMs >= nowMs) return warnings;
  const aheadMs = Date.parse(`${localTime.date}T${localTime.time}:00Z`) - nowMs;
  // Clocks on earth differ by quarters of an hour.
  const offset = offsetText(Math.ceil(aheadMs / 900_000) * 15);
  const isPastHere = momentAt(siteZone, localTime) < nowMs;
  const where = `It is past ${localTime.time} already where clocks are at UTC${offset} or ahead of that`;
  const here = isPastHere
    ? `, and so it is for readers whose zone is not known, who count as being in ${siteZone}`
    : "";
  return [...warnings, { code: "hour_passed", message: `${where}${here}. These readers get it at once.` }];
}

const farAhead: Warning = { code: "far_ahead", message: "The time is more than a year ahead. Is that meant?" };

function isoOf(ms: number): string {
  return new Date(ms).toISOString();
}
