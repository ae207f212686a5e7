import { expect, test } from "vitest";
import { screenSeconds, timeToScreenOf } from "../../src/runs/screen-times.ts";

test("the seconds of a share lie within the bounds in which it was reached", () => {
  const counts = [
    { seconds: 300, displayed: 2 },
    { seconds: 10, displayed: 50 },
    { seconds: 20, displayed: 48 },
  ];
  expect(timeToScreenOf(counts)).toEqual({ p50Seconds: 10, p90Seconds: 20, p99Seconds: 240, displayed: 100 });
});

test("displays within a bound are taken to come evenly", () => {
  expect(timeToScreenOf([{ seconds: 120, displayed: 20 }])).toEqual({
    p50Seconds: 105,
    p90Seconds: 117,
    p99Seconds: 120,
    displayed: 20,
  });
});

test("below 20 displays there is no time to the screen", () => {
  expect(timeToScreenOf([])).toBeNull();
  expect(timeToScreenOf([{ seconds: 5, displayed: 19 }])).toBeNull();
  expect(timeToScreenOf([{ seconds: 5, displayed: 20 }])).not.toBeNull();
});

test.each(screenSeconds)("with all displays within %d s no share takes longer", (seconds) => {
  const { p50Seconds, p90Seconds, p99Seconds } = timeToScreenOf([{ seconds, displayed: 1_000 }])!;
  expect(p50Seconds).toBeLessThanOrEqual(p90Seconds);
  expect(p90Seconds).toBeLessThanOrEqual(p99Seconds);
  expect(p99Seconds).toBeLessThanOrEqual(seconds);
});
