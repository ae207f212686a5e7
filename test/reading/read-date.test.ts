import fc from "fast-check";
import { expect, test } from "vitest";
import { findDay, firstDate, readDate } from "../../src/reading/dates/read-date.ts";

const at = Date.UTC(2026, 2, 2, 11, 0, 0);
const msOf = (text: string) => readDate(text)?.ms ?? null;

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
  expect(msOf(text)).toBe(at);
});

/** Every form of a day, a time and a zone, for one moment: 22 November 2026 at 15:04. */
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
        return msOf(day + time + zone) !== Date.UTC(2026, 10, 22, 15, 4) - hours * 3_600_000;
      })
      .map(([zone]) => day + time + zone),
  );
  expect(unread).toEqual([]);
  expect(msOf(day)).toBe(Date.UTC(2026, 10, 22));
});

test.for([
  ...["02 Monday, Mar 2026 11:00", "11:00 02.03.2026", "2026-03-02 00:00:00.0 12:00:00.0 +0100", "11:00, Mar 2 2026"],
  ...["Mon Mar 2 11:00 2026", "Mon Mar 2 06:00:00 EST 2026", "Mon, 02 Mar 2026 12 +0100", "2026-03-02T11:00:00:00"],
  ...["02.03.2026 um 11:00 Uhr", "20260302T110000", "Monday, 02-Mar-26 11:00:00 GMT", "mar., 02 mar 2026 11:00"],
])("the time of %s is read", (text) => {
  expect(msOf(text)).toBe(at);
});

test.for([
  ["Nov 22 2026 12:04 AM", 0],
  ["Nov 22 2026 12:04 PM", 12],
  ["Nov 22 2026 15:04 PM", 15],
] as const)("%s has the right half of the day", ([text, hour]) => {
  expect(msOf(text)).toBe(Date.UTC(2026, 10, 22, hour, 4));
});

test.for(["2 March 2026", "Mon, 02 Mar 2026", "02.03.2026", "2026-03-02"])(
  "the day %s is read as its midnight",
  (text) => {
    expect(msOf(text)).toBe(Date.UTC(2026, 2, 2));
  },
);

test.for([
  ...["", "soon", "Mon, 30 Feb 2026 11:00:00 GMT", "32 Mar 2026 11:00:00 GMT", "Mon, 02 Foo 2026 11:00:00 GMT"],
  ...["Mon, 02 Mar 2026 25:00:00 GMT", "2026-02-30T11:00:00Z", "0000-00-00 00:00:00", "Thu, 01 Jan 1970 00:00:00 GMT"],
  ...["9999-12-31T23:59:59-14:00", "Fri, 31 Dec 9999 23:59:59 -1400", "9999-12-31", "3000-01-01T00:00:00Z"],
  ...["-0001-01-01T00:00:00Z", "+275760-09-13T00:00:00Z", "Fri Dec 31 23:59:59 9999"],
  ...["03/02/2026", "02-03-2026", "26-11-22 15:04", "Sun, 22 Nov 15:04:05 GMT", "x".repeat(100_000)],
  ...["Sun, 22 Nov 2026 11:47:32 +zz:00", "Sun, 22 Nov 2026 1:2:3:4 GMT", "2026-11-22T11:30:00-06:00Textra"],
  ...["Sun, 22 Nov 2026 11:47:32 +1500", "2026-11-22 11:61", "November 31, 2026 15:04", "today at 15:04"],
])("%s is no date", (text) => {
  expect(msOf(text)).toBeNull();
});

