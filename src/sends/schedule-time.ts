import { faults } from "../faults.ts";
import type { Message } from "../messages.ts";

const offset = /(?:[Zz]|(?<sign>[+-])(?<offsetHours>\d{2})(?::?(?<offsetMinutes>\d{2}))?)/.source;
const fraction = /(?:[.,](?<fraction>\d+))?/.source;

/** Extended and basic format (ISO 8601-1 sections 5.2.2.1 and 5.3.1). Date and time have the same format. */
const formats = [
  String.raw`(?<year>\d{4})-(?<month>\d{2})-(?<day>\d{2})[Tt](?<hour>\d{2}):(?<minute>\d{2})(?::(?<second>\d{2})${fraction})?`,
  String.raw`(?<year>\d{4})(?<month>\d{2})(?<day>\d{2})[Tt](?<hour>\d{2})(?<minute>\d{2})(?:(?<second>\d{2})${fraction})?`,
].map((format) => new RegExp(`^${format}${offset}$`));

const minuteMs = 60_000;
/** The largest UTC offset in use on earth, in minutes. */
const maxOffset = 14 * 60;

const example = "such as 2030-01-31T18:00:00+02:00";

/**
 * Returns ms since 1970 of a date, time and offset in ISO 8601, extended or basic format, or its fault.
 * Seconds are optional, and may have a fraction after a point or a comma. The offset is `Z`, `±hh`, `±hhmm` or
 * `±hh:mm`, in either format, because `strftime` mixes them. Takes only real dates and times: not 30 February, not
 * 24:00, and no leap second, which the clocks of JavaScript and PostgreSQL do not have. Cuts a fraction of a second
 * after three digits.
 */
export function readScheduleTime(text: string): { ms: number } | { fault: Message } {
  const parts = formats.map((format) => format.exec(text)?.groups).find((groups) => groups !== undefined);
  if (parts === undefined) return { fault: faults.not_an_iso_time({ example }) };
  const part = (name: string) => Number(parts[name] ?? 0);
  const localMs = new Date(0).setUTCFullYear(part("year"), part("month") - 1, part("day"));
  const isRealDay =
    new Date(localMs).getUTCMonth() === part("month") - 1 && new Date(localMs).getUTCDate() === part("day");
  if (!isRealDay) return { fault: faults.not_a_real_date({ example }) };
  if (part("hour") > 23 || part("minute") > 59 || part("second") > 59) {
    return { fault: faults.not_a_real_time({ example }) };
  }
  const offsetMinutes = part("offsetHours") * 60 + part("offsetMinutes");
  if (offsetMinutes > maxOffset || part("offsetMinutes") > 59) {
    return { fault: faults.offset_too_large({ example }) };
  }
  const fractionMs = Number((parts.fraction ?? "").slice(0, 3).padEnd(3, "0"));
  const timeMs = ((part("hour") * 60 + part("minute")) * 60 + part("second")) * 1_000 + fractionMs;
  const ms = localMs + timeMs - (parts.sign === "-" ? -offsetMinutes : offsetMinutes) * minuteMs;
  // The four digits of a year cannot show a later time.
  return new Date(ms).getUTCFullYear() > 9_999 ? { fault: faults.time_too_late({ example }) } : { ms };
}

/** Returns whether a time is more than a year after `nowMs`: probably a typo. */
export function isFarAhead(ms: number, nowMs: number): boolean {
  const inAYear = new Date(nowMs);
  return ms > inAYear.setUTCFullYear(inAYear.getUTCFullYear() + 1);
}
