import { sql } from "kysely";
import { beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import type { App } from "../../src/app.ts";
import { createInFlightBudget } from "../../src/delivery/pace/in-flight-budget.ts";
import { deliverBatch } from "../../src/delivery/worker/deliver-batch.ts";
import { claimBatch } from "../../src/runs/ledger/claim-batch.ts";
import { isUncertain } from "../../src/runs/ledger/codes.ts";
import { planNextPage } from "../../src/runs/plan/plan-run.ts";
import { openTestApp } from "../fixtures/app.ts";
import { eventually } from "../fixtures/eventually.ts";
import { holdOpen } from "../fixtures/hold-open.ts";
import { createPublisher, type Publisher } from "../fixtures/publisher.ts";
import { type PushService, startPushService } from "../fixtures/push-service/push-service.ts";
import { splitBatches } from "../fixtures/rows/runs.ts";
import { changeSubscribers, deleteSubscribers, insertSubscribers } from "../fixtures/rows/subscribers.ts";
import { startTurnClock } from "../fixtures/turn-clock.ts";
import { batchesOf, planAll, start, startPlanned, subscriberIds, view } from "../runs/fixture.ts";
import { clearLedger, createTestContext, deliverOne, deliverToEnd, subscribeBrowsers } from "./fixture.ts";

let pushService: PushService;
let app: App;
let publisher: Publisher;

beforeAll(async () => {
  pushService = await startPushService({ keepBodies: "all" });
  app = await openTestApp({ PUSH_SERVICES: pushService.origin });
});

beforeEach(async () => {
  pushService.reset();
  await clearLedger(app);
  publisher = await createPublisher(app);
});

const endpointOf = async (index: number) => {
  const ids = await subscriberIds(app, publisher.siteId);
  const { rows } = await sql<{
    endpoint: string;
  }>`select endpoint from subscribers where id = ${ids[index]!}`.execute(app.db);
  return rows[0]!.endpoint;
};

describe("delivering a batch", () => {
  test("brings each recipient the message once, with a topic, a time to live and an urgency", async () => {
    const endpoints = await subscribeBrowsers(app, publisher, pushService, 45);
    const run = await startPlanned(app, publisher, { ttlSeconds: 600 });
    await deliverOne(createTestContext(app, pushService));
    expect(await view(app, publisher, run)).toMatchObject({ status: "completed", audience: 45, accepted: 45 });
    expect(pushService.stats()).toMatchObject({ received: 45, distinctSubscriptionsAccepted: 45, repeated: 0 });
    const [receipt] = [...pushService.receipts()];
    expect(receipt).toMatchObject({ ttl: 600, urgency: "normal", topic: run.runId.replaceAll("-", "") });
    const ids = endpoints.flatMap((endpoint) => pushService.decrypt(endpoint)) as { notification: { data: unknown } }[];
    expect(new Set(ids.map(({ notification }) => JSON.stringify(notification.data))).size).toBe(45);
  });

  test("commits the intent of a message before the message can arrive", async () => {
    await subscribeBrowsers(app, publisher, pushService, 20);
    const run = await startPlanned(app, publisher);
    pushService.answerWith({ behaviour: "hang" });
    const delivery = deliverOne(createTestContext(app, pushService, { subBatch: 5 }));
    for (const k of [1, 4, 6, 11, 15]) {
      await pushService.received(k);
      const arrived = pushService.stats().received;
      const [batch] = await batchesOf(app, run);
      expect(batch!.codes.filter((code) => isUncertain(code)).length).toBeGreaterThanOrEqual(arrived);
    }
    // A push service gets no more than the first window before its first answer.
    expect(pushService.stats().received).toBeLessThanOrEqual(16);
    pushService.disconnect();
    await delivery;
    expect(await view(app, publisher, run)).toMatchObject({ pending: 20, accepted: 0, repeated: 0 });
  });
});

test("writes outcomes soon after their answers, also while other answers take long", async () => {
  onTestFinished(startTurnClock().stop);
  const [slow] = await subscribeBrowsers(app, publisher, pushService, 20);
  pushService.answerWith({ match: { endpoint: slow }, behaviour: "hang" });
  const run = await startPlanned(app, publisher);
  const delivery = deliverOne(createTestContext(app, pushService));
  const areDurable = async () => {
    const [batch] = await batchesOf(app, run);
    return batch!.accepted === 19 && batch!.codes.filter((code) => isUncertain(code)).length === 1;
  };
  // This is long before the answer that hangs is given up, or the lease is renewed.
  await eventually(areDurable, 3_000);
  expect(pushService.stats().received).toBe(20);
  pushService.disconnect();
  await delivery;
});

test("may have more in flight once more of its run is planned", async () => {
  const [slow] = await subscribeBrowsers(app, publisher, pushService, 20);
  await insertSubscribers(app, publisher.siteId, 3_980);
  pushService.answerWith({ match: { endpoint: slow }, behaviour: "hang" });
  await start(app, publisher);
  await planNextPage(app.db);
  const context = createTestContext(app, pushService, { budget: createInFlightBudget(10_000) });
  const claimedMs = performance.now();
  const batch = (await claimBatch(app.db, context.owner, [{ pushService: "fcm" }]))!;
  expect([batch.recipientsOfRun, context.budget.mostOf(batch)]).toEqual([1_000, 200]);
  const delivery = deliverBatch(context, batch, claimedMs);
  await pushService.received(1);
  await planAll(app);
  await eventually(async () => context.budget.mostOf(batch) === 400);
  pushService.disconnect();
  await delivery;
});

/** The size of a run that is so large that it does not limit what a thread may have in flight. */
const large = { recipientsOfRun: 1_000_000, batchesOfRun: 1_000 };

describe("delivering beside another run", () => {
  test("shares a push service with a new run while another holds all that it may", async () => {
    await subscribeBrowsers(app, publisher, pushService, 240);
    const another = await createPublisher(app);
    await subscribeBrowsers(app, another, pushService, 60);
    pushService.answerWith({ delayMs: 100 });
    const first = await startPlanned(app, publisher);
    await splitBatches(app, first, 120);
    const context = createTestContext(app, pushService, { budget: createInFlightBudget(16), subBatch: 3 });
    const ofFirst = [deliverOne(context), deliverOne(context)];
    await pushService.received(12);
    const small = await startPlanned(app, another);
    await deliverOne(context);
    expect(await view(app, another, small)).toMatchObject({ status: "completed", accepted: 60, repeated: 0 });
    expect((await view(app, publisher, first)).pending).toBeGreaterThan(60);
    await Promise.all(ofFirst);
    expect(await view(app, publisher, first)).toMatchObject({ status: "completed", accepted: 240, repeated: 0 });
  });

  test("gives back its reservation after its answers while another run waits for it", async () => {
    onTestFinished(startTurnClock().stop);
    await subscribeBrowsers(app, publisher, pushService, 20);
    pushService.answerWith({ delayMs: 300 });
    const run = await startPlanned(app, publisher);
    const context = createTestContext(app, pushService, { budget: createInFlightBudget(16), subBatch: 3 });
    // This reservation stands for another batch of the run. Later it stands for a batch of another run, whose share is
    // half of what the two hold.
    context.budget.enter(pushService.origin, { ...run, ...large }).hold(6);
    const delivery = deliverOne(context);
    await pushService.received(6);
    const other = context.budget.enter(pushService.origin, { runId: "another run", ...large });
    // Six are accepted, or twelve if the first answers came before the other run.
    const isGivenBack = async () => {
      const [batch] = await batchesOf(app, run);
      return batch!.accepted % 6 === 0 && !batch!.codes.some((code) => isUncertain(code)) && other.room() === 6;
    };
    // The limit is earlier than the renewal of the lease, which also gives back reservations.
    await eventually(isGivenBack, 4_000);
    other.leave();
    context.progress.notify();
    await delivery;
    expect(await view(app, publisher, run)).toMatchObject({ status: "completed", accepted: 20, repeated: 0 });
  });
});

describe("delivering to those who have left", () => {
  for (const [status, reason] of [
    [404, "not_found"],
    [410, "gone"],
  ] as const) {
    test(`removes at once a subscriber of whom the push service says ${status}`, async () => {
      await subscribeBrowsers(app, publisher, pushService, 3);
      const ids = await subscriberIds(app, publisher.siteId);
      pushService.answerWith({ status, match: { endpoint: await endpointOf(1) } });
      const run = await startPlanned(app, publisher);
      await deliverOne(createTestContext(app, pushService));
      const seen = await view(app, publisher, run);
      expect(seen).toMatchObject({ status: "completed", accepted: 2, gone: 1, reasons: [{ reason, count: 1 }] });
      expect(await subscriberIds(app, publisher.siteId)).toEqual([ids[0], ids[2]]);
    });
  }

  test("removes subscribers who are gone with the next intents, before a sender can die", async () => {
    await subscribeBrowsers(app, publisher, pushService, 14);
    const [first] = await subscriberIds(app, publisher.siteId);
    pushService.answerWith({ delayMs: 600 });
    pushService.answerWith({ behaviour: "gone", match: { endpoint: await endpointOf(0) } });
    const run = await startPlanned(app, publisher);
    const delivery = deliverOne(createTestContext(app, pushService, { budget: createInFlightBudget(10) }));
    await eventually(async () => {
      const [batch] = await batchesOf(app, run);
      return batch!.state === "open" && batch!.gone === 1;
    });
    expect(await subscriberIds(app, publisher.siteId)).not.toContain(first);
    await delivery;
    expect(await view(app, publisher, run)).toMatchObject({ status: "completed", accepted: 13, gone: 1 });
  });

  test("keeps a subscriber who has subscribed anew while the old endpoint was found gone", async () => {
    await subscribeBrowsers(app, publisher, pushService, 1);
    const [id] = await subscriberIds(app, publisher.siteId);
    pushService.answerWith({ behaviour: "gone" });
    const run = await startPlanned(app, publisher);
    const context = createTestContext(app, pushService);
    // The message goes to the old endpoint. Its subscriber cannot be removed before this transaction ends.
    const delivery = await holdOpen(app, async (tx) => {
      await changeSubscribers({ db: tx }, { id: id! }, { endpoint: `${pushService.origin}/push/another` });
      const ended = deliverOne(context);
      await pushService.received(1);
      return { ended };
    });
    await delivery.ended;
    expect(await view(app, publisher, run)).toMatchObject({ gone: 1 });
    expect(await subscriberIds(app, publisher.siteId)).toEqual([id]);
  });
});

describe("delivering after a reader has left", () => {
  test("sends nothing to readers who left since the send", async () => {
    await subscribeBrowsers(app, publisher, pushService, 3);
    const run = await startPlanned(app, publisher);
    const ids = await subscriberIds(app, publisher.siteId);
    await deleteSubscribers(app, { id: ids[1]! });
    await deliverOne(createTestContext(app, pushService));
    const seen = await view(app, publisher, run);
    expect(seen).toMatchObject({ accepted: 2, gone: 1, reasons: [{ reason: "unsubscribed" }] });
    expect(pushService.stats().received).toBe(2);
  });

  test("sends nothing to readers who leave during the batch, unless it is on its way", async () => {
    await subscribeBrowsers(app, publisher, pushService, 30);
    // The first window waits for these answers. The delay is longer than a busy database takes to delete the readers.
    pushService.answerWith({ delayMs: 1_000, times: 10 });
    const run = await startPlanned(app, publisher);
    const ids = await subscriberIds(app, publisher.siteId);
    const delivery = deliverOne(createTestContext(app, pushService, { budget: createInFlightBudget(10) }));
    await pushService.received(1);
    await deleteSubscribers(app, { id: [ids[0]!, ...ids.slice(20)] });
    await delivery;
    const seen = await view(app, publisher, run);
    expect(seen).toMatchObject({ accepted: 20, gone: 10, reasons: [{ reason: "unsubscribed", count: 10 }] });
    expect(pushService.stats().received).toBe(20);
  });
});

describe("a fault in one subscription", () => {
  test("fails a recipient whose key is no point on the curve, and nobody else", async () => {
    await subscribeBrowsers(app, publisher, pushService, 3);
    const ids = await subscriberIds(app, publisher.siteId);
    await changeSubscribers(app, { id: ids[1]! }, { p256dh: Buffer.from([0x04, ...Array(64).fill(0x11)]) });
    const run = await startPlanned(app, publisher);
    await deliverOne(createTestContext(app, pushService));
    const seen = await view(app, publisher, run);
    expect(seen).toMatchObject({ accepted: 2, failed: 1, reasons: [{ reason: "invalid_key" }] });
  });

  test("fails a recipient with an invalid or forbidden endpoint, and nobody else", async () => {
    await subscribeBrowsers(app, publisher, pushService, 4);
    const ids = await subscriberIds(app, publisher.siteId);
    await changeSubscribers(app, { id: ids[1]! }, { endpoint: "not an address" });
    await changeSubscribers(app, { id: ids[2]! }, { endpoint: "https://other.example/push/1" });
    const run = await startPlanned(app, publisher);
    await deliverOne(createTestContext(app, pushService));
    const seen = await view(app, publisher, run);
    expect(seen).toMatchObject({ status: "completed", accepted: 2, failed: 2 });
    expect(seen.reasons.map(({ reason }) => reason).sort()).toEqual(["internal", "origin_not_allowed"]);
  });
});

describe("a push service that asks for patience, or is away", () => {
  test("stops at 429, rests the push service as long as it asks, and finishes afterwards", async () => {
    await subscribeBrowsers(app, publisher, pushService, 60);
    pushService.answerWith({ behaviour: "throttle", headers: { "retry-after": "90" } });
    const run = await startPlanned(app, publisher);
    const context = createTestContext(app, pushService);
    await deliverOne(context);
    expect(pushService.stats().received).toBeLessThanOrEqual(20);
    const [delayed] = await batchesOf(app, run);
    expect(delayed).toMatchObject({ state: "delayed", pending: 60, repeated: 0 });
    expect(delayed!.waitMs).toBeGreaterThan(80_000);
    const { rows } = await sql<{ ms: number }>`select (extract(epoch from not_before - now()) * 1000)::float8 as ms
      from site_push_services where origin = ${pushService.origin}`.execute(app.db);
    expect(rows[0]!.ms).toBeGreaterThan(80_000);
    expect(await deliverOne(context)).toBe(false);

    pushService.clearBehaviours();
    await deliverToEnd(app, context, run);
    expect(await view(app, publisher, run)).toMatchObject({ status: "completed", accepted: 60, repeated: 0 });
    expect(pushService.stats().repeated).toBe(0);
  });

  test("tries again after 503, while the others go on, and counts nothing as repeated", async () => {
    await subscribeBrowsers(app, publisher, pushService, 30);
    pushService.answerWith({ behaviour: "unavailable", times: 4 });
    const run = await startPlanned(app, publisher);
    const context = createTestContext(app, pushService);
    await deliverOne(context);
    expect(await batchesOf(app, run)).toMatchObject([{ state: "delayed", accepted: 26, pending: 4 }]);
    await deliverToEnd(app, context, run);
    expect(await view(app, publisher, run)).toMatchObject({ accepted: 30, repeated: 0 });
    expect(pushService.stats()).toMatchObject({ received: 34, repeated: 0 });
  });
});
