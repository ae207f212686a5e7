import { sql } from "kysely";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { App } from "../../src/app.ts";
import { answerBounds, createCounters, openCounters } from "../../src/delivery/counters.ts";
import { createEncryptor } from "../../src/delivery/crypto/encrypt.ts";
import { deliverBatch } from "../../src/delivery/worker/deliver-batch.ts";
import { sweepRuns } from "../../src/runs/close-run.ts";
import { moveRun } from "../../src/runs/queries.ts";
import { removeSite } from "../../src/tenants/sites/sites.ts";
import { openTestApp } from "../fixtures/app.ts";
import { eventually } from "../fixtures/eventually.ts";
import { createPublisher, type Publisher } from "../fixtures/publisher.ts";
import { type PushService, startPushService } from "../fixtures/push-service/push-service.ts";
import { ago } from "../fixtures/rows/change.ts";
import { claimByDead } from "../fixtures/rows/runs.ts";
import { batchesOf, claim, endLeases, pause, startPlanned, view } from "../runs/fixture.ts";
import {
  clearLedger,
  createTestContext,
  deliverOne,
  deliverToEnd,
  recordStarts,
  subscribeBrowsers,
} from "./fixture.ts";

let pushService: PushService;
let app: App;
let publisher: Publisher;

beforeAll(async () => {
  // Each round trip takes a while, so that something can happen in the middle of a batch.
  pushService = await startPushService({ answerDelayMs: 150 });
  app = await openTestApp({ PUSH_SERVICES: pushService.origin });
});

beforeEach(async () => {
  pushService.reset();
  await clearLedger(app);
  publisher = await createPublisher(app);
  await subscribeBrowsers(app, publisher, pushService, 200);
});

describe("a batch at work", () => {
  test("posts nothing more a second after a stop, and counts exactly what had left", async () => {
    const run = await startPlanned(app, publisher);
    const { context, startsMs } = recordStarts(createTestContext(app, pushService));
    const delivery = deliverOne(context);
    await pushService.received(20);
    await moveRun(app.db, run, "stopping");
    const stoppedAtMs = performance.now();
    await delivery;
    const seen = await view(app, publisher, run);
    expect(seen).toMatchObject({ status: "stopped", pending: 0, unknown: 0, audience: 200 });
    expect(seen.accepted).toBe(pushService.stats().accepted);
    expect(seen.accepted).toBeLessThan(200);
    expect(seen.notSent).toBe(200 - seen.accepted);
    expect(Math.max(...startsMs) - stoppedAtMs).toBeLessThan(1_000);
  });

  test("sends no body that waited for a window once its run is stopped", async () => {
    pushService.withholdWindows();
    const run = await startPlanned(app, publisher);
    const context = createTestContext(app, pushService, {}, { leanHttp2: true });
    const delivery = deliverOne(context);
    await pushService.until(({ begun }) => begun > 0);
    await moveRun(app.db, run, "stopping");
    await eventually(async () => context.watch.signalOf(run) === "stop");
    pushService.openWindows();
    await delivery;
    const { begun, aborted, received } = pushService.stats();
    expect({ aborted, received }).toEqual({ aborted: begun, received: 0 });
    expect(await view(app, publisher, run)).toMatchObject({ status: "stopped", notSent: 200, unknown: 0, repeated: 0 });
  });

  test("posts nothing more a second after its site was removed, and the run fails", async () => {
    const run = await startPlanned(app, publisher);
    const { context, startsMs } = recordStarts(createTestContext(app, pushService));
    const delivery = deliverOne(context);
    await pushService.received(20);
    await removeSite(app, publisher.actor, { siteId: publisher.siteId });
    const removedAtMs = performance.now();
    await delivery;
    await sweepRuns(app.db);
    const seen = await view(app, publisher, run);
    expect(seen).toMatchObject({ status: "failed", pending: 0, unknown: 0, accepted: pushService.stats().accepted });
    expect(seen.notSent).toBe(200 - seen.accepted);
    expect(Math.max(...startsMs) - removedAtMs).toBeLessThan(1_000);
  });
});

describe("a batch that is not finished", () => {
  test("is given back at a pause, and a resume sends the rest once", async () => {
    const run = await startPlanned(app, publisher);
    const context = createTestContext(app, pushService);
    for (let toggles = 0; toggles < 3; toggles++) {
      const before = pushService.stats().received;
      const delivery = deliverOne(context);
      await pushService.received(before + 10);
      await pause(app, "sites", publisher.siteId);
      expect(await delivery).toBe(true);
      const received = pushService.stats().accepted;
      expect(await batchesOf(app, run)).toMatchObject([
        { state: "ready", accepted: received, pending: 200 - received },
      ]);
      expect(received).toBeLessThan(200);
      expect(await deliverOne(context)).toBe(false);
      await pause(app, "sites", publisher.siteId, false);
    }
    await deliverToEnd(app, context, run);
    expect(await view(app, publisher, run)).toMatchObject({ status: "completed", accepted: 200, repeated: 0 });
    expect(pushService.stats()).toMatchObject({ received: 200, repeated: 0 });
  });

  test("is given back by a drain without waiting, and another ends it with nothing sent twice", async () => {
    const run = await startPlanned(app, publisher);
    pushService.answerWith({ behaviour: "unavailable", times: 1 });
    let isDraining = false;
    const delivery = deliverOne(createTestContext(app, pushService, { isDraining: () => isDraining }));
    await pushService.received(30);
    isDraining = true;
    await delivery;
    const received = pushService.stats().accepted;
    expect(received).toBeLessThan(200);
    expect(await batchesOf(app, run)).toMatchObject([{ state: "ready", accepted: received }]);
    await deliverToEnd(app, createTestContext(app, pushService), run);
    expect(await view(app, publisher, run)).toMatchObject({ status: "completed", accepted: 200, repeated: 0 });
    expect(pushService.stats()).toMatchObject({ accepted: 200, repeated: 0 });
  });
});

