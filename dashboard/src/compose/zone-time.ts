import { words } from "../words/words.ts";

/** Returns the offset of `timeZone` from UTC at a moment, in ms. */
function offsetMs(timeZone: string, ms: number): number {
  const parts = new Intl.DateTimeFormat("en-US", {
    timeZone,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  }).formatToParts(ms);
  const of = (type: string) => Number(parts.find((part) => part.type === type)!.value);
  const shown = Date.UTC(of("year"), of("month") - 1, of("day"), of("hour"), of("minute"), of("second"));
  return shown - Math.floor(ms / 1_000) * 1_000;
}

const dayMs = 86_400_000;

export type ZoneTime = { iso: string; isTwice: boolean } | { fault: string };

/**
 * Returns the moment of a local time in `timeZone`. `local`: the value of a datetime-local field, "2027-03-28T14:30".
 * If a time occurs twice because summer time ends, returns the first moment with `isTwice`. If the clocks skip a
 * time, returns a fault.
 */
export function momentAt(local: string, timeZone: string): ZoneTime {
  const shown = Date.parse(`${local}Z`);
  if (Number.isNaN(shown)) return { fault: words.compose.dayAndTimeMissing };
  const offsets = new Set([offsetMs(timeZone, shown - dayMs), offsetMs(timeZone, shown + dayMs)]);
  const moments = [...offsets]
    .map((offset) => shown - offset)
    .filter((ms) => ms + offsetMs(timeZone, ms) === shown)
    .toSorted((a, b) => a - b);
  const [first, second] = moments;
  if (first === undefined) return { fault: words.compose.noSuchHour({ timeZone }) };
  return { iso: new Date(first).toISOString(), isTwice: second !== undefined };
}

/** Returns the local time in `timeZone` at a moment, as the value of a datetime-local field. */
export function localIn(timeZone: string, ms: number): string {
  return new Date(ms + offsetMs(timeZone, ms)).toISOString().slice(0, 16);
}

/**
 * Returns times at which newsrooms often send, to choose by one click. They are local times in `timeZone` after
 * `nowMs`.
 */
export function suggestedTimes(timeZone: string, nowMs: number): { label: string; local: string }[] {
  const today = localIn(timeZone, nowMs).slice(0, 10);
  const tomorrow = dayAfter(today);
  const inMinutes = (minutes: number) => localIn(timeZone, Math.ceil(nowMs / 60_000 + minutes) * 60_000);
  const { inHours, todayAt, tomorrowAt } = words.compose;
  const times = [
    { label: inHours({ h: 1 }), local: inMinutes(60) },
    { label: inHours({ h: 3 }), local: inMinutes(180) },
    { label: todayAt({ time: "19:00" }), local: `${today}T19:00` },
    { label: tomorrowAt({ time: "7:00" }), local: `${tomorrow}T07:00` },
    { label: tomorrowAt({ time: "12:00" }), local: `${tomorrow}T12:00` },
  ];
  return times.filter(({ local }) => local > localIn(timeZone, nowMs));
}

/** Returns the next local time after `nowMs` at which it is `hour` o'clock in `timeZone`. */
export function nextAt(timeZone: string, hour: number, nowMs: number): string {
  const now = localIn(timeZone, nowMs);
  const today = now.slice(0, 10);
  const at = `T${String(hour).padStart(2, "0")}:00`;
  return today + at > now ? today + at : dayAfter(today) + at;
}

/** Returns the next day. Counts in UTC, because a day on which the clocks change has 23 or 25 hours. */
function dayAfter(day: string): string {
  return new Date(Date.parse(day) + dayMs).toISOString().slice(0, 10);
}
