import { taken } from "./clock-time.ts";
import type { DateWords } from "./date-words.ts";

/** A day that was taken out of a text. `ms`: its midnight as if it were in UTC, or null if there is no such day. */
export type TakenDay = { ms: number | null; rest: string };

const word = "(?:\\p{L}[\\p{L}\\p{M}]+|(?<!\\d)\\d{1,2} ?[月월])";
const ordinal = "(?:st|nd|rd|th|er|re|ère|ter|[oaº]|[:.]?[ea]|η|ης|ος|-?(?:го|й|е))?(?!\\p{L})";
/** Words between day and month, and between month and year. */
const link = "(?:(?:of|de|del|den|the)(?!\\p{L}) ?|d['’])?";
/** Characters between the parts of a date. Includes the mark in place of a time that was taken out. */
const gap = `[ ,/${taken}-]*`;

/** The ways to write a day, in the order in which they are tried. */
const patterns = [
  // 2026-11-22, 2026/11/22, 2026. 11. 22., and with a zero too many: 2026-011-22
  /(?<![\d.])(?<year>\d{4})([-/.]) ?0?(?<month>\d{1,2})\2 ?(?<day>\d{1,2})(?!\d)/u,
  // 2026年11月22日, 2026년 11월 22일, 令和8年11月22日, 民國115年11月22日
  /(?<era>令和|平成|民[國国])? ?(?<year>\d{1,4}|元) ?[年년] ?(?<month>\d{1,2}) ?[月월] ?(?<day>\d{1,2})(?: ?[日日일號号])?(?!\d)/u,
  // 22.11.2026, 22. 11. 2026, 22/11/2026, 11/22/2026
  /(?<![\d.])(?<first>\d{1,2})(?<mark>[-/.]) ?(?<second>\d{1,2})\2 ?(?<year>\d{4})(?!\d)/u,
  // 22 Nov 2026, 22nd of November, 2026, 22-Nov-26, 22 de noviembre de 2026, 22/Nov/2026
  new RegExp(
    `(?<!\\d)(?<day>\\d{1,2})${ordinal}[.,]?${gap}${link}(?<name>${word})[.,]{0,2}${gap}${link}(?<year>\\d{4}|\\d{2})(?![\\d:])`,
    "gu",
  ),
  // November 22, 2026, and with a zone before the year: Nov 22 +0100 2026. No offset is as large as a year.
  new RegExp(
    `(?<![\\p{L}\\d])(?<name>${word})[.,]{0,2}[ -]*(?<day>\\d{1,2})${ordinal}[ .,${taken}-]+(?<zone>[a-z]{1,5} |[+-]\\d\\d:?\\d\\d )?(?<year>(?:19|2\\d)\\d\\d)(?!\\d)`,
    "gu",
  ),
  // 2026 November 22, 2026. november 22.
  new RegExp(`(?<!\\d)(?<year>\\d{4})[ .,-]+${link}(?<name>${word})[ .-]*(?<day>\\d{1,2})(?!\\d)`, "gu"),
];

type Groups = Record<string, string | undefined>;

/**
 * Takes the first day out of a text in lower case, in any of the languages of `words`. `weekday`: the day of the week
 * that the text names, which decides between two readings. `isWhole`: the text is only a date, so its year may have
 * two digits. Returns undefined if the text has no day.
 */
export function takeDay(
  text: string,
  words: () => DateWords,
  weekday: () => number | undefined,
  { isWhole }: { isWhole: boolean },
): TakenDay | undefined {
  for (const pattern of patterns) {
    for (const found of pattern.global ? text.matchAll(pattern) : [pattern.exec(text)]) {
      const groups = found?.groups;
      const isShort = groups?.name !== undefined && groups.year!.length === 2;
      const month = groups && (isWhole || !isShort) ? monthOf(groups, words) : undefined;
      if (found == null || month === undefined) continue;
      const rest = `${text.slice(0, found.index)} ${taken} ${groups!.zone ?? ""}${text.slice(found.index + found[0].length)}`;
      return {
        ms: month === null ? readTwoWays(groups!, weekday) : midnightOf(groups!, month, Number(groups!.day)),
        rest,
      };
    }
  }
  return undefined;
}

/** Returns the month. Null: the text does not tell which number is the month. Undefined: the word is no month. */
function monthOf({ month, name, first }: Groups, words: () => DateWords): number | null | undefined {
  if (first !== undefined) return null;
  if (month !== undefined) return Number(month);
  const byNumber = /^(\d{1,2}) ?[月월]$/.exec(name!)?.[1];
  return byNumber === undefined ? (englishMonths.get(name!) ?? words().monthOf(name!)) : Number(byNumber);
}

const english = "january february march april may june july august september october november december".split(" ");
/** The most usual words. They need no table of all languages. */
const englishMonths = new Map(
  english.flatMap((name, index): [string, number][] => [
    [name, index + 1],
    [name.slice(0, 3), index + 1],
  ]),
);

/**
 * Reads a date of numbers. If it has dots, the day comes first. Otherwise a number above 12 is the day, or else the
 * day of the week decides.
 */
function readTwoWays(groups: Groups, weekday: () => number | undefined): number | null {
  const [one, two] = [Number(groups.first), Number(groups.second)];
  const [dayFirst, monthFirst] = [midnightOf(groups, two, one), midnightOf(groups, one, two)];
  if (groups.mark === "." || dayFirst === monthFirst || monthFirst === null) return dayFirst;
  if (dayFirst === null) return monthFirst;
  const named = weekday();
  const fitting = [dayFirst, monthFirst].filter((ms) => new Date(ms).getUTCDay() === named);
  return fitting.length === 1 ? fitting[0]! : null;
}

function midnightOf(groups: Groups, month: number, day: number): number | null {
  const year = fullYear(groups);
  const ms = Date.UTC(year, month - 1, day);
  return month >= 1 && month <= 12 && new Date(ms).getUTCDate() === day && year >= 1990 ? ms : null;
}

/** The number of years before the first year of these calendars. */
const eras: Record<string, number> = { 令和: 2018, 平成: 1988, 民國: 1911, 民国: 1911 };

/**
 * Returns the year. For two digits, RFC 2822 section 4.3 applies: 00 to 49 are 2000 to 2049, 50 to 99 are 1950 to
 * 1999.
 */
function fullYear({ year: text = "", era }: Groups): number {
  const year = text === "元" ? 1 : Number(text);
  if (era !== undefined) return eras[era]! + year;
  return text.length !== 2 ? year : year < 50 ? 2000 + year : 1900 + year;
}
