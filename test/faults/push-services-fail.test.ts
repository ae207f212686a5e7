import { sql } from "kysely";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { App } from "../../src/app.ts";
import { createClaimLoop } from "../../src/delivery/worker/claim-loop.ts";
import type { DeliveryContext } from "../../src/delivery/worker/context.ts";
import { sweepRuns } from "../../src/runs/close-run.ts";
import { delayPushService } from "../../src/runs/push-services.ts";
import type { RunRef } from "../../src/runs/queries.ts";
import type { RunView } from "../../src/runs/view-run.ts";
import { everybody } from "../../src/subscribers/audience.ts";
import { countSubscribers } from "../../src/subscribers/queries.ts";
import { refusedOfSite } from "../../src/subscribers/refused-queries.ts";
import { generateVapidPair } from "../../src/tenants/vapid/vapid-pair.ts";
import {
  clearLedger,
  createTestContext,
  deliverOne,
  freshSitePushServices,
  subscribeBrowsers,
} from "../delivery/fixture.ts";
import { openTestApp } from "../fixtures/app.ts";
import { eventually } from "../fixtures/eventually.ts";
import { freePort } from "../fixtures/free-port.ts";
import { createPublisher, createSubscriptions, type Publisher, subscribe } from "../fixtures/publisher.ts";
import { type PushService, startPushService } from "../fixtures/push-service/push-service.ts";
import { present } from "../fixtures/rows/change.ts";
import { changeRuns, renumberBatches, setLeases, splitBatches } from "../fixtures/rows/runs.ts";
import { changeSubscribers } from "../fixtures/rows/subscribers.ts";
import { endRests, startPlanned, view } from "../runs/fixture.ts";

let one: PushService;
let other: PushService;
let app: App;
let publisher: Publisher;

beforeAll(async () => {
  [one, other] = [await startPushService(), await startPushService()];
  app = await openTestApp({ PUSH_SERVICES: `${one.origin},${other.origin}` });
  return async () => {
    await Promise.all([one.close(), other.close()]);
  };
});

beforeEach(async () => {
  for (const service of [one, other]) service.reset();
  await clearLedger(app);
  publisher = await createPublisher(app);
});

/** Runs a claim loop that reaches both push services until `isOver`. Then it releases the claimed batches. */
async function deliverUntil(
  isOver: () => Promise<unknown>,
  over: Partial<DeliveryContext> = {},
  deadlineMs = 10_000,
): Promise<void> {
  let isDraining = false;
  const context = createTestContext(
    app,
    one,
    { subBatch: 60, isDraining: () => isDraining, ...over },
    { allowsOrigin: () => true, ca: `${one.caCertificate}\n${other.caCertificate}`, deadlineMs },
  );
  const claimLoop = createClaimLoop(context);
  const work = claimLoop.run();
  try {
    await eventually(isOver, 90_000);
  } finally {
    isDraining = true;
    claimLoop.wake();
    await work;
  }
}

async function completed(run: RunRef): Promise<RunView | false> {
  await sweepRuns(app.db);
  const seen = await view(app, publisher, run);
  return seen.status === "completed" && seen;
}

/** Expects that the counts of the run add up, match the receipts of both services, and include all repeats. */
async function expectConsistent(run: RunRef): Promise<RunView> {
  const seen = await view(app, publisher, run);
  const { pending, accepted, gone, failed, expired, notSent, unknown } = seen;
  expect(pending + accepted + gone + failed + expired + notSent + unknown).toBe(seen.audience);
  const stats = [one.stats(), other.stats()];
  expect(stats.reduce((sum, { distinctSubscriptionsAccepted }) => sum + distinctSubscriptionsAccepted, 0)).toBe(
    accepted,
  );
  expect(stats.reduce((sum, { repeated }) => sum + repeated, 0)).toBeLessThanOrEqual(seen.repeated);
  return seen;
}

/** Returns the time in ms from the start of the run to the end of the push service's rest. */
async function restOf(service: PushService, run: RunRef): Promise<number | undefined> {
  const { rows } = await sql<{
    ms: number;
  }>`select (extract(epoch from l.not_before - r.created_at) * 1000)::float8 as ms
    from site_push_services l join runs r on r.id = ${run.runId} where l.origin = ${service.origin}`.execute(app.db);
  return rows[0]?.ms;
}

