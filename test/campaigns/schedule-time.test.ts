import { describe, expect, test } from "vitest";
import { isFarAhead, readScheduleTime } from "../../src/sends/schedule-time.ts";

describe("scheduleAt", () => {
  test.for([
    ["2030-01-31T18:00:00Z", "2030-01-31T18:00:00.000Z"],
    ["2030-01-31t18:00:00z", "2030-01-31T18:00:00.000Z"],
    ["2030-01-31T18:00:00+02:00", "2030-01-31T16:00:00.000Z"],
    ["2030-01-31T18:00:00+05:30", "2030-01-31T12:30:00.000Z"],
    ["2030-01-31T18:00:00-00:00", "2030-01-31T18:00:00.000Z"],
    ["2030-01-01T00:00:00+14:00", "2029-12-31T10:00:00.000Z"],
    ["2030-12-31T23:59:59-14:00", "2031-01-01T13:59:59.000Z"],
    ["2030-01-31T18:00:00.5Z", "2030-01-31T18:00:00.500Z"],
    ["2030-01-31T18:00:00.123456789Z", "2030-01-31T18:00:00.123Z"],
    ["2032-02-29T00:00:00Z", "2032-02-29T00:00:00.000Z"],
    // Daylight saving time skips this local time, but with an offset it is still a valid time.
    ["2030-03-31T02:30:00+01:00", "2030-03-31T01:30:00.000Z"],
    ["9999-12-31T23:59:59Z", "9999-12-31T23:59:59.000Z"],
    ["0001-01-01T00:00:00Z", "0001-01-01T00:00:00.000Z"],
  ])("%s is %s", ([text, instant]) => {
    const read = readScheduleTime(text!);
    expect("ms" in read && new Date(read.ms).toISOString()).toBe(instant);
  });

  test.for([
    ["", "an empty text"],
    ["tomorrow", "a word"],
    ["Sat, 21 Nov 2026 10:00:00 GMT", "an HTTP date"],
    ["1799999999", "a Unix time"],
    ["2030-01-31", "a date alone"],
    ["2030-01-31T18:00:00", "a time without offset"],
    ["2030-01-31 18:00:00Z", "a space for the T"],
    ["2030-01-31T18:00Z", "no seconds"],
    ["2030-01-31T18:00:00.Z", "a point without a fraction"],
    ["20300131T180000Z", "the basic form"],
    ["2030-W05-4T18:00:00Z", "a week date"],
    ["2030-031T18:00:00Z", "an ordinal date"],
    ["2030-02-30T00:00:00Z", "30 February"],
    ["2031-02-29T00:00:00Z", "29 February of a common year"],
    ["2030-13-01T00:00:00Z", "month 13"],
    ["2030-00-01T00:00:00Z", "month 0"],
    ["2030-01-00T00:00:00Z", "day 0"],
    ["2030-01-01T24:00:00Z", "hour 24"],
    ["2030-01-01T23:60:00Z", "minute 60"],
    ["2016-12-31T23:59:60Z", "a leap second"],
    ["2030-01-01T00:00:00+14:01", "an offset that no clock has"],
    ["2030-01-01T00:00:00+99:00", "an offset of days"],
    ["2030-01-01T00:00:00+01:60", "60 minutes of offset"],
    ["2030-01-01T00:00:00+0100", "an offset without colon"],
    ["9999-12-31T23:59:59-14:00", "the year 10000"],
    ["275760-09-13T00:00:00Z", "a year of six digits"],
    ["-000001-01-01T00:00:00Z", "a year before Christ"],
    [" 2030-01-31T18:00:00Z", "a space before"],
    ["2030-01-31T18:00:00Z\n", "a line break behind"],
    ["２０３０-01-31T18:00:00Z", "digits of another script"],
  ])("%j is refused: %s", ([text]) => {
    expect(readScheduleTime(text!)).toEqual({ fault: expect.any(String) });
  });

  test("is far ahead if it is more than a calendar year after now", () => {
    const now = Date.parse("2027-03-01T00:00:00Z");
    expect(isFarAhead(Date.parse("2028-03-01T00:00:00Z"), now)).toBe(false);
    expect(isFarAhead(Date.parse("2028-03-01T00:00:01Z"), now)).toBe(true);
  });
});
