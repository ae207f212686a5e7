import { expect, test } from "vitest";
import { localIn, momentAt } from "../../dashboard/src/compose/zone-time.ts";

test("a time is read in the site's time zone, in summer and in winter", () => {
  expect(momentAt("2027-01-15T08:30", "Europe/Berlin")).toEqual({ iso: "2027-01-15T07:30:00.000Z", isTwice: false });
  expect(momentAt("2027-07-15T08:30", "Europe/Berlin")).toEqual({ iso: "2027-07-15T06:30:00.000Z", isTwice: false });
  expect(momentAt("2027-07-15T08:30", "Asia/Kathmandu")).toEqual({ iso: "2027-07-15T02:45:00.000Z", isTwice: false });
  expect(momentAt("2027-01-01T00:15", "Pacific/Kiritimati")).toEqual({
    iso: "2026-12-31T10:15:00.000Z",
    isTwice: false,
  });
});

test("a local time that occurs twice is the first one, and marked; one that is skipped is a fault", () => {
  expect(momentAt("2027-10-31T02:30", "Europe/Berlin")).toEqual({ iso: "2027-10-31T00:30:00.000Z", isTwice: true });
  expect(momentAt("2027-03-28T02:30", "Europe/Berlin")).toEqual({
    fault: expect.stringContaining("leave this hour out"),
  });
  expect(momentAt("2027-11-07T01:30", "America/New_York")).toMatchObject({ isTwice: true });
});

test("an invalid time is a fault, and a valid one survives the round trip", () => {
  expect(momentAt("", "UTC")).toEqual({ fault: "Choose a day and a time." });
  for (const zone of ["Europe/Berlin", "America/St_Johns", "Australia/Lord_Howe"]) {
    const moment = momentAt("2027-05-05T18:45", zone);
    expect(localIn(zone, Date.parse("iso" in moment ? moment.iso : ""))).toBe("2027-05-05T18:45");
  }
});
