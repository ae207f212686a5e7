/**
 * Named zones, in hours from UTC: those of RFC 822 section 5.1, and others that feeds use without a standard. Names that
 * several countries use (IST) are missing, and count as UTC, like those that are unknown.
 */
const zones: Record<string, number> = {
  ...{ z: 0, ut: 0, utc: 0, gmt: 0, est: -5, edt: -4, cst: -6, cdt: -5, mst: -7, mdt: -6, pst: -8, pdt: -7 },
  ...{ at: -4, et: -5, ct: -6, mt: -7, pt: -8, ast: -4, adt: -3, nst: -3.5, akst: -9, akdt: -8, hst: -10 },
  ...{ wet: 0, west: 1, bst: 1, cet: 1, cest: 2, met: 1, mest: 2, mez: 1, mesz: 2, eet: 2, eest: 3, msk: 3, sast: 2 },
  ...{ jst: 9, kst: 9, hkt: 8, sgt: 8, awst: 8, acst: 9.5, acdt: 10.5, aest: 10, aedt: 11, nzst: 12, nzdt: 13 },
};

/** "CET", "(CET)", "+01:00", "+01", "GMT+0100", "+0100 (CET)", "--0700", "Etc/GMT", "00". */
const zone =
  /^:?(?:etc\/)?(?:\(([a-z]{1,5})\)|([a-z]{1,5}))?(?: ?-?([+-])(\d{1,2}?):?(\d\d)?(?::00)?|00)?(?: [a-z]{1,5})?(?: ?\(.*\))?$/;

/**
 * Reads what a date has beside day and time. Returns the zone in minutes from UTC (0: none), null if there is no such
 * offset, undefined if the text is no zone.
 */
export function readOffset(text: string): number | null | undefined {
  const rest = text
    .replace(/[ ,]+/g, " ")
    .replace(/^ ?(?:- |t )?/, "")
    .replace(/ ?-? ?$/, "");
  const found = zone.exec(rest);
  if (found === null) return undefined;
  const [, inBrackets, plain, sign, hours, minutes = "0"] = found;
  if (sign === undefined) return (zones[inBrackets ?? plain ?? "z"] ?? 0) * 60;
  const offset = Number(hours) * 60 + Number(minutes);
  if (offset > 14 * 60 || Number(minutes) > 59) return null;
  return sign === "-" ? -offset : offset;
}

/** A time and what follows it to the end of the text: "15:04:05Z", "3:04 pm CET", "15:04 GMT+01:00 (CET)". */
const timeWithZone =
  /\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?: ?[ap]\.?m\.?)? ?(?:\(?([a-z]{1,5})\)?|(?:gmt|utc)?[+-]\d{1,2}:?(?:\d\d)?(?: ?\(.*\))?)$/;

/** Whether a date says time and zone, so that it is one moment for everybody. False if in doubt. */
export function saysInstant(raw: string): boolean {
  const text = raw.slice(0, 100).trim().toLowerCase();
  if (/^(\d{10}|\d{13})$/.test(text)) return true;
  const found = timeWithZone.exec(text);
  return found !== null && (found[1] === undefined || Object.hasOwn(zones, found[1]));
}
