import { sql } from "kysely";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { App } from "../../src/app.ts";
import { type Batch, claimBatch, leaseSeconds } from "../../src/runs/ledger/claim-batch.ts";
import { type BatchEnd, flushBatch } from "../../src/runs/ledger/flush-batch.ts";
import { delayPushService, releasePushService } from "../../src/runs/push-services.ts";
import { moveRun, type RunRef } from "../../src/runs/queries.ts";
import { openTestApp } from "../fixtures/app.ts";
import { createPublisher, createSubscriptions, type Publisher, subscribe } from "../fixtures/publisher.ts";
import { ago, ahead, present } from "../fixtures/rows/change.ts";
import {
  changeRuns,
  endBatches,
  endPushServiceWaits,
  endWaits,
  letBatchesWait,
  setLeases,
  setPushService,
  splitBatches,
  writeCodes,
} from "../fixtures/rows/runs.ts";
import { changeSites } from "../fixtures/rows/sites.ts";
import { changeSubscribers } from "../fixtures/rows/subscribers.ts";
import {
  batchesOf,
  claim,
  endLeases,
  endTimeToLive,
  message,
  pause,
  startPlanned,
  subscriberIds,
  view,
} from "./fixture.ts";

let app: App;
let publisher: Publisher;

beforeAll(async () => {
  app = await openTestApp();
});

beforeEach(async () => {
  // Deletes everything that earlier tests have left in the ledger.
  await sql`truncate run_batches, run_recipients, run_totals, runs, site_push_services cascade`.execute(app.db);
  publisher = await createPublisher(app);
});

async function publisherWith(counts: { fcm?: number; mozilla?: number; test?: number }): Promise<Publisher> {
  const one = await createPublisher(app);
  await subscribe(app, one.siteId, createSubscriptions(counts.fcm ?? 0));
  const mozilla = createSubscriptions(counts.mozilla ?? 0, "https://updates.push.services.mozilla.com");
  await subscribe(app, one.siteId, mozilla);
  if (counts.test !== undefined) await subscribe(app, one.siteId, createSubscriptions(counts.test), "desk");
  return one;
}

describe("claiming a batch", () => {
  test("gives all that its delivery needs, and a lease", async () => {
    publisher = await publisherWith({ fcm: 3 });
    const run = await startPlanned(app, publisher, { ttlSeconds: 600 });
    const batch = await claim(app, "me");
    expect(batch).toMatchObject({ ...run, no: 1, attempt: 1, pushService: "fcm", repeated: 0, kind: "live", message });
    expect(batch).toMatchObject({ ttlSeconds: 600, urgency: "normal", onUncertain: "resend" });
    expect(batch.subscriberIds).toEqual(await subscriberIds(app, publisher.siteId));
    expect([...batch.codes]).toEqual([0, 0, 0]);
    expect(batch.remainingMs).toBeGreaterThan(540_000);
    expect(batch.remainingMs).toBeLessThanOrEqual(600_000);
    const [row] = await batchesOf(app, run);
    expect(row).toMatchObject({ state: "open", owner: "me", attempt: 1 });
    expect(row!.leaseMs).toBeGreaterThan(leaseSeconds * 1_000 - 10_000);
    expect(row!.leaseMs).toBeLessThanOrEqual(leaseSeconds * 1_000);
    expect(await claimBatch(app.db, "another")).toBeUndefined();
  });

  test("by many at once never gives one batch to two", async () => {
    publisher = await publisherWith({ fcm: 60, mozilla: 40 });
    await splitBatches(app, await startPlanned(app, publisher));
    await splitBatches(app, await startPlanned(app, publisher));
    const claimed = await Promise.all(
      Array.from({ length: 20 }, async (_, worker) => {
        const mine: string[] = [];
        for (;;) {
          const batch = await claimBatch(app.db, `worker ${worker}`);
          // A worker gets undefined if all batches are claimed, or if others lock them at this moment.
          if (batch === undefined) return mine;
          mine.push(`${batch.runId} ${batch.no}`);
        }
      }),
    );
    const all = claimed.flat();
    for (let rest = await claimBatch(app.db, "rest"); rest; rest = await claimBatch(app.db, "rest")) {
      all.push(`${rest.runId} ${rest.no}`);
    }
    expect(all.length).toBe(200);
    expect(new Set(all).size).toBe(200);
  });

  test("takes a batch whose lease is over, with the next attempt, and none before", async () => {
    publisher = await publisherWith({ fcm: 1 });
    const run = await startPlanned(app, publisher);
    expect((await claim(app, "first")).attempt).toBe(1);
    expect(await claimBatch(app.db, "second")).toBeUndefined();
    await endLeases(app, run);
    expect(await claim(app, "second")).toMatchObject({ no: 1, attempt: 2 });
    expect(await batchesOf(app, run)).toMatchObject([{ owner: "second", attempt: 2 }]);
  });

  test("takes a delayed batch when its time has come, and not before", async () => {
    publisher = await publisherWith({ fcm: 1 });
    const run = await startPlanned(app, publisher);
    const batch = await claim(app);
    const delayed = {
      flushNo: 1,
      codes: Buffer.of(0x11),
      repeated: 0,
      end: { state: "delayed", afterMs: 60_000 },
    } as const;
    await flushBatch(app.db, batch, "owner", delayed);
    expect(await batchesOf(app, run)).toMatchObject([{ state: "delayed", owner: null }]);
    expect(await claimBatch(app.db, "owner")).toBeUndefined();
    await endWaits(app);
    expect(await claim(app)).toMatchObject({ attempt: 2, codes: Buffer.of(0x11) });
    expect(await batchesOf(app, run)).toMatchObject([{ state: "open", waitMs: null }]);
  });
});

