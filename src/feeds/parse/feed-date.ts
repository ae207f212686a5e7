import { firstDate } from "../../decision/page/dates.ts";
import { readOffset } from "./zone-offset.ts";

const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const unixMs = /^\d{13}$/;
const unixSeconds = /^\d{10}$/;

/** Later dates, such as those of the year 9999, mean "never", and PostgreSQL reads no ISO date of more than four digits. */
const endMs = Date.UTC(3000);

/**
 * Parses the date of an entry. Returns ms since 1970, between the years 1990 and 2999, or null. Reads RFC 822 (RSS 2.0)
 * and RFC 2822, RFC 3339 (Atom, RFC 4287 section 3.3; JSON Feed) and ISO 8601, asctime, Unix seconds and milliseconds,
 * and what content management systems write instead: day, month and year in any order with the month as a word, a time
 * before or after it, with 12 or 24 hours or none, a zone by offset or name or none (then UTC). Null: days and times
 * that do not exist, such as 30 February, and days in numbers that can be read in two ways, such as 03/02/2026.
 */
export function readFeedDate(raw: string): number | null {
  const ms = readDate(raw);
  return ms !== null && ms < endMs ? ms : null;
}

function readDate(raw: string): number | null {
  const text = raw.slice(0, 100).trim().replace(/\s+/g, " ");
  if (text === "") return null;
  if (unixMs.test(text)) return Number(text);
  if (unixSeconds.test(text)) return Number(text) * 1_000;
  const lower = text.toLowerCase();
  // The first word is a weekday, "updated" or a month.
  const withoutWord = lower.replace(/^\p{L}{2,9}\.? ?,? ?/u, "");
  for (const part of [withoutWord, lower]) {
    const ms = readParts(part);
    if (ms !== undefined) return ms;
  }
  return readStart(text);
}

/** A date at the start of a text with other words. */
function readStart(text: string): number | null {
  const found = firstDate([text]);
  return found === null ? null : Date.parse(found.at);
}

/**
 * Takes first the time out of a text, then the day, and reads what is left as the zone: so the parts may stand in any
 * order. Returns null if the day or the time does not exist, and undefined if something of the text is neither.
 */
function readParts(lower: string): number | null | undefined {
  const text = lower
    .replace(/^(\d{4})(\d\d)(\d\d)(?:t(\d\d)(\d\d)(\d\d)?)?(?!\d)/, (_all, year, month, day, hour, minute, second) =>
      [`${year}-${month}-${day}`, hour && `${hour}:${minute}:${second ?? "00"}`].filter(Boolean).join(" "),
    )
    .replace(/ 00:00:00(?:\.0+)? (?=\d{1,2}:)/, " ")
    .replace(/(?<!\p{L})(?:mon|tue|wed|thu|fri|sat|sun)(?:[a-z]{0,6}day)?(?!\p{L})\.?,?/gu, " ");
  const time = takeTime(text);
  const day = takeDay(time.rest);
  if (day === undefined) return undefined;
  const late = time.ms === undefined ? /^ *,? *(\d{1,2}) (?=[+-]\d{4}$)/.exec(day.rest) : null;
  const timeMs = late === null ? time.ms : timeOf({ hour: late[1]! });
  const offset = readOffset(late === null ? day.rest : day.rest.slice(late[0].length));
  if (offset === undefined) return undefined;
  if (day.ms === null || timeMs === null || offset === null) return null;
  return day.ms + (timeMs ?? 0) - offset * 60_000;
}

/** "15:04", "3:04:05.678 p.m.", "at 15:04", also with a ":00" too many. */
const time =
  /(?:(?<![a-z])(?:at|um|kl\.?) )?(?<![\d:+-])t?(\d{1,2}):(\d{1,2})(?::(\d{1,2}(?:[.,]\d{1,9})?))?(?::00(?![\d:]))?(?: ?(?:([ap])\.?m\b\.?|uhr))?/;

