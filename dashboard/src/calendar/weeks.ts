import { locale } from "../words/language.ts";

const dayMs = 86_400_000;

/** Returns the weeks of a month (YYYY-MM) from Monday to Sunday. The days are YYYY-MM-DD, or null outside the month. */
export function weeksOf(month: string): (string | null)[][] {
  const first = new Date(`${month}-01T00:00:00Z`);
  const before = (first.getUTCDay() + 6) % 7;
  const size = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate();
  const cells = Array.from({ length: Math.ceil((before + size) / 7) * 7 }, (_, i) => {
    const no = i - before;
    return no < 0 || no >= size ? null : new Date(first.getTime() + no * dayMs).toISOString().slice(0, 10);
  });
  return Array.from({ length: cells.length / 7 }, (_, week) => cells.slice(week * 7, week * 7 + 7));
}

/** Returns the month that is `by` months after a month, or before it if `by` is negative. */
export function monthAfter(month: string, by: number): string {
  const [year, no] = month.split("-").map(Number);
  return new Date(Date.UTC(year!, no! - 1 + by, 1)).toISOString().slice(0, 7);
}

/** Formats a day (YYYY-MM-DD) with its weekday, such as "Thursday, 3 December". */
export function nameOfDay(day: string): string {
  return new Intl.DateTimeFormat(locale, { weekday: "long", day: "numeric", month: "long", timeZone: "UTC" }).format(
    new Date(day),
  );
}
