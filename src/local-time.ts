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

/** Returns whether a time is from `from` until `until`. `until` is below `from` if they span midnight. */
export function isBetween<Time extends string | number>(time: Time, from: Time, until: Time): boolean {
  return from < until ? from <= time && time < until : from <= time || time < until;
}

/**
 * Returns the name of a time zone that Intl knows. All spellings of a zone give the same name: `us/eastern` gives
 * `America/New_York`. Returns undefined for an unknown zone, and for offsets such as +02:00. Intl accepts offsets, but
 * they have no daylight saving time.
 */
export function knownZone(name: string): string | undefined {
  if (!/^[a-z]/i.test(name)) return undefined;
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}

/** Returns whether Intl knows the zone. */
export function isTimeZone(name: string): boolean {
  return knownZone(name) !== undefined;
}

/** A local time that each reader's own clock shows. `date`: `YYYY-MM-DD`. `time`: `HH:MM`. */
export type LocalTime = { date: string; time: string };

const dayMs = 86_400_000;
const minuteMs = 60_000;

/** Returns the local time at a moment (ms since 1970), written as if it were UTC: ms since 1970, in whole minutes. */
type Clock = (at: number) => number;

/**
 * Creates a clock for a time zone. A clock should be used for many moments, because creating its formatter takes a
 * hundred times as long as using it.
 */
function clockIn(timeZone: string): Clock {
  const digits = { month: "2-digit", day: "2-digit", hour: "2-digit", minute: "2-digit", hourCycle: "h23" } as const;
  const format = new Intl.DateTimeFormat("sv-SE", { timeZone, year: "numeric", ...digits });
  return (at) => Date.parse(`${format.format(at).replace(" ", "T")}:00Z`);
}

const offsetOf = (clock: Clock, at: number) => Math.round((clock(at) - at) / minuteMs);

/** Returns by how many minutes the local time in `timeZone` is ahead of UTC. `at`: ms since 1970. */
export function utcOffsetAt(timeZone: string, at: number): number {
  return offsetOf(clockIn(timeZone), at);
}

/**
 * Returns the moment, in ms since 1970, at which clocks in `timeZone` show this time on this day. If the time occurs
 * twice, at the end of summer time, it is the first one. If clocks skip the time, at the start of summer time, it
 * moves by as much as they skip: 02:30 becomes 03:30.
 */
export function momentAt(timeZone: string, { date, time }: LocalTime): number {
  const clock = clockIn(timeZone);
  const shown = Date.parse(`${date}T${time}:00Z`);
  const [before, after] = [shown - dayMs, shown + dayMs].map((at) => shown - offsetOf(clock, at) * minuteMs);
  const moments = [before!, after!].filter((at) => at + offsetOf(clock, at) * minuteMs === shown);
  return moments.length > 0 ? Math.min(...moments) : before!;
}
