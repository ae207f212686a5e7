import { sql } from "kysely";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { App } from "../../src/app.ts";
import { changeWinBack, readWinBackFigures } from "../../src/automations/win-back/change-win-back.ts";
import { readEndedRuns, removeLost } from "../../src/automations/win-back/remove-lost.ts";
import { quarantineEverything } from "../../src/backup/quarantine.ts";
import { row, rows } from "../../src/db/pool.ts";
import { runMaintenance } from "../../src/maintenance.ts";
import { finalCode } from "../../src/runs/ledger/codes.ts";
import { pruneBatches } from "../../src/runs/ledger/prune-batches.ts";
import { expireDormant } from "../../src/subscribers/expire-dormant.ts";
import { changeSite } from "../../src/tenants/sites/sites.ts";
import { type Api, openTestApp, serve } from "../fixtures/app.ts";
import { eventually } from "../fixtures/eventually.ts";
import { holdOpen } from "../fixtures/hold-open.ts";
import { countLockWaits } from "../fixtures/lock-waits.ts";
import {
  type BrowserSubscription,
  createPublisher,
  createSubscriptions,
  type Publisher,
  subscribe,
} from "../fixtures/publisher.ts";
import { createReaderClient, type ReaderClient } from "../fixtures/reader-client.ts";
import { ago, present } from "../fixtures/rows/change.ts";
import { changeRuns } from "../fixtures/rows/runs.ts";
import { changeSites } from "../fixtures/rows/sites.ts";
import { changeSubscribers, passDays } from "../fixtures/rows/subscribers.ts";
import { subscriberIds } from "../runs/fixture.ts";
import { step, underWay, welcomeWith } from "./welcome-fixture.ts";
import { endLastRun, look, winBackRuns, winBackWith } from "./win-back-fixture.ts";

let app: App;
let api: Api;
let publisher: Publisher;
let siteId: string;
let reader: ReaderClient;

beforeAll(async () => {
  app = await openTestApp();
  api = await serve(app);
});

beforeEach(async () => {
  await changeRuns(app, { status: ["queued", "sending"] }, { completedAt: present });
  await sql`delete from win_backs`.execute(app.db);
  publisher = await createPublisher(app);
  siteId = publisher.siteId;
  reader = createReaderClient(api, siteId);
});

/**
 * Creates readers who stay away from a site that removes such readers, and sends them the win-back. By default all
 * messages are accepted.
 */
async function winBack(count: number, outcomes: number[] = []): Promise<BrowserSubscription[]> {
  const made = createSubscriptions(count);
  await subscribe(app, siteId, made);
  await changeSubscribers(app, { siteId }, { createdAt: ago("300 days"), seenDaysAgo: 60 });
  await winBackWith(app, publisher, { afterwards: "remove" });
  await look(app);
  await endLastRun(app, siteId, outcomes);
  await look(app);
  return made;
}

const readers = async () => (await subscriberIds(app, siteId)).length;
const waiting = async () => (await rows(sql`select from lost_subscribers where site_id = ${siteId}`, app.db)).length;
const left = () =>
  rows(sql`select reason, sum(n)::int as n from subscribers_left where site_id = ${siteId} group by reason`, app.db);

describe("a reader is removed", () => {
  test("14 days after the win-back was accepted, and counts as one who was not seen", async () => {
    await winBack(3);
    await passDays(app, siteId, 14);
    await look(app);
    expect(await readers()).toBe(3);
    await passDays(app, siteId, 1);
    await look(app);
    expect(await readers()).toBe(0);
    expect(await left()).toEqual([{ reason: "not_seen", n: 3 }]);
    expect(await readWinBackFigures(app, publisher.actor, { siteId })).toMatchObject({ accepted: 3, removed: 3 });
    const shown = sql`select n::int, expired::int from readers_left where site_id = ${siteId}`;
    expect(await row(shown, app.db)).toEqual({ n: 3, expired: 3 });
  });

  test("and is a new reader when they come again, whom the welcome greets", async () => {
    const [one] = await winBack(1);
    await passDays(app, siteId, 15);
    await look(app);
    await welcomeWith(app, publisher, step(0));
    expect((await reader.subscribe(one!)).status).toBe(201);
    expect(await underWay(app, siteId)).toHaveLength(1);
  });

  test("once, when several processes look at the same time", async () => {
    await winBack(30);
    await passDays(app, siteId, 15);
    const removed = await Promise.all(Array.from({ length: 5 }, () => removeLost(app)));
    expect(removed.reduce((sum, n) => sum + n, 0)).toBe(30);
    expect(await left()).toEqual([{ reason: "not_seen", n: 30 }]);
  });
});

