import { expect, test } from "vitest";
import { firstDate } from "../../src/decision/page/dates.ts";

const dates: [text: string, at: string | null, exact: boolean][] = [
  ["2026-03-02T10:00:00Z", "2026-03-02T10:00:00.000Z", true],
  ["2026-03-02T10:00:00.123456+0530", "2026-03-02T04:30:00.123Z", true],
  ["2026-03-02 10:00:00 -05:00", "2026-03-02T15:00:00.000Z", true],
  ["2026-03-02T10:00", "2026-03-02T10:00:00.000Z", false],
  ["2026-03-02", "2026-03-02T00:00:00.000Z", false],
  ["2026-03-02T10:00:00+01", "2026-03-02T09:00:00.000Z", true],
  ["2026-03-02T10:00:00,5 UTC", "2026-03-02T10:00:00.500Z", true],
  ["20260302T1000Z", "2026-03-02T10:00:00.000Z", true],
  ["2026/03/02 10:00", "2026-03-02T10:00:00.000Z", false],
  ["1772445600", "2026-03-02T10:00:00.000Z", true],
  ["2.3.2026", "2026-03-02T00:00:00.000Z", false],
  ["02.03.2026, 10:30 Uhr", "2026-03-02T00:00:00.000Z", false],
  ["2 March 2026", "2026-03-02T00:00:00.000Z", false],
  ["Mar. 2, 2026 at 10 a.m.", "2026-03-02T00:00:00.000Z", false],
  ["03/02/2026", null, false],
  ["2026-02-30T10:00:00Z", null, false],
  ["31 February 2026", null, false],
  ["May", null, false],
  ["99999999999", null, false],
  ["Mon, 02 Mar 2026 10:00:00 +0100", "2026-03-02T09:00:00.000Z", true],
  ["2. März 2026", null, false],
  ["2026-13-45T99:99:99Z", null, false],
  ["1970-01-01T00:00:00Z", null, false],
];

test.each(dates)("the date %s is %s", (text, at, exact) => {
  expect(firstDate([text])).toEqual(at === null ? null : { at, exact });
});

test("the first date that can be read counts", () => {
  expect(firstDate(["soon", "1970-01-01", " 2026-03-02 ", "2026-03-01"])?.at).toBe("2026-03-02T00:00:00.000Z");
  expect(firstDate([])).toBeNull();
});
