import { momentAt } from "../../local-time.ts";
import { createTimeReader, msOf, type TakenTime, taken } from "./clock-time.ts";
import { readDateWords } from "./date-words.ts";
import { takeDay } from "./day.ts";
import { isZoneWord, readZone, type Zone } from "./zone.ts";

/**
 * A date as somebody wrote it. `ms`: ms since 1970. `isExact`: the date has a time and a zone, so it is the same
 * moment for everybody. Otherwise `ms` is what the writer's clock shows as if it were in UTC, and midnight if there is
 * no time.
 */
export type ReadDate = { ms: number; isExact: boolean };

/** In UTF-16 units. A longer text is no date. */
const maxText = 100;
/**
 * The range of dates that count. Content systems write earlier dates for "none", and later ones, such as those of the
 * year 9999, for "never".
 */
const [startMs, endMs] = [Date.UTC(1990), Date.UTC(3000)];
const epoch = /^@?(\d{10})(?:(\d{3})|\.(\d{1,9}))?$|^\/date\((\d{10})(\d{3})(?:[+-]\d{4})?\)\/$/;

/**
 * Reads a date that is the whole text, in any form in which pages and feeds write it. Returns null for a text that is
 * no date, for a day or time that does not exist, for a date that can be read in two ways (03/04/2026 without a day of
 * the week), and for a date before 1990 or after 2999.
 *
 * Reads RFC 822 and 2822, RFC 3339, ISO 8601 with one digit too few, asctime, and seconds or milliseconds since 1970.
 * Reads day, month and year in any order with a word for the month in many languages. A time may stand before or after
 * the day, or be missing. A zone may be an offset, an abbreviation or an IANA name, or be missing. A word before the
 * date is a label. An unknown word after it may be a zone, so the date is then inexact.
 */
export function readDate(raw: string): ReadDate | null {
  const text = normalize(raw.slice(0, maxText));
  const date = readEpoch(text) ?? readParts(text);
  return date !== null && date.ms >= startMs && date.ms < endMs ? date : null;
}

/** Returns a date as ISO-8601, UTC. Null stays null. `timeZone`: the IANA zone of a date that has none. */
export function isoOf(date: ReadDate | null, timeZone: string): string | null {
  if (date === null) return null;
  return new Date(date.isExact ? date.ms : momentOfClock(timeZone, date.ms)).toISOString();
}

/** Returns the first text that is a date, as a date. */
export function firstDate(texts: string[]): ReadDate | null {
  for (const text of texts) {
    const date = text.trim() === "" ? null : readDate(text);
    if (date !== null) return date;
  }
  return null;
}

/**
 * Finds the day in a text with other words, such as "Posted by Jo | 28 April, 2017". If there are several days, takes
 * the earliest, because the others are those of changes. Returns its midnight as if it were in UTC, or null.
 */
export function findDay(raw: string): number | null {
  let text = normalize(raw);
  let earliest: number | null = null;
  for (let found = 0; found < 4; found += 1) {
    const day = takeDay(text, dateWords, () => weekdayIn(text), { isWhole: false });
    if (day === undefined) break;
    if (day.ms !== null && day.ms >= startMs && day.ms < endMs) earliest = Math.min(earliest ?? day.ms, day.ms);
    text = day.rest;
  }
  return earliest;
}

/** Returns the text in lower case, with one form of digits, spaces and dashes. */
function normalize(raw: string): string {
  return raw
    .normalize("NFKC")
    .replace(/[\u200e\u200f\u061c]/g, "")
    .replace(/[‐‑‒–—−]/g, "-")
    .replace(/\s+/g, " ")
    .trim()
    .toLowerCase();
}

function readEpoch(text: string): ReadDate | null {
  const [, seconds, ms = "0", fraction = "0", netSeconds, netMs = "0"] = epoch.exec(text) ?? [];
  if (seconds === undefined && netSeconds === undefined) return null;
  const rest = Number(ms) + Number(netMs) + Math.floor(Number(`0.${fraction}`) * 1_000);
  return { ms: Number(seconds ?? netSeconds) * 1_000 + rest, isExact: true };
}

/**
 * Takes the time out of a text first, then the day, and reads what is left as the zone. The parts may therefore stand
 * in any order.
 */
