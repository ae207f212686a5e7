import { sql } from "kysely";
import { beforeAll, beforeEach, expect, test } from "vitest";
import type { App } from "../../src/app.ts";
import { finalCode } from "../../src/runs/ledger/codes.ts";
import { planNextPageIn } from "../../src/runs/plan/plan-run.ts";
import type { RunRef } from "../../src/runs/queries.ts";
import { openTestApp } from "../fixtures/app.ts";
import { countRowsRead } from "../fixtures/count-rows-read.ts";
import { createPublisher, createSubscriptions, type Publisher, subscribe } from "../fixtures/publisher.ts";
import { addBatches, changeRuns, endBatches, splitBatches, writeCodes } from "../fixtures/rows/runs.ts";
import { deleteSubscribers } from "../fixtures/rows/subscribers.ts";
import { batchesOf, recipientsOf, start, startPlanned, subscriberIds } from "./fixture.ts";

/** Tests runs to the readers of an earlier run: corrections and updates of a notification to a segment. */
const readers = 60;

let app: App;
let publisher: Publisher;
let first: RunRef;

beforeAll(async () => {
  app = await openTestApp();
  const other = await createPublisher(app);
  await addBatches(app, await start(app, other), 1_000_000);
  await changeRuns(app, {}, { status: "completed" });
});

/** Creates a run with one recipient in each list, and 20 readers who came later. */
beforeEach(async () => {
  publisher = await createPublisher(app);
  await subscribe(app, publisher.siteId, createSubscriptions(readers));
  first = await startPlanned(app, publisher);
  await splitBatches(app, first);
  await endBatches(app, { run: first.runId });
  await sql`analyze run_recipients, run_batches`.execute(app.db);
  await changeRuns(app, { id: first.runId }, { status: "completed" });
  await subscribe(app, publisher.siteId, createSubscriptions(20));
});

const startCorrection = () =>
  start(app, publisher, { corrects: { runId: first.runId, sequence: 1, outcomes: [finalCode.accepted] } });

/** Plans the run in the smallest pages. Returns how many of all stored lists each page has read. */
async function planInSmallPages({ runId }: RunRef): Promise<number[]> {
  const read: number[] = [];
  for (let hasMore = true; hasMore; ) {
    await changeRuns(app, { id: runId, isPlanned: false }, { planFailures: 10 });
    const lists = await countRowsRead(app, "run_recipients", async (tx) => {
      hasMore = await planNextPageIn(tx);
    });
    if (hasMore) read.push(lists);
  }
  return read;
}

test("the plan of a correction reads each list of its readers once, however many pages it has", async () => {
  const read = await planInSmallPages(await startCorrection());
  expect(read).toEqual([1, 20, 20, 19]);
});

test("a correction goes once to each reader of the earlier run who is still there", async () => {
  const ids = await subscriberIds(app, publisher.siteId);
  const left = [ids[0]!, ids[30]!, ids[59]!];
  await deleteSubscribers(app, { id: left });
  const correction = await startCorrection();
  await planInSmallPages(correction);
  const planned = (await recipientsOf(app, correction)).flat();
  expect(planned.toSorted((a, b) => a - b)).toEqual(ids.slice(0, readers).filter((id) => !left.includes(id)));
});

test("recipients whom the earlier run did not reach are not among them", async () => {
  const ids = await subscriberIds(app, publisher.siteId);
  const suppressed = [ids[3]!, ids[40]!];
  for (const [i, list] of (await recipientsOf(app, first)).entries()) {
    if (list.some((id) => suppressed.includes(id)))
      await writeCodes(app, first.runId, [finalCode.muted], (await batchesOf(app, first))[i]!.no);
  }
  const correction = await startCorrection();
  const read = await planInSmallPages(correction);
  const planned = (await recipientsOf(app, correction)).flat();
  expect(planned.toSorted((a, b) => a - b)).toEqual(ids.slice(0, readers).filter((id) => !suppressed.includes(id)));
  expect(read.reduce((sum, n) => sum + n, 0)).toBe(readers);
});