describe("a reader stays", () => {
  test("who was seen since: on a visit, or by a click", async () => {
    const [visitor, clicker] = await winBack(3);
    await reader.subscribe(visitor!);
    await changeSubscribers(app, { endpoint: clicker!.endpoint }, { clickedDaysAgo: 0, seenDaysAgo: 0 });
    await passDays(app, siteId, 15);
    await look(app);
    expect(await readers()).toBe(2);
    expect(await waiting()).toBe(0);
  });

  test("who was seen while the run was on its way", async () => {
    const made = createSubscriptions(2);
    await subscribe(app, siteId, made);
    await changeSubscribers(app, { siteId }, { createdAt: ago("300 days"), seenDaysAgo: 60 });
    await winBackWith(app, publisher, { afterwards: "remove" });
    await look(app);
    await changeRuns(app, { siteId }, { beganEarlier: "1 day" });
    await changeSubscribers(app, { endpoint: made[0]!.endpoint }, { seenDaysAgo: 1 });
    await endLastRun(app, siteId);
    await look(app);
    expect(await waiting()).toBe(1);
  });

  test("whose push service did not accept it", async () => {
    await winBack(5, [finalCode.refused, finalCode.expired, finalCode.frequencyCap, finalCode.uncertain]);
    await passDays(app, siteId, 15);
    await look(app);
    expect(await readers()).toBe(4);
  });

  test("who comes back at the moment of the removal", async () => {
    const [one] = await winBack(2);
    await passDays(app, siteId, 15);
    const removal = await holdOpen(app, async (tx) => {
      await changeSubscribers({ db: tx }, { endpoint: one!.endpoint }, { seenDaysAgo: 0 });
      const removing = removeLost(app);
      await eventually(async () => (await countLockWaits(app.db)) === 1);
      return [removing];
    });
    await Promise.all(removal);
    expect(await readers()).toBe(1);
    expect(await waiting()).toBe(0);
  });
});

describe("all readers stay", () => {
  test("at a site that keeps its readers", async () => {
    await winBack(2);
    await changeWinBack(app, publisher.actor, { siteId, body: { afterwards: "keep" } });
    expect(await waiting()).toBe(0);
    await changeWinBack(app, publisher.actor, { siteId, body: { afterwards: "remove" } });
    await passDays(app, siteId, 15);
    await look(app);
    expect(await readers()).toBe(2);
  });

  test("where the win-back was switched off before its outcomes were read", async () => {
    await subscribe(app, siteId, createSubscriptions(2));
    await changeSubscribers(app, { siteId }, { createdAt: ago("300 days") });
    await winBackWith(app, publisher, { afterwards: "remove" });
    await look(app);
    await endLastRun(app, siteId);
    await changeWinBack(app, publisher.actor, { siteId, body: { enabled: false } });
    await readEndedRuns(app);
    expect(await waiting()).toBe(0);
    await changeWinBack(app, publisher.actor, { siteId, body: { enabled: true } });
    await readEndedRuns(app);
    expect(await waiting()).toBe(0);
  });

  test("while the site is paused, or has seen nobody for a week", async () => {
    await winBack(2);
    await passDays(app, siteId, 15);
    await changeSites(app, { id: siteId }, { readersSeenDaysAgo: 8 });
    await look(app);
    await changeSites(app, { id: siteId }, { readersSeenDaysAgo: 0, isPaused: true });
    await look(app);
    expect(await readers()).toBe(2);
    await changeSites(app, { id: siteId }, { isPaused: false });
    await look(app);
    expect(await readers()).toBe(0);
  });

  test("after a restore: visits since the backup are not known", async () => {
    await winBack(2);
    await app.db.transaction().execute(quarantineEverything);
    await changeSite(app, publisher.actor, { siteId, paused: false });
    await passDays(app, siteId, 15);
    await look(app);
    expect(await readers()).toBe(2);
  });
});

test("a reader who came back and stays away again waits anew for the removal", async () => {
  const [one] = await winBack(1);
  await winBackWith(app, publisher, { afterDays: 7, afterwards: "remove" });
  await reader.subscribe(one!);
  await passDays(app, siteId, 8);
  await look(app);
  await endLastRun(app, siteId);
  await look(app);
  expect(await winBackRuns(app, siteId)).toHaveLength(2);
  await passDays(app, siteId, 8);
  await look(app);
  expect(await readers()).toBe(1);
  await passDays(app, siteId, 7);
  await look(app);
  expect(await readers()).toBe(0);
});

test("a subscription that expires while it waits for the removal counts once, as expired", async () => {
  await changeSite(app, publisher.actor, { siteId, dormantMonths: 12 });
  const [one] = await winBack(2);
  await changeSubscribers(app, { endpoint: one!.endpoint }, { confirmedAt: ago("13 months") });
  await runMaintenance(app.db, [expireDormant]);
  expect(await waiting()).toBe(1);
  await passDays(app, siteId, 15);
  await look(app);
  expect(await readers()).toBe(0);
  expect((await left()).toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))).toEqual([
    { reason: "expired", n: 1 },
    { reason: "not_seen", n: 1 },
  ]);
});

test("outcomes may be read twice, and are known after the lists of recipients expire", async () => {
  await subscribe(app, siteId, createSubscriptions(120));
  await changeSubscribers(app, { siteId }, { createdAt: ago("300 days") });
  await winBackWith(app, publisher, { afterwards: "remove" });
  await look(app);
  const runId = await endLastRun(app, siteId);
  await readEndedRuns(app);
  await sql`update win_backs set run_id = ${runId} where site_id = ${siteId}`.execute(app.db);
  await readEndedRuns(app);
  expect(await waiting()).toBe(120);
  await changeRuns(app, { siteId }, { finishedAt: ago("8 days") });
  await runMaintenance(app.db, [pruneBatches(7)]);
  await passDays(app, siteId, 15);
  await look(app);
  expect(await readers()).toBe(0);
});
