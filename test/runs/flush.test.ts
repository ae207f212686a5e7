import { sql } from "kysely";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { App } from "../../src/app.ts";
import type { Batch } from "../../src/runs/ledger/claim-batch.ts";
import { type BatchEnd, flushBatch } from "../../src/runs/ledger/flush-batch.ts";
import { signalsOfRuns } from "../../src/runs/ledger/run-signal.ts";
import { planNextPage } from "../../src/runs/plan/plan-run.ts";
import { moveRun, type RunRef } from "../../src/runs/queries.ts";
import { openTestApp } from "../fixtures/app.ts";
import { createPublisher, createSubscriptions, type Publisher, subscribe } from "../fixtures/publisher.ts";
import { ahead } from "../fixtures/rows/change.ts";
import { endWaits, setLeases } from "../fixtures/rows/runs.ts";
import { insertSubscribers } from "../fixtures/rows/subscribers.ts";
import { batchesOf, claim, endLeases, pause, planAll, start, startPlanned } from "./fixture.ts";

let app: App;
let publisher: Publisher;
let run: RunRef;
let batch: Batch;

beforeAll(async () => {
  app = await openTestApp();
});

beforeEach(async () => {
  await sql`truncate run_batches, run_recipients, run_totals, runs cascade`.execute(app.db);
  publisher = await createPublisher(app);
  await subscribe(app, publisher.siteId, createSubscriptions(6));
  run = await startPlanned(app, publisher);
  batch = await claim(app, "me");
});

/** Flushes the batch as the try with number `flushNo`. */
const flushAs = (flushNo: number, codes: number[], end: BatchEnd = { state: "open" }, of = batch, owner = "me") =>
  flushBatch(app.db, of, owner, { flushNo, codes: Buffer.from(codes), repeated: 0, end });

const flush = async (codes: number[], end?: BatchEnd, over: Partial<Batch> = {}, owner?: string) =>
  (await flushAs(1, codes, end, { ...batch, ...over }, owner)).signal;

describe("a flush", () => {
  test("writes the codes with their counts, and renews the lease", async () => {
    await setLeases(app, {}, ahead("1 second"));
    expect(await flush([0x01, 0x12, 0x20, 0x31, 0x41, 0x00])).toBe("go");
    const [row] = await batchesOf(app, run);
    expect(row).toMatchObject({ pending: 3, accepted: 1, gone: 1, failed: 1, state: "open", owner: "me", attempt: 1 });
    expect([...row!.codes]).toEqual([0x01, 0x12, 0x20, 0x31, 0x41, 0x00]);
    expect(row!.leaseMs).toBeGreaterThan(5_000);
  });

  test("gives the batch back, parks it or ends it", async () => {
    await flush([0x20, 0, 0, 0, 0, 0], { state: "ready" });
    expect(await batchesOf(app, run)).toMatchObject([{ state: "ready", owner: null, leaseMs: null, pending: 5 }]);
    batch = await claim(app, "me");
    await flush([0x20, 0x11, 0, 0, 0, 0], { state: "delayed", afterMs: 300_000 });
    const [delayed] = await batchesOf(app, run);
    expect(delayed).toMatchObject({ state: "delayed", owner: null });
    expect(delayed!.waitMs).toBeGreaterThan(240_000);
    expect(delayed!.waitMs).toBeLessThanOrEqual(300_000);
    await endWaits(app);
    batch = await claim(app, "me");
    await flush([0x20, 0x20, 0x50, 0x60, 0x70, 0x32], { state: "done" });
    const done = { state: "done", pending: 0, accepted: 2, expired: 1, notSent: 1, unknown: 1, gone: 1 };
    expect(await batchesOf(app, run)).toMatchObject([done]);
  });
});

test("a claim and a flush say how large the run is: what was counted, later what is planned", async () => {
  await insertSubscribers(app, publisher.siteId, 1_494);
  const large = await start(app, publisher, { expectedAudience: 1_200 });
  await planNextPage(app.db);
  batch = await claim(app, "me");
  expect(batch).toMatchObject({ ...large, recipientsOfRun: 1_200, batchesOfRun: 1 });
  await planAll(app);
  expect(await flushAs(1, [...batch.codes])).toMatchObject({ recipientsOfRun: 1_500, batchesOfRun: 2 });
});

