import { expect, test } from "vitest";
import { readFeedDate } from "../../src/feeds/parse/feed-date.ts";

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
  ...["03/02/2026", "x".repeat(100_000)],
])("%s is no date", (text) => {
  expect(readFeedDate(text)).toBeNull();
});