test("a claim counts the owners in a row that had no outcome, and none that released the batch", async () => {
  publisher = await publisherWith({ fcm: 2 });
  const run = await startPlanned(app, publisher);
  const crashesOfNext = async () => (await claim(app, "next")).crashes;
  expect(await crashesOfNext()).toBe(0);
  for (const crashes of [1, 2]) {
    await endLeases(app, run);
    expect(await crashesOfNext()).toBe(crashes);
  }
  const flush = async (codes: number[], state: "open" | "ready") => {
    const { attempt, no } = (await batchesOf(app, run))[0]!;
    const write = { flushNo: 1, codes: Buffer.from(codes), repeated: 0, end: { state } };
    expect(await flushBatch(app.db, { ...run, no, attempt }, "next", write)).toMatchObject({ signal: "go" });
  };
  await flush([0x01, 0x01], "open");
  await endLeases(app, run);
  expect(await crashesOfNext()).toBe(3);
  await flush([0x20, 0x02], "open");
  await endLeases(app, run);
  expect(await crashesOfNext()).toBe(1);
  await flush([0x20, 0x12], "ready");
  expect(await crashesOfNext()).toBe(0);
});

describe("what is not claimed", () => {
  for (const of of ["sites", "tenants"] as const) {
    test(`leaves the live runs of paused ${of} alone and takes their tests`, async () => {
      publisher = await publisherWith({ fcm: 1, test: 1 });
      const live = await startPlanned(app, publisher);
      const check = await startPlanned(app, publisher, { kind: "test" });
      const id = of === "sites" ? publisher.siteId : publisher.tenantId;
      await pause(app, of, id);
      expect((await claim(app)).runId).toBe(check.runId);
      expect(await claimBatch(app.db, "owner")).toBeUndefined();
      await pause(app, of, id, false);
      expect((await claim(app)).runId).toBe(live.runId);
    });
  }

  test("leaves out stopped, expired and held batches, and takes other push services' ones", async () => {
    publisher = await publisherWith({ fcm: 1, mozilla: 1 });
    const run = await startPlanned(app, publisher);
    await delayPushService(app.db, publisher.siteId, "fcm", 60_000);
    expect((await claim(app)).pushService).toBe("mozilla");
    expect(await claimBatch(app.db, "owner")).toBeUndefined();
    await endPushServiceWaits(app);
    expect((await claim(app)).pushService).toBe("fcm");

    await endLeases(app, run);
    await endTimeToLive(app, run);
    expect(await claimBatch(app.db, "owner")).toBeUndefined();

    const other = await startPlanned(app, publisher);
    await moveRun(app.db, other, "stopping");
    expect(await claimBatch(app.db, "owner")).toBeUndefined();
  });
});

