import { expect, test } from "vitest";
import { readFeedDate } from "../../src/feeds/parse/feed-date.ts";
import { saysInstant } from "../../src/feeds/parse/zone-offset.ts";

const at = Date.UTC(2026, 2, 2, 11, 0, 0);

test.for([
  "Mon, 02 Mar 2026 11:00:00 GMT",
  "Mon, 2 Mar 2026 11:00:00 +0000",
  "Mon, 02 Mar 2026 12:00:00 +0100",
  "Mon, 02 Mar 2026 12:00:00 +01:00",
  "Mon, 02 Mar 2026 06:00:00 EST",
  "Mon, 02 Mar 2026 03:00:00 PST",
  "Mon, 02 Mar 2026 12:00:00 CET",
  "Mon, 02 Mar 2026 12:00:00 GMT+0100",
  "Mon, 02 Mar 2026 11:00:00 +0000 (UTC)",
  "Mon, 02 Mar 2026 11:00:00 (GMT)",
  "Monday, 2 March 2026 11:00:00 GMT",
  "Mon 02 Mar 2026 11:00:00 GMT",
  "02 Mar 2026 11:00 GMT",
  "2 Mar 26 11:00:00 UT",
  "Mon, 02-Mar-2026 11:00:00 GMT",
  "  Mon,  02   Mar 2026\n11:00:00  Z ",
  "Mon, 02 Mar 2026 11:00:00",
  "2026-03-02T11:00:00Z",
  "2026-03-02T12:00:00.000+01:00",
  "2026-03-02 11:00:00 UTC",
  "2026-03-02T11:00Z",
  "2026-3-2T11:00:00Z",
  "20260302T110000Z",
  "Mon Mar  2 11:00:00 2026",
  "Mon Mar 2 12:00:00 +0100 2026",
  "1772449200",
  "1772449200000",
])("the date %s is read", (text) => {
  expect(readFeedDate(text)).toBe(at);
});

/** Every day, with every time, with every zone: one moment, 22 November 2026 at 15:04. */
const days = [
  ...["22 Nov 2026", "22 November 2026", "22 Nov 26", "22-Nov-2026", "22, Nov 2026", "22nd of November, 2026"],
  ...["Nov 22, 2026", "November 22, 2026", "Nov 22 2026", "Nov 22,2026", "Nov. 22nd, 2026", "2026 November 22"],
  ...["2026-11-22", "2026/11/22", "2026-011-22", "22.11.2026", "22/11/2026", "11/22/2026", "22-11-2026", "11-22-2026"],
];
const before = ["", "Sun, ", "Sun,", "Sun ", "Sun , ", "Sunday, ", "sun., ", "Updated ", "dim. "];
const times = [" 15:04", ", 15:04", " - 15:04:00", " at 15:04", " 3:04 PM", " 03:04:00PM", " 3:04 p.m.", " 15:4:0.0"];
const zones: [written: string, hours: number][] = [
  ...(["", " Z", " UT", " GMT", " +0000", " 00", " Etc/GMT", " +0000 UTC", " XYZ", " IST"] as const).map(
    (zone): [string, number] => [zone, 0],
  ),
  ...([" +0100", " +01:00", " +01", " GMT+0100", " CET +0100", " +0100 CET", " GMT+0100 (CET)", " (MEZ)"] as const).map(
    (zone): [string, number] => [zone, 1],
  ),
  ...([" EST", " ET", " -0500", " -500", " --0500", ":-0500", "-05:00:00"] as const).map((zone): [string, number] => [
    zone,
    -5,
  ]),
  [" AEDT", 11],
  [" ACST", 9.5],
];

test.for(before.flatMap((word) => days.map((day) => word + day)))("%s is read with any time and any zone", (day) => {
  const unread = times.flatMap((time) =>
    zones
      .filter(([zone, hours]) => {
        return readFeedDate(day + time + zone) !== Date.UTC(2026, 10, 22, 15, 4) - hours * 3_600_000;
      })
      .map(([zone]) => day + time + zone),
  );
  expect(unread).toEqual([]);
  expect(readFeedDate(day)).toBe(Date.UTC(2026, 10, 22));
});

test.for([
  ...["02 Monday, Mar 2026 11:00", "11:00 02.03.2026", "2026-03-02 00:00:00.0 12:00:00.0 +0100", "11:00, Mar 2 2026"],
  ...["Mon Mar 2 11:00 2026", "Mon Mar 2 06:00:00 EST 2026", "Mon, 02 Mar 2026 12 +0100", "2026-03-02T11:00:00:00"],
  ...["02.03.2026 um 11:00 Uhr", "20260302T110000", "Monday, 02-Mar-26 11:00:00 GMT", "mar., 02 mar 2026 11:00"],
])("the time of %s is read", (text) => {
  expect(readFeedDate(text)).toBe(at);
});

test.for([
  ["Nov 22 2026 12:04 AM", 0],
  ["Nov 22 2026 12:04 PM", 12],
  ["Nov 22 2026 15:04 PM", 15],
] as const)("%s has the right half of the day", ([text, hour]) => {
  expect(readFeedDate(text)).toBe(Date.UTC(2026, 10, 22, hour, 4));
});

test.for(["2 March 2026", "Mon, 02 Mar 2026", "02.03.2026", "2026-03-02"])(
  "the day %s is read as its midnight",
  (text) => {
    expect(readFeedDate(text)).toBe(Date.UTC(2026, 2, 2));
  },
);

test.for([
  ...["", "soon", "Mon, 30 Feb 2026 11:00:00 GMT", "32 Mar 2026 11:00:00 GMT", "Mon, 02 Mrz 2026 11:00:00 GMT"],
  ...["Mon, 02 Mar 2026 25:00:00 GMT", "2026-02-30T11:00:00Z", "0000-00-00 00:00:00", "Thu, 01 Jan 1970 00:00:00 GMT"],
  ...["9999-12-31T23:59:59-14:00", "Fri, 31 Dec 9999 23:59:59 -1400", "9999-12-31", "3000-01-01T00:00:00Z"],
  ...["-0001-01-01T00:00:00Z", "+275760-09-13T00:00:00Z", "Fri Dec 31 23:59:59 9999"],
  ...["03/02/2026", "02-03-2026", "26-11-22 15:04", "Sun, 22 Nov 15:04:05 GMT", "x".repeat(100_000)],
  ...["Sun, 22 Nov 2026 11:47:32 +zz:00", "Sun, 22 Nov 2026 1:2:3:4 GMT", "2026-11-22T11:30:00-06:00Textra"],
  ...["Sun, 22 Nov 2026 11:47:32 +1500", "2026-11-22 11:61", "November 31, 2026 15:04", "today at 15:04"],
])("%s is no date", (text) => {
  expect(readFeedDate(text)).toBeNull();
});

test.each([
  ["2026-11-22T15:04:05Z", true],
  ["2026-11-22T15:04:05.123+01:00", true],
  ["Sun, 22 Nov 2026 15:04:05 GMT", true],
  ["Sun, 22 Nov 2026 15:04:05 +0100 (CET)", true],
  ["November 22, 2026 3:04 pm CET", true],
  ["1795359845", true],
  ["2026-11-22", false],
  ["2026-11-22 15:04:05", false],
  ["2026-11-22T15:04", false],
  ["November 22, 2026 3:04 PM", false],
  ["15:04 22-11-2026", false],
  ["Sun, 22 Nov 2026 15:04 XYZ", false],
  ["", false],
])("the date %j says one moment: %j", (text, expected) => {
  expect(saysInstant(text)).toBe(expected);
});
