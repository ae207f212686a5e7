import { sql } from "kysely";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { App } from "../../src/app.ts";
import { closeRun, sweepRuns } from "../../src/runs/close-run.ts";
import { flushBatch } from "../../src/runs/ledger/flush-batch.ts";
import { moveRun, type RunRef } from "../../src/runs/queries.ts";
import { openTestApp } from "../fixtures/app.ts";
import { eventually } from "../fixtures/eventually.ts";
import { holdOpen } from "../fixtures/hold-open.ts";
import { countLockWaits } from "../fixtures/lock-waits.ts";
import { createPublisher, createSubscriptions, type Publisher, subscribe } from "../fixtures/publisher.ts";
import { batchesOf, claim, endLeases, endTimeToLive, pause, startPlanned, view } from "./fixture.ts";

let app: App;
let publisher: Publisher;
let run: RunRef;

beforeAll(async () => {
  app = await openTestApp();
});

beforeEach(async () => {
  await sql`truncate run_batches, run_recipients, run_totals, runs cascade`.execute(app.db);
  publisher = await createPublisher(app);
  await subscribe(app, publisher.siteId, createSubscriptions(2));
  await subscribe(app, publisher.siteId, createSubscriptions(2, "https://updates.push.services.mozilla.com"));
  run = await startPlanned(app, publisher);
});

async function finish(codes: number[], state: "done" | "open" = "done"): Promise<void> {
  const batch = await claim(app, "me");
  await flushBatch(app.db, batch, "me", { flushNo: 1, codes: Buffer.from(codes), repeated: 1, end: { state } });
}

describe("the end of a run", () => {
  test("comes with its last batch, and its totals say what became of everybody", async () => {
    await finish([0x20, 0x31]);
    expect(await closeRun(app.db, run)).toBe(false);
    await finish([0x20, 0x41]);
    expect(await closeRun(app.db, run)).toBe(true);
    const seen = await view(app, publisher, run);
    expect(seen).toMatchObject({ status: "completed", audience: 4, accepted: 2, gone: 1, failed: 1, repeated: 2 });
    expect(seen.reasons.map(({ reason, count }) => [reason, count]).sort()).toEqual([
      ["bad_request", 1],
      ["gone", 1],
    ]);
  });

  test("comes once, however many finish it at the same moment", async () => {
    await finish([0x20, 0x20]);
    await finish([0x20, 0x20]);
    const closed = await Promise.all(Array.from({ length: 8 }, () => closeRun(app.db, run)));
    expect(closed.filter(Boolean)).toEqual([true]);
    expect((await sweepRuns(app.db)).length).toBe(0);
  });

  test("is found by the sweep where its finisher died before closing it", async () => {
    await finish([0x20, 0x20]);
    await finish([0x20, 0x20]);
    expect(await sweepRuns(app.db)).toMatchObject([run]);
    expect((await view(app, publisher, run)).status).toBe("completed");
  });
});

describe("the end of a run before its time", () => {
  test("after a stop waits for a live batch owner, and ends batches without one", async () => {
    await finish([0x20, 0x01], "open");
    await moveRun(app.db, run, "stopping");
    expect(await sweepRuns(app.db)).toEqual([]);
    expect(await view(app, publisher, run)).toMatchObject({ status: "stopping", accepted: 1, notSent: 2, pending: 1 });
    await endLeases(app, run);
    expect(await sweepRuns(app.db)).toMatchObject([run]);
    const seen = await view(app, publisher, run);
    expect(seen).toMatchObject({ status: "stopped", accepted: 1, notSent: 2, unknown: 1, pending: 0 });
    // The dead owner comes back.
    const [held] = (await batchesOf(app, run)).filter(({ unknown }) => unknown === 1);
    const back = { flushNo: 1, codes: Buffer.of(0x20, 0x20), repeated: 0, end: { state: "done" } } as const;
    const stale = { ...run, no: held!.no, attempt: 1 };
    expect(await flushBatch(app.db, stale, "me", back)).toMatchObject({ signal: "fenced" });
    expect(await view(app, publisher, run)).toMatchObject({ accepted: 1, unknown: 1 });
  });

  test("keeps what an owner with a lapsed lease writes between the sweep's look and its write", async () => {
    const late = await claim(app, "late");
    await flushBatch(app.db, late, "late", {
      flushNo: 1,
      codes: Buffer.of(0x01, 0x01),
      repeated: 0,
      end: { state: "open" },
    });
    await endLeases(app, run);
    await moveRun(app.db, run, "stopping");
    let sweep: Promise<unknown> = Promise.resolve();
    await holdOpen(app, async (tx) => {
      const outcomes = { flushNo: 1, codes: Buffer.of(0x20, 0x11), repeated: 0, end: { state: "ready" } } as const;
      expect(await flushBatch(tx, late, "late", outcomes)).toMatchObject({ signal: "stop" });
      // Before the commit the sweep sees the intents. Its write waits until the row is free.
      sweep = sweepRuns(app.db);
      await eventually(async () => (await countLockWaits(app.db)) > 0);
    });
    await sweep;
    await sweepRuns(app.db);
    expect(await view(app, publisher, run)).toMatchObject({ status: "stopped", accepted: 1, notSent: 3, unknown: 0 });
  });

  test("comes with its time to live: what was not taken by then is expired", async () => {
    await finish([0x20, 0x01], "open");
    await endLeases(app, run);
    await endTimeToLive(app, run);
    expect(await sweepRuns(app.db)).toMatchObject([run]);
    const seen = await view(app, publisher, run);
    expect(seen).toMatchObject({ status: "completed", accepted: 1, expired: 2, unknown: 1, pending: 0 });
    expect(seen.reasons.map(({ reason }) => reason).sort()).toEqual(["ttl", "uncertain"]);
  });

  test("comes with its time to live also during a pause, which does not stop that clock", async () => {
    await pause(app, "sites", publisher.siteId);
    expect(await view(app, publisher, run)).toMatchObject({ heldBy: "site_paused", pending: 4 });
    await endTimeToLive(app, run);
    expect(await sweepRuns(app.db)).toMatchObject([run]);
    expect(await view(app, publisher, run)).toMatchObject({ status: "completed", expired: 4, pending: 0 });
  });
});
