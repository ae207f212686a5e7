import { beforeAll, expect, test } from "vitest";
import type { App } from "../../src/app.ts";
import { runMaintenance } from "../../src/maintenance.ts";
import { createReceiptBuffer } from "../../src/receipts/receipt-buffer.ts";
import { sweepRuns } from "../../src/runs/close-run.ts";
import { pruneBatches } from "../../src/runs/ledger/prune-batches.ts";
import { createMessageSigner } from "../../src/runs/message-token.ts";
import { openTestApp } from "../fixtures/app.ts";
import { createPublisher, createSubscriptions, type Publisher, subscribe } from "../fixtures/publisher.ts";
import { ago } from "../fixtures/rows/change.ts";
import { changeRuns, insertBatch } from "../fixtures/rows/runs.ts";
import { changeSubscribers } from "../fixtures/rows/subscribers.ts";
import { batchesOf, countOf, endTimeToLive, recipientsOf, startPlanned, view } from "./fixture.ts";

let app: App;
let publisher: Publisher;

beforeAll(async () => {
  app = await openTestApp();
  publisher = await createPublisher(app);
  await subscribe(app, publisher.siteId, createSubscriptions(3));
});

const task = pruneBatches(7);
const sweep = () => runMaintenance(app.db, [task]);
const endedFor = (runId: string, interval: string) => changeRuns(app, { id: runId }, { finishedAt: ago(interval) });

test("a run loses its batches and readers after seven days, and keeps its counts", async () => {
  const old = await startPlanned(app, publisher);
  const young = await startPlanned(app, publisher);
  const open = await startPlanned(app, publisher);
  for (const run of [old, young]) await endTimeToLive(app, run);
  await sweepRuns(app.db);
  const receipts = createReceiptBuffer(app);
  for (const { runId } of [old, young]) {
    receipts.record(createMessageSigner(app.secrets.tokenKey, runId, 1)(0).token, "clicked", { origin: undefined });
  }
  await receipts.write();
  await endedFor(old.runId, "7 days 1 minute");
  await endedFor(young.runId, "6 days 23 hours");

  await Promise.all([sweep(), sweep()]);
  expect([await batchesOf(app, old), await recipientsOf(app, old)]).toEqual([[], []]);
  for (const run of [young, open]) expect((await recipientsOf(app, run)).flat()).toHaveLength(3);
  expect(await countOf(app, "receipt_bits")).toBe(1);
  expect(await view(app, publisher, old)).toMatchObject({ audience: 3, expired: 3, clicked: 1 });

  // Later receipts are not counted, because nobody could tell whether they were counted before.
  receipts.record(createMessageSigner(app.secrets.tokenKey, old.runId, 1)(0).token, "clicked", { origin: undefined });
  receipts.record(createMessageSigner(app.secrets.tokenKey, old.runId, 1)(1).token, "clicked", { origin: undefined });
  await receipts.stop();
  expect(await view(app, publisher, old)).toMatchObject({ clicked: 1 });
});

test("more batches than go at a time go all the same, and the run is not looked at again", async () => {
  // All readers are made alike, so that there is one batch. The clickers of the first test would have a separate one.
  await changeSubscribers(app, {}, { seenDaysAgo: null });
  const run = await startPlanned(app, publisher);
  await endTimeToLive(app, run);
  await sweepRuns(app.db);
  for (let no = 1_001; no <= 1_400; no++) await insertBatch(app, run, no, { codes: [0x20] });
  await endedFor(run.runId, "8 days");
  expect(await sweep()).toEqual({ [task.name]: 401 });
  expect(await batchesOf(app, run)).toEqual([]);
  expect(await sweep()).toEqual({ [task.name]: 0 });
});
