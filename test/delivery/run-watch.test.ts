import { sql } from "kysely";
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { App } from "../../src/app.ts";
import { openDatabase } from "../../src/db/pool.ts";
import { deliverBatch } from "../../src/delivery/worker/deliver-batch.ts";
import { createRunWatch, type RunWatch } from "../../src/delivery/worker/run-watch.ts";
import { newId } from "../../src/ids.ts";
import { moveRun, type RunRef } from "../../src/runs/queries.ts";
import { openTestApp } from "../fixtures/app.ts";
import { eventually } from "../fixtures/eventually.ts";
import { holdOpen } from "../fixtures/hold-open.ts";
import { createPublisher, type Publisher } from "../fixtures/publisher.ts";
import { type PushService, startPushService } from "../fixtures/push-service/push-service.ts";
import { startTurnClock } from "../fixtures/turn-clock.ts";
import { batchesOf, claim, pause, startPlanned, view } from "../runs/fixture.ts";
import { clearLedger, createTestContext, deliverOne, recordStarts, subscribeBrowsers } from "./fixture.ts";

let pushService: PushService;
let app: App;
let publisher: Publisher;
let run: RunRef;

beforeAll(async () => {
  pushService = await startPushService({ answerDelayMs: 100 });
  app = await openTestApp({ PUSH_SERVICES: pushService.origin });
});

beforeEach(async () => {
  pushService.reset();
  await clearLedger(app);
  publisher = await createPublisher(app);
  await subscribeBrowsers(app, publisher, pushService, 300);
  run = await startPlanned(app, publisher);
});

async function withWatch(work: (watch: RunWatch) => Promise<void>): Promise<void> {
  const watch = createRunWatch(app.db, app.log);
  try {
    await work(watch);
  } finally {
    watch.stop();
  }
}

describe("the watch over the runs at work", () => {
  // Stalls of this process do not count on this clock. Otherwise they would make an answer too old, which it is after
  // 800 ms.
  let clock: ReturnType<typeof startTurnClock>;
  beforeEach(() => {
    clock = startTurnClock();
  });
  afterEach(() => clock.stop());

  test("tells of a stop, a pause and its end, and that a run is gone", async () => {
    await withWatch(async (watch) => {
      const gone = { siteId: run.siteId, runId: newId() };
      for (const one of [run, gone]) watch.open(one, performance.now());
      expect(watch.signalOf(run)).toBe("go");
      await watch.nextAnswer();
      await eventually(async () => watch.signalOf(gone) === "stop");
      await pause(app, "tenants", publisher.tenantId);
      await eventually(async () => watch.signalOf(run) === "paused");
      await pause(app, "tenants", publisher.tenantId, false);
      await eventually(async () => watch.signalOf(run) === "go");
      await moveRun(app.db, run, "stopping");
      await eventually(async () => watch.signalOf(run) === "stop");
    });
  });

  test("does not take an answer for a run that was opened while the question was under way", async () => {
    await withWatch(async (watch) => {
      watch.open(run, performance.now());
      // The question waits behind this lock. Meanwhile a second run is opened that was claimed before the question.
      const claimedMs = performance.now();
      const other = await startPlanned(app, publisher);
      await holdOpen(app, async (tx) => {
        await sql`lock table tenants in access exclusive mode`.execute(tx);
        await eventually(async () => {
          const waiting = sql`select from pg_locks where not granted and relation = 'tenants'::regclass`;
          return (await waiting.execute(tx)).rows.length > 0;
        });
        watch.open(other, claimedMs);
      });
      await watch.nextAnswer();
      expect(watch.signalOf(other)).not.toBe("stop");
      await eventually(async () => watch.signalOf(other) === "go");
    });
  });

  test("ignores an answer that is older than the last, and a fence, which is about one batch", async () => {
    await withWatch(async (watch) => {
      const now = performance.now();
      watch.open(run, now);
      watch.record(run, "paused", now + 1);
      watch.record(run, "go", now);
      expect(watch.signalOf(run)).toBe("paused");
      watch.record(run, "fenced", now + 2);
      expect(watch.signalOf(run)).toBe("paused");
      watch.record(run, "go", now + 3);
      expect(watch.signalOf(run)).toBe("go");
    });
  });

  test("trusts an answer for 800 ms, and forgets a run with its last batch", async () => {
    await withWatch(async (watch) => {
      watch.open(run, performance.now() - 801);
      expect(watch.signalOf(run)).toBe("stale");
      watch.open(run, performance.now());
      expect(watch.signalOf(run)).toBe("go");
      watch.close(run);
      expect(watch.signalOf(run)).toBe("go");
      watch.close(run);
      expect(watch.signalOf(run)).toBe("stop");
    });
  });
});

describe("a database that hangs", () => {
  test("lets nothing be posted while the database hangs beyond 800 ms, and then goes on", async () => {
    // A database with its own connections. The lock will make all of them wait.
    const db = openDatabase({ connection: app.connection, poolMax: 4, applicationName: "hangs", log: app.log });
    const watch = createRunWatch(db, app.log);
    const { context, startsMs } = recordStarts(createTestContext(app, pushService, { db, watch, subBatch: 50 }));
    const delivery = deliverOne(context);
    await pushService.received(50);
    let hungAtMs = 0;
    await holdOpen(app, async (tx) => {
      await sql`lock table runs in access exclusive mode`.execute(tx);
      hungAtMs = performance.now();
      await sql`select pg_sleep(2)`.execute(tx);
    });
    const backAtMs = performance.now();
    await delivery;
    watch.stop();
    await db.destroy();
    expect(startsMs.filter((atMs) => atMs > hungAtMs + 800 && atMs < backAtMs)).toEqual([]);
    expect(await view(app, publisher, run)).toMatchObject({ status: "completed", accepted: 300, repeated: 0 });
    expect(pushService.stats().repeated).toBe(0);
  });

  test("lets a claim be given up whose lease runs out while the database hangs", async () => {
    const db = openDatabase({ connection: app.connection, poolMax: 4, applicationName: "hangs", log: app.log });
    const watch = createRunWatch(db, app.log);
    const context = createTestContext(app, pushService, { db, watch });
    await context.signerOf(publisher.siteId, Buffer.from(publisher.vapidPublicKey, "base64url"));
    const batch = await claim(app, context.owner);
    await holdOpen(app, async (tx) => {
      // The watch's question waits behind this lock until the batch has been given up.
      await sql`lock table tenants in access exclusive mode`.execute(tx);
      await deliverBatch(context, batch, performance.now() - 13_000);
    });
    expect(pushService.stats().received).toBe(0);
    expect(await batchesOf(app, run)).toMatchObject([{ owner: context.owner, pending: 300 }]);
    watch.stop();
    await db.destroy();
  });
});
