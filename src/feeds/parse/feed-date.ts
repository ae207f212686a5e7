import { firstDate } from "../../decision/page/dates.ts";

/** The zones of RFC 822 that have a name, in hours from UTC, and those that feeds use without any standard. */
const zones: Record<string, number> = {
  ...{ z: 0, ut: 0, utc: 0, gmt: 0, est: -5, edt: -4, cst: -6, cdt: -5, mst: -7, mdt: -6, pst: -8, pdt: -7 },
  ...{ wet: 0, west: 1, bst: 1, cet: 1, cest: 2, mez: 1, mesz: 2, eet: 2, eest: 3, msk: 3, jst: 9 },
};
const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/** "Mon, 02 Mar 2026 11:00:00 +0100" in all the ways that it is written wrong: RFC 822 section 5, RFC 2822 section 3.3. */
const mail =
  /^(?:[a-z]{2,9}\.?,?\s+)?(\d{1,2})[\s-]([a-z]{3,9})\.?[\s-](\d{4}|\d{2})(?:,?\s+(\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?)?\s*(?:\(?([a-z]{1,5})\)?|(?:gmt|utc)?([+-])(\d{2}):?(\d{2}))?(?:\s*\(.*\))?$/i;
/** C's asctime, which RFC 850 names: "Mon Mar  2 11:00:00 2026", also with a zone before the year. */
const asctime =
  /^[a-z]{3,9}\s+([a-z]{3,9})\s+(\d{1,2})\s+(\d{1,2}):(\d{2})(?::(\d{2}))?\s+(?:([a-z]{1,5})\s+|([+-])(\d{2}):?(\d{2})\s+)?(\d{4})$/i;
const unixMs = /^\d{13}$/;
/** "2026-3-2T9:05:00Z": ISO 8601 without its leading zeros. */
const looseIso = /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[T ]+(\d{1,2}):(\d{2})(.*))?$/i;

/**
 * The moment that a feed's date tells, in ms since 1970, or null. Read are RFC 822 and 2822, ISO 8601 and RFC 3339,
 * asctime, Unix seconds and milliseconds, and what content systems make of them: names of zones, years of two digits,
 * missing seconds, weekdays and zones (then UTC). What no clock showed (30 February) is none.
 */
export function readFeedDate(raw: string): number | null {
  const text = raw.slice(0, 100).trim().replace(/\s+/g, " ");
  if (text === "") return null;
  if (unixMs.test(text)) return Number(text);
  for (const read of [readMail, readAsctime]) {
    const found = read(text);
    if (found !== undefined) return found;
  }
  return readOther(text);
}

/** Null: it has the form and is no real moment. Undefined: it has another form. */
function readMail(text: string): number | null | undefined {
  const [, day, month, year, hour, minute, second, zone, sign, hours, minutes] = mail.exec(text) ?? [];
  if (day === undefined) return undefined;
  return moment({ year: fullYear(year!), month: month!, day, hour, minute, second, zone, sign, hours, minutes });
}

function readAsctime(text: string): number | null | undefined {
  const [, month, day, hour, minute, second, zone, sign, hours, minutes, year] = asctime.exec(text) ?? [];
  if (day === undefined) return undefined;
  return moment({ year: Number(year), month: month!, day, hour, minute, second, zone, sign, hours, minutes });
}

function readOther(text: string): number | null {
  const two = (part: string) => part.padStart(2, "0");
  const padded = text.replace(looseIso, (_all, year, month, day, hour, minute, rest) => {
    const time = hour === undefined ? "" : `T${two(hour)}:${minute}${rest}`;
    return `${year}-${two(month)}-${two(day)}${time}`;
  });
  const found = firstDate([padded]);
  return found === null ? null : Date.parse(found.at);
}

type Parts = { year: number; month: string; day: string } & Partial<
  Record<"hour" | "minute" | "second" | "zone" | "sign" | "hours" | "minutes", string | undefined>
>;

function moment(parts: Parts): number | null {
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

/** RFC 2822 section 4.3: 00 to 49 are of this century, 50 to 99 of the last. */
function fullYear(text: string): number {
  const year = Number(text);
  return text.length === 4 ? year : year < 50 ? 2000 + year : 1900 + year;
}