async function subscribeToBoth(): Promise<void> {
  for (const service of [one, other]) await subscribeBrowsers(app, publisher, service, 600);
}

describe("one push service that fails, beside one that does not", () => {
  beforeEach(subscribeToBoth);

  test("by never answering does not slow the other, and gets only a few messages", async () => {
    other.answerWith({ behaviour: "hang" });
    const run = await startPlanned(app, publisher);
    // The push service would get more than the first window only after a message has missed its deadline.
    await deliverUntil(async () => one.stats().accepted === 600, {}, 4_000);
    expect(other.stats().received).toBeLessThanOrEqual(48);
    expect(await view(app, publisher, run)).toMatchObject({ accepted: 600, pending: 600 });

    other.clearBehaviours();
    await endRests(app, run);
    await deliverUntil(async () => {
      await endRests(app, run);
      return completed(run);
    });
    const seen = await expectConsistent(run);
    expect(seen.accepted).toBe(1_200);
    expect(seen.repeated).toBeLessThanOrEqual(64);
  });

  test("by accepting after a 500 gets other readers each time, and no reader gets repeats", async () => {
    other.answerWith({ status: 500 });
    const run = await startPlanned(app, publisher);
    for (const triedAtLeast of [16, 32, 48]) {
      await deliverUntil(async () => one.stats().accepted === 600 && other.stats().received >= triedAtLeast);
      await endRests(app, run);
    }
    expect(other.stats().repeated).toBe(0);

    other.clearBehaviours();
    await deliverUntil(async () => {
      await endRests(app, run);
      return completed(run);
    });
    expect((await expectConsistent(run)).repeated).toBeLessThan(150);
  });

  test("with 503 for every message is only probed, shows on the run, and recovers", async () => {
    other.answerWith({ behaviour: "unavailable" });
    const run = await startPlanned(app, publisher);
    // The loop checks this during delivery. A batch that is claimed for a probe does not count as retrying.
    await deliverUntil(async () => {
      const { reasons } = await view(app, publisher, run);
      const [reason] = reasons;
      const isShown = reason?.reason === "retrying" && reason.pushService === other.origin && reason.count === 600;
      return one.stats().accepted === 600 && other.stats().received >= 20 && isShown;
    });
    expect(other.stats().received).toBeLessThan(150);

    other.clearBehaviours();
    await deliverUntil(async () => {
      await endRests(app, run);
      return completed(run);
    });
    expect(await expectConsistent(run)).toMatchObject({ accepted: 1_200, repeated: 0, reasons: [] });
  });
});

describe("a push service of many hosts", () => {
  /** Makes all hosts one push service, like the hosts of WNS. */
  async function createOnePushService(): Promise<void> {
    await changeSubscribers(app, { siteId: publisher.siteId }, { pushService: "wns" });
  }

  test("gets no messages at a host that fails or is silent, until that host has recovered", async () => {
    // These come first in the batch, before all others.
    await subscribeBrowsers(app, publisher, other, 100);
    await subscribeBrowsers(app, publisher, one, 600);
    await createOnePushService();
    for (const behaviour of ["unavailable", "hang"] as const) {
      for (const service of [one, other]) service.reset();
      other.answerWith({ behaviour });
      const run = await startPlanned(app, publisher);
      await deliverUntil(async () => one.stats().accepted === 600, {}, 1_000);
      expect(other.stats().received).toBeLessThanOrEqual(60);
      const { reasons } = await view(app, publisher, run);
      expect(reasons).toMatchObject([{ class: "pending", reason: "retrying", pushService: "wns", count: 100 }]);

      other.clearBehaviours();
      await deliverUntil(async () => {
        await endRests(app, run);
        return completed(run);
      });
      expect((await expectConsistent(run)).accepted).toBe(700);
    }
  });

  test("is sent to despite 120 hosts that cannot be reached", async () => {
    const ports = await Promise.all(Array.from({ length: 120 }, freePort));
    const nowhere = [...new Set(ports)].map((port) => `https://localhost:${port}`);
    const allowing = { ...app, config: { ...app.config, PUSH_SERVICES: nowhere } };
    await subscribe(
      allowing,
      publisher.siteId,
      nowhere.flatMap((origin) => createSubscriptions(1, origin)),
    );
    await subscribeBrowsers(app, publisher, one, 600);
    await createOnePushService();
    await startPlanned(app, publisher);
    await deliverUntil(async () => one.stats().accepted === 600);
  });
});

