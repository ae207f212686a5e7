/** Returns the local time in `timeZone`, `HH:MM`. `at`: ms since 1970. */
export function localTimeOf(timeZone: string, at: number): string {
  const clock = new Intl.DateTimeFormat("en-GB", { timeZone, hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
  return clock.format(at);
}

/** Returns the local day in `timeZone`, `YYYY-MM-DD`. `at`: ms since 1970. */
export function localDay(timeZone: string, at: number): string {
  return new Intl.DateTimeFormat("en-CA", { timeZone, year: "numeric", month: "2-digit", day: "2-digit" }).format(at);
}

/** Converts `HH:MM` to minutes since midnight. */
export function minutesOf(time: string): number {
  const [hours, minutes] = time.split(":").map(Number);
  return hours! * 60 + minutes!;
}

/** Converts minutes since midnight to `HH:MM`. */
export function timeOf(minutes: number): string {
  return `${String(Math.floor(minutes / 60)).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}`;
}

/** Whether a time is from `from` until `until`, which is below `from` where they span midnight. */
export function isBetween<Time extends string | number>(time: Time, from: Time, until: Time): boolean {
  return from < until ? from <= time && time < until : from <= time || time < until;
}

/**
 * Returns the name of a time zone that Intl knows, the same for all ways to write it: `us/eastern` is
 * `America/New_York`. Undefined for an unknown one, and for offsets such as +02:00, which Intl accepts too: they have
 * no daylight saving time.
 */
export function knownZone(name: string): string | undefined {
  if (!/^[a-z]/i.test(name)) return undefined;
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}

/** Whether Intl knows the zone. */
export function isTimeZone(name: string): boolean {
  return knownZone(name) !== undefined;
}

/** An hour of a day where each reader is. `date`: `YYYY-MM-DD`. `time`: `HH:MM`. */
export type LocalTime = { date: string; time: string };

const dayMs = 86_400_000;
const minuteMs = 60_000;

/** What clocks show at a moment (ms since 1970): ms since 1970 as if they were in UTC, in whole minutes. */
type Clock = (at: number) => number;

/** One clock reads many moments: to make the formatter takes a hundred times as long as to use it. */
function clockIn(timeZone: string): Clock {
  const digits = { month: "2-digit", day: "2-digit", hour: "2-digit", minute: "2-digit", hourCycle: "h23" } as const;
  const format = new Intl.DateTimeFormat("sv-SE", { timeZone, year: "numeric", ...digits });
  return (at) => Date.parse(`${format.format(at).replace(" ", "T")}:00Z`);
}

const offsetOf = (clock: Clock, at: number) => Math.round((clock(at) - at) / minuteMs);

/** Returns by how many minutes clocks in `timeZone` are ahead of UTC. `at`: ms since 1970. */
export function utcOffsetAt(timeZone: string, at: number): number {
  return offsetOf(clockIn(timeZone), at);
}

/**
 * Returns the moment, in ms since 1970, at which clocks in `timeZone` show a time on a day. A time that occurs twice,
 * as summer time ends, is the first one. One that is skipped, as it begins, is as much later: 02:30 is 03:30 then.
 */
export function momentAt(timeZone: string, { date, time }: LocalTime): number {
  const clock = clockIn(timeZone);
  const shown = Date.parse(`${date}T${time}:00Z`);
  const [before, after] = [shown - dayMs, shown + dayMs].map((at) => shown - offsetOf(clock, at) * minuteMs);
  const moments = [before!, after!].filter((at) => at + offsetOf(clock, at) * minuteMs === shown);
  return moments.length > 0 ? Math.min(...moments) : before!;
}
