import { beforeAll, describe, expect, test } from "vitest";
import { makeHistory, usualEffects } from "../../bench/forecast-history.ts";
import type { App } from "../../src/app.ts";
import { checkStory } from "../../src/decision/check-story.ts";
import { expectClicks } from "../../src/decision/expect-clicks.ts";
import type { SiteFacts } from "../../src/decision/site-facts.ts";
import { learn } from "../../src/forecast/forecast.ts";
import { saveLearnt } from "../../src/forecast/queries.ts";
import { randomFrom } from "../faults/random.ts";
import { openTestApp } from "../fixtures/app.ts";
import { createPublisher } from "../fixtures/publisher.ts";
import { factsOf, siteOf } from "./story-facts.ts";

/** An evening and a morning of a Tuesday, and the morning of a Sunday, when few readers click. */
const evening = Date.parse("2026-03-03T18:30:00Z");
const morning = Date.parse("2026-03-03T07:30:00Z");
const sunday = Date.parse("2026-03-08T07:30:00Z");
const history = makeHistory(400, usualEffects, randomFrom(2).unit);

let app: App;
let siteId: string;

beforeAll(async () => {
  app = await openTestApp();
  ({ siteId } = await createPublisher(app));
  await saveLearnt(app.db, siteId, learn(history));
});

const storyAt = (path: string, hasImage = true) => ({
  title: "Ferry is back on the river",
  url: `https://news.example${path}`,
  hasImage,
  topicIds: [],
});
/** Returns the reason of the history, and the score of a story. The story is held out only with `isHeldOut`. */
async function reasonOf(of: { story?: ReturnType<typeof storyAt>; now: number; ofSite?: string; isHeldOut?: true }) {
  const site = siteOf({ siteId: of.ofSite ?? siteId, reachable: 10_000 });
  const found = await expectClicks(app, site, of.story ?? storyAt("/sport/ferry"), of.now);
  const expected = found && { ...found, isHeldOut: of.isHeldOut ?? false };
  const { score, reasons } = checkStory({ ...factsOf("bare"), site, expected }, of.now);
  return { score, reason: reasons.find(({ code }) => code === "own_history") };
}

describe("where a site's history foresees clicks", () => {
  test("a story that many will click raises the score, and the reason says by what", async () => {
    const { reason, score } = await reasonOf({ now: evening });
    expect(reason).toMatchObject({ effect: "raises" });
    expect(reason!.message).toMatch(
      /^Like earlier notifications in the evening, with a picture: \d+\.\d% to \d+\.\d% click, about \d+ in 10,000 leave\. Usual here is \d\.\d%, by 400 notifications\.$/,
    );
    const without = await reasonOf({ now: evening, isHeldOut: true });
    expect(score).toBeCloseTo(without.score + 0.1);
    expect(without.reason).toEqual({ ...reason, effect: "informs" });
  });

  test("a story that few will click lowers it, and one that as many will as usual leaves it", async () => {
    const few = await reasonOf({ now: sunday, story: storyAt("/local/ferry", false) });
    expect(few.reason).toMatchObject({ effect: "lowers" });
    const usual = await reasonOf({ now: morning, story: storyAt("/local/ferry") });
    expect(usual.reason).toMatchObject({ effect: "informs" });
    expect(few.score).toBeCloseTo(usual.score - 0.1);
  });

  test("how many leave is said of 10,000 readers, however many of a site's were counted", async () => {
    const leftOf = async (counted: Partial<SiteFacts>) =>
      (await expectClicks(app, siteOf({ siteId, ...counted }), storyAt("/sport/ferry"), evening))!.left;
    const shares = history.map(({ left, accepted }) => left / accepted).toSorted((a, b) => a - b);
    const usual = 10_000 * shares[shares.length / 2]!;
    const left = await leftOf({ reachable: 500 });
    expect(Math.abs(left - usual)).toBeLessThan(2);
    expect(await leftOf({ reachable: 10_000, reachableExact: false })).toBe(left);
    expect(await leftOf({ reachable: 100_000 })).toBe(left);
  });

  test("one story in twenty is held out, the same ones each time", async () => {
    const heldOut = async () => {
      const found: boolean[] = [];
      for (let i = 0; i < 400; i++) {
        const expected = await expectClicks(app, siteOf({ siteId }), storyAt(`/sport/story-${i}`), evening);
        found.push(expected!.isHeldOut);
      }
      return found;
    };
    const [once, again] = [await heldOut(), await heldOut()];
    expect(once).toEqual(again);
    expect(once.filter(Boolean).length).toBeGreaterThan(8);
    expect(once.filter(Boolean).length).toBeLessThan(35);
  });
});

test("a site without a history, or whose history predicts nothing, is checked without it", async () => {
  const { siteId: other } = await createPublisher(app);
  expect(await reasonOf({ now: evening, ofSite: other })).toMatchObject({ reason: undefined });
  await saveLearnt(app.db, other, learn(history.slice(0, 40)));
  expect(await reasonOf({ now: evening, ofSite: other })).toMatchObject({ reason: undefined });
});
