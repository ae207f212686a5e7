import { type RawBuilder, sql } from "kysely";
import { beforeAll, beforeEach, expect, test } from "vitest";
import type { App } from "../../src/app.ts";
import { exportRun } from "../../src/dashboard-api/exports.ts";
import { usageOfMonth } from "../../src/dashboard-api/queries.ts";
import { figuresOfRuns } from "../../src/dashboard-api/reports/queries.ts";
import type { Tx } from "../../src/db/pool.ts";
import { runMaintenance } from "../../src/maintenance.ts";
import { closeRun, sweepRuns } from "../../src/runs/close-run.ts";
import { encodeCodeCounts } from "../../src/runs/ledger/code-counts.ts";
import type { CountName } from "../../src/runs/ledger/codes.ts";
import { flushBatch } from "../../src/runs/ledger/flush-batch.ts";
import { pruneBatches } from "../../src/runs/ledger/prune-batches.ts";
import { moveRun, type RunRef, runOfTenant } from "../../src/runs/queries.ts";
import { viewRecord } from "../../src/runs/read-run.ts";
import { openTestApp } from "../fixtures/app.ts";
import { countRowsRead } from "../fixtures/count-rows-read.ts";
import { createPublisher, createSubscriptions, type Publisher, subscribe } from "../fixtures/publisher.ts";
import { ago, present } from "../fixtures/rows/change.ts";
import { changeRuns } from "../fixtures/rows/runs.ts";
import { batchesOf, claim, endRests, startPlanned, view } from "./fixture.ts";

let app: App;
let publisher: Publisher;
let run: RunRef;

beforeAll(async () => {
  app = await openTestApp();
});

beforeEach(async () => {
  await sql`truncate run_batches, run_recipients, run_totals, runs cascade`.execute(app.db);
  publisher = await createPublisher(app);
  await subscribe(app, publisher.siteId, createSubscriptions(7));
  await subscribe(app, publisher.siteId, createSubscriptions(4, "https://updates.push.services.mozilla.com"));
  run = await startPlanned(app, publisher);
});

/**
 * Delivers the run with every kind of outcome. The batch of seven takes two claims, and the second has retries and
 * repeats.
 */
async function deliver(): Promise<void> {
  const batches = [await claim(app, "me"), await claim(app, "me")].toSorted((a, b) => b.codes.length - a.codes.length);
  const [seven, four] = batches as [(typeof batches)[0], (typeof batches)[0]];
  const park = { state: "delayed", afterMs: 60_000 } as const;
  await flushBatch(app.db, seven, "me", {
    flushNo: 1,
    codes: Buffer.from("20303111011100", "hex"),
    repeated: 1,
    end: park,
  });
  await flushBatch(app.db, four, "me", {
    flushNo: 1,
    codes: Buffer.from("20204970", "hex"),
    repeated: 0,
    end: { state: "done" },
  });
  await endRests(app, run);
  const again = await claim(app, "me");
  const codes = Buffer.from("20303120704160", "hex");
  await flushBatch(app.db, again, "me", { flushNo: 1, codes, repeated: 3, end: { state: "done" } });
}

const outcomes = {
  audience: 11,
  pending: 0,
  accepted: 4,
  gone: 2,
  failed: 2,
  expired: 0,
  notSent: 1,
  unknown: 2,
  repeated: 3,
};

/** Returns all figures of the run that are shown: its view, those of lists, the month's usage, and its file. */
async function shown() {
  const { reasons, ...rest } = await view(app, publisher, run);
  return {
    view: rest,
    reasons: reasons.toSorted((a, b) => (`${a.pushService} ${a.reason}` < `${b.pushService} ${b.reason}` ? -1 : 1)),
    figures: await figuresOfRuns(app.db, publisher.tenantId, [run.runId]),
    usage: await usageOfMonth(app.db, publisher.tenantId),
    file: (await exportRun(app, publisher.actor, run)).split("\r\n").toSorted(),
  };
}

/** Removes what maintenance removes eight days after the run's end. */
async function prune(): Promise<void> {
  const { finishedAt } = await view(app, publisher, run);
  await changeRuns(app, { id: run.runId }, { finishedAt: ago("8 days") });
  await runMaintenance(app.db, [pruneBatches(7)]);
  expect(await batchesOf(app, run)).toHaveLength(0);
  await changeRuns(app, { id: run.runId }, { finishedAt });
}

test("a run shows the same before it is closed, after, and when its batches are gone", async () => {
  await deliver();
  const open = await shown();
  expect(open.view).toMatchObject(outcomes);
  expect(open.usage).toEqual({ sends: 1, accepted: 4, largestAudience: 11 });

  expect(await closeRun(app.db, run)).toBe(true);
  const closed = await shown();
  const { finishedAt } = closed.view;
  expect(closed).toEqual({
    ...open,
    view: { ...open.view, status: "completed", finishedAt },
    figures: open.figures.map((figures) => ({ ...figures, status: "completed", finishedAt: new Date(finishedAt!) })),
  });

  await prune();
  expect(await shown()).toEqual(closed);
});