describe("the fence of a flush", () => {
  test("lets an owner end his batch once more, where the answer was lost, and nobody else", async () => {
    const tried = [0x20, 0x11, 0, 0, 0, 0];
    const delayed: BatchEnd = { state: "delayed", afterMs: 0 };
    for (let time = 0; time < 2; time++) expect(await flush(tried, delayed)).toBe("go");
    expect(await flush(tried, { state: "open" })).toBe("fenced");
    const next = await claim(app, "next");
    expect(await flush(tried, delayed)).toBe("fenced");

    const taken = [0x20, 0x20, 0x20, 0x20, 0x20, 0x20];
    for (let time = 0; time < 2; time++) expect(await flush(taken, { state: "done" }, next, "next")).toBe("go");
    expect(await flush(tried, { state: "done" })).toBe("fenced");
    expect(await batchesOf(app, run)).toMatchObject([{ state: "done", accepted: 6, owner: null }]);
  });

  test("with an older attempt, of another owner or after the end is fenced, changing nothing", async () => {
    const before = await batchesOf(app, run);
    expect(await flush([0x20, 0, 0, 0, 0, 0], { state: "open" }, {}, "another")).toBe("fenced");
    expect(await flush([0x20, 0, 0, 0, 0, 0], { state: "open" }, { attempt: 0 })).toBe("fenced");
    expect(await flush([0x20, 0, 0, 0, 0, 0], { state: "open" }, { attempt: 2 })).toBe("fenced");
    expect((await batchesOf(app, run)).map(({ codes }) => codes)).toEqual(before.map(({ codes }) => codes));

    await endLeases(app, run);
    const next = await claim(app, "next");
    expect(await flush([0x20, 0, 0, 0, 0, 0])).toBe("fenced");
    // A new claim by the same owner is fenced too, by its attempt.
    await endLeases(app, run);
    const mine = await claim(app, "me");
    expect([next.attempt, mine.attempt]).toEqual([2, 3]);
    expect(await flush([0x20, 0, 0, 0, 0, 0])).toBe("fenced");
    expect(await batchesOf(app, run)).toMatchObject([{ pending: 6, attempt: 3 }]);

    batch = mine;
    expect(await flush([0x20, 0x20, 0x20, 0x20, 0x20, 0x20], { state: "done" })).toBe("go");
    expect(await flush([0, 0, 0, 0, 0, 0])).toBe("fenced");
    expect(await batchesOf(app, run)).toMatchObject([{ state: "done", accepted: 6 }]);
  });

  test("after its lease is over, and before anybody has claimed the batch, is still its owner's", async () => {
    await endLeases(app, run);
    expect(await flush([0x20, 0, 0, 0, 0, 0])).toBe("go");
    expect(await batchesOf(app, run)).toMatchObject([{ accepted: 1, owner: "me" }]);
  });
});

describe("the number of a flush", () => {
  test("keeps a try that arrives after later ones of its claim from writing", async () => {
    const newer = [0x20, 0x20, 0x01, 0x01, 0, 0];
    expect(await flushAs(3, newer)).toMatchObject({ signal: "go", isRepeated: false });
    expect(await flushAs(2, [0x01, 0x01, 0, 0, 0, 0])).toMatchObject({ signal: "fenced", isRepeated: false });
    expect(await flushAs(2, [0x01, 0x01, 0, 0, 0, 0], { state: "ready" })).toMatchObject({ signal: "fenced" });
    expect(await batchesOf(app, run)).toMatchObject([{ codes: Buffer.from(newer), accepted: 2, state: "open" }]);
    // The same try arrives once more, like from a network that repeats it.
    expect(await flushAs(3, newer)).toMatchObject({ signal: "go", isRepeated: false });
    expect(await batchesOf(app, run)).toMatchObject([{ codes: Buffer.from(newer), accepted: 2, state: "open" }]);

    await endLeases(app, run);
    const next = await claim(app, "next");
    expect(await flushAs(1, newer, { state: "open" }, next, "next")).toMatchObject({ signal: "go" });
  });

  test("says of an end that is tried again that an earlier try has written it", async () => {
    const ended = [0x20, 0x11, 0, 0, 0, 0];
    const delayed: BatchEnd = { state: "delayed", afterMs: 60_000 };
    expect(await flushAs(7, ended, delayed)).toMatchObject({ signal: "go", isRepeated: false });
    for (const again of [8, 9])
      expect(await flushAs(again, ended, delayed)).toMatchObject({ signal: "go", isRepeated: true });
    expect(await flushAs(6, [0, 0, 0, 0, 0, 0], delayed)).toMatchObject({ signal: "fenced" });
    expect(await batchesOf(app, run)).toMatchObject([{ codes: Buffer.from(ended), state: "delayed" }]);
  });
});

describe("what a flush brings back", () => {
  test("brings back a pause of the site or the tenant, and a stop before either", async () => {
    const codes = [0, 0, 0, 0, 0, 0];
    await pause(app, "sites", publisher.siteId);
    expect(await flush(codes)).toBe("paused");
    await pause(app, "sites", publisher.siteId, false);
    await pause(app, "tenants", publisher.tenantId);
    expect(await flush(codes)).toBe("paused");
    expect(await signalsOfRuns(app.db, [run])).toEqual(new Map([[run.runId, "paused"]]));
    await moveRun(app.db, run, "stopping");
    expect(await flush(codes)).toBe("stop");
    expect(await signalsOfRuns(app.db, [run])).toEqual(new Map([[run.runId, "stop"]]));
  });

  test("of a test goes on through a pause", async () => {
    await subscribe(app, publisher.siteId, createSubscriptions(1), "desk");
    const check = await startPlanned(app, publisher, { kind: "test" });
    batch = await claim(app, "me");
    await pause(app, "sites", publisher.siteId);
    expect(await flush([0x01])).toBe("go");
    expect((await signalsOfRuns(app.db, [run, check])).get(check.runId)).toBe("go");
  });

  test("whose codes are too few is refused by the database, and the batch stays as it was", async () => {
    await expect(flush([0x20])).rejects.toMatchObject({ code: "23514" });
    expect(await batchesOf(app, run)).toMatchObject([{ pending: 6, state: "open" }]);
  });
});
