const rfc3339 = /^(\d{4})-(\d{2})-(\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,9}))?(?:[Zz]|([+-])(\d{2}):(\d{2}))$/;

const minuteMs = 60_000;
/** The widest offset of any clock on earth, in minutes. */
const widestOffset = 14 * 60;

/**
 * The instant in ms since 1970 that `text` names (RFC 3339 section 5.6, with an offset), or in `fault` what is wrong
 * with it. Only real dates and times: 30 February is none, nor is 24:00, nor a leap second, which no clock of ours
 * shows. More than three digits of a second are cut.
 */
export function readScheduleTime(text: string): { ms: number } | { fault: string } {
  const match = rfc3339.exec(text);
  if (match === null) return { fault: "must be an RFC 3339 time with an offset, such as 2030-01-31T18:00:00+02:00" };
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map(Number) as [number, ...number[]];
  const localMs = new Date(0).setUTCFullYear(year, month! - 1, day);
  const isRealDay = new Date(localMs).getUTCMonth() === month! - 1 && new Date(localMs).getUTCDate() === day;
  if (!isRealDay) return { fault: "must be a real date" };
  if (hour! > 23 || minute! > 59 || second! > 59) return { fault: "must be a real time of day, 00:00:00 to 23:59:59" };
  const offset = Number(match[9] ?? 0) * 60 + Number(match[10] ?? 0);
  if (offset > widestOffset || Number(match[10] ?? 0) > 59) return { fault: "must have an offset of at most 14:00" };
  const fractionMs = Number((match[7] ?? "").padEnd(3, "0").slice(0, 3));
  const timeMs = ((hour! * 60 + minute!) * 60 + second!) * 1_000 + fractionMs;
  const ms = localMs + timeMs - (match[8] === "-" ? -offset : offset) * minuteMs;
  // Behind the end of year 9999 UTC nobody could write it back.
  return new Date(ms).getUTCFullYear() > 9_999 ? { fault: "must be before the year 10000" } : { ms };
}

/** Whether an instant is more than a year after `nowMs`: rather a typo than a plan. */
export function isFarAhead(ms: number, nowMs: number): boolean {
  const inAYear = new Date(nowMs);
  return ms > inAYear.setUTCFullYear(inAYear.getUTCFullYear() + 1);
}