describe("one push service that asks to wait, beside one that does not", () => {
  beforeEach(subscribeToBoth);

  const inFourMinutes = () => new Date(Date.now() + 240_000).toUTCString();
  const fiveMinutesMs = 300_000;
  for (const [status, what, asked, restMs] of [
    [429, "5", () => "5", 5_000],
    [429, "3600", () => "3600", fiveMinutesMs],
    [429, "a thousand years", () => "99999999999", fiveMinutesMs],
    [429, "a date", inFourMinutes, 238_000],
    [503, "5", () => "5", 5_000],
    [503, "86400", () => "86400", fiveMinutesMs],
  ] as const) {
    test(`with ${status} and Retry-After ${what} rests alone, up to five minutes, and says so`, async () => {
      const run = await startPlanned(app, publisher);
      other.answerWith({ status, headers: { "retry-after": asked() } });
      await deliverUntil(async () => one.stats().accepted === 600 && (await restOf(other, run)) !== undefined);
      expect(other.stats().received).toBeLessThanOrEqual(48);
      const seen = await expectConsistent(run);
      expect(seen).toMatchObject({ pending: 600, repeated: 0 });
      expect(seen.reasons).toMatchObject([{ class: "pending", pushService: other.origin, count: 600 }]);
      const rest = await restOf(other, run);
      expect(rest).toBeGreaterThan(restMs);
      // The time counts from the run's start, some seconds before the answer.
      expect(rest).toBeLessThan(fiveMinutesMs + 60_000);
    });
  }
});

describe("a push service that asks to wait for longer than the time to live", () => {
  const day = { "retry-after": "86400" };

  test("for one reader ends that reader's message at once, and others are tried again", async () => {
    const endpoints = await subscribeBrowsers(app, publisher, one, 300);
    one.answerWith({ behaviour: "throttle", headers: day, match: { endpoint: endpoints[10]! } });
    one.answerWith({ behaviour: "unavailable", match: { endpoint: endpoints[20]! }, times: 1 });
    const run = await startPlanned(app, publisher);
    // The test does not end the rest, because the retry has its own backoff.
    await deliverUntil(() => completed(run));
    const seen = await expectConsistent(run);
    expect(seen).toMatchObject({ accepted: 299, expired: 1, repeated: 0 });
    expect(seen.reasons).toMatchObject([{ class: "expired", reason: "wait_too_long", count: 1 }]);
    expect(await restOf(one, run)).toBeUndefined();
  });

  test("once, with 503 from its main host, is not held, and gets that message minutes later", async () => {
    await subscribeBrowsers(app, publisher, one, 300);
    one.answerWith({ status: 503, headers: day, times: 1 });
    const run = await startPlanned(app, publisher);
    await deliverUntil(async () => (await view(app, publisher, run)).accepted === 299);
    expect(await restOf(one, run)).toBeUndefined();
    const { rows } = await sql<{ ms: number }>`select (extract(epoch from not_before - now()) * 1000)::float8 as ms
      from run_batches where run_id = ${run.runId}`.execute(app.db);
    expect(rows[0]!.ms).toBeLessThanOrEqual(300_000);
    await endRests(app, run);
    await deliverUntil(() => completed(run));
    expect(await expectConsistent(run)).toMatchObject({ accepted: 300, expired: 0, repeated: 0 });
  });

  test("with 503 from one host of many does not hold the readers of the others", async () => {
    await subscribeBrowsers(app, publisher, other, 50);
    await subscribeBrowsers(app, publisher, one, 300);
    await changeSubscribers(app, { siteId: publisher.siteId }, { pushService: "wns" });
    other.answerWith({ status: 503, headers: day });
    const run = await startPlanned(app, publisher);
    await deliverUntil(async () => one.stats().accepted === 300);
    const { rows } = await sql`select from site_push_services where origin = 'wns'`.execute(app.db);
    expect(rows).toEqual([]);
    // The other host gets at most its first window. Afterwards it is left alone.
    expect(other.stats().received).toBeLessThanOrEqual(16);
    await expectConsistent(run);
  });
});

