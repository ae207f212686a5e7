import { beforeAll, expect, test } from "vitest";
import type { App } from "../../src/app.ts";
import { checkStory } from "../../src/decision/check-story.ts";
import { readVisitsWon } from "../../src/decision/visits-won.ts";
import type { Range } from "../../src/holdouts/effect.ts";
import { openTestApp } from "../fixtures/app.ts";
import { setClassRule } from "../fixtures/class-rules.ts";
import { createPublisher } from "../fixtures/publisher.ts";
import { insertHoldoutDay } from "../fixtures/rows/receipts.ts";
import { factsOf } from "./story-facts.ts";

let app: App;

beforeAll(async () => {
  app = await openTestApp();
});

/** Counts `days` days of a new site that leaves readers out. Of 1,000 held-out readers `heldOut` come, and of 1,000 other readers `others`. */
async function countedSite(days: number, readers: number, came: { heldOut: number; others: number }) {
  const publisher = await createPublisher(app);
  const { siteId } = publisher;
  await setClassRule(app, publisher, { holdoutPercent: 1 });
  for (let age = 0; age < days; age++) {
    await insertHoldoutDay(app, siteId, {
      age,
      heldOut: { readers, came: (readers * came.heldOut) / 1_000 },
      others: { readers: 100 * readers, came: (100 * readers * came.others) / 1_000 },
    });
  }
  return publisher;
}

const reasonOf = (visitsWon: Range | null) => {
  const { score, reasons } = checkStory({ ...factsOf("bare"), visitsWon }, Date.now());
  return { score, reason: reasons.find(({ code }) => code === "own_holdout") };
};

test("a class that wins visits says so, and one that may win none says nothing", async () => {
  const { siteId } = await countedSite(28, 10_000, { heldOut: 100, others: 150 });
  const { reason } = reasonOf(await readVisitsWon(app, { siteId }));
  expect(reason).toEqual({
    code: "own_holdout",
    effect: "informs",
    message: "Measured with readers left out: such notifications win 44.1 to 55.9 visits a day of 1,000 readers.",
    messageCode: "visits_won",
    params: { low: "44.1", high: "55.9" },
  });
  expect(reasonOf({ low: -3, middle: 8, high: 19 }).reason).toBeUndefined();
  expect(reasonOf(null).reason).toBeUndefined();
});

test("a class that wins no visits lowers the score", async () => {
  const { siteId } = await countedSite(28, 10_000, { heldOut: 120, others: 100 });
  const { score, reason } = reasonOf(await readVisitsWon(app, { siteId }));
  expect(reason).toMatchObject({ effect: "lowers" });
  expect(reason!.message).toMatch(
    /^Measured with readers left out: such notifications win no visits \(-2\d\.\d to -1\d\.\d a/,
  );
  expect(score).toBeCloseTo(reasonOf(null).score - 0.1);
});

test("nothing follows from fewer than 28 days, fewer than 100 readers, or another class", async () => {
  const { siteId: short } = await countedSite(27, 10_000, { heldOut: 100, others: 150 });
  expect(await readVisitsWon(app, { siteId: short })).toBeNull();
  const { siteId: small } = await countedSite(28, 80, { heldOut: 100, others: 500 });
  expect(await readVisitsWon(app, { siteId: small })).toBeNull();
  const { siteId: whole } = await countedSite(28, 10_000, { heldOut: 100, others: 150 });
  expect(await readVisitsWon(app, { siteId: whole, class: "breaking" })).toBeNull();
  expect(await readVisitsWon(app, { siteId: whole, class: "normal" })).not.toBeNull();
});

test("nothing follows once the class leaves nobody out any more", async () => {
  const publisher = await countedSite(28, 10_000, { heldOut: 120, others: 100 });
  await setClassRule(app, publisher, { holdoutPercent: 0 });
  expect(await readVisitsWon(app, publisher)).toBeNull();
});

test("nothing follows from days on which there were no readers to leave out", async () => {
  const publisher = await countedSite(28, 0, { heldOut: 0, others: 0 });
  const { siteId } = publisher;
  const readers = 10_000;
  const startsOn = new Date().toISOString().slice(0, 10);
  await insertHoldoutDay(app, siteId, {
    startsOn,
    age: 0,
    heldOut: { readers, came: null },
    others: { readers, came: null },
  });
  expect(await readVisitsWon(app, publisher)).toBeNull();
});
