import { localDay, momentAt } from "../local-time.ts";

/** The rhythm of a recurring send. `days`: ISO weekdays, 1 is Monday. `time`: `HH:MM` at the site. */
export type Rhythm = { days: number[]; time: string };

/** One occurrence. `day`: `YYYY-MM-DD` at the site. `atMs`: its moment, in ms since 1970. */
export type Occurrence = { day: string; atMs: number };

const dayMs = 86_400_000;

/** Returns the day that is `by` days after a day (negative: before it). */
function dayAfter(day: string, by: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + by * dayMs).toISOString().slice(0, 10);
}

function isOn({ days }: Rhythm, day: string): boolean {
  return days.includes(((new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7) + 1);
}

/**
 * Returns the occurrences on the days from `from` to `to`, the earliest first. A time that clocks skip moves forward
 * by as much as they skip. A time that comes twice is the first one (see `momentAt`).
 */
export function occurrencesBetween(rhythm: Rhythm, timeZone: string, from: string, to: string): Occurrence[] {
  const days: string[] = [];
  for (let day = from; day <= to; day = dayAfter(day, 1)) if (isOn(rhythm, day)) days.push(day);
  return days.map((day) => ({ day, atMs: momentAt(timeZone, { date: day, time: rhythm.time }) }));
}

/**
 * Returns the first occurrence after the moment `afterMs` whose day is after `afterDay`. So a day has one occurrence,
 * even if the time is changed on that day. `afterDay` null: any day.
 */
export function nextOccurrence(
  rhythm: Rhythm,
  timeZone: string,
  { afterMs, afterDay }: { afterMs: number; afterDay: string | null },
): Occurrence {
  const today = localDay(timeZone, afterMs);
  const from = afterDay !== null && afterDay >= today ? dayAfter(afterDay, 1) : today;
  // If today is the only weekday of the rhythm, the next occurrence may be a week away.
  return occurrencesBetween(rhythm, timeZone, from, dayAfter(from, 8)).find(({ atMs }) => atMs > afterMs)!;
}

/** Returns the last occurrence before a moment. */
export function occurrenceBefore(rhythm: Rhythm, timeZone: string, beforeMs: number): Occurrence {
  const today = localDay(timeZone, beforeMs);
  return occurrencesBetween(rhythm, timeZone, dayAfter(today, -8), today).findLast(({ atMs }) => atMs < beforeMs)!;
}