test("a reader whose push service asked to wait is not tried with the others' retries", async () => {
  const endpoints = await subscribeBrowsers(app, publisher, one, 300);
  one.answerWith({ behaviour: "throttle", headers: { "retry-after": "600" }, match: { endpoint: endpoints[10]! } });
  one.answerWith({ behaviour: "unavailable", match: { endpoint: endpoints[20]! }, times: 2 });
  const run = await startPlanned(app, publisher);
  await deliverUntil(async () => (await view(app, publisher, run)).accepted === 299);
  // 300 first tries, and two retries for the reader whose message got 503.
  expect(one.stats().received).toBe(302);
  const { rows } = await sql<{ ms: number }>`select (extract(epoch from not_before - now()) * 1000)::float8 as ms
    from run_batches where run_id = ${run.runId}`.execute(app.db);
  expect(rows[0]!.ms).toBeGreaterThan(550_000);
});

test("a push service that throttles one reader gets the messages of all others at once", async () => {
  const endpoints = await subscribeBrowsers(app, publisher, one, 600);
  const headers = { "retry-after": "3600" };
  one.answerWith({ behaviour: "throttle", headers, match: { endpoint: endpoints[300]! } });
  const run = await startPlanned(app, publisher);
  await deliverUntil(async () => (await view(app, publisher, run)).accepted === 599);
  expect(await expectConsistent(run)).toMatchObject({
    pending: 1,
    repeated: 0,
    reasons: [{ reason: "retrying", count: 1 }],
  });
  expect(await restOf(one, run)).toBeUndefined();
  const { rows } = await sql<{
    restsMs: number;
  }>`select (extract(epoch from not_before - now()) * 1000)::float8 as "restsMs"
    from run_batches where run_id = ${run.runId}`.execute(app.db);
  expect(rows[0]!.restsMs).toBeGreaterThan(3_500_000);

  one.clearBehaviours();
  await endRests(app, run);
  await deliverUntil(() => completed(run));
  expect(await expectConsistent(run)).toMatchObject({ accepted: 600, repeated: 0, reasons: [] });
});

describe("a push service that refuses our key", () => {
  test("is held after a few messages, shows why, and is released by the first acceptance", async () => {
    await subscribeToBoth();
    other.answerWith({ behaviour: "forbidden" });
    const run = await startPlanned(app, publisher);
    await deliverUntil(async () => one.stats().accepted === 600 && (await blockedReason()) !== undefined);
    const held = await expectConsistent(run);
    expect(held.failed).toBeLessThanOrEqual(64);
    expect(held.failed).toBeGreaterThanOrEqual(20);
    expect(held.reasons[0]).toMatchObject({ class: "pending", reason: "forbidden", pushService: other.origin });
    expect(await refusedSubscribers()).toBe(0);

    // After the rest, the service still refuses. It gets one more message, and is then held again.
    const before = other.stats().received;
    await endRests(app, run);
    await deliverUntil(async () => other.stats().received > before && (await isResting()));
    expect(other.stats().received).toBeLessThanOrEqual(before + 2);

    other.clearBehaviours();
    await endRests(app, run);
    await deliverUntil(() => completed(run));
    const seen = await expectConsistent(run);
    expect(seen.accepted + seen.failed).toBe(1_200);
    expect(await blockedReason()).toBeNull();
  });

  async function blockedReason(): Promise<string | null | undefined> {
    const { rows } = await sql<{ reason: string | null }>`select blocked_reason as reason from site_push_services
      where origin = ${other.origin}`.execute(app.db);
    return rows[0]?.reason;
  }

  async function isResting(): Promise<boolean> {
    const { rows } =
      await sql`select from site_push_services where origin = ${other.origin} and not_before > now()`.execute(app.db);
    return rows.length > 0;
  }

  async function refusedSubscribers(): Promise<number> {
    const { rows } = await sql<{ n: number }>`select count(*) as n from subscribers
      where site_id = ${publisher.siteId} and refused_runs > 0`.execute(app.db);
    return rows[0]!.n;
  }
});

