import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isFarAhead, readScheduleTime } from "../../src/sends/schedule-time.ts";

const times: [text: string, instant: string][] = [
  ["2030-01-31T18:00:00Z", "2030-01-31T18:00:00.000Z"],
  ["2030-01-31t18:00:00z", "2030-01-31T18:00:00.000Z"],
  ["2030-01-31T18:00:00+02:00", "2030-01-31T16:00:00.000Z"],
  ["2030-01-31T18:00:00+05:30", "2030-01-31T12:30:00.000Z"],
  ["2030-01-31T18:00:00-00:00", "2030-01-31T18:00:00.000Z"],
  ["2030-01-01T00:00:00+14:00", "2029-12-31T10:00:00.000Z"],
  ["2030-12-31T23:59:59-14:00", "2031-01-01T13:59:59.000Z"],
  ["2030-01-31T18:00:00.5Z", "2030-01-31T18:00:00.500Z"],
  ["2030-01-31T18:00:00.123456789Z", "2030-01-31T18:00:00.123Z"],
  ["2030-01-31T18:00:00,75Z", "2030-01-31T18:00:00.750Z"],
  ["2030-01-31T18:00:00.1234567890123Z", "2030-01-31T18:00:00.123Z"],
  // Java's OffsetDateTime omits seconds that are 0.
  ["2026-12-01T10:00Z", "2026-12-01T10:00:00.000Z"],
  ["2026-12-01T10:00+01:00", "2026-12-01T09:00:00.000Z"],
  ["20261201T100000Z", "2026-12-01T10:00:00.000Z"],
  ["20261201T1000Z", "2026-12-01T10:00:00.000Z"],
  ["20261201T100000.25-0330", "2026-12-01T13:30:00.250Z"],
  ["20261201T1000+01", "2026-12-01T09:00:00.000Z"],
  ["2026-12-01T10:00:00+01", "2026-12-01T09:00:00.000Z"],
  ["2026-12-01T10:00-11", "2026-12-01T21:00:00.000Z"],
  // strftime's %z has no colon, and %:z has one.
  ["2026-12-01T10:00:00+0530", "2026-12-01T04:30:00.000Z"],
  ["20261201T100000+05:30", "2026-12-01T04:30:00.000Z"],
  ["2032-02-29T00:00:00Z", "2032-02-29T00:00:00.000Z"],
  // Daylight saving time skips this local time, but with an offset it is still a valid time.
  ["2030-03-31T02:30:00+01:00", "2030-03-31T01:30:00.000Z"],
  ["9999-12-31T23:59:59Z", "9999-12-31T23:59:59.000Z"],
  ["0001-01-01T00:00:00Z", "0001-01-01T00:00:00.000Z"],
];