describe("a sub-batch that is being encrypted", () => {
  test("lets the event loop turn, so that a drain leaves the rest of it to others", async () => {
    const run = await startPlanned(app, publisher);
    let isDraining = false;
    const encryptor = createEncryptor();
    const context = createTestContext(app, pushService, {
      subBatch: 128,
      isDraining: () => isDraining,
      encryptor: {
        encryptBatch(batch) {
          setImmediate(() => {
            isDraining = true;
          });
          return encryptor.encryptBatch(batch);
        },
      },
    });
    const vapidPublicKey = Buffer.from(publisher.vapidPublicKey, "base64url");
    const { window } = context.sitePushServices.of(publisher.siteId, pushService.origin, vapidPublicKey);
    while (window.size() < 128) window.end(window.begin(), "taken");
    await deliverOne(context);
    const { received } = pushService.stats();
    expect(received).toBeGreaterThan(0);
    expect(received).toBeLessThan(128);
    expect(await batchesOf(app, run)).toMatchObject([{ state: "ready", accepted: received, pending: 200 - received }]);
  });
});

describe("the claim of a batch at work", () => {
  test("that another has claimed is left at once: nothing more is posted or written", async () => {
    const run = await startPlanned(app, publisher);
    const allCounters = createCounters([pushService.origin], 1);
    const counters = openCounters(allCounters.ofThread(0), [pushService.origin]);
    // Even with a slow database, the claim is lost before the first window is answered.
    pushService.answerWith({ delayMs: 1_000, times: 16 });
    const delivery = deliverOne(createTestContext(app, pushService, { counters }));
    await pushService.received(10);
    await claimByDead(app, { run: run.runId }, { owner: "next", leaseUntil: ago("1 second") });
    const atTheFence = await batchesOf(app, run);
    await delivery;
    // At most two sub-batches were in flight at that moment.
    const { received } = pushService.stats();
    expect(received).toBeLessThanOrEqual(40);
    const { pushServices, leasesLost } = allCounters.read();
    const ofService = pushServices.find((each) => each.pushService === pushService.origin)!;
    expect({ leasesLost, inFlight: ofService.inFlight, accepted: ofService.outcomes.accepted }).toEqual({
      leasesLost: 1,
      inFlight: 0,
      accepted: received,
    });
    // Answers take at least 150 ms.
    expect(ofService.buckets.slice(0, answerBounds.indexOf(0.1) + 1)).toEqual([0, 0, 0, 0]);
    const after = await batchesOf(app, run);
    expect(after[0]!.codes.equals(atTheFence[0]!.codes)).toBe(true);

    const uncertain = after[0]!.codes.filter((code) => code > 0 && code < 0x10).length;
    await deliverToEnd(app, createTestContext(app, pushService), run);
    expect(await view(app, publisher, run)).toMatchObject({ accepted: 200, repeated: uncertain });
    expect(pushService.stats().repeated).toBeLessThanOrEqual(uncertain);
    expect(pushService.stats().distinctSubscriptionsAccepted).toBe(200);
  });

  test("is fenced before its first message if it was lost before its first flush", async () => {
    const run = await startPlanned(app, publisher);
    const context = createTestContext(app, pushService);
    const slow = {
      ...context,
      signerOf: async (siteId: string, publicKey: Buffer) => {
        await endLeases(app, run);
        await claim(app, "next");
        return context.signerOf(siteId, publicKey);
      },
    };
    await deliverOne(slow);
    expect(pushService.stats().received).toBe(0);
    expect(await batchesOf(app, run)).toMatchObject([{ owner: "next", attempt: 2, pending: 200 }]);
  });
});

describe("a claim whose owner is cut off from the database", () => {
  test("stops by its own clock when its lease may be over, whatever the database says", async () => {
    const run = await startPlanned(app, publisher);
    const context = createTestContext(app, pushService);
    const claimedMs = performance.now();
    const batch = await claim(app, context.owner);
    await deliverBatch(context, batch, claimedMs - 14_001);
    expect(pushService.stats().received).toBe(0);
    expect(await batchesOf(app, run)).toMatchObject([{ owner: context.owner, pending: 200 }]);
  });

  test("survives the loss of database connections, with nothing lost or sent twice", async () => {
    const run = await startPlanned(app, publisher);
    const delivery = deliverOne(createTestContext(app, pushService));
    for (const received of [20, 60, 100]) {
      await pushService.received(received);
      await sql`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()`.execute(app.db);
    }
    await delivery;
    await sweepRuns(app.db);
    expect(await view(app, publisher, run)).toMatchObject({ status: "completed", accepted: 200, repeated: 0 });
    expect(pushService.stats()).toMatchObject({ received: 200, repeated: 0 });
  });
});
