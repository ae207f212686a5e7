import { beforeAll, expect, test } from "vitest";
import type { App } from "../../src/app.ts";
import { createReceiptBuffer } from "../../src/receipts/receipt-buffer.ts";
import { readTimeToScreen } from "../../src/runs/figures.ts";
import { finalCode } from "../../src/runs/ledger/codes.ts";
import { createMessageSigner, sharedBatch } from "../../src/runs/message-token.ts";
import type { RunRef } from "../../src/runs/queries.ts";
import { openTestApp } from "../fixtures/app.ts";
import { createPublisher, createSubscriptions, type Publisher, subscribe } from "../fixtures/publisher.ts";
import { siteOrigin } from "../fixtures/reader-client.ts";
import { ago, present } from "../fixtures/rows/change.ts";
import { changeRuns, passTime, writeCodes } from "../fixtures/rows/runs.ts";
import { startPlanned, view } from "../runs/fixture.ts";

const readers = 60;
let app: App;
let publisher: Publisher;

beforeAll(async () => {
  app = await openTestApp();
  publisher = await createPublisher(app);
  await subscribe(app, publisher.siteId, createSubscriptions(readers));
});

/**
 * Reports that the readers at these places have displayed the notification. The places are in the first batch, or the
 * report uses the shared token.
 */
async function display(run: RunRef, positions: number[], batch = 1): Promise<void> {
  const receipts = createReceiptBuffer(app);
  const tokenOf = createMessageSigner(app.secrets.tokenKey, run.runId, batch);
  for (const position of positions) receipts.record(tokenOf(position).token, "displayed", { origin: siteOrigin });
  await receipts.stop();
}

const places = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i);

test("a run tells how long its notifications took to the screen, each counted once", async () => {
  const run = await startPlanned(app, publisher);
  expect(await view(app, publisher, run)).toMatchObject({ timeToScreen: null });
  await changeRuns(app, { id: run.runId }, { createdAt: ago("65 seconds") });
  await display(run, places(0, 40));
  await changeRuns(app, { id: run.runId }, { createdAt: ago("2 hours") });
  await display(run, places(30, 50));
  const { timeToScreen, displayed } = await view(app, publisher, run);
  expect(timeToScreen).toMatchObject({ displayed, goalSeconds: 120 });
  expect(displayed).toBe(50);
  expect(timeToScreen!.p50Seconds).toBeGreaterThan(60);
  expect(timeToScreen!.p50Seconds).toBeLessThan(300);
  expect(timeToScreen!.p99Seconds).toBeGreaterThan(7_200);
});

test("the metrics have the sends of 24 hours of all sites", async () => {
  const run = await startPlanned(app, publisher);
  await display(run, places(0, 20));
  const day = { nowMs: Date.now(), days: 1 };
  expect((await readTimeToScreen(app.db, day))!.displayed).toBeGreaterThanOrEqual(20);
  expect(await readTimeToScreen(app.db, { nowMs: Date.now() + 25 * 3_600_000, days: 1 })).toBeNull();
  const { siteId } = await createPublisher(app);
  expect(await readTimeToScreen(app.db, { ...day, siteId })).toBeNull();
});

test("with local-time delivery the time begins when the readers' time has come", async () => {
  const soon = new Date(Date.now() + 10 * 60_000).toISOString();
  const localTime = { date: soon.slice(0, 10), time: soon.slice(11, 16) };
  const run = await startPlanned(app, publisher, { localTime });
  await changeRuns(app, { id: run.runId }, { createdAt: ago("3 hours") });
  await passTime(app, run.runId, 15);
  await display(run, places(0, 40));
  const { timeToScreen } = await view(app, publisher, run);
  expect(timeToScreen!.p99Seconds).toBeGreaterThan(60);
  expect(timeToScreen!.p99Seconds).toBeLessThanOrEqual(1_800);
});

test("a site that counts sums only has the same", async () => {
  const run = await startPlanned(app, publisher);
  await changeRuns(app, { id: run.runId }, { createdAt: present });
  await writeCodes(app, run.runId, Array(readers).fill(finalCode.accepted), 1);
  await display(run, Array(30).fill(0), sharedBatch);
  expect((await view(app, publisher, run)).timeToScreen).toMatchObject({ displayed: 30 });
});