/** Returns what the batches of the run have counted, and what their codes contain. */
async function counted() {
  const { rows } = await sql<{ codes: Buffer; entries: Buffer }>`
    select codes, code_counts as entries from run_batches where run_id = ${run.runId}`.execute(app.db);
  return {
    batches: rows.length,
    asCounted: rows.map(({ entries }) => entries),
    asInCodes: rows.map(({ codes }) => encodeCodeCounts(codes)),
  };
}

test("each batch counts its codes, delivered, stopped or expired", async () => {
  await deliver();
  const delivered = await counted();
  expect([delivered.batches, delivered.asCounted]).toEqual([2, delivered.asInCodes]);

  for (const end of ["stopped", "expired"] as const) {
    run = await startPlanned(app, publisher);
    const batch = await claim(app, "me");
    const codes = Buffer.from([0x20, 0x01, ...new Array(batch.codes.length - 2).fill(0x00)]);
    await flushBatch(app.db, batch, "me", {
      flushNo: 1,
      codes,
      repeated: 0,
      end: { state: "delayed", afterMs: 60_000 },
    });
    if (end === "stopped") await moveRun(app.db, run, "stopping");
    else await changeRuns(app, { id: run.runId }, { expiresAt: present });
    await sweepRuns(app.db);
    const ended = await counted();
    expect([end, ended.batches, ended.asCounted]).toEqual([end, 2, ended.asInCodes]);
    expect(ended.asCounted.map(({ length }) => length).sort()).toEqual([3, 9]);
  }
});

test("a view reads the counts of the batches, and no codes", async () => {
  await deliver();
  const { reasons } = await shown();
  await sql`update run_batches set codes = decode(repeat('41', size), 'hex') where run_id = ${run.runId}`.execute(
    app.db,
  );
  expect((await shown()).reasons).toEqual(reasons);
});

test("the database refuses final codes that are not counted, and counts without final codes", async () => {
  const write = (change: RawBuilder<unknown>) =>
    sql`update run_batches set ${change} where run_id = ${run.runId}`.execute(app.db);
  await expect(write(sql`pending = 0, accepted = size`)).rejects.toThrow("codes_are_counted");
  await expect(write(sql`code_counts = '\\x200001'`)).rejects.toThrow("codes_are_counted");
});

test("a stopped run keeps what its batches counted at its end", async () => {
  const batch = await claim(app, "me");
  const size = batch.codes.length;
  const codes = Buffer.from([0x20, 0x31, 0x12, ...new Array(size - 3).fill(0x00)]);
  await flushBatch(app.db, batch, "me", { flushNo: 1, codes, repeated: 2, end: { state: "delayed", afterMs: 60_000 } });
  await moveRun(app.db, run, "stopping");
  await sweepRuns(app.db);
  const stopped = await shown();
  expect(stopped.view).toMatchObject({ status: "stopped", accepted: 1, gone: 1, notSent: 9, repeated: 2 });
  const names: CountName[] = ["pending", "accepted", "gone", "failed", "expired", "notSent", "unknown"];
  const batches = await batchesOf(app, run);
  for (const name of [...names, "repeated"] as const) {
    expect([name, stopped.view[name]]).toEqual([name, batches.reduce((sum, counts) => sum + counts[name], 0)]);
  }
  await prune();
  expect(await shown()).toEqual(stopped);
});

test("a run that expired before anybody took it up keeps that", async () => {
  await changeRuns(app, { id: run.runId }, { expiresAt: present });
  await sweepRuns(app.db);
  const expired = await shown();
  expect(expired.view).toMatchObject({ status: "completed", audience: 11, expired: 11, pending: 0 });
  await prune();
  expect(await shown()).toEqual(expired);
});

test("a run without anybody shows nothing but zeros, closed and pruned", async () => {
  const nobody = await createPublisher(app);
  const empty = await startPlanned(app, nobody);
  await closeRun(app.db, empty);
  const zeros = Object.fromEntries(Object.keys(outcomes).map((name) => [name, 0]));
  expect(await view(app, nobody, empty)).toMatchObject({ ...zeros, status: "completed", reasons: [] });
});

test("a run's batches are read while it goes on, and never once it has ended", async () => {
  const { tenantId } = publisher;
  const questions: ((tx: Tx) => Promise<unknown>)[] = [
    async (tx) => viewRecord(tx, (await runOfTenant(tx, tenantId, run.runId))!),
    (tx) => figuresOfRuns(tx, tenantId, [run.runId]),
    (tx) => usageOfMonth(tx, tenantId),
  ];
  await deliver();
  for (const ask of questions) expect(await countRowsRead(app, "run_batches", ask)).toBeGreaterThan(0);
  await closeRun(app.db, run);
  for (const ask of questions) expect(await countRowsRead(app, "run_batches", ask)).toBe(0);
});
