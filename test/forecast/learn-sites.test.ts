import { sql } from "kysely";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { makeHistory, usualEffects } from "../../bench/forecast-history.ts";
import type { App } from "../../src/app.ts";
import { row } from "../../src/db/pool.ts";
import { type Learnt, learn } from "../../src/forecast/forecast.ts";
import { learnSites } from "../../src/forecast/learn-sites.ts";
import { learntOfSite, saveLearnt } from "../../src/forecast/queries.ts";
import { runMaintenance } from "../../src/maintenance.ts";
import { runHere } from "../cli/run-here.ts";
import { randomFrom } from "../faults/random.ts";
import { openTestApp, settingsOf } from "../fixtures/app.ts";
import { createPublisher, type Publisher } from "../fixtures/publisher.ts";
import { ago } from "../fixtures/rows/change.ts";
import { addReceipts, changeReceipts } from "../fixtures/rows/receipts.ts";
import { changeMessage, changeRuns, insertTotals } from "../fixtures/rows/runs.ts";
import { changeForecasts, changeSites } from "../fixtures/rows/sites.ts";
import { start } from "../runs/fixture.ts";

// The test learns five histories, and runs commands in processes of their own.
vi.setConfig({ testTimeout: 180_000 });

let app: App;
let publisher: Publisher;

beforeEach(async () => {
  app = await openTestApp();
  publisher = await createPublisher(app);
});
afterEach(() => sql`delete from site_forecasts`.execute(app.db));

/** Adds sends of the last days. Each reached 500 readers, and one in ten of them clicked. */
async function addNudges(of: Publisher, nudges: number): Promise<{ runId: string; createdAt: Date }[]> {
  const added = [];
  for (let n = 0; n < nudges; n++) {
    const { runId } = await start(app, of);
    const createdAt = new Date(Date.now() - (48 + n) * 3_600_000);
    await changeRuns(app, { id: runId }, { status: "completed", expectedAudience: 500, createdAt });
    await insertTotals(app, runId, { fcm: { accepted: 500 } });
    await addReceipts(app, runId, { displayed: 250, clicked: 50, unsubscribed: 1 }, createdAt);
    added.push({ runId, createdAt });
  }
  return added;
}

/** Adds five other tenants whose sites have learnt. */
async function addOtherTenants(): Promise<void> {
  for (let seed = 1; seed <= 5; seed++) {
    const { siteId } = await createPublisher(app);
    await saveLearnt(app.db, siteId, learn(makeHistory(100, usualEffects, randomFrom(seed).unit)));
  }
}

const learnAll = () => runMaintenance(app.db, [learnSites]);
const learntAt = (siteId: string) =>
  row(
    sql<{ learnt: Learnt | null; at: Date }>`select learnt, learnt_at as at from site_forecasts
    where site_id = ${siteId}`,
    app.db,
  );

test("each site that sends is learnt from once a day", async () => {
  const silent = await createPublisher(app);
  await addNudges(publisher, 25);
  await learnAll();
  const first = await learntAt(publisher.siteId);
  expect(first!.learnt).toMatchObject({ tenants: 0, evaluation: { nudges: 25, isUsed: false } });
  expect(Math.exp(first!.learnt!.meanClicks.fit.effects[0]!)).toBeCloseTo(0.1, 2);
  expect(await learntAt(silent.siteId)).toBeUndefined();
  await learnAll();
  expect(await learntAt(publisher.siteId)).toEqual(first);
  await changeForecasts(app, {}, { learntAt: ago("25 hours") });
  await learnAll();
  expect((await learntAt(publisher.siteId))!.at.getTime()).toBeGreaterThan(first!.at.getTime());
});

test("a site that cannot be learnt from keeps no other back, and is tried in the next round", async () => {
  const { siteId } = publisher;
  const later = await createPublisher(app);
  await addNudges(publisher, 1);
  await addNudges(later, 25);
  await changeSites(app, { id: siteId }, { timeZone: "Nowhere/Never" });
  const faults: Error[] = [];
  const learnOthers = () =>
    runMaintenance(
      app.db,
      [learnSites],
      () => false,
      (fault) => faults.push(fault),
    );
  await learnOthers();
  const [fault] = faults;
  expect(faults).toHaveLength(1);
  expect(fault!.message).toBe(`cannot learn from the notifications of site ${siteId}`);
  expect(String(fault!.cause)).toContain("Nowhere/Never");
  expect((await learntAt(later.siteId))!.learnt).toMatchObject({ evaluation: { nudges: 25 } });
  expect(await learntAt(siteId)).toBeUndefined();
  await changeSites(app, { id: siteId }, { timeZone: "Europe/Vienna" });
  await learnOthers();
  expect(faults).toHaveLength(1);
  expect(await learntAt(siteId)).toMatchObject({ learnt: null });
});

test("a site with few notifications learns what five other tenants have in common", async () => {
  await addNudges(publisher, 4);
  await learnAll();
  expect(await learntAt(publisher.siteId)).toMatchObject({ learnt: null });
  expect(await learntOfSite(app.db, publisher.siteId)).toBeUndefined();
  await addOtherTenants();
  await changeForecasts(app, { isLearnt: false }, { learntAt: ago("2 days") });
  await learnAll();
  expect(await learntOfSite(app.db, publisher.siteId)).toMatchObject({
    learnt: { tenants: 5, evaluation: { nudges: 4 } },
  });
});

test("what was learnt more than eight days ago is not used", async () => {
  await saveLearnt(app.db, publisher.siteId, learn(makeHistory(100, usualEffects, randomFrom(1).unit)));
  expect(await learntOfSite(app.db, publisher.siteId)).toBeDefined();
  await changeForecasts(app, {}, { learntAt: ago("9 days") });
  expect(await learntOfSite(app.db, publisher.siteId)).toBeUndefined();
});

test("what was learnt can be exported", async () => {
  const { siteId } = publisher;
  const exported = () => runHere(["forecast", "export", "--site", siteId], settingsOf(app));
  expect(JSON.parse((await exported()).out)).toBeNull();
  const learnt = learn(makeHistory(400, usualEffects, randomFrom(1).unit))!;
  await saveLearnt(app.db, siteId, learnt);
  expect(JSON.parse((await exported()).out)).toEqual({ learnt, learntAt: expect.any(String) });
});

test("the command evaluates a site as the daily learning does, with the other tenants", async () => {
  const { siteId } = publisher;
  const evaluated = async () => {
    const { out } = await runHere(["forecast", "evaluate", "--site", siteId, "--json"], settingsOf(app));
    return JSON.parse(out);
  };
  for (const { runId, createdAt } of await addNudges(publisher, 25)) {
    if (createdAt.getUTCHours() % 2 !== 0) continue;
    await changeMessage(app, runId, { imageUrl: "https://news.example/bridge.jpg" });
    await changeReceipts(app, { runId }, { clicked: 100 });
  }
  const alone = await evaluated();
  await addOtherTenants();
  await learnAll();
  const { learnt } = (await learntOfSite(app.db, siteId))!;
  expect(learnt).toMatchObject({ tenants: 5, evaluation: { nudges: 25, checked: 5 } });
  expect(learnt.evaluation).not.toEqual(alone);
  expect(await evaluated()).toEqual(learnt.evaluation);
});