/** `ms`: since midnight; null if there is no such time, undefined if the text has none. */
function takeTime(text: string): { ms: number | null | undefined; rest: string } {
  const found = time.exec(text);
  if (found === null) return { ms: undefined, rest: text };
  const [all, hour, minute, second, half] = found;
  const rest = `${text.slice(0, found.index)} ${text.slice(found.index + all.length)}`;
  return { ms: timeOf({ hour: hour!, minute, second, half }), rest };
}

type Time = { hour: string } & Partial<Record<"minute" | "second" | "half", string | undefined>>;

function timeOf({ hour, minute = "0", second = "0", half }: Time): number | null {
  // Some write 15:04 PM.
  const hours = half === undefined || Number(hour) > 12 ? Number(hour) : (Number(hour) % 12) + (half === "p" ? 12 : 0);
  const seconds = Number(second.replace(",", "."));
  if (hours > 24 || Number(minute) > 59 || seconds >= 61) return null;
  return Math.floor(((hours * 60 + Number(minute)) * 60 + seconds) * 1_000);
}

const name = "(?<![a-z])(?<name>(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6})";

/** The ways to write a day, in the order in which they are tried. */
const days = [
  // 2026-11-22, 2026/11/22, and with a zero too many: 2026-011-22
  /(?<!\d)(?<year>\d{4})([-/.])0?(?<month>\d{1,2})\2(?<day>\d{1,2})(?!\d)/,
  // 22.11.2026, 22/11/2026, 11/22/2026
  /(?<!\d)(?<first>\d{1,2})(?<mark>[-/.])(?<second>\d{1,2})\2(?<year>\d{4})(?!\d)/,
  // 2026 November 22
  new RegExp(`(?<!\\d)(?<year>\\d{4})[ -]${name}[ -](?<day>\\d{1,2})(?!\\d)`),
  // 22 Nov 2026, 22nd of November, 2026, 22-Nov-26
  new RegExp(
    `(?<!\\d)(?<day>\\d{1,2})(?:st|nd|rd|th)?[.,]?[ -]*(?:of )?${name}[.,]{0,2}[ -]*(?<year>\\d{4}|\\d{2})(?![\\d:])`,
  ),
  // November 22, 2026, and with a zone before the year: Nov 22 +0100 2026
  new RegExp(
    `${name}[.,]{0,2}[ -]*(?<day>\\d{1,2})(?:st|nd|rd|th)?[ ,-]+(?<zone>[a-z]{1,5} |[+-]\\d\\d:?\\d\\d )?(?<year>\\d{4})(?!\\d)`,
  ),
];

/** `ms`: of its midnight, if it were in UTC; null if there is no such day. Undefined if the text has none. */
function takeDay(text: string): { ms: number | null; rest: string } | undefined {
  for (const pattern of days) {
    const found = pattern.exec(text);
    if (found === null) continue;
    const rest = `${text.slice(0, found.index)} ${found.groups?.zone ?? ""}${text.slice(found.index + found[0].length)}`;
    return { ms: midnightOf(found.groups!), rest };
  }
  return undefined;
}

function midnightOf({ year: written = "", ...groups }: Record<string, string | undefined>): number | null {
  const [month, day] = groups.first === undefined ? [monthOf(groups), Number(groups.day)] : monthAndDay(groups);
  const year = fullYear(written);
  const ms = Date.UTC(year, month - 1, day);
  return month >= 1 && month <= 12 && new Date(ms).getUTCDate() === day && year >= 1990 ? ms : null;
}

function monthOf({ month, name }: Record<string, string | undefined>): number {
  return month === undefined ? months.indexOf(name!.slice(0, 3)) + 1 : Number(month);
}

/** With dots the day comes first. Otherwise only a number above 12 tells which one it is; month 0 if none does. */
function monthAndDay({ first, second, mark }: Record<string, string | undefined>): [month: number, day: number] {
  const [one, two] = [Number(first), Number(second)];
  if (mark === "." || one > 12 || one === two) return [two, one];
  return two > 12 ? [one, two] : [0, 0];
}

/** Two-digit years by RFC 2822 section 4.3: 00 to 49 are 2000 to 2049, 50 to 99 are 1950 to 1999. */
function fullYear(text: string): number {
  const year = Number(text);
  return text.length === 4 ? year : year < 50 ? 2000 + year : 1900 + year;
}
