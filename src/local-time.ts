/** Returns the local time in `timeZone`, `HH:MM`. `at`: ms since 1970. */
export function localTime(timeZone: string, at: number): string {
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

/** Whether Intl knows the zone. Refuses offsets such as +02:00, which it accepts too: they have no daylight saving time. */
export function isTimeZone(name: string): boolean {
  if (!/^[a-z]/i.test(name)) return false;
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

const dayMs = 86_400_000;
const minuteMs = 60_000;

/** Returns by how many minutes clocks in `timeZone` are ahead of UTC. `at`: ms since 1970. */
export function utcOffsetAt(timeZone: string, at: number): number {
  const shown = Date.parse(`${localDay(timeZone, at)}T${localTime(timeZone, at)}:00Z`);
  return Math.round((shown - at) / minuteMs);
}

/**
 * Returns the moment, in ms since 1970, at which clocks in `timeZone` show a time on a day. A time that occurs twice, as
 * summer time ends, is the first one. One that is skipped, as it begins, is as much later: 02:30 is 03:30 then.
 */
export function momentAt(timeZone: string, { date, localTime: time }: { date: string; localTime: string }): number {
  const shown = Date.parse(`${date}T${time}:00Z`);
  const [before, after] = [shown - dayMs, shown + dayMs].map((at) => shown - utcOffsetAt(timeZone, at) * minuteMs);
  const moments = [before!, after!].filter((at) => at + utcOffsetAt(timeZone, at) * minuteMs === shown);
  return moments.length > 0 ? Math.min(...moments) : before!;
}
