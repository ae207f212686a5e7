const rfc3339 = /^(\d{4})-(\d{2})-(\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,9}))?(?:[Zz]|([+-])(\d{2}):(\d{2}))$/;

const minuteMs = 60_000;
/** The largest UTC offset in use on earth, in minutes. */
const maxOffset = 14 * 60;

/**
 * Parses a time with an offset (RFC 3339, section 5.6). Returns ms since 1970, or in `fault` what is wrong with it. Takes
 * only real dates and times: not 30 February, not 24:00, and no leap second, which the clocks of JavaScript and
 * PostgreSQL do not have. Cuts a fraction of a second after three digits.
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
  if (offset > maxOffset || Number(match[10] ?? 0) > 59) return { fault: "must have an offset of at most 14:00" };
  const fractionMs = Number((match[7] ?? "").padEnd(3, "0").slice(0, 3));
  const timeMs = ((hour! * 60 + minute!) * 60 + second!) * 1_000 + fractionMs;
  const ms = localMs + timeMs - (match[8] === "-" ? -offset : offset) * minuteMs;
  // RFC 3339 has four digits for a year, so a later time could not be shown.
  return new Date(ms).getUTCFullYear() > 9_999 ? { fault: "must be before the year 10000" } : { ms };
}

/** Whether a time is more than a year after `nowMs`: probably a typo. */
export function isFarAhead(ms: number, nowMs: number): boolean {
  const inAYear = new Date(nowMs);
  return ms > inAYear.setUTCFullYear(inAYear.getUTCFullYear() + 1);
}