/** One day and time in the words of each language. */
test.each([
  ["en", "Wednesday 25th November 2026 10.30am"],
  ["en", "Nov 25, 2026, 10:30am"],
  ["de", "Mittwoch, 25. November 2026, 10:30 Uhr"],
  ["de", "Mi, 25 Nov 2026 10:30"],
  ["fr", "mercredi 25 novembre 2026 à 10 h 30"],
  ["fr", "25 nov. 2026 à 10h30"],
  ["es", "miércoles, 25 de noviembre de 2026 a las 10:30 a. m."],
  ["it", "25 novembre 2026 ore 10:30"],
  ["it", "mer 25 nov 2026 alle 10.30"],
  ["pt", "quarta-feira, 25 de novembro de 2026 às 10h30"],
  ["nl", "woensdag 25 november 2026 om 10:30"],
  ["pl", "środa, 25 listopada 2026 r. 10:30"],
  ["pl", "śr., 25 lis 2026 10:30"],
  ["ru", "среда, 25 ноября 2026 г. в 10:30"],
  ["ru", "25 ноября 2026 года, 10:30"],
  ["uk", "середа, 25 листопада 2026 р., 10:30"],
  ["sv", "onsdag den 25 november 2026 kl. 10.30"],
  ["da", "onsdag den 25. november 2026 kl. 10.30"],
  ["no", "onsdag 25. november 2026 kl. 10:30"],
  ["fi", "keskiviikko 25. marraskuuta 2026 klo 10.30"],
  ["fi", "ke, 25 marras 2026 10:30"],
  ["cs", "středa 25. listopadu 2026 10:30"],
  ["el", "Τετάρτη, 25 Νοεμβρίου 2026, 10:30"],
  ["el", "25 Νοέμβριος 2026 10:30 π.μ."],
  ["tr", "25 Kasım 2026 Çarşamba, 10:30"],
  ["tr", "25 KASIM 2026 10:30"],
  ["ja", "2026年11月25日(水) 10時30分"],
  ["ja", "令和8年11月25日 10:30"],
  ["zh", "2026年11月25日 上午10:30"],
  ["zh", "星期三, 25 十一月 2026 10:30"],
  ["ko", "2026년 11월 25일 오전 10:30"],
  ["ko", "2026. 11. 25. 오전 10시 30분"],
])("%s: %s is read without a zone", (_language, text) => {
  expect(readDate(text)).toEqual({ ms: Date.UTC(2026, 10, 25, 10, 30), isExact: false });
});

const languages = "en de fr es it pt nl pl ru uk sv da nb fi cs el tr".split(" ");
const everyMonth = languages.flatMap((language) =>
  (["long", "short"] as const).map((month): [string, "long" | "short"] => [language, month]),
);

test.each(everyMonth)("%s: every month is read as the language itself writes it, %s", (language, month) => {
  const format = new Intl.DateTimeFormat(language, { day: "numeric", month, year: "numeric", timeZone: "UTC" });
  const days = Array.from({ length: 12 }, (_, index) => Date.UTC(2026, index, 20 + (index % 8)));
  expect(days.map((day) => msOf(format.format(day)))).toEqual(days);
});

test.each([
  ["Ke, 25 Marras 2026 10:00:00 +0200", "2026-11-25T08:00:00Z"],
  ["Mi, 25 Dez 2024 10:00:00 +0100", "2024-12-25T09:00:00Z"],
  ["mer., 25 févr. 2026 10:00:00 +0100", "2026-02-25T09:00:00Z"],
  ["Mi, 25 Mrz 2026 10:00:00 +0100", "2026-03-25T09:00:00Z"],
  ["2022-1-26T14:32:06+02:00", "2022-01-26T12:32:06Z"],
  ["Sat, 14 Nov 2026 10:00:00 EST", "2026-11-14T15:00:00Z"],
  ["1763038829050", "2025-11-13T13:00:29.050Z"],
  ["/Date(1763038829050)/", "2025-11-13T13:00:29.050Z"],
  ["Tue Jul 30 09:35:14 CEST 2019", "2019-07-30T07:35:14Z"],
  ["2020-09-25T16:02:50CDT", "2020-09-25T21:02:50Z"],
  ["Tue, Sep 15 2020 10:01:41 EDT", "2020-09-15T14:01:41Z"],
  ["06-08-2019T14:12:32+0200", null],
  ["28-08-2019T14:12:32+0200", "2019-08-28T12:12:32Z"],
  ["2026-11-25T10:00:00[Europe/London]", "2026-11-25T10:00:00Z"],
  ["2026-07-25T10:00:00[Europe/London]", "2026-07-25T09:00:00Z"],
  ["2026-07-25T10:00:00+02:00[Europe/Paris]", "2026-07-25T08:00:00Z"],
  ["2026-07-25 10:00:00 Europe/Berlin", "2026-07-25T08:00:00Z"],
  ["2026-11-25T10:00:00 America/New_York", "2026-11-25T15:00:00Z"],
  ["July 25, 2026 3:04 PM Eastern Time", "2026-07-25T19:04:00Z"],
  ["July 25, 2026 3:04 PM Central European Summer Time", "2026-07-25T13:04:00Z"],
  ["Wed Nov 25 2026 10:00:00 GMT+0100 (Central European Standard Time)", "2026-11-25T09:00:00Z"],
  ["2026-11-25T10:00:00\u221205:00", "2026-11-25T15:00:00Z"],
  ["25.11.2026 09:30 Uhr MEZ", "2026-11-25T08:30:00Z"],
  ["среда, 25 ноября 2026 г. 10:30 MSK", "2026-11-25T07:30:00Z"],
  ["水, 25 11月 2026 10:00:00 +0900", "2026-11-25T01:00:00Z"],
])("the moment of %s is %s", (text, moment) => {
  expect(readDate(text)).toEqual(moment === null ? null : { ms: Date.parse(moment), isExact: true });
});

