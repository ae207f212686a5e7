/** A date in a page. `at`: ISO-8601, UTC. `exact`: it has a time and an offset; otherwise it may be off by a day. */
export type PageDate = { at: string; exact: boolean };

const isoDate =
  /^(\d{4})[-/.]?(\d\d)[-/.]?(\d\d)(?:[T ](\d\d):?(\d\d)(?::?(\d\d(?:[.,]\d{1,9})?))? ?(Z|UTC|GMT|[+-]\d\d(?::?\d\d)?)?)?$/i;
const mailDate = /^(?:[a-z]{3}, )?\d{1,2} [a-z]{3} \d{4} \d\d:\d\d(?::\d\d)? (?:GMT|UTC|[+-]\d{4})$/i;
/** As C and JavaScript print it: "Mon Mar 02 10:00:00 +0100 2026", "Mon Mar 02 2026 10:00:00 GMT+0100". */
const printedDate =
  /^[a-z]{3} ([a-z]{3}) {1,2}(\d{1,2}) (?:(\d\d:\d\d:\d\d) (UTC|GMT|[+-]\d{4}) (\d{4})|(\d{4}) (\d\d:\d\d:\d\d) (GMT[+-]\d{4}))/i;
/** "02.03.2026": with dots the day always comes first. A time after it has no offset and is ignored. */
const dottedDate = /^(\d{1,2})\.(\d{1,2})\.(\d{4})(?:[ ,]+\d\d:\d\d(?::\d\d)?(?: Uhr)?)?$/;
/** "March 2, 2026" and "2 March 2026". Dates with slashes are ambiguous and not read. */
const monthFirst = /^([a-z]{3,9})\.? (\d{1,2}),? (\d{4})\b/i;
const dayFirst = /^(\d{1,2}) ([a-z]{3,9})\.? (\d{4})$/i;
const unixSeconds = /^\d{10}$/;
const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/** Returns the first valid date since 1990, or null. Content systems write earlier dates for "none". */
export function firstDate(texts: string[]): PageDate | null {
  for (const text of texts.map((raw) => raw.slice(0, 64).trim())) {
    const found = readIso(text) ?? readExact(text) ?? readDay(text);
    if (found !== null && found.ms >= Date.UTC(1990)) {
      return { at: new Date(found.ms).toISOString(), exact: found.exact };
    }
  }
  return null;
}

type Found = { ms: number; exact: boolean };

function readIso(text: string): Found | null {
  const [, year, month, day, hour = "00", minute = "00", second = "00", zone] = isoDate.exec(text) ?? [];
  if (year === undefined) return null;
  const [, hours, minutes = "00"] = /^([+-]\d\d):?(\d\d)?$/.exec(zone ?? "") ?? [];
  const offset = hours === undefined ? "Z" : `${hours}:${minutes}`;
  const ms = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second.replace(",", ".")}${offset}`);
  return isRealDay(ms, Number(year), Number(month), Number(day)) ? { ms, exact: zone !== undefined } : null;
}

function readExact(text: string): Found | null {
  if (unixSeconds.test(text)) return { ms: Number(text) * 1000, exact: true };
  const [, month, day, time1, zone1, year1, year2, time2, zone2] = printedDate.exec(text) ?? [];
  const printed = `${day} ${month} ${year1 ?? year2} ${time1 ?? time2} ${(zone1 ?? zone2)?.replace(/^GMT(?=[+-])/i, "")}`;
  const mail = month === undefined ? text : printed;
  const ms = mailDate.test(mail) ? Date.parse(mail) : Number.NaN;
  return Number.isNaN(ms) ? null : { ms, exact: true };
}

function readDay(text: string): Found | null {
  const [, d1, m1, y1] = dottedDate.exec(text) ?? [];
  const [, m2, d2, y2] = monthFirst.exec(text) ?? [];
  const [, d3, m3, y3] = dayFirst.exec(text) ?? [];
  const name = (m2 ?? m3)?.slice(0, 3).toLowerCase() ?? "";
  const [year, month, day] = [
    Number(y1 ?? y2 ?? y3),
    m1 ? Number(m1) : months.indexOf(name) + 1,
    Number(d1 ?? d2 ?? d3),
  ];
  const ms = Date.UTC(year, month - 1, day);
  return month >= 1 && month <= 12 && new Date(ms).getUTCDate() === day ? { ms, exact: false } : null;
}

/**
 * Returns whether the day exists: `Date.parse` reads 30 February as 2 March in some formats. `ms` may differ from midnight
 * UTC by less than two days because of its offset.
 */
function isRealDay(ms: number, year: number, month: number, day: number): boolean {
  const midnight = Date.UTC(year, month - 1, day);
  return new Date(midnight).getUTCDate() === day && Math.abs(ms - midnight) < 2 * 86_400_000;
}