describe("subscriptions of another key among those of the site", () => {
  /** Subscribes browsers to a key that is not the site's. An old import or a stranger may bring such subscriptions. */
  async function subscribeForeign(count: number): Promise<void> {
    const { publicKey } = generateVapidPair();
    const applicationServerKey = publicKey.toString("base64url");
    await subscribe(app, publisher.siteId, one.createSubscriptions(count, { applicationServerKey }));
  }
  const countsOfRefused = () => refusedOfSite(app.db, publisher.siteId);

  test("do not keep 600 good readers behind 5,000 refused ones from their message", async () => {
    await subscribeForeign(5_000);
    await subscribeBrowsers(app, publisher, one, 600);
    const run = await startPlanned(app, publisher);
    const startedMs = performance.now();
    await deliverUntil(async () => one.stats().accepted === 600);
    expect(performance.now() - startedMs).toBeLessThan(60_000);
    await deliverUntil(() => completed(run));
    expect(await expectConsistent(run)).toMatchObject({ accepted: 600, failed: 5_000, pending: 0 });
    const { rows } = await sql`select from site_push_services where site_id = ${publisher.siteId}`.execute(app.db);
    expect(rows).toEqual([]);
  });

  test("are counted and excluded after three runs where the push service has taken the key before", async () => {
    await subscribeBrowsers(app, publisher, one, 40);
    const first = await startPlanned(app, publisher);
    await deliverUntil(() => completed(first));
    await subscribeForeign(300);
    for (let i = 1; i <= 3; i++) {
      // Each run starts like a new process: only the ledger knows that the push service has accepted the key.
      const run = await startPlanned(app, publisher);
      await deliverUntil(() => completed(run));
      expect(await expectConsistentSum(run)).toMatchObject({ accepted: 40, failed: 300 });
      expect(await countsOfRefused()).toEqual([{ pushService: one.origin, refused: 300, excluded: i === 3 ? 300 : 0 }]);
    }
    const last = await startPlanned(app, publisher);
    expect(await view(app, publisher, last)).toMatchObject({ audience: 40 });
  });

  async function expectConsistentSum(run: RunRef): Promise<RunView> {
    const seen = await view(app, publisher, run);
    const { pending, accepted, gone, failed, expired, notSent, unknown } = seen;
    expect(pending + accepted + gone + failed + expired + notSent + unknown).toBe(seen.audience);
    return seen;
  }
});

describe("a key that its push service has taken before and refuses now", () => {
  test("is held after few messages, and no reader is counted out for it", async () => {
    await subscribeBrowsers(app, publisher, one, 600);
    const before = await startPlanned(app, publisher);
    await deliverUntil(() => completed(before));
    for (let i = 0; i < 3; i++) {
      one.reset();
      one.answerWith({ status: 401 });
      const run = await startPlanned(app, publisher);
      await deliverUntil(async () => (await view(app, publisher, run)).reasons.some(isBlockedReason));
      expect((await view(app, publisher, run)).failed).toBeLessThanOrEqual(64);
      await endRests(app, run);
      await changeRuns(app, { id: run.runId }, { expiresAt: present });
      await eventually(() => completed(run));
    }
    expect(await refusedOfSite(app.db, publisher.siteId)).toEqual([]);

    one.reset();
    const fixed = await startPlanned(app, publisher);
    await deliverUntil(async () => {
      await endRests(app, fixed);
      return completed(fixed);
    });
    expect(await view(app, publisher, fixed)).toMatchObject({ audience: 600, accepted: 600 });
  });

  const isBlockedReason = ({ class: name, reason }: { class: string; reason: string }) =>
    name === "pending" && reason === "unauthorized";
});

test("a push service held for the key is probed with other readers from any batch", async () => {
  await subscribeBrowsers(app, publisher, one, 600);
  one.answerWith({ behaviour: "forbidden" });
  const run = await startPlanned(app, publisher);
  await splitBatches(app, run, 100);
  await delayPushService(app.db, publisher.siteId, one.origin, 0, "forbidden");
  await renumberBatches(app, run);
  const context = createTestContext(app, one, {}, { allowsOrigin: () => true, ca: one.caCertificate });
  await eventually(async () => {
    await endRests(app, run);
    await deliverOne({ ...context, sitePushServices: freshSitePushServices() });
    return one.stats().received >= 12;
  });
  const { rows } = await sql<{ failed: number }>`select failed from run_batches where run_id = ${run.runId}`.execute(
    app.db,
  );
  expect(rows.filter(({ failed }) => failed > 0).length).toBeGreaterThanOrEqual(3);
  expect(one.stats().received).toBeLessThanOrEqual(13);
});