describe("push services that wait", () => {
  test("leaves out a push service that refuses our key until its wait ends, then says so", async () => {
    publisher = await publisherWith({ fcm: 1 });
    const run = await startPlanned(app, publisher);
    await delayPushService(app.db, publisher.siteId, "fcm", 60_000, "forbidden");
    expect(await claimBatch(app.db, "owner")).toBeUndefined();
    await endPushServiceWaits(app);
    expect((await claim(app)).blockedReason).toBe("forbidden");
    await delayPushService(app.db, publisher.siteId, "fcm", 1);
    await endLeases(app, run);
    await endPushServiceWaits(app);
    expect((await claim(app)).blockedReason).toBe("forbidden");
    await releasePushService(app.db, publisher.siteId, "fcm");
    await endLeases(app, run);
    expect((await claim(app)).blockedReason).toBeNull();
  });

  test("keeps a wait that another worker got before the key was accepted again", async () => {
    publisher = await publisherWith({ fcm: 1 });
    await startPlanned(app, publisher);
    await delayPushService(app.db, publisher.siteId, "fcm", 0, "forbidden");
    await delayPushService(app.db, publisher.siteId, "fcm", 60_000);
    await releasePushService(app.db, publisher.siteId, "fcm");
    expect(await claimBatch(app.db, "owner")).toBeUndefined();
    await endPushServiceWaits(app);
    expect((await claim(app)).blockedReason).toBeNull();
  });

  test("show on the run: all pending where some are untried, and only retries elsewhere", async () => {
    publisher = await publisherWith({ fcm: 3, mozilla: 2 });
    const run = await startPlanned(app, publisher);
    await splitBatches(app, run);
    expect((await view(app, publisher, run)).reasons).toEqual([]);
    const { no } = (await batchesOf(app, run)).find(({ pushService }) => pushService === "fcm")!;
    await letBatchesWait(app, { run: run.runId, no }, ahead("1 minute"));
    const retrying = { class: "pending", reason: "retrying", pushService: "fcm" };
    expect((await view(app, publisher, run)).reasons).toMatchObject([{ ...retrying, count: 3 }]);
    await writeCodes(app, run.runId, [0x11], no);
    expect((await view(app, publisher, run)).reasons).toMatchObject([{ ...retrying, count: 1 }]);
  });

  test("keeps the longer of two waits for a push service", async () => {
    publisher = await publisherWith({ fcm: 1 });
    await startPlanned(app, publisher);
    await delayPushService(app.db, publisher.siteId, "fcm", 60_000);
    await delayPushService(app.db, publisher.siteId, "fcm", 1);
    const { rows } = await sql<{ ms: number }>`select (extract(epoch from not_before - now()) * 1000)::float8 as ms
      from site_push_services`.execute(app.db);
    expect(rows[0]!.ms).toBeGreaterThan(50_000);
  });
});

describe("what the claimer has enough of", () => {
  test("is not claimed: a push service, but never a test send", async () => {
    publisher = await publisherWith({ fcm: 1, mozilla: 1 });
    await startPlanned(app, publisher);
    expect((await claimBatch(app.db, "owner", [{ pushService: "fcm" }]))!.pushService).toBe("mozilla");
    expect(await claimBatch(app.db, "owner", [{ pushService: "fcm" }])).toBeUndefined();
    expect(await claimBatch(app.db, "owner", "tests only")).toBeUndefined();
    await changeSubscribers(app, { siteId: publisher.siteId, pushService: "fcm" }, { isTest: true });
    await startPlanned(app, publisher, { kind: "test" });
    expect((await claimBatch(app.db, "owner", [{ pushService: "fcm" }]))!.kind).toBe("test");
    await endLeases(app, await startPlanned(app, publisher, { kind: "test" }));
    expect((await claimBatch(app.db, "owner", "tests only"))!.kind).toBe("test");
  });

  test("is not claimed: a run in a push service, but others there and the run elsewhere", async () => {
    publisher = await publisherWith({ fcm: 2, mozilla: 1 });
    const large = await startPlanned(app, publisher);
    await splitBatches(app, large);
    const small = await startPlanned(app, await publisherWith({ fcm: 1 }));
    const but = [{ pushService: "fcm", runId: large.runId }];
    const taken = [await claimBatch(app.db, "owner", but), await claimBatch(app.db, "owner", but)];
    expect(taken.map((batch) => `${batch!.runId} ${batch!.pushService}`).sort()).toEqual(
      [`${large.runId} mozilla`, `${small.runId} fcm`].sort(),
    );
    expect(await claimBatch(app.db, "owner", but)).toBeUndefined();
    expect((await claimBatch(app.db, "owner"))!.runId).toBe(large.runId);
  });
});

