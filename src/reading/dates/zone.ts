import { knownZone } from "../../local-time.ts";

/**
 * Abbreviations of zones, in hours from UTC: those of RFC 822 section 5.1, and others that are in use without a
 * standard. An abbreviation that several countries use for different zones (IST) is missing, so it counts as unknown.
 */
// biome-ignore format: one line for each region
const abbreviations: Record<string, number> = {
  z: 0, ut: 0, utc: 0, gmt: 0, est: -5, edt: -4, cst: -6, cdt: -5, mst: -7, mdt: -6, pst: -8, pdt: -7,
  at: -4, et: -5, ct: -6, mt: -7, pt: -8, ast: -4, adt: -3, nst: -3.5, ndt: -2.5, akst: -9, akdt: -8, hst: -10,
  wet: 0, west: 1, bst: 1, cet: 1, cest: 2, met: 1, mest: 2, mez: 1, mesz: 2, eet: 2, eest: 3, msk: 3, trt: 3,
  sast: 2, wat: 1, cat: 2, eat: 3, brt: -3, brst: -2, art: -3, wib: 7, wita: 8, pkt: 5, npt: 5.75, ict: 7,
  jst: 9, kst: 9, hkt: 8, sgt: 8, awst: 8, acst: 9.5, acdt: 10.5, aest: 10, aedt: 11, nzst: 12, nzdt: 13,
};

/** The zones whose long English names are read, such as "Central European Summer Time". */
const namedZones =
  "UTC Europe/London Europe/Paris Europe/Athens Europe/Moscow America/New_York America/Chicago America/Denver America/Los_Angeles America/Anchorage Pacific/Honolulu America/Halifax America/St_Johns America/Sao_Paulo Asia/Kolkata Asia/Singapore Asia/Hong_Kong Asia/Shanghai Asia/Tokyo Asia/Seoul Australia/Perth Australia/Darwin Australia/Sydney Pacific/Auckland Africa/Johannesburg Africa/Lagos Africa/Nairobi".split(
    " ",
  );

/** An offset ("+01:00", "GMT+1", "--0700", "-05:00:00"). It does not match the end of a time, a number or a word. */
const offset = /(?<![\d:.\p{L}])(?:(?:gmt|utc?|z) ?)?[-:]?([+-])(\d{1,2}?):?(\d\d)?(?::?00)?(?![\d:\p{L}])/u;

/** Minutes from UTC, or the IANA name of a zone. Null: the zone is missing or unknown. */
export type Zone = number | string | null;

/**
 * Reads the part of a date after day and time: "+01:00", "CET", "GMT+0100 (CET)", "[Europe/London]", "Eastern Standard
 * Time". Returns undefined if it has a number that is no offset, because the text is then no date.
 */
export function readZone(rest: string): Zone | undefined {
  const text = rest.replace(/[\s,|]+/g, " ").trim();
  const found = offset.exec(text);
  if (found !== null) {
    const [all, sign, hours, minutes = "0"] = found;
    const others = `${text.slice(0, found.index)} ${text.slice(found.index + all.length)}`.replace(/\(.*\)|\[.*\]/, "");
    const value = Number(hours) * 60 + Number(minutes);
    if (value > 14 * 60 || Number(minutes) > 59 || /\d/.test(others)) return undefined;
    return sign === "-" ? -value : value;
  }
  if (text === "00") return 0;
  const iana = /[a-z_]+(?:\/[a-z0-9_+-]+){1,2}/i.exec(text)?.[0] ?? /\[(\w+)\]/.exec(text)?.[1];
  const known = iana === undefined ? undefined : knownZone(iana);
  if (known !== undefined) return known;
  if (/\d/.test(text)) return undefined;
  return zoneOfWords(text);
}

/** Returns whether a word is the abbreviation of a zone. */
export function isZoneWord(word: string): boolean {
  return Object.hasOwn(abbreviations, word);
}

function zoneOfWords(text: string): Zone {
  const word = text.match(/(?<!%)\p{L}+/gu)?.find(isZoneWord);
  if (word !== undefined) return abbreviations[word]! * 60;
  const name = /\p{L}[\p{L} ]+ time\b/u.exec(text)?.[0];
  return name === undefined ? null : zoneOfLongName(name);
}

/**
 * Returns the zone of a long name. A name of winter or summer time is an offset. "Eastern Time" is the zone itself,
 * which has both.
 */
function zoneOfLongName(name: string): Zone {
  for (const timeZone of namedZones) {
    for (const month of [0, 6]) {
      if (nameOf(timeZone, "long", month) === name) return offsetIn(timeZone, month);
    }
    if (nameOf(timeZone, "longGeneric", 0) === name) return timeZone;
  }
  return null;
}

function nameOf(timeZone: string, timeZoneName: "long" | "longGeneric" | "longOffset", month: number): string {
  const format = new Intl.DateTimeFormat("en", { timeZone, timeZoneName });
  const part = format.formatToParts(Date.UTC(2026, month, 15)).find(({ type }) => type === "timeZoneName");
  return (part?.value ?? "").toLowerCase();
}

/** Returns the minutes from UTC of a zone in a month, read from a name such as "GMT+02:00". */
function offsetIn(timeZone: string, month: number): number {
  const [, sign, hours = "0", minutes = "0"] = /([+-])(\d\d):(\d\d)/.exec(nameOf(timeZone, "longOffset", month)) ?? [];
  return (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
}
