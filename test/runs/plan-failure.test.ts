import { sql } from "kysely";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { App } from "../../src/app.ts";
import { type Database, openDatabase, row } from "../../src/db/pool.ts";
import { sweepRuns } from "../../src/runs/close-run.ts";
import { flushBatch } from "../../src/runs/ledger/flush-batch.ts";
import { nextPageAfterMs, PlanningError } from "../../src/runs/plan/plan-failure.ts";
import { planNextPage } from "../../src/runs/plan/plan-run.ts";
import { moveRun, type RunRef } from "../../src/runs/queries.ts";
import { startRunPoller } from "../../src/runs/run-poller.ts";
import { openTestApp } from "../fixtures/app.ts";
import { afterFile } from "../fixtures/cleanup.ts";
import { eventually } from "../fixtures/eventually.ts";
import { holdOpen } from "../fixtures/hold-open.ts";
import { createPublisher, createSubscriptions, type Publisher, subscribe } from "../fixtures/publisher.ts";
import { present } from "../fixtures/rows/change.ts";
import { changeRuns, insertBatch } from "../fixtures/rows/runs.ts";
import { insertSubscribers } from "../fixtures/rows/subscribers.ts";
import { batchesOf, claim, endTimeToLive, planAll, recipientsOf, start, subscriberIds, view } from "./fixture.ts";

let app: App;
/** A database that gives up a lock after a tenth of a second. */
let hasty: Database;
let publisher: Publisher;

beforeAll(async () => {
  app = await openTestApp();
  const { connection, log } = app;
  const limits = { statementMs: 15_000, lockMs: 100 };
  hasty = openDatabase({ connection, log, poolMax: 2, applicationName: "test", limits });
  afterFile(() => hasty.destroy());
});

beforeEach(async () => {
  await sql`truncate run_batches, run_recipients, run_totals, runs cascade`.execute(app.db);
  publisher = await createPublisher(app);
});

/**
 * Runs `work` while another transaction has inserted a batch of the run and not committed it. The run's next page has
 * to wait for that.
 */
async function whileBlocked(run: RunRef, no: number, work: () => Promise<void>): Promise<void> {
  const undone = new Error("undone");
  const blocked = holdOpen(app, async (tx) => {
    await insertBatch({ db: tx }, run, no);
    await work();
    throw undone;
  });
  await expect(blocked).rejects.toBe(undone);
}

/** Runs `work` while no page can be read and nothing can be counted. */
async function whileSubscribersAreLocked(work: () => Promise<void>): Promise<void> {
  await holdOpen(app, async (tx) => {
    await sql`lock table subscribers in access exclusive mode`.execute(tx);
    await work();
  });
}

/**
 * Fails a page. Returns the time in ms from before the failure until the page is due again. This is at least the pause.
 */
async function pauseAfterFailure(run: RunRef): Promise<number> {
  const from = (await row(sql<{ at: Date }>`select now() as at`, app.db))!;
  await failPages(1);
  const again = (await row(sql<{ at: Date }>`select plan_from as at from runs where id = ${run.runId}`, app.db))!;
  return again.at.getTime() - from.at.getTime();
}

async function failPages(count: number): Promise<PlanningError> {
  let last: unknown;
  for (let i = 0; i < count; i++) {
    await changeRuns(app, { waitsForPlan: true }, { planAgainAt: present });
    last = await planNextPage(hasty).catch((error: unknown) => error);
    expect(last).toBeInstanceOf(PlanningError);
  }
  return last as PlanningError;
}

/** Adds an audience of two pages: 1,000 readers in the first, and 500 in the second. */
async function startLarge(): Promise<RunRef> {
  await insertSubscribers(app, publisher.siteId, 1_500);
  const run = await start(app, publisher);
  await changeRuns(app, { id: run.runId }, { expectedAudience: 1_400 });
  return run;
}

async function acceptAll(run: RunRef): Promise<void> {
  for (const { size, state } of await batchesOf(app, run)) {
    if (state === "done") continue;
    const codes = Buffer.alloc(size, 0x20);
    await flushBatch(app.db, await claim(app, "me"), "me", { flushNo: 1, codes, repeated: 0, end: { state: "done" } });
  }
}

