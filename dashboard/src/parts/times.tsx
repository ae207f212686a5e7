/** A moment on the clocks of a site, such as "Sat 21 Nov, 16:05". */
export function momentIn(timeZone: string, iso: string): string {
  return new Intl.DateTimeFormat("en-GB", {
    timeZone,
    weekday: "short",
    day: "numeric",
    month: "short",
    hour: "2-digit",
    minute: "2-digit",
  }).format(new Date(iso));
}

const steps: [Intl.RelativeTimeFormatUnit, number][] = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
];
const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto" });

/** How long ago, or until, in the largest unit that fits. */
export function fromNow(iso: string, nowMs = Date.now()): string {
  const seconds = (Date.parse(iso) - nowMs) / 1_000;
  for (const [unit, length] of steps) {
    if (Math.abs(seconds) >= length) return relative.format(Math.round(seconds / length), unit);
  }
  return "just now";
}

/** A moment to come; what is due any second is not told by the second. */
export function until(iso: string): string {
  return Date.parse(iso) - Date.now() < 60_000 ? "within a minute" : fromNow(iso);
}

/** A time that says both: how long ago, and when by the site's clock. */
export function Moment({ at, timeZone }: { at: string; timeZone: string }) {
  return (
    <time dateTime={at} title={`${momentIn(timeZone, at)} (${timeZone})`}>
      {fromNow(at)}
    </time>
  );
}