const refused: [text: string, what: string][] = [
  ["", "an empty text"],
  ["tomorrow", "a word"],
  ["Sat, 21 Nov 2026 10:00:00 GMT", "an HTTP date"],
  ["1799999999", "a Unix time"],
  ["2030-01-31", "a date alone"],
  ["2030-01-31T18:00:00", "a time without offset"],
  ["2030-01-31 18:00:00Z", "a space for the T"],
  ["2030-01-31T18:00:00.Z", "a point without a fraction"],
  ["2026-12-01T10:00:00", "a local time, extended"],
  ["2026-12-01T10:00", "a local time without seconds"],
  ["20261201T100000", "a local time, basic"],
  ["20261201T10:00:00Z", "a basic date with an extended time"],
  ["2026-12-01T100000Z", "an extended date with a basic time"],
  ["2026-12-01T10:0000Z", "half a basic time"],
  ["2026-1201T10:00:00Z", "half a basic date"],
  ["2026-12-01T10Z", "no minutes"],
  ["20261201T10Z", "no minutes, basic"],
  ["2026-12T10:00Z", "no day"],
  ["2026-12-01T10:00.5Z", "a fraction of a minute"],
  ["2026-12-01T10:00:00,Z", "a comma without a fraction"],
  ["2026-12-01T10:00:00 Z", "a space before the offset"],
  ["2026-12-01T10:00:00 +01:00", "a space before the sign"],
  ["2026-12-01T10:00:00UTC", "a zone name"],
  ["2026-12-01T10:00:00+01:00[Europe/Paris]", "a zone in brackets"],
  ["2026-12-01T10:00:00+1", "an offset of one digit"],
  ["2026-12-01T10:00:00+1:00", "an hour of offset in one digit"],
  ["2026-12-01T10:00:00+100", "an offset of three digits"],
  ["2026-12-01T10:00:00+01:", "an offset that ends with a colon"],
  ["2026-12-01T10:00:00+01:00:00", "seconds of an offset"],
  ["2026-12-01T10:00:00Z+01:00", "two offsets"],
  ["2026-12-01T10:00:00\u221201:00", "a minus of mathematics"],
  ["2026-12-1T10:00:00Z", "a day of one digit"],
  ["20261301T100000Z", "month 13, basic"],
  ["20260230T100000Z", "30 February, basic"],
  ["20261201T240000Z", "hour 24, basic"],
  ["2026-12-01T10:60Z", "minute 60 without seconds"],
  ["2026-12-01T10:00+1460", "60 minutes of offset without colon"],
  ["2026-12-01T10:00+15", "hours of offset that no clock has"],
  ["2030W054T180000Z", "a week date, basic"],
  ["2030031T180000Z", "an ordinal date, basic"],
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
  ["9999-12-31T23:59:59-14:00", "the year 10000"],
  ["275760-09-13T00:00:00Z", "a year of six digits"],
  ["-000001-01-01T00:00:00Z", "a year before Christ"],
  [" 2030-01-31T18:00:00Z", "a space before"],
  ["2030-01-31T18:00:00Z\n", "a line break behind"],
  ["２０３０-01-31T18:00:00Z", "digits of another script"],
];

describe("scheduleAt", () => {
  test.each(times)("%s is %s", (text, instant) => {
    const read = readScheduleTime(text);
    expect("ms" in read && new Date(read.ms).toISOString()).toBe(instant);
  });

  test.each(refused)("%j is refused with an example: %s", (text) => {
    expect(readScheduleTime(text)).toMatchObject({
      fault: { message: expect.stringMatching(/, such as 2030-01-31T18:00:00\+02:00$/) },
    });
  });

  test("is the same moment in every format, precision and offset", () => {
    const pad = (n: number) => String(n).padStart(2, "0");
    fc.assert(
      fc.property(
        fc.date({ min: new Date("1900-01-02"), max: new Date("9998-12-30"), noInvalidDate: true }),
        fc.integer({ min: -14 * 60, max: 14 * 60 }),
        fc.constantFrom("extended", "basic"),
        fc.constantFrom("minutes", "seconds", "point", "comma"),
        fc.constantFrom("hh", "hhmm", "hh:mm", "Z"),
        (at, minutes, format, precision, offset) => {
          const size = { minutes: 60_000, seconds: 1_000, point: 1, comma: 1 }[precision];
          const ms = Math.floor(at.getTime() / size) * size;
          const eastOfUtc = offset === "Z" ? 0 : offset === "hh" ? Math.trunc(minutes / 60) * 60 : minutes;
          const local = new Date(ms + eastOfUtc * 60_000).toISOString().slice(0, -1);
          const time =
            precision === "minutes" ? local.slice(0, 16) : precision === "seconds" ? local.slice(0, 19) : local;
          const hours = pad(Math.trunc(Math.abs(eastOfUtc) / 60));
          const rest = pad(Math.abs(eastOfUtc) % 60);
          const sign = eastOfUtc < 0 ? "-" : "+";
          const ends = { Z: "Z", hh: sign + hours, hhmm: sign + hours + rest, "hh:mm": `${sign}${hours}:${rest}` };
          const written = format === "basic" ? time.replace(/[-:]/g, "") : time;
          const text = written.replace(".", precision === "comma" ? "," : ".") + ends[offset];
          expect(readScheduleTime(text), text).toEqual({ ms });
        },
      ),
    );
  });

  test("is far ahead if it is more than a calendar year after now", () => {
    const now = Date.parse("2027-03-01T00:00:00Z");
    expect(isFarAhead(Date.parse("2028-03-01T00:00:00Z"), now)).toBe(false);
    expect(isFarAhead(Date.parse("2028-03-01T00:00:01Z"), now)).toBe(true);
  });
});
