import { expect, test } from "vitest";
import { monthAfter, weeksOf } from "../../dashboard/src/calendar/weeks.ts";

test("a month has weeks from Monday to Sunday, and all of its days", () => {
  const november = weeksOf("2026-11");
  expect(november).toHaveLength(6);
  expect(november[0]).toEqual([null, null, null, null, null, null, "2026-11-01"]);
  expect(november[5]!.slice(0, 2)).toEqual(["2026-11-30", null]);
  // This month has 28 days and begins on a Monday.
  expect(weeksOf("2027-02")).toHaveLength(4);
  for (const month of ["2024-02", "2026-03", "2026-10", "2026-12"]) {
    const [year, no] = month.split("-").map(Number);
    const days = weeksOf(month)
      .flat()
      .filter((day) => day !== null);
    expect(days).toHaveLength(new Date(Date.UTC(year!, no!, 0)).getUTCDate());
    expect(weeksOf(month).every((week) => week.length === 7)).toBe(true);
  }
});

test("a year begins after December and ends before January", () => {
  expect([monthAfter("2026-12", 1), monthAfter("2026-01", -1), monthAfter("2026-11", 0)]).toEqual([
    ...["2027-01", "2025-12", "2026-11"],
  ]);
});
