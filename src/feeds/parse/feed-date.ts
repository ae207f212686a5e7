import { firstDate } from "../../decision/page/dates.ts";

/** Named zones, in hours from UTC: those of RFC 822 section 5.1, and others that feeds use without a standard. */
const zones: Record<string, number> = {
  ...{ z: 0, ut: 0, utc: 0, gmt: 0, est: -5, edt: -4, cst: -6, cdt: -5, mst: -7, mdt: -6, pst: -8, pdt: -7 },
  ...{ wet: 0, west: 1, bst: 1, cet: 1, cest: 2, mez: 1, mesz: 2, eet: 2, eest: 3, msk: 3, jst: 9 },
};
const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/** "Mon, 02 Mar 2026 11:00:00 +0100" (RFC 822 section 5, RFC 2822 section 3.3), and the common errors in writing it. */
const rfc822 =
  /^(?:[a-z]{2,9}\.?,?\s+)?(\d{1,2})[\s-]([a-z]{3,9})\.?[\s-](\d{4}|\d{2})(?:,?\s+(\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?)?\s*(?:\(?([a-z]{1,5})\)?|(?:gmt|utc)?([+-])(\d{2}):?(\d{2}))?(?:\s*\(.*\))?$/i;
/** "Mon Mar  2 11:00:00 2026": the form of asctime() (RFC 9110 section 5.6.7), also with a zone before the year. */
const asctime =
  /^[a-z]{3,9}\s+([a-z]{3,9})\s+(\d{1,2})\s+(\d{1,2}):(\d{2})(?::(\d{2}))?\s+(?:([a-z]{1,5})\s+|([+-])(\d{2}):?(\d{2})\s+)?(\d{4})$/i;
const unixMs = /^\d{13}$/;
/** "2026-3-2T9:05:00Z": ISO 8601 without leading zeros. */
const looseIso = /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[T ]+(\d{1,2}):(\d{2})(.*))?$/i;

/** Later dates, such as those of the year 9999, mean "never", and PostgreSQL reads no ISO date of more than four digits. */
const endMs = Date.UTC(3000);

/**
 * Parses the date of an entry. Returns ms since 1970, between the years 1990 and 2999, or null. Reads RFC 822 (RSS 2.0) and RFC 2822, RFC 3339 (Atom,
 * RFC 4287 section 3.3; JSON Feed) and ISO 8601, asctime, Unix seconds and milliseconds, and the deviations of content
 * management systems: named zones, two-digit years, missing seconds, weekdays and zones (then UTC). Dates that do not
 * exist, such as 30 February, are null.
 */
export function readFeedDate(raw: string): number | null {
  const ms = readDate(raw);
  return ms !== null && ms < endMs ? ms : null;
}

function readDate(raw: string): number | null {
  const text = raw.slice(0, 100).trim().replace(/\s+/g, " ");
  if (text === "") return null;
  if (unixMs.test(text)) return Number(text);
  for (const read of [readRfc822, readAsctime]) {
    const found = read(text);
    if (found !== undefined) return found;
  }
  return readOther(text);
}

/** Returns null if the text has this form but is no valid time, undefined if it has another form. */
function readRfc822(text: string): number | null | undefined {
  const [, day, month, year, hour, minute, second, zone, sign, hours, minutes] = rfc822.exec(text) ?? [];
  if (day === undefined) return undefined;
  return toMs({ year: fullYear(year!), month: month!, day, hour, minute, second, zone, sign, hours, minutes });
}

function readAsctime(text: string): number | null | undefined {
  const [, month, day, hour, minute, second, zone, sign, hours, minutes, year] = asctime.exec(text) ?? [];
  if (day === undefined) return undefined;
  return toMs({ year: Number(year), month: month!, day, hour, minute, second, zone, sign, hours, minutes });
}

function readOther(text: string): number | null {
  const twoDigits = (part: string) => part.padStart(2, "0");
  const padded = text.replace(looseIso, (_all, year, month, day, hour, minute, rest) => {
    const time = hour === undefined ? "" : `T${twoDigits(hour)}:${minute}${rest}`;
    return `${year}-${twoDigits(month)}-${twoDigits(day)}${time}`;
  });
  const found = firstDate([padded]);
  return found === null ? null : Date.parse(found.at);
}

type Parts = { year: number; month: string; day: string } & Partial<
  Record<"hour" | "minute" | "second" | "zone" | "sign" | "hours" | "minutes", string | undefined>
>;

function toMs(parts: Parts): number | null {
  const { year, day, hour = "0", minute = "0", second = "0", zone, sign, hours = "0", minutes = "0" } = parts;
  const month = months.indexOf(parts.month.slice(0, 3).toLowerCase());
  const offset =
    sign === undefined ? (zones[(zone ?? "z").toLowerCase()] ?? 0) * 60 : Number(hours) * 60 + Number(minutes);
  if (month < 0 || Number(hour) > 24 || Number(minute) > 59 || Number(second) > 60 || offset > 14 * 60) return null;
  const midnight = Date.UTC(year, month, Number(day));
  if (new Date(midnight).getUTCDate() !== Number(day) || year < 1990) return null;
  const time = ((Number(hour) * 60 + Number(minute)) * 60 + Number(second)) * 1_000;
  return midnight + time - (sign === "-" ? -offset : offset) * 60_000;
}

/** Two-digit years by RFC 2822 section 4.3: 00 to 49 are 2000 to 2049, 50 to 99 are 1950 to 1999. */
function fullYear(text: string): number {
  const year = Number(text);
  return text.length === 4 ? year : year < 50 ? 2000 + year : 1900 + year;
}
