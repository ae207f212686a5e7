import { sql } from "kysely";
import { beforeAll, beforeEach, expect, test, vi } from "vitest";
import type { App } from "../../src/app.ts";
import { quarantineEverything } from "../../src/backup/quarantine.ts";
import { rows } from "../../src/db/pool.ts";
import { readDeliveryFigures } from "../../src/runs/figures.ts";
import { planNextPage } from "../../src/runs/plan/plan-run.ts";
import { openDueWaves } from "../../src/runs/waves/open-waves.ts";
import type { WaveView } from "../../src/runs/waves/waves.ts";
import { startDueSends } from "../../src/sends/scheduler.ts";
import { changeSite } from "../../src/tenants/sites/sites.ts";
import { serve } from "../fixtures/app.ts";
import { eventually } from "../fixtures/eventually.ts";
import { zoneFarFromMidnight } from "../fixtures/far-from-midnight.ts";
import { createPublisher } from "../fixtures/publisher.ts";
import type { PushService } from "../fixtures/push-service/push-service.ts";
import { changeRuns, expireDueWaves, passTime } from "../fixtures/rows/runs.ts";
import { changeSites } from "../fixtures/rows/sites.ts";
import { changeInTurn, changeSubscribers } from "../fixtures/rows/subscribers.ts";
import { addReaders as addReadersTo, type Delivery, openDelivery } from "./delivery-fixture.ts";
import { type CampaignFixture, campaignFixtureOf, makeDue } from "./fixture.ts";

vi.setConfig({ testTimeout: 180_000 });

/** Tests local-time delivery by a worker. */
let delivery: Delivery;
let app: App;
let pushService: PushService;
let fixture: CampaignFixture;

beforeAll(async () => {
  delivery = await openDelivery();
  ({ app, pushService } = delivery);
  await delivery.startWorker();
});

beforeEach(async () => {
  fixture = campaignFixtureOf(app, fixture?.api ?? (await serve(app)), await createPublisher(app));
});

/** Zones without summer time. The sign in these names is inverted: clocks in Etc/GMT-3 are 3 hours ahead of UTC. */
const aheadOfUtc = "Etc/GMT-3";
const behindUtc = "Etc/GMT+3";

type Reader = { endpoint: string; keys: { auth: string; p256dh: string } };

/** Adds readers whose browsers name this zone, or no zone for null. */
async function addReaders(count: number, zone: string | null): Promise<Reader[]> {
  const { siteId } = fixture.publisher;
  const readers = await addReadersTo(delivery, fixture.publisher, count);
  await changeSubscribers(app, { siteId, endpoint: readers.map(({ endpoint }) => endpoint) }, { timeZone: zone });
  return readers;
}

/** Minutes until the local time of the send comes in UTC. The present minute may be over before the run begins. */
const soonMinutes = 2;

/** Returns a local time that comes soon in UTC. */
function soonInUtc() {
  const iso = new Date(Date.now() + soonMinutes * 60_000).toISOString();
  return { date: iso.slice(0, 10), time: iso.slice(11, 16) };
}

const schedule = (campaignId: string) => fixture.post(campaignId, "schedule", { localTime: soonInUtc() });
const nudgesAt = (readers: Reader[]) => readers.map(({ endpoint }) => pushService.decrypt(endpoint).length);

/** Schedules a campaign for this local time. Returns its run once `accepted` readers have the notification. */
async function sendAtHour(accepted: number, fields: Record<string, unknown> = {}) {
  const campaignId = await fixture.draft(fields);
  const { body } = await schedule(campaignId);
  expect(body.status).toBe("scheduled");
  const runId = await eventually(async () => ((await fixture.read(campaignId)).runId as string | null) ?? undefined);
  await eventually(async () => (await wavesOf(runId)).length > 0);
  await passTime(app, runId, soonMinutes);
  await eventually(async () => (await fixture.run(runId)).accepted === accepted);
  return { campaignId, runId };
}

/**
 * Makes all waves due that are at most `hours` hours ahead. It adds seven minutes, so that no two waves are at one
 * moment.
 */
const passHours = (runId: string, hours: number) => passTime(app, runId, 60 * hours + 7);

/** Returns `clocks readers accepted state` of each wave, sorted. */
const wavesOf = async (runId: string): Promise<string[]> =>
  (await fixture.run(runId)).waves
    .map(({ utcOffset, readers, accepted, state }: WaveView) => `${utcOffset} ${readers} ${accepted} ${state}`)
    .toSorted();