describe("the order of claims", () => {
  test("takes tests first, then in turn the run that was served least", async () => {
    publisher = await publisherWith({ fcm: 6, test: 1 });
    const [a, b] = [await startPlanned(app, publisher), await startPlanned(app, publisher)];
    await splitBatches(app, a);
    await splitBatches(app, b);
    const check = await startPlanned(app, publisher, { kind: "test" });
    expect((await claim(app)).runId).toBe(check.runId);
    const order = [];
    for (let i = 0; i < 12; i++) order.push((await claim(app)).runId === a.runId ? "a" : "b");
    for (let i = 0; i < 12; i += 2) expect(order.slice(i, i + 2).sort()).toEqual(["a", "b"]);
  });

  test("lets a new run share with one served for long, and neither waits for the other", async () => {
    publisher = await publisherWith({ fcm: 6 });
    const old = await startPlanned(app, publisher);
    await splitBatches(app, old);
    await changeRuns(app, { id: old.runId }, { served: 3_000_000 });
    const fresh = await startPlanned(app, publisher);
    await splitBatches(app, fresh);
    const order = [];
    for (let i = 0; i < 12; i++) order.push((await claim(app)).runId);
    for (let i = 0; i < 12; i += 2) expect(new Set(order.slice(i, i + 2))).toEqual(new Set([old.runId, fresh.runId]));
  });

  test("gives a run that comes back from a long pause a head start, and not all that it missed", async () => {
    publisher = await publisherWith({ fcm: 2 });
    const [busy, back] = [await startPlanned(app, publisher), await startPlanned(app, publisher)];
    await splitBatches(app, busy);
    await splitBatches(app, back);
    await changeRuns(app, { id: busy.runId }, { served: 3_000_000 });
    expect((await claim(app)).runId).toBe(back.runId);
    const { rows } = await sql`select served from runs where id = ${back.runId}`.execute(app.db);
    expect(rows).toEqual([{ served: 2_980_001 }]);
  });

  test("goes on to the next run however many before it have nothing to give", async () => {
    const waiting = await publisherWith({ fcm: 1 });
    for (let i = 0; i < 12; i++) await startPlanned(app, waiting);
    await delayPushService(app.db, waiting.siteId, "fcm", 60_000);
    publisher = await publisherWith({ fcm: 1 });
    const run = await startPlanned(app, publisher);
    await changeRuns(app, { id: run.runId }, { served: 1_000 });
    expect((await claim(app)).runId).toBe(run.runId);
  });

  test("counts what it hands out on the run, and nothing of that shows in its counts", async () => {
    publisher = await publisherWith({ fcm: 2 });
    const run = await startPlanned(app, publisher);
    await claim(app);
    const { rows } = await sql`select served from runs where id = ${run.runId}`.execute(app.db);
    expect(rows).toEqual([{ served: 2 }]);
    expect(await view(app, publisher, run)).toMatchObject({ audience: 2, pending: 2 });
  });
});

/**
 * Makes the owners of the run's claimed batches look as if they had just written their outcomes, and continued to do
 * so.
 */
async function keepProgress(run: RunRef): Promise<void> {
  await setLeases(app, { run: run.runId }, ahead("1 hour"));
}

/** Makes the owners of the run's claimed batches look as if they had written nothing for three seconds. */
async function endProgress(run: RunRef): Promise<void> {
  await setLeases(app, { run: run.runId }, ahead(`${leaseSeconds - 3} seconds`));
}

/**
 * Starts a run with one batch for each of three ranks of readers: not seen for long, seen 20 days ago, seen yesterday.
 */
async function startRanked(): Promise<RunRef> {
  publisher = await publisherWith({ fcm: 60 });
  const ids = await subscriberIds(app, publisher.siteId);
  await changeSubscribers(app, { id: ids.slice(20, 40) }, { seenDaysAgo: 20 });
  await changeSubscribers(app, { id: ids.slice(40) }, { seenDaysAgo: 1 });
  return startPlanned(app, publisher);
}
const flush = (batch: Batch, codes: Buffer, end: BatchEnd = { state: "open" }) =>
  flushBatch(app.db, batch, "owner", { flushNo: 1, codes, repeated: 0, end });
