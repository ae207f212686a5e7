import { sql } from "kysely";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { App } from "../../src/app.ts";
import { createClaimLoop } from "../../src/delivery/worker/claim-loop.ts";
import type { DeliveryContext } from "../../src/delivery/worker/context.ts";
import { sweepRuns } from "../../src/runs/close-run.ts";
import type { RunRef } from "../../src/runs/queries.ts";
import type { RunView } from "../../src/runs/run.ts";
import { countSubscribers } from "../../src/subscribers/queries.ts";
import { clearLedger, createTestContext, freshSiteLanes, subscribeBrowsers } from "../delivery/fixture.ts";
import { openTestApp } from "../fixtures/app.ts";
import { eventually } from "../fixtures/eventually.ts";
import { freePort } from "../fixtures/free-port.ts";
import { createPublisher, createSubscriptions, type Publisher, subscribe } from "../fixtures/publisher.ts";
import { type PushService, startPushService } from "../fixtures/push-service/push-service.ts";
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

/** Runs a claim loop that reaches both push services until `isOver`. Claimed batches are released then. */
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

/** Returns how long after the start of the run its lane rests, in ms. */
async function restOf(service: PushService, run: RunRef): Promise<number | undefined> {
  const { rows } = await sql<{
    ms: number;
  }>`select (extract(epoch from l.not_before - r.created_at) * 1000)::float8 as ms
    from lanes l join runs r on r.id = ${run.runId} where l.origin = ${service.origin}`.execute(app.db);
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
    // The push service would get more than the first window only after the deadline of a message.
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

  test("by accepting what it answers with 500 is tried with other readers each time, and no reader gets repeats", async () => {
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

  test("with 503 for every message is only probed, shows on the run, and gets the rest when it has recovered", async () => {
    other.answerWith({ behaviour: "unavailable" });
    const run = await startPlanned(app, publisher);
    // Checked during delivery: a batch that is claimed for a probe does not count as retrying.
    await deliverUntil(async () => {
      const { reasons } = await view(app, publisher, run);
      const [reason] = reasons;
      const isShown = reason?.reason === "retrying" && reason.lane === other.origin && reason.count === 600;
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
  /** Makes all hosts one push service, as the hosts of WNS are. */
  async function createOneLane(): Promise<void> {
    await sql`update subscribers set lane = 'wns' where site_id = ${publisher.siteId}`.execute(app.db);
  }

  test("gets no more messages at a host that fails or is silent, only at the others, until the host has recovered", async () => {
    // These come first in the batch, before all others.
    await subscribeBrowsers(app, publisher, other, 100);
    await subscribeBrowsers(app, publisher, one, 600);
    await createOneLane();
    for (const behaviour of ["unavailable", "hang"] as const) {
      for (const service of [one, other]) service.reset();
      other.answerWith({ behaviour });
      const run = await startPlanned(app, publisher);
      await deliverUntil(async () => one.stats().accepted === 600, {}, 1_000);
      expect(other.stats().received).toBeLessThanOrEqual(60);
      const { reasons } = await view(app, publisher, run);
      expect(reasons).toMatchObject([{ class: "pending", reason: "retrying", lane: "wns", count: 100 }]);

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
    await createOneLane();
    await startPlanned(app, publisher);
    await deliverUntil(async () => one.stats().accepted === 600);
  });
});

describe("one push service that answers 429, beside one that does not", () => {
  beforeEach(subscribeToBoth);

  const inTenMinutes = () => new Date(Date.now() + 600_000).toUTCString();
  for (const [what, retryAfter, restMs] of [
    ["5", () => "5", 5_000],
    ["3600", () => "3600", 3_600_000],
    ["a thousand years", () => "99999999999", 86_400_000],
    ["a date", inTenMinutes, 598_000],
  ] as const) {
    test(`and Retry-After ${what} rests alone, until the time it asked for`, async () => {
      const run = await startPlanned(app, publisher);
      other.answerWith({ behaviour: "throttle", headers: { "retry-after": retryAfter() } });
      await deliverUntil(async () => one.stats().accepted === 600 && (await restOf(other, run)) !== undefined);
      expect(other.stats().received).toBeLessThanOrEqual(48);
      const seen = await expectConsistent(run);
      expect(seen).toMatchObject({ pending: 600, repeated: 0 });
      expect(seen.reasons).toMatchObject([{ class: "pending", lane: other.origin, count: 600 }]);
      expect(await restOf(other, run)).toBeGreaterThan(restMs);
    });
  }
});

test("a push service that throttles one reader still gets the messages of all others, and does not rest", async () => {
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
  test("is held after a few messages, shows why, and is released by the first message that it accepts", async () => {
    await subscribeToBoth();
    other.answerWith({ behaviour: "forbidden" });
    const run = await startPlanned(app, publisher);
    await deliverUntil(async () => one.stats().accepted === 600 && (await heldReason()) !== undefined);
    const held = await expectConsistent(run);
    expect(held.failed).toBeLessThanOrEqual(64);
    expect(held.failed).toBeGreaterThanOrEqual(20);
    expect(held.reasons[0]).toMatchObject({ class: "pending", reason: "forbidden", lane: other.origin });
    expect(await refusedSubscribers()).toBe(0);

    // The rest is over and the service still refuses: after one more message it is held again.
    const before = other.stats().received;
    await endRests(app, run);
    await deliverUntil(async () => other.stats().received > before && (await isResting()));
    expect(other.stats().received).toBeLessThanOrEqual(before + 2);

    other.clearBehaviours();
    await endRests(app, run);
    await deliverUntil(() => completed(run));
    const seen = await expectConsistent(run);
    expect(seen.accepted + seen.failed).toBe(1_200);
    expect(await heldReason()).toBeNull();
  });

  async function heldReason(): Promise<string | null | undefined> {
    const { rows } = await sql<{ reason: string | null }>`select held_reason as reason from lanes
      where origin = ${other.origin}`.execute(app.db);
    return rows[0]?.reason;
  }

  async function isResting(): Promise<boolean> {
    const { rows } = await sql`select from lanes where origin = ${other.origin} and not_before > now()`.execute(app.db);
    return rows.length > 0;
  }

  async function refusedSubscribers(): Promise<number> {
    const { rows } = await sql<{ n: number }>`select count(*) as n from subscribers
      where site_id = ${publisher.siteId} and refused_runs > 0`.execute(app.db);
    return rows[0]!.n;
  }
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
    expect(await countSubscribers(app.db, publisher.siteId, [], 10_000)).toBe(280);
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
  const reachable = () => countSubscribers(app.db, publisher.siteId, [], 100);

  test("is left out after the third run, and is not reachable until the browser renews it", async () => {
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
        await sql`update run_batches set lease_until = now() where state = 'open'`.execute(app.db);
        return completed(run);
      },
      { signerOf, siteLanes: freshSiteLanes() },
    );
    const seen = await view(app, publisher, run);
    expect(seen).toMatchObject({ status: "completed", failed: 5, reasons: [{ reason: "internal" }] });
  });
});
