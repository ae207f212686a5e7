type Counts = { displayed: number; clicked: number; dismissed: number };
type Hour = Counts & { hour: string };
type Minute = Omit<Counts, "dismissed"> & { minute: string };

/** A point of the chart: the receipts from `at` on, ms since 1970, for as long as a step. */
export type Point = Counts & { at: number };
/** A series without gaps. Minutes have no dismissals. */
export type Series = { step: "minute" | "hour" | "day"; points: Point[] };

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const hoursShown = 72;
const minutesShown = 60;

/**
 * Returns the receipts as a series without gaps: hours without receipts are points, too. While all of them came in their
 * first three hours and `minutes` has them, the points are minutes, above an hour of five each. A series of more than
 * three days has points for days, of 24 hours each from the first hour on: a chart of more points could not be read.
 */
export function seriesOf(hours: Hour[], minutes: Minute[] = []): Series {
  const times = hours.map(({ hour }) => Date.parse(hour));
  const spanMs = Math.max(...times) - Math.min(...times);
  if (minutes.length > 0 && spanMs < 3 * hourMs) {
    const early = minutes.map((counts) => ({ ...counts, at: Date.parse(counts.minute), dismissed: 0 }));
    const lasted = Math.max(...early.map(({ at }) => at)) - Math.min(...early.map(({ at }) => at));
    return { step: "minute", points: fill(early, lasted < minutesShown * minuteMs ? minuteMs : 5 * minuteMs) };
  }
  const step = spanMs / hourMs < hoursShown ? "hour" : "day";
  const counted = hours.map((counts) => ({ ...counts, at: Date.parse(counts.hour) }));
  return { step: hours.length === 0 ? "hour" : step, points: fill(counted, step === "hour" ? hourMs : 24 * hourMs) };
}

/** Adds the counts up in steps from the first of them on. */
function fill(counted: Point[], stepMs: number): Point[] {
  if (counted.length === 0) return [];
  const times = counted.map(({ at }) => at);
  const [first, last] = [Math.min(...times), Math.max(...times)];
  const size = Math.floor((last - first) / stepMs) + 1;
  const points = Array.from({ length: size }, (_, i) => ({
    ...{ at: first + i * stepMs, displayed: 0, clicked: 0, dismissed: 0 },
  }));
  for (const { at, displayed, clicked, dismissed } of counted) {
    const point = points[Math.floor((at - first) / stepMs)]!;
    point.displayed += displayed;
    point.clicked += clicked;
    point.dismissed += dismissed;
  }
  return points;
}
