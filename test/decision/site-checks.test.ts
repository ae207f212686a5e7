import { describe, expect, test } from "vitest";
import { checkStory } from "../../src/decision/check-story.ts";
import { isQuiet, type SiteFacts, viewAudience } from "../../src/decision/site-facts.ts";
import { factsOf, siteOf } from "./story-facts.ts";

const now = Date.parse("2026-03-02T12:00:00Z");
const minutesAgo = (minutes: number) => new Date(now - minutes * 60_000);

/** Returns the reasons that a site adds to a story without other reasons. */
function reasonsFor(site: Partial<SiteFacts>, strict = false) {
  const plain = factsOf("news-article");
  const others = checkStory(plain, now).reasons.map(({ code }) => code);
  const verdict = checkStory({ ...plain, site: siteOf(site), strict }, now);
  const reasons = verdict.reasons.filter(({ code }) => !others.includes(code));
  return { ...verdict, added: reasons.map(({ code, effect }) => `${effect} ${code}`), reasons };
}

const night = { from: "22:00", until: "07:00" };
const noon = { from: "11:30", until: "12:30" };
const limited: [limit: string, site: Partial<SiteFacts>, code: string | null][] = [
  ["no subscribers", { reachable: 0 }, "no_audience"],
  ["one subscriber", { reachable: 1 }, null],
  ["a cap that is reached", { dailyLimit: 3, sentLast24Hours: 3 }, "daily_limit"],
  ["a cap that leaves one", { dailyLimit: 3, sentLast24Hours: 2 }, null],
  ["no cap", { sentLast24Hours: 500 }, null],
  ["a gap that is not over", { minGapMinutes: 60, lastSentAt: minutesAgo(59.9) }, "min_gap"],
  ["a gap that is just over", { minGapMinutes: 60, lastSentAt: minutesAgo(60) }, null],
  ["a send that the database's clock sees in the future", { minGapMinutes: 60, lastSentAt: minutesAgo(-1) }, "min_gap"],
  ["no gap", { lastSentAt: minutesAgo(0) }, null],
  ["a gap before the first send", { minGapMinutes: 60 }, null],
  ["quiet hours", { quietHours: noon }, "quiet_hours"],
  ["quiet hours of another zone", { quietHours: night, timeZone: "Asia/Tokyo" }, null],
  ["quiet hours by its own clock", { quietHours: night, timeZone: "America/Los_Angeles" }, "quiet_hours"],
  ["quiet hours at another time", { quietHours: night }, null],
];

describe("a site's limits", () => {
  test.each(limited)("%s: lowers the score for an editor, blocks a feed", (_limit, site, code) => {
    expect(reasonsFor(site)).toMatchObject({ decision: "send", added: code === null ? [] : [`lowers ${code}`] });
    expect(reasonsFor(site, true)).toMatchObject({
      decision: code === null ? "send" : "skip",
      added: code === null ? [] : [`blocks ${code}`],
    });
  });

  test.each([
    ["send", "send", "informs"],
    ["ask", "send", "informs"],
    ["skip", "skip", "blocks"],
  ] as const)("a site can %s a story whose date is unknown", (undatedStories, decision, effect) => {
    const verdict = checkStory({ ...factsOf("bare"), site: siteOf({ undatedStories }) }, now);
    const reason = expect.objectContaining({ code: "no_date", effect });
    expect(verdict).toMatchObject({ decision, reasons: expect.arrayContaining([reason]) });
    expect(checkStory({ ...factsOf("news-article"), site: siteOf({ undatedStories }) }, now).decision).toBe("send");
  });

  test("each of them lowers the score", () => {
    const plain = checkStory({ ...factsOf("bare"), site: siteOf() }, now).score;
    for (const [, site, code] of limited) {
      const { score } = checkStory({ ...factsOf("bare"), site: siteOf(site) }, now);
      expect(score < plain, code ?? "none").toBe(code !== null);
    }
  });

  test("the cooldown of a story blocks editors and feeds", () => {
    for (const strict of [false, true]) {
      expect(reasonsFor({ storySentAt: minutesAgo(60) }, strict)).toMatchObject({
        decision: "skip",
        score: 0,
        added: ["blocks already_sent"],
      });
    }
  });

  test("a topic without subscribers is named, and does not block a feed that has other readers", () => {
    const { decision, reasons } = reasonsFor({ emptyTopics: ["Sailing", "Chess"] }, true);
    expect(decision).toBe("send");
    expect(reasons[0]).toMatchObject({
      effect: "informs",
      message: "No reader has subscribed to “Sailing”, “Chess”. Leave it out, or choose another topic.",
    });
  });
});

/** In Berlin, clocks go forward on 29 March 2026, 02:00 to 03:00, and back on 25 October, 03:00 to 02:00. */
const quietIn: [zone: string, from: string, until: string, at: string, quiet: boolean][] = [
  ["Europe/Berlin", "22:00", "07:00", "2026-03-28T20:59:59Z", false],
  ["Europe/Berlin", "22:00", "07:00", "2026-03-28T21:00:00Z", true],
  ["Europe/Berlin", "22:00", "07:00", "2026-03-29T04:59:59Z", true],
  ["Europe/Berlin", "22:00", "07:00", "2026-03-29T05:00:00Z", false],
  ["Europe/Berlin", "22:00", "07:00", "2026-03-29T20:00:00Z", true],
  ["Europe/Berlin", "22:00", "07:00", "2026-10-25T05:59:59Z", true],
  ["Europe/Berlin", "22:00", "07:00", "2026-10-25T06:00:00Z", false],
  ["Europe/Berlin", "02:30", "02:45", "2026-03-29T01:30:00Z", false],
  ["Europe/Berlin", "02:30", "02:45", "2026-10-25T00:30:00Z", true],
  ["Europe/Berlin", "02:30", "02:45", "2026-10-25T01:30:00Z", true],
  ["Asia/Kathmandu", "13:00", "14:00", "2026-03-02T07:15:00Z", true],
  ["Asia/Kathmandu", "13:00", "14:00", "2026-03-02T08:15:00Z", false],
  ["UTC", "00:00", "06:00", "2026-03-02T00:00:00Z", true],
  ["UTC", "23:59", "00:00", "2026-03-02T23:59:59Z", true],
  ["UTC", "23:59", "00:00", "2026-03-02T00:00:00Z", false],
];

describe("isQuiet", () => {
  test.each(quietIn)("in %s, quiet from %s to %s, at %s: %s", (timeZone, from, until, at, quiet) => {
    expect(isQuiet({ from, until }, timeZone, Date.parse(at))).toBe(quiet);
  });

  test("is false without quiet hours", () => expect(isQuiet(null, "UTC", now)).toBe(false));
});

test("the audience view has the facts that were checked", () => {
  const site = siteOf({ quietHours: noon, dailyLimit: 5, sentLast24Hours: 2, lastSentAt: minutesAgo(30) });
  expect(viewAudience(site, now)).toEqual({
    siteId: site.siteId,
    reachable: 100,
    reachableExact: true,
    sentLast24Hours: 2,
    dailyLimit: 5,
    minGapMinutes: null,
    lastSentAt: "2026-03-02T11:30:00.000Z",
    storySentAt: null,
    quietNow: true,
    quietHours: noon,
    timeZone: "UTC",
  });
});
