import { expect, test } from "vitest";
import { completeAddress } from "../../dashboard/src/components/complete-address.ts";
import { localIn, momentAt, suggestedTimes } from "../../dashboard/src/compose/zone-time.ts";
import { loadWords } from "../../dashboard/src/words/words.ts";

await loadWords(["compose"], "en");

test("a time is read in the site's time zone, in summer and in winter", () => {
  expect(momentAt("2027-01-15T08:30", "Europe/Berlin")).toEqual({ iso: "2027-01-15T07:30:00.000Z", isTwice: false });
  expect(momentAt("2027-07-15T08:30", "Europe/Berlin")).toEqual({ iso: "2027-07-15T06:30:00.000Z", isTwice: false });
  expect(momentAt("2027-07-15T08:30", "Asia/Kathmandu")).toEqual({ iso: "2027-07-15T02:45:00.000Z", isTwice: false });
  expect(momentAt("2027-01-01T00:15", "Pacific/Kiritimati")).toEqual({
    iso: "2026-12-31T10:15:00.000Z",
    isTwice: false,
  });
});

test("a local time that occurs twice is the first one, marked; a skipped one is a fault", () => {
  expect(momentAt("2027-10-31T02:30", "Europe/Berlin")).toEqual({ iso: "2027-10-31T00:30:00.000Z", isTwice: true });
  expect(momentAt("2027-03-28T02:30", "Europe/Berlin")).toEqual({
    fault: expect.stringContaining("leave this hour out"),
  });
  expect(momentAt("2027-11-07T01:30", "America/New_York")).toMatchObject({ isTwice: true });
});

test("the times offered are ahead by the site's clocks, also when the clocks change", () => {
  const at = (iso: string) =>
    suggestedTimes("Europe/Berlin", Date.parse(iso)).map(({ label, local }) => [label, local]);
  expect(at("2027-03-27T17:30:10Z")).toEqual([
    ["in 1 h", "2027-03-27T19:31"],
    ["in 3 h", "2027-03-27T21:31"],
    ["today 19:00", "2027-03-27T19:00"],
    ["tomorrow 7:00", "2027-03-28T07:00"],
    ["tomorrow 12:00", "2027-03-28T12:00"],
  ]);
  expect(at("2027-03-27T18:00:00Z").map(([label]) => label)).not.toContain("today 19:00");
});

test("a host without a scheme gets its https://, and other text stays as it is typed", () => {
  expect(completeAddress(" harbour.example ")).toBe("https://harbour.example");
  expect(completeAddress("harbour.example:8443/a?b=c#d")).toBe("https://harbour.example:8443/a?b=c#d");
  for (const text of ["", "harbour", "https://a.example", "http://a.example", "ftp://a.example", "two words.example"]) {
    expect(completeAddress(text)).toBe(text);
  }
  expect(completeAddress("owner@harbour.example")).toBe("owner@harbour.example");
});

test("an invalid time is a fault, and a valid one survives the round trip", () => {
  expect(momentAt("", "UTC")).toEqual({ fault: "Choose a day and a time." });
  for (const zone of ["Europe/Berlin", "America/St_Johns", "Australia/Lord_Howe"]) {
    const moment = momentAt("2027-05-05T18:45", zone);
    expect(localIn(zone, Date.parse("iso" in moment ? moment.iso : ""))).toBe("2027-05-05T18:45");
  }
});