const codesOf = (accepted: number, rest: number) =>
  Buffer.concat([Buffer.alloc(accepted, 0x20), Buffer.alloc(20 - accepted, rest)]);
const claimedIds = async () => (await claimBatch(app.db, "owner"))?.subscriberIds;

describe("readers who were seen lately", () => {
  test("come first, then last month's, then the others, each after answers for most before", async () => {
    const run = await startRanked();
    const ids = await subscriberIds(app, publisher.siteId);
    const nextIds = async () => {
      await keepProgress(run);
      return claimedIds();
    };
    const first = await claim(app);
    expect(first.subscriberIds).toEqual(ids.slice(40));
    expect(await nextIds()).toBeUndefined();
    // One in ten messages has no answer yet.
    await flush(first, codesOf(18, 0x01));
    expect(await nextIds()).toBeUndefined();
    await flush(first, codesOf(19, 0x01));
    expect(await nextIds()).toEqual(ids.slice(20, 40));
    expect(await nextIds()).toBeUndefined();
  });

  test("hold up nobody once each had a try, nor when their owner makes no progress", async () => {
    const run = await startRanked();
    const ids = await subscriberIds(app, publisher.siteId);
    const first = await claim(app);
    await flush(first, codesOf(1, 0x11), { state: "delayed", afterMs: 60_000 });
    const second = await claim(app);
    expect(second.subscriberIds).toEqual(ids.slice(20, 40));
    await keepProgress(run);
    expect(await claimedIds()).toBeUndefined();
    await endProgress(run);
    expect(await claimedIds()).toEqual(ids.slice(0, 20));
  });

  test("come first also in their retries, where the push service limits the site", async () => {
    const run = await startRanked();
    const ids = await subscriberIds(app, publisher.siteId);
    const first = await claim(app);
    expect(first.isRateLimited).toBe(false);
    await delayPushService(app.db, publisher.siteId, "fcm", 0);
    await setPushService(app, publisher.siteId, "fcm", { rateLimitedAt: present });
    await flush(first, codesOf(10, 0x11), { state: "delayed", afterMs: 30_000 });
    expect(await claimedIds()).toBeUndefined();
    await endWaits(app);
    expect(await claim(app)).toMatchObject({ no: first.no, isRateLimited: true });
    // Some readers may be limited again and again. They do not hold up the next rank.
    const again = (await batchesOf(app, run))[0]!;
    await flush({ ...first, attempt: again.attempt }, codesOf(15, 0x11), { state: "delayed", afterMs: 30_000 });
    expect(await claimedIds()).toEqual(ids.slice(20, 40));
  });
});

describe("the rank of readers", () => {
  test("holds during planning: readers not seen wait for its end, three seconds at most", async () => {
    const run = await startRanked();
    const ids = await subscriberIds(app, publisher.siteId);
    await flush(await claim(app), codesOf(20, 0x20), { state: "done" });
    // The start is in the future, because three seconds may pass during any statement.
    await changeRuns(app, { id: run.runId }, { plannedAt: null, startedAt: ahead("1 hour") });
    await changeSites(app, { id: publisher.siteId }, { readersSeenDaysAgo: 0 });
    expect(await claimedIds()).toBeUndefined();
    // If the site has not seen any reader for long, no rank waits.
    await changeSites(app, { id: publisher.siteId }, { readersSeenDaysAgo: 31 });
    expect(await claimedIds()).toEqual(ids.slice(20, 40));
    await endBatches(app, { isClaimed: true });
    await changeSites(app, { id: publisher.siteId }, { readersSeenDaysAgo: 0 });
    await changeRuns(app, { id: run.runId }, { startedAt: ago("3 seconds") });
    expect(await claimedIds()).toEqual(ids.slice(0, 20));
  });

  test("makes no difference for test devices", async () => {
    publisher = await publisherWith({ test: 2 });
    await changeSubscribers(app, { siteId: publisher.siteId, newest: 1 }, { seenDaysAgo: 0 });
    await startPlanned(app, publisher, { kind: "test" });
    expect(await claimedIds()).toHaveLength(2);
  });
});