test("each reader gets it once at their local time, or at once if past; a kill changes nothing", async () => {
  await changeSite(app, fixture.publisher.actor, { siteId: fixture.publisher.siteId, timeZone: "Etc/GMT+5" });
  const passed = await addReaders(2, aheadOfUtc);
  const now = await addReaders(3, "UTC");
  const later = await addReaders(40, behindUtc);
  const unknown = [...(await addReaders(2, null)), ...(await addReaders(2, "Mars/Olympus"))];
  const { campaignId, runId } = await sendAtHour(5);
  expect(await fixture.run(runId)).toMatchObject({
    status: "sending",
    audience: 49,
    pending: 44,
    localTime: { time: expect.any(String) },
  });
  expect(await wavesOf(runId)).toEqual([
    "+00:00 3 3 done",
    "-03:00 40 0 waiting",
    "-05:00 4 0 waiting",
    "null 2 2 done",
  ]);
  expect(await fixture.read(campaignId)).toMatchObject({
    status: "sending",
    localTime: (await fixture.run(runId)).localTime,
  });
  expect([nudgesAt([...passed, ...now]), nudgesAt([...later, ...unknown])]).toEqual([
    Array(5).fill(1),
    Array(44).fill(0),
  ]);

  await delivery.killWorker();
  await passHours(runId, 3);
  await delivery.startWorker();
  await eventually(async () => (await fixture.run(runId)).accepted === 45, 90_000);
  expect(await wavesOf(runId)).toEqual(["+00:00 3 3 done", "-03:00 40 40 done", "-05:00 4 0 waiting", "null 2 2 done"]);
  await passHours(runId, 2);
  expect(await fixture.whenOver(runId, 90_000)).toMatchObject({
    status: "completed",
    accepted: 49,
    repeated: 0,
    notSent: 0,
  });
  expect(nudgesAt([...passed, ...now, ...later, ...unknown])).toEqual(Array(49).fill(1));
  expect(await wavesOf(runId)).toContain("-05:00 4 4 done");
  expect(await fixture.read(campaignId)).toMatchObject({ status: "sent" });
});

test("a stop ends all waves, of which those that wait are not sent", async () => {
  const now = await addReaders(2, "UTC");
  const later = await addReaders(3, behindUtc);
  const { runId } = await sendAtHour(2);
  await fixture.stop(runId);
  expect(await fixture.whenOver(runId, 90_000)).toMatchObject({ status: "stopped", accepted: 2, notSent: 3 });
  expect(await wavesOf(runId)).toEqual(["+00:00 2 2 done", "-03:00 3 0 stopped"]);
  await passHours(runId, 3);
  expect(await openDueWaves(app.db)).toEqual({ hasMore: false, errors: [] });
  expect(nudgesAt([...now, ...later])).toEqual([1, 1, 0, 0, 0]);
});

test("a wave that a stop cuts off while it is sent has not gone out", async () => {
  await addReaders(2, "UTC");
  await addReaders(3, aheadOfUtc);
  await delivery.killWorker();
  const campaignId = await fixture.draft();
  await schedule(campaignId);
  await startDueSends(app);
  const { runId } = await fixture.read(campaignId);
  while (await planNextPage(app.db));
  await openDueWaves(app.db);
  expect((await fixture.run(runId)).waves.map(({ state }: WaveView) => state)).toEqual(["sending", "waiting"]);
  await fixture.stop(runId);
  await delivery.startWorker();
  expect(await fixture.whenOver(runId, 90_000)).toMatchObject({ status: "stopped", accepted: 0, notSent: 5 });
  expect((await fixture.run(runId)).waves.map(({ state }: WaveView) => state)).toEqual(["stopped", "stopped"]);
});

test("a wave held beyond its time to live is missed, and later waves go out", async () => {
  await addReaders(1, "UTC");
  const missed = await addReaders(2, behindUtc);
  const later = await addReaders(2, "Etc/GMT+5");
  const { runId } = await sendAtHour(1, { ttlSeconds: 3_600 });
  const { siteId } = fixture.publisher;
  await changeSites(app, { id: siteId }, { isPaused: true });
  await passHours(runId, 3);
  expect(await openDueWaves(app.db)).toEqual({ hasMore: false, errors: [] });
  expect(nudgesAt(missed)).toEqual([0, 0]);
  await expireDueWaves(app, runId);
  await eventually(async () => (await wavesOf(runId))[1] === "-03:00 2 0 missed");
  await changeSites(app, { id: siteId }, { isPaused: false });
  await passHours(runId, 2);
  expect(await fixture.whenOver(runId, 90_000)).toMatchObject({ status: "completed", accepted: 3, expired: 2 });
  expect([nudgesAt(missed), nudgesAt(later)]).toEqual([
    [0, 0],
    [1, 1],
  ]);
});

