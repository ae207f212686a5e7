import type { RunView } from "../../../src/runs/run.ts";

type Hour = RunView["receiptsByHour"][number];

/** A point of the chart: the receipts of an hour or a day. `at`: its start, ms since 1970. */
export type Point = { at: number; displayed: number; clicked: number; dismissed: number };

const hourMs = 3_600_000;
const hoursShown = 72;

/**
 * Returns the receipts as a series without gaps: hours without receipts are points, too. A series of more than three
 * days has
 * points for days, of 24 hours each from the first hour on: a chart of more points could not be read.
 */
export function seriesOf(hours: Pick<Hour, "hour" | "displayed" | "clicked" | "dismissed">[]): {
  step: "hour" | "day";
  points: Point[];
} {
  if (hours.length === 0) return { step: "hour", points: [] };
  const times = hours.map(({ hour }) => Date.parse(hour));
  const [first, last] = [Math.min(...times), Math.max(...times)];
  const step = (last - first) / hourMs < hoursShown ? "hour" : "day";
  const stepMs = step === "hour" ? hourMs : 24 * hourMs;
  const size = Math.floor((last - first) / stepMs) + 1;
  const points = Array.from({ length: size }, (_, i) => ({
    ...{ at: first + i * stepMs, displayed: 0, clicked: 0, dismissed: 0 },
  }));
  for (const { hour, displayed, clicked, dismissed } of hours) {
    const point = points[Math.floor((Date.parse(hour) - first) / stepMs)]!;
    point.displayed += displayed;
    point.clicked += clicked;
    point.dismissed += dismissed;
  }
  return { step, points };
}
