import { describe, expect, test } from "vitest";
import { momentAt, utcOffsetAt } from "../src/local-time.ts";
import { offsetText, spanOf, waveOfZone } from "../src/runs/waves/waves.ts";

const at = (zone: string, date: string, time: string) => new Date(momentAt(zone, { date, time })).toISOString();

describe("the moment of a time of a day", () => {
  test.for([
    ["UTC", "2027-01-15", "07:00", "2027-01-15T07:00:00.000Z"],
    ["Europe/Berlin", "2027-01-15", "07:00", "2027-01-15T06:00:00.000Z"],
    ["Europe/Berlin", "2027-07-15", "07:00", "2027-07-15T05:00:00.000Z"],
    ["Asia/Kolkata", "2027-01-15", "00:10", "2027-01-14T18:40:00.000Z"],
    ["Asia/Kathmandu", "2027-01-15", "07:00", "2027-01-15T01:15:00.000Z"],
    ["Pacific/Kiritimati", "2027-01-15", "07:00", "2027-01-14T17:00:00.000Z"],
    ["Pacific/Pago_Pago", "2027-01-15", "23:30", "2027-01-16T10:30:00.000Z"],
    ["Australia/Lord_Howe", "2027-01-15", "07:00", "2027-01-14T20:00:00.000Z"],
  ] as const)("in %s on %s at %s is %s", ([zone, date, time, moment]) => {
    expect(at(zone, date, time)).toBe(moment);
  });

  test("that occurs twice as summer time ends is the first one", () => {
    expect(at("Europe/Berlin", "2027-10-31", "02:30")).toBe("2027-10-31T00:30:00.000Z");
    expect(at("Europe/Berlin", "2027-10-31", "03:00")).toBe("2027-10-31T02:00:00.000Z");
    expect(at("America/New_York", "2027-11-07", "01:30")).toBe("2027-11-07T05:30:00.000Z");
  });

  test("that is skipped as summer time begins is as much later", () => {
    expect(at("Europe/Berlin", "2027-03-28", "02:30")).toBe("2027-03-28T01:30:00.000Z");
    expect(at("Europe/Berlin", "2027-03-28", "03:00")).toBe("2027-03-28T01:00:00.000Z");
    expect(at("Australia/Lord_Howe", "2027-10-03", "02:10")).toBe("2027-10-02T15:40:00.000Z");
  });

  test("on the days before and after a change of clocks is right", () => {
    expect(at("America/New_York", "2027-03-13", "23:00")).toBe("2027-03-14T04:00:00.000Z");
    expect(at("America/New_York", "2027-03-14", "07:00")).toBe("2027-03-14T11:00:00.000Z");
    expect(at("America/New_York", "2027-03-15", "00:00")).toBe("2027-03-15T04:00:00.000Z");
  });

  test("is, by the clocks of each zone that this machine knows, that time again", () => {
    const ofDay = { date: "2027-06-15", time: "07:00" };
    const { firstMs, lastMs } = spanOf(ofDay);
    for (const zone of Intl.supportedValuesOf("timeZone")) {
      const moment = momentAt(zone, ofDay);
      const shown = new Intl.DateTimeFormat("sv-SE", { timeZone: zone, dateStyle: "short", timeStyle: "short" });
      expect(`${zone} ${shown.format(moment)}`).toBe(`${zone} 2027-06-15 07:00`);
      expect(moment >= firstMs && moment <= lastMs).toBe(true);
    }
  });
});

describe("the wave of a zone", () => {
  const hour = { date: "2027-01-15", time: "07:00" };
  const from = (iso: string) => Date.parse(iso);
  const wave = (zone: string, iso: string) => {
    const { at: moment, utcOffset } = waveOfZone(hour, zone, "Europe/Berlin", from(iso));
    return [moment.toISOString(), utcOffset];
  };

  test("has the moment of its hour, and its distance from UTC", () => {
    expect(wave("America/St_Johns", "2027-01-15T00:00:00Z")).toEqual(["2027-01-15T10:30:00.000Z", -210]);
  });

  test("is the site's where the zone is not known", () => {
    for (const zone of ["", "Mars/Olympus"])
      expect(wave(zone, "2027-01-15T00:00:00Z")).toEqual(["2027-01-15T06:00:00.000Z", 60]);
  });

  test("is at once where the hour has passed, and on time within a minute of it", () => {
    expect(wave("Europe/Berlin", "2027-01-15T06:01:00Z")).toEqual(["2027-01-15T06:00:00.000Z", 60]);
    expect(wave("Europe/Berlin", "2027-01-15T06:01:01Z")).toEqual(["2027-01-15T06:01:01.000Z", null]);
  });

  test("is written with hours and minutes from UTC", () => {
    expect([0, 60, -210, 345, 840].map(offsetText)).toEqual(["+00:00", "+01:00", "-03:30", "+05:45", "+14:00"]);
    expect(utcOffsetAt("Asia/Kathmandu", from("2027-01-15T00:00:00Z"))).toBe(345);
  });
});