test("readers whose time passed too long ago in a pause miss it, whenever the pause began", async () => {
  const { siteId } = fixture.publisher;
  await changeSite(app, fixture.publisher.actor, { siteId, timeZone: "Etc/GMT+5", paused: true });
  const missed = await addReaders(1, aheadOfUtc);
  const late = await addReaders(1, "Etc/GMT-1");
  const onTime = await addReaders(1, "UTC");
  const campaignId = await fixture.draft({ ttlSeconds: 7_200 });
  await schedule(campaignId);
  await makeDue(app, campaignId, 10 * 3_600);
  await changeSite(app, fixture.publisher.actor, { siteId, paused: false });
  const runId = await eventually(async () => ((await fixture.read(campaignId)).runId as string | null) ?? undefined);
  await eventually(async () => (await fixture.run(runId)).accepted === 1);
  await passTime(app, runId, soonMinutes);
  expect(await fixture.whenOver(runId, 90_000)).toMatchObject({ status: "completed", accepted: 2, expired: 1 });
  expect([nudgesAt(missed), nudgesAt(late), nudgesAt(onTime)]).toEqual([[0], [1], [1]]);
  expect(await wavesOf(runId)).toEqual(["+00:00 1 1 done", "+01:00 1 1 done", "+03:00 1 0 missed"]);
});

test("what readers ask for is checked at their hour, not when the run began", async () => {
  await addReaders(1, "UTC");
  const [eager, full] = (await addReaders(2, behindUtc)) as [Reader, Reader];
  const { runId } = await sendAtHour(1);
  const { siteId } = fixture.publisher;
  const auth = { endpoint: full.endpoint, auth: full.keys.auth };
  const preferences = { maxADay: 1, quietHours: null, digestAt: null, timeZone: zoneFarFromMidnight().timeZone };
  const headers = { origin: "https://news.example" };
  const asked = await fixture.api.call("POST", `/sdk/sites/${siteId}/preferences`, {
    body: { ...auth, preferences },
    headers,
  });
  expect(asked.status).toBe(200);
  // The wave of this reader is not due, so they may not see the headline yet.
  expect(asked.body.recent.map((nudge: { runId: string }) => nudge.runId)).toEqual([]);
  const other = (await fixture.post(await fixture.draft({ title: "Before it" }), "send")).body;
  await fixture.whenOver(other.runId, 90_000);
  await passHours(runId, 3);
  const run = await fixture.whenOver(runId, 90_000);
  expect(run).toMatchObject({ accepted: 2, notSent: 1, reasons: [{ reason: "frequency_cap", count: 1 }] });
  expect(nudgesAt([eager, full])).toEqual([2, 1]);
});

test("nobody can update it while readers wait for their time, and a correction stops it", async () => {
  await addReaders(1, "UTC");
  await addReaders(1, behindUtc);
  const { campaignId, runId } = await sendAtHour(1);
  expect(await fixture.post(campaignId, "updates", { title: "Another" })).toMatchObject({ status: 409 });
  const correction = (await fixture.create({ corrects: campaignId })).body.campaignId;
  const sent = (await fixture.post(correction, "send")).body;
  expect(await fixture.whenOver(runId, 90_000)).toMatchObject({ status: "stopped", accepted: 1, notSent: 1 });
  expect(await fixture.whenOver(sent.runId, 90_000)).toMatchObject({ audience: 2, accepted: 2 });
});

test("several processes that look at once release a wave once", async () => {
  await addReaders(1, "UTC");
  const later = await addReaders(60, behindUtc);
  const { runId } = await sendAtHour(1);
  await delivery.killWorker();
  await passHours(runId, 3);
  await Promise.all(Array.from({ length: 5 }, () => openDueWaves(app.db)));
  const open = sql<{ state: string }>`select state from run_batches where run_id = ${runId} and state <> 'done'`;
  expect(await rows(open, app.db)).toEqual([{ state: "ready" }]);
  await delivery.startWorker();
  expect(await fixture.whenOver(runId, 90_000)).toMatchObject({ accepted: 61, repeated: 0 });
  expect(nudgesAt(later)).toEqual(Array(60).fill(1));
});

