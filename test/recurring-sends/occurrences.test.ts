import { expect, test } from "vitest";
import { nextOccurrence, occurrenceBefore, occurrencesBetween } from "../../src/recurring-sends/occurrences.ts";

const weekdays = [1, 2, 3, 4, 5];
const berlin = "Europe/Berlin";
const ms = (text: string) => Date.parse(text);
const shown = ({ day, atMs }: { day: string; atMs: number }) => `${day} ${new Date(atMs).toISOString()}`;
const nextAfter = (days: number[], time: string, zone: string, after: string, afterDay: string | null = null) =>
  shown(nextOccurrence({ days, time }, zone, { afterMs: ms(after), afterDay }));

test.each([
  ["later today", "2027-03-01T05:00:00Z", "2027-03-01 2027-03-01T06:00:00.000Z"],
  ["tomorrow, once today's has passed", "2027-03-01T06:00:00Z", "2027-03-02 2027-03-02T06:00:00.000Z"],
  ["on Monday, after Friday's", "2027-03-05T06:00:00Z", "2027-03-08 2027-03-08T06:00:00.000Z"],
  ["in the site's zone, where it is Monday already", "2027-03-07T23:30:00Z", "2027-03-08 2027-03-08T06:00:00.000Z"],
])("every weekday at seven comes %s", (_, after, expected) => {
  expect(nextAfter(weekdays, "07:00", berlin, after)).toBe(expected);
});

test.each([
  ["is as much later on the day when clocks skip it", "2027-03-27T12:00:00Z", "2027-03-28 2027-03-28T01:30:00.000Z"],
  ["comes once on the day when clocks show it twice", "2027-10-30T12:00:00Z", "2027-10-31 2027-10-31T00:30:00.000Z"],
  ["does not come a second time on that day", "2027-10-31T00:30:00Z", "2027-11-01 2027-11-01T01:30:00.000Z"],
])("half past two %s", (_, after, expected) => {
  expect(nextAfter([1, 2, 3, 4, 5, 6, 7], "02:30", berlin, after)).toBe(expected);
});

test("seven stays seven at the site when clocks change", () => {
  const rhythm = { days: [6, 7, 1], time: "07:00" };
  expect(occurrencesBetween(rhythm, berlin, "2027-03-27", "2027-03-29").map(shown)).toEqual([
    "2027-03-27 2027-03-27T06:00:00.000Z",
    "2027-03-28 2027-03-28T05:00:00.000Z",
    "2027-03-29 2027-03-29T05:00:00.000Z",
  ]);
});

test("a day that has had its occurrence gets no second one, and one day a week waits for a week", () => {
  expect(nextAfter([1], "09:00", berlin, "2027-03-01T07:00:00Z", "2027-03-01")).toMatch(/^2027-03-08 /);
  expect(nextAfter([1], "09:00", berlin, "2027-03-01T07:00:00Z")).toMatch(/^2027-03-01 /);
});

test("the occurrence before is the last one by the rhythm", () => {
  const before = (at: string) => shown(occurrenceBefore({ days: weekdays, time: "07:00" }, berlin, ms(at)));
  expect(before("2027-03-08T06:00:00Z")).toBe("2027-03-05 2027-03-05T06:00:00.000Z");
  expect(before("2027-03-08T06:00:01Z")).toBe("2027-03-08 2027-03-08T06:00:00.000Z");
});
