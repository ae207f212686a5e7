type Counts = { displayed: number; clicked: number; dismissed: number };
type Hour = Counts & { hour: string };
type Minute = Omit<Counts, "dismissed"> & { minute: string };

/** A point of the chart: the receipts of one step, which begins at `at` (ms since 1970). */
export type Point = Counts & { at: number };
/** A series without gaps. Minutes have no dismissals. */
export type Series = { step: "minute" | "hour" | "day"; points: Point[] };

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** The most points of a chart. With more, the bars would be too narrow to read on a phone. */
const mostPoints = 26;
const steps = [
  ...[1, 5, 10].map((n) => ({ step: "minute" as const, ms: n * minuteMs })),
  ...[1, 3].map((n) => ({ step: "hour" as const, ms: n * hourMs })),
  ...[1, 2, 4, 7, 14, 28].map((n) => ({ step: "day" as const, ms: n * dayMs })),
];

/**
 * Returns the receipts as a series without gaps: times without receipts are points too. If all receipts came within
 * three hours and `minutes` is given, the points are minutes. Otherwise they are hours, or days of 24 hours that
 * begin with the first hour. If there would be more than 26 points, each covers several minutes, hours or days.
 */
export function seriesOf(hours: Hour[], minutes: Minute[] = []): Series {
  const spanMs = spanOf(hours.map(({ hour }) => Date.parse(hour)));
  if (minutes.length > 0 && spanMs < 3 * hourMs)
    return fill(minutes.map((counts) => ({ ...counts, at: Date.parse(counts.minute), dismissed: 0 })));
  if (hours.length === 0) return { step: "hour", points: [] };
  return fill(
    hours.map((counts) => ({ ...counts, at: Date.parse(counts.hour) })),
    hourMs,
  );
}

const spanOf = (times: number[]) => Math.max(...times) - Math.min(...times);

/**
 * Sums the counts in steps, from the first count on. Uses the finest step of at least `leastMs` with few enough
 * points.
 */
function fill(counted: Point[], leastMs = minuteMs): Series {
  const times = counted.map(({ at }) => at);
  const first = Math.min(...times);
  const sizeOf = (ms: number) => Math.floor(spanOf(times) / ms) + 1;
  const { step, ms } = steps.find((one) => one.ms >= leastMs && sizeOf(one.ms) <= mostPoints) ?? steps.at(-1)!;
  const points = Array.from({ length: sizeOf(ms) }, (_, i) => ({
    at: first + i * ms,
    displayed: 0,
    clicked: 0,
    dismissed: 0,
  }));
  for (const { at, displayed, clicked, dismissed } of counted) {
    const point = points[Math.floor((at - first) / ms)]!;
    point.displayed += displayed;
    point.clicked += clicked;
    point.dismissed += dismissed;
  }
  return { step, points };
}