test("what waits for its hour is not reported as work that is late", async () => {
  await addReaders(1, "UTC");
  await addReaders(5, behindUtc);
  const { runId } = await sendAtHour(1);
  await eventually(async () => (await readDeliveryFigures(app.db)).oldestRunSeconds === 0);
  expect(await readDeliveryFigures(app.db)).toMatchObject({ pending: 0, batches: { delayed: 0, ready: 0 } });
  await delivery.killWorker();
  await passHours(runId, 3);
  await openDueWaves(app.db);
  expect(await readDeliveryFigures(app.db)).toMatchObject({ pending: 5, batches: { ready: 1 } });
  expect((await readDeliveryFigures(app.db)).oldestRunSeconds).toBeGreaterThan(0);
  await delivery.startWorker();
  await fixture.whenOver(runId, 90_000);
});

test("after a restore, readers whose time has passed get no second notification", async () => {
  await addReaders(1, "UTC");
  const passed = await addReaders(2, behindUtc);
  const later = await addReaders(2, "Etc/GMT+5");
  const { runId } = await sendAtHour(1);
  await delivery.killWorker();
  await passHours(runId, 3);
  await app.db.transaction().execute(quarantineEverything);
  expect(await fixture.run(runId)).toMatchObject({ unknown: 2, pending: 2 });
  expect(await wavesOf(runId)).toEqual(["+00:00 1 1 done", "-03:00 2 0 missed", "-05:00 2 0 waiting"]);
  await changeSites(app, {}, { isPaused: false });
  await delivery.startWorker();
  await passHours(runId, 2);
  expect(await fixture.whenOver(runId, 90_000)).toMatchObject({ accepted: 3, unknown: 2 });
  expect([nudgesAt(passed), nudgesAt(later)]).toEqual([
    [0, 0],
    [1, 1],
  ]);
});

/** Starts a local-time run in this process instead of in the worker, which was killed. Returns its id. */
async function startAtHour(): Promise<string> {
  const campaignId = await fixture.draft();
  await schedule(campaignId);
  await startDueSends(app);
  return (await fixture.read(campaignId)).runId;
}

/** Returns how many batches of a run wait for their moment, and how many are ready. */
async function batchesOf(runId: string) {
  const states = await rows(sql<{ state: string }>`select state from run_batches where run_id = ${runId}`, app.db);
  const count = (of: string) => states.filter(({ state }) => state === of).length;
  return { waiting: count("waiting"), ready: count("ready") };
}

test("a large wave is released in parts, to its last batch, with other work between", async () => {
  await delivery.killWorker();
  const readers = await addReaders(5, aheadOfUtc);
  // Readers who were last seen on different days are in different batches.
  await changeInTurn(
    app,
    fixture.publisher.siteId,
    [0, 10, 20, 30, 40].map((seenDaysAgo) => ({ seenDaysAgo })),
  );
  const runId = await startAtHour();
  while (await planNextPage(app.db));
  const { waiting } = await batchesOf(runId);
  expect(waiting).toBeGreaterThan(1);
  for (let released = 1; released <= waiting; released++) {
    expect(await openDueWaves(app.db, 1)).toEqual({ hasMore: true, errors: [] });
    expect(await batchesOf(runId)).toEqual({ waiting: waiting - released, ready: released });
  }
  expect(await openDueWaves(app.db, 1)).toEqual({ hasMore: false, errors: [] });
  await delivery.startWorker();
  expect(await fixture.whenOver(runId, 90_000)).toMatchObject({ accepted: 5, repeated: 0 });
  expect(nudgesAt(readers)).toEqual(Array(5).fill(1));
});

test("a wave that was released gets the readers of a later page, too", async () => {
  await delivery.killWorker();
  const readers = await addReaders(10, aheadOfUtc);
  const runId = await startAtHour();
  // The page size is halved after each failure. After these failures, a page has two readers.
  await changeRuns(app, { id: runId }, { planFailures: 15 });
  await planNextPage(app.db);
  await openDueWaves(app.db);
  expect(await wavesOf(runId)).toEqual(["null 2 0 sending"]);
  await planNextPage(app.db);
  expect((await batchesOf(runId)).waiting).toBe(1);
  await delivery.startWorker();
  expect(await fixture.whenOver(runId, 90_000)).toMatchObject({ accepted: 10, repeated: 0 });
  expect(nudgesAt(readers)).toEqual(Array(10).fill(1));
  expect(await wavesOf(runId)).toEqual(["null 10 10 done"]);
});