describe("a push service that fails occasionally", () => {
  test("with 500 and 503 for every twentieth message gets all of them in the end", async () => {
    await subscribeBrowsers(app, publisher, one, 1_000);
    one.answerWith({ status: 500, match: { fraction: 0.05, per: "message" }, times: 80 });
    one.answerWith({ behaviour: "unavailable", match: { fraction: 0.05, per: "message", seed: 2 }, times: 80 });
    const run = await startPlanned(app, publisher);
    await deliverUntil(async () => {
      await endRests(app, run);
      return completed(run);
    });
    expect(await expectConsistent(run)).toMatchObject({ accepted: 1_000, pending: 0 });
  });

  test("for three in ten subscriptions that are gone deletes them once, and counts them as gone", async () => {
    const endpoints = await subscribeBrowsers(app, publisher, one, 400);
    for (const [i, endpoint] of endpoints.slice(0, 120).entries()) {
      one.answerWith({ behaviour: i < 80 ? "gone" : "notFound", match: { endpoint }, times: 1 });
    }
    const run = await startPlanned(app, publisher);
    await deliverUntil(() => completed(run));
    expect(await expectConsistent(run)).toMatchObject({ accepted: 280, gone: 120, repeated: 0 });
    expect(one.stats().received).toBe(400);
    expect(await countSubscribers(app.db, publisher.siteId, everybody, 10_000)).toBe(280);
    const next = await startPlanned(app, publisher);
    await deliverUntil(() => completed(next));
    expect(await view(app, publisher, next)).toMatchObject({ audience: 280, accepted: 280, gone: 0 });
  });
});

describe("a subscription that its push service refuses while it accepts others", () => {
  async function sendOnce(): Promise<RunView> {
    const run = await startPlanned(app, publisher);
    await deliverUntil(() => completed(run));
    return view(app, publisher, run);
  }
  const reachable = () => countSubscribers(app.db, publisher.siteId, everybody, 100);

  test("is excluded after the third run, and is not reachable until the browser renews it", async () => {
    const endpoints = await subscribeBrowsers(app, publisher, one, 10);
    const removeRule = one.answerWith({ behaviour: "forbidden", match: { endpoint: endpoints[4]! } });
    for (let i = 0; i < 3; i++) {
      expect(await reachable()).toBe(10);
      expect(await sendOnce()).toMatchObject({ audience: 10, accepted: 9, failed: 1 });
    }
    expect(await reachable()).toBe(9);
    expect(await sendOnce()).toMatchObject({ audience: 9, accepted: 9, failed: 0 });
    expect(removeRule).toBeDefined();
  });

  test("counts as reachable again after an accepted message", async () => {
    const endpoints = await subscribeBrowsers(app, publisher, one, 3);
    one.answerWith({ status: 401, match: { endpoint: endpoints[0]! }, times: 2 });
    await sendOnce();
    await sendOnce();
    expect(await sendOnce()).toMatchObject({ accepted: 3 });
    one.answerWith({ status: 401, match: { endpoint: endpoints[0]! }, times: 2 });
    await sendOnce();
    await sendOnce();
    expect(await reachable()).toBe(3);
  });
});

describe("a batch that fails each time with an internal error", () => {
  test("fails the recipients without an outcome after the fifth time, and the run ends", async () => {
    await subscribeBrowsers(app, publisher, one, 5);
    const run = await startPlanned(app, publisher);
    const signerOf = () => Promise.reject(new Error("the key cannot be opened"));
    await deliverUntil(
      async () => {
        await setLeases(app);
        return completed(run);
      },
      { signerOf, sitePushServices: freshSitePushServices() },
    );
    const seen = await view(app, publisher, run);
    expect(seen).toMatchObject({ status: "completed", failed: 5, reasons: [{ reason: "internal" }] });
  });
});