describe("a page of planning that fails", () => {
  test("is tried again at half the size, after growing pauses, while other runs are planned", async () => {
    const run = await startLarge();
    await whileBlocked(run, 1, async () => {
      expect(await failPages(1)).toMatchObject({ runId: run.runId, isGivenUp: false });
      const other = await createPublisher(app);
      await subscribe(app, other.siteId, createSubscriptions(1));
      const small = await start(app, other);
      // The failed run is due too, but it comes second.
      expect(await planNextPage(hasty)).toBe(true);
      expect((await batchesOf(app, small)).length).toBe(1);
      expect(await pauseAfterFailure(run)).toBeGreaterThanOrEqual(2_000);
      // The pause is prolonged, because its two seconds may be over by now.
      await changeRuns(app, {}, { planAgainLater: "1 hour" });
      expect(await planNextPage(hasty)).toBe(false);
    });
    await changeRuns(app, {}, { planAgainAt: present });
    expect(await planNextPage(hasty)).toBe(true);
    expect((await batchesOf(app, run)).map(({ size }) => size)).toEqual([250]);
    await planAll(app);
    expect((await recipientsOf(app, run)).flat()).toEqual(await subscriberIds(app, publisher.siteId));
    expect(await view(app, publisher, run)).toMatchObject({ status: "sending", audience: 1_500, pending: 1_500 });
  });

  test("ten times is given up: readers in batches get it, others have failed with a reason", async () => {
    const run = await startLarge();
    await planNextPage(app.db);
    await whileBlocked(run, 2, async () => {
      expect(await failPages(9)).toMatchObject({ isGivenUp: false });
      expect(await failPages(1)).toMatchObject({ runId: run.runId, isGivenUp: true });
    });
    expect(await planNextPage(app.db)).toBe(false);
    expect(await view(app, publisher, run)).toMatchObject({ status: "sending", audience: 1_500, pending: 1_500 });
    await acceptAll(run);
    expect(await sweepRuns(app.db)).toMatchObject([run]);
    const seen = await view(app, publisher, run);
    expect(seen).toMatchObject({ status: "failed", audience: 1_500, accepted: 1_000, failed: 500, pending: 0 });
    const message = expect.stringMatching(/could not be read to its end.*not notified/);
    expect(seen.reasons).toMatchObject([
      { class: "failed", reason: "internal", pushService: "none", count: 500, message },
    ]);
  });

  test("counts what the send expected where the audience cannot even be counted", async () => {
    const run = await startLarge();
    await planNextPage(app.db);
    await whileSubscribersAreLocked(async () => void (await failPages(10)));
    await acceptAll(run);
    await sweepRuns(app.db);
    const seen = await view(app, publisher, run);
    expect(seen).toMatchObject({ status: "failed", audience: 1_400, accepted: 1_000, failed: 400 });
  });
});

describe("a page that fails for a run that is over anyway", () => {
  test("after a stop is not tried again: the run is stopped, and who was in no batch is not sent", async () => {
    const run = await startLarge();
    await planNextPage(app.db);
    await moveRun(app.db, run, "stopping");
    await whileBlocked(run, 2, async () => {
      expect(await failPages(1)).toMatchObject({ isGivenUp: true });
    });
    expect(await sweepRuns(app.db)).toMatchObject([run]);
    const seen = await view(app, publisher, run);
    expect(seen).toMatchObject({ status: "stopped", audience: 1_500, notSent: 1_500, pending: 0, failed: 0 });
  });

  test("after the time to live is not tried again, and the run ends", async () => {
    const run = await startLarge();
    await endTimeToLive(app, run);
    await whileBlocked(run, 1, async () => void (await failPages(1)));
    expect(await sweepRuns(app.db)).toMatchObject([run]);
    expect(await view(app, publisher, run)).toMatchObject({ status: "failed", audience: 1_500, failed: 1_500 });
  });
});

test("planning that is given up is logged as an error with the run's id", async () => {
  const run = await startLarge();
  await changeRuns(app, { id: run.runId }, { planFailures: 9 });
  const errors: unknown[][] = [];
  const log = Object.assign(Object.create(app.log), { error: (...line: unknown[]) => errors.push(line) });
  await whileBlocked(run, 1, async () => {
    const poller = startRunPoller(hasty, log);
    await eventually(async () => errors.length > 0);
    await poller.stop();
  });
  const [[fields, text]] = errors as [[object, string]];
  expect(fields).toMatchObject({ runId: run.runId });
  expect(text).toMatch(/could not be planned to its end/);
});

test("the pauses between the tries of a page grow from none to a minute, and end after ten", () => {
  const pauses = Array.from({ length: 10 }, (_, i) => nextPageAfterMs(i + 1, false));
  expect(pauses).toEqual([0, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000, 60_000, null]);
  expect(nextPageAfterMs(1, true)).toBeNull();
});