test.each([
  ["Sat, 11/14/2026 - 17:57", "2026-11-14T17:57:00Z"],
  ["Wed, 03/04/2026", "2026-03-04T00:00:00Z"],
  ["04:25:06 PM IST Apr 08, 2020", "2020-04-08T16:25:06Z"],
  ["2016-05-24T05:55%Z", "2016-05-24T05:55:00Z"],
  ["2026-11-25 10:00 Fooland Time", "2026-11-25T10:00:00Z"],
])("%s gives what its clock shows", (text, shown) => {
  expect(readDate(text)).toEqual({ ms: Date.parse(shown), isExact: false });
});

test.each([
  ...["Mi, 25 Foo 2026 10:00:00 +0100", "25 Octember 2026", "25 November", "03/04/2026", "Sun, 03/04/2026 - 10:00"],
  ...["25 lok 2026 Foo 26 2026", "Mon, 30 Feb 2026", "5 mars", "May", "2026", "11/2026"],
])("%s is no date: unknown is better than wrong", (text) => expect(readDate(text)).toBeNull());

test.each([
  ["Blog entry by Annisa | 28 April, 2017", "2017-04-28"],
  ["Von Christian am 03.05.2013, 11:51 | 0 Meinungen", "2013-05-03"],
  ["Posted the September 1, 2017 at 0h00", "2017-09-01"],
  ["05.04.2025 - Güncelleme: 06.04.2025", "2025-04-05"],
  ["Schengen, 3. Juli 2018", "2018-07-03"],
  ["发布于 2016-03-01", "2016-03-01"],
  ["Letzte Aktualisierung: 18.01.2018", "2018-01-18"],
  ["Saturday, January 18th", null],
  ["Pescasseroli, 14 Gennaio 20", null],
  ["Room 12 of 20, since 1998", null],
])("the day in %j is %j", (text, day) => {
  const ms = findDay(text);
  expect(ms === null ? null : new Date(ms).toISOString().slice(0, 10)).toBe(day);
});

test("every day of the time that is read comes back in each unambiguous form", () => {
  const forms: ((day: Date) => string)[] = [
    (day) => day.toISOString(),
    (day) => day.toUTCString(),
    (day) => String(day.getTime()),
    (day) => day.toISOString().replace("Z", "+00:00[UTC]"),
    (day) => `${day.toISOString().slice(0, -1)} GMT`,
  ];
  const range = { min: new Date(Date.UTC(2001, 8, 10)), max: new Date(Date.UTC(2286, 10, 20)), noInvalidDate: true };
  fc.assert(
    fc.property(fc.date(range), fc.constantFrom(...forms), (date, form) => {
      const day = new Date(Math.floor(date.getTime() / 1_000) * 1_000);
      expect(readDate(form(day))).toEqual({ ms: day.getTime(), isExact: true });
    }),
  );
});

test("any text is read without an error, and no date is outside of its time", () => {
  const part = fc.constantFrom(
    "25",
    "11",
    "2026",
    "Nov",
    "/",
    "-",
    ".",
    ":",
    " ",
    "+",
    "T",
    "Z",
    "年",
    "(",
    "kl. ",
    "p.m.",
    "é",
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 20 }), (parts) => {
      const ms = msOf(parts.join(""));
      expect(ms === null || (ms >= Date.UTC(1990) - 86_400_000 && ms < Date.UTC(3000))).toBe(true);
      findDay(parts.join(""));
    }),
  );
});

test("the first of several texts that is a date counts", () => {
  expect(firstDate(["soon", "1970-01-01", " 2026-03-02 ", "2026-03-01"])?.ms).toBe(Date.UTC(2026, 2, 2));
  expect(firstDate([])).toBeNull();
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
  expect(readDate(text)?.isExact ?? false).toBe(expected);
});
