import type { RecurringSend } from "../api/recurring-send-calls.ts";
import { locale } from "../words/language.ts";
import { words } from "../words/words.ts";

/** The ISO weekdays, from Monday on. */
export const isoDays = [1, 2, 3, 4, 5, 6, 7];

/** Returns the name of an ISO weekday. 1 January 2024 was a Monday. */
export function nameOfDay(day: number, weekday: "short" | "long"): string {
  return new Intl.DateTimeFormat(locale, { weekday, timeZone: "UTC" }).format(Date.UTC(2024, 0, day));
}

/** Returns when a recurring send comes, in words such as "Every weekday at 07:00" or "Mon, Thu at 18:30". */
export function sayRhythm({ days, time }: Pick<RecurringSend, "days" | "time">): string {
  const isWeekdays = days.length === 5 && !days.includes(6) && !days.includes(7);
  const named =
    days.length === isoDays.length
      ? words.calendar.everyDay
      : isWeekdays
        ? words.calendar.everyWeekday
        : days.map((day) => nameOfDay(day, "short")).join(", ");
  return words.calendar.daysAt({ days: named, time });
}
