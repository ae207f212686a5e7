import type { CampaignView } from "../api/calls.ts";
import { language, locale } from "../words/language.ts";
import { words } from "../words/words.ts";

type LocalTime = NonNullable<CampaignView["localTime"]>;

const yearIn = (timeZone: string, at: Date) => new Intl.DateTimeFormat("en", { timeZone, year: "numeric" }).format(at);

/**
 * Formats a moment in a time zone, such as "Sat 21 Nov, 16:05". Adds the year if it is not this year, and seconds if
 * `seconds` is true.
 */
export function momentIn(timeZone: string, iso: string, { seconds = false } = {}): string {
  const at = new Date(iso);
  const isThisYear = yearIn(timeZone, at) === yearIn(timeZone, new Date());
  return new Intl.DateTimeFormat(locale, {
    timeZone,
    weekday: "short",
    day: "numeric",
    month: "short",
    ...(isThisYear ? {} : { year: "numeric" }),
    hour: "2-digit",
    minute: "2-digit",
    ...(seconds ? { second: "2-digit" } : {}),
  }).format(at);
}

/** Formats when something goes out: a moment in the site's time zone, or a time of day in each reader's. */
export function goesOutAt(timeZone: string, at: string, localTime: LocalTime | null): string {
  if (localTime === null) return momentIn(timeZone, at);
  return words.components.readersLocalTime({ when: timeOf(localTime) });
}

/** Formats a time of day that belongs to no time zone. */
export function timeOf({ date, time }: LocalTime): string {
  return momentIn("UTC", `${date}T${time}:00Z`);
}

/** Formats a duration, such as "48 s", "3 min 5 s" or "2 h 10 min". Below one second, it is "under a second". */
export function lasted(ms: number): string {
  const s = Math.round(ms / 1_000);
  const { underASecond, seconds, minutes, minutesAndSeconds, hoursAndMinutes } = words.components;
  if (ms < 1_000) return underASecond;
  if (s < 60) return seconds({ s });
  const min = Math.floor(s / 60);
  if (s < 3_600) return s % 60 === 0 ? minutes({ min }) : minutesAndSeconds({ min, s: s % 60 });
  return hoursAndMinutes({ h: Math.floor(min / 60), min: min % 60 });
}

/** Formats a day, such as "21 Nov". Adds the year if it is not this year. */
export function dayIn(timeZone: string, iso: string): string {
  const at = new Date(iso);
  const isThisYear = yearIn(timeZone, at) === yearIn(timeZone, new Date());
  return new Intl.DateTimeFormat(locale, {
    timeZone,
    day: "numeric",
    month: "short",
    ...(isThisYear ? {} : { year: "numeric" }),
  }).format(at);
}

const steps: [Intl.RelativeTimeFormatUnit, number][] = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
];
const relative = new Intl.RelativeTimeFormat(language, { numeric: "auto" });

/** Formats the distance from now in the largest unit that fits, such as "2 hours ago". */
export function fromNow(iso: string, nowMs = Date.now()): string {
  const seconds = (Date.parse(iso) - nowMs) / 1_000;
  for (const [unit, length] of steps) {
    if (Math.abs(seconds) >= length) return relative.format(Math.round(seconds / length), unit);
  }
  return words.components.justNow;
}

/** Formats a future moment relative to now. If it is less than a minute away, it is "within a minute". */
export function until(iso: string): string {
  return Date.parse(iso) - Date.now() < 60_000 ? words.components.withinAMinute : fromNow(iso);
}

/**
 * The moment at which something was sent, relative to now. For local-time delivery, the time of day in each reader's
 * time zone.
 */
export function SentAt({ at, timeZone, localTime }: { at: string; timeZone: string; localTime: LocalTime | null }) {
  return localTime === null ? <Moment at={at} timeZone={timeZone} /> : goesOutAt(timeZone, at, localTime);
}

/** A moment relative to now, with the absolute time in the site's time zone as a tooltip. */
export function Moment({ at, timeZone }: { at: string; timeZone: string }) {
  return (
    <time dateTime={at} title={`${momentIn(timeZone, at)} (${timeZone})`}>
      {fromNow(at)}
    </time>
  );
}
