import { expect, test } from "vitest";
import { seriesOf } from "../../dashboard/src/campaign/receipt-series.ts";

const at = (day: number, hour: number) =>
  `2027-03-${String(day).padStart(2, "0")}T${String(hour).padStart(2, "0")}:00:00.000Z`;
const came = (hour: string, n: number) => ({ hour, displayed: 10 * n, clicked: n, dismissed: 0 });

test("a series of up to a day has a point for each hour, also for hours without receipts", () => {
  const { step, points } = seriesOf([came(at(1, 10), 1), came(at(1, 13), 2)]);
  expect(step).toBe("hour");
  expect(points.map(({ displayed, clicked }) => [displayed, clicked])).toEqual([
    [10, 1],
    [0, 0],
    [0, 0],
    [20, 2],
  ]);
  expect(new Date(points[1]!.at).toISOString()).toBe(at(1, 11));
});

test("a series of three days has a point for three hours: a bar of each hour could not be seen", () => {
  const hours = Array.from({ length: 72 }, (_, n) => came(at(1 + Math.floor(n / 24), n % 24), 1));
  const { step, points } = seriesOf(hours);
  expect(step).toBe("hour");
  expect(points.map(({ clicked }) => clicked)).toEqual(Array.from({ length: 24 }, () => 3));
});

test("however long a series is, it has at most 26 points", () => {
  const days = Array.from({ length: 28 }, (_, n) => came(at(1 + n, 10), 1));
  const { step, points } = seriesOf(days);
  expect(step).toBe("day");
  expect(points.map(({ clicked }) => clicked)).toEqual(Array.from({ length: 14 }, () => 2));
});

test("a longer series has a point for each day, and no receipt is lost", () => {
  const { step, points } = seriesOf([came(at(1, 10), 1), came(at(2, 9), 2), came(at(2, 10), 4), came(at(6, 9), 8)]);
  expect(step).toBe("day");
  expect(points.map(({ clicked }) => clicked)).toEqual([3, 4, 0, 0, 8]);
  expect(new Date(points[4]!.at).toISOString()).toBe(at(5, 10));
});

test("without receipts there are no points", () => {
  expect(seriesOf([])).toEqual({ step: "hour", points: [] });
});

test("while all receipts are from the first three hours, points are one minute, then five", () => {
  const minute = (n: number) => ({
    minute: new Date(Date.parse(at(1, 10)) + n * 60_000).toISOString(),
    displayed: 5,
    clicked: 1,
  });
  const early = seriesOf([came(at(1, 10), 1), came(at(1, 11), 1)], [minute(55), minute(62)]);
  expect(early.step).toBe("minute");
  expect(early.points.map(({ clicked }) => clicked)).toEqual([1, 0, 0, 0, 0, 0, 0, 1]);
  const later = seriesOf([came(at(1, 10), 1), came(at(1, 12), 1)], [minute(0), minute(3), minute(125)]);
  expect(later.points).toHaveLength(26);
  expect(later.points[0]).toMatchObject({ displayed: 10, clicked: 2 });
  expect(seriesOf([came(at(1, 10), 1), came(at(1, 13), 1)], [minute(0)]).step).toBe("hour");
});