function readParts(lower: string): ReadDate | null {
  // Every date has digits. Collecting the words of all languages takes time, so texts without digits end here.
  if (!/\d/.test(lower)) return null;
  const text = withoutWeekdays(spreadOut(lower));
  const time = takeTime(text);
  const day = takeDay(time?.rest ?? text, dateWords, () => weekdayIn(lower), { isWhole: true });
  if (day == null || day.ms === null || time?.ms === null) return null;
  const late = time === null ? takeLateTime(day.rest) : null;
  const [label, ...after] = (late?.rest ?? day.rest).split(taken);
  if (/\d/.test(label!) || late?.ms === null) return null;
  const zone = readZone(after.join(" ").replace(/^ *- |(?<!\S)t |[\s.-]+$/g, " "));
  return zone === undefined ? null : momentOf(day.ms, late?.ms ?? time?.ms, zone);
}

function momentOf(midnight: number, timeMs: number | undefined, zone: Zone): ReadDate {
  const shown = midnight + (timeMs ?? 0);
  if (timeMs === undefined || zone === null) return { ms: shown, isExact: false };
  if (typeof zone === "number") return { ms: shown - zone * 60_000, isExact: true };
  return { ms: momentOfClock(zone, shown), isExact: true };
}

/** Returns the moment at which clocks in a zone show a time. `shown`: that time as if it were in UTC. */
function momentOfClock(timeZone: string, shown: number): number {
  const [date, time] = new Date(shown).toISOString().split("T");
  return momentAt(timeZone, { date: date!, time: time!.slice(0, 5) }) + (shown % 60_000);
}

/** Adds marks to a date such as 20261122T1504. Removes a midnight before the time. */
function spreadOut(lower: string): string {
  return lower
    .replace(
      /^(\d{4})(\d\d)(\d\d)(?:[t ]?(\d\d)(\d\d)(\d\d)?)?(?!\d)/,
      (_all, year, month, day, hour, minute, second = "00") =>
        [`${year}-${month}-${day}`, hour && `${hour}:${minute}:${second}`].filter(Boolean).join(" "),
    )
    .replace(/ 00:00:00(?:\.0+)? (?=\d{1,2}:)/, " ");
}

/** Takes out a time that only its place shows: "25.11.2026 10.30", and "12" before an offset. */
function takeLateTime(rest: string): TakenTime | null {
  const at = rest.lastIndexOf(taken) + 1;
  const found = /^ *[,-]? *(\d{1,2})(?: (?=[+-]\d{4}$)|[.](\d\d)(?![\d.]))/.exec(rest.slice(at));
  if (found === null) return null;
  const ms = msOf({ hour: Number(found[1]), minute: Number(found[2] ?? 0), second: 0, half: null });
  return { ms, rest: rest.slice(0, at) + rest.slice(at + found[0].length) };
}

/** Removes words that are days of the week in some language. They stand before, in and after dates. */
function withoutWeekdays(text: string): string {
  return text.replace(/(?<![\d\p{L}])(\p{L}[\p{L}\p{M}]+(?:-feira)?)\.?,?(?!\p{L})/gu, (all, word: string) => {
    return isWeekday(word) ? " " : all;
  });
}

function isWeekday(word: string): boolean {
  if (isZoneWord(word)) return false;
  if (/^(?:mon|tue|wed|thu|fri|sat|sun)(?:[a-z]{0,6}day)?$/.test(word)) return true;
  return !isPlain(word) && dateWords().weekdayOf(word) !== undefined && dateWords().monthOf(word) === undefined;
}

/** Returns whether a word is one of the usual words of dates, which need no table of all languages. */
function isPlain(word: string): boolean {
  return /^(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|am|pm|[apt]|m|at|on|uhr|published|updated|posted)$/.test(
    word,
  );
}

function weekdayIn(text: string): number | undefined {
  const words = text.match(/(?<![\d\p{L}])\p{L}[\p{L}\p{M}]*(?:-feira)?/gu) ?? [];
  return words.map((word) => dateWords().weekdayOf(word)).find((weekday) => weekday !== undefined);
}

/** The words of dates in all languages. They are collected once, when a date first needs them. */
const dateWords = once(readDateWords);
const readEnglishTime = once(() => createTimeReader("(?:(?<am>a\\.? ?m\\.?)|(?<pm>p\\.? ?m\\.?))"));
const readAnyTime = once(() => createTimeReader(dateWords().halves));

function takeTime(text: string): TakenTime | null {
  const isEnglish = text.match(/\p{L}+/gu)?.every((word) => isPlain(word) || isZoneWord(word)) ?? true;
  return isEnglish ? readEnglishTime()(text) : readAnyTime()(text);
}

function once<Value>(make: () => Value): () => Value {
  let value: Value | undefined;
  return () => {
    value ??= make();
    return value;
  };
}
