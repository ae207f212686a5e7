import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { App } from "../../src/app.ts";
import { openTestApp } from "../fixtures/app.ts";
import { eventually } from "../fixtures/eventually.ts";
import { createPublisher, type Publisher } from "../fixtures/publisher.ts";
import { type PushService, startPushService } from "../fixtures/push-service/push-service.ts";
import { ahead } from "../fixtures/rows/change.ts";
import { changeRuns, claimByDead, endWaits, writeCodes } from "../fixtures/rows/runs.ts";
import { changeSites } from "../fixtures/rows/sites.ts";
import { deleteSubscribers } from "../fixtures/rows/subscribers.ts";
import { batchesOf, endLeases, endTimeToLive, startPlanned, subscriberIds, view } from "../runs/fixture.ts";
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

describe("a message that was perhaps taken", () => {
  test("sends again what was perhaps taken, and counts it", async () => {
    await subscribeBrowsers(app, publisher, pushService, 30);
    pushService.answerWith({ behaviour: "reset", times: 3 });
    const run = await startPlanned(app, publisher);
    const context = createTestContext(app, pushService);
    await deliverOne(context);
    expect(await batchesOf(app, run)).toMatchObject([{ state: "delayed", accepted: 27, pending: 3, repeated: 0 }]);
    await deliverToEnd(app, context, run);
    expect(await view(app, publisher, run)).toMatchObject({ status: "completed", accepted: 30, repeated: 3 });
    expect(pushService.stats().repeated).toBe(3);
  });

  test("leaves it at that where the site prefers a miss to a repeat", async () => {
    await changeSites(app, { id: publisher.siteId }, { onUncertain: "skip" });
    await subscribeBrowsers(app, publisher, pushService, 30);
    pushService.answerWith({ behaviour: "reset", times: 3 });
    const run = await startPlanned(app, publisher);
    await deliverOne(createTestContext(app, pushService));
    const seen = await view(app, publisher, run);
    expect(seen).toMatchObject({ status: "completed", accepted: 27, unknown: 3, repeated: 0 });
    expect(pushService.stats()).toMatchObject({ received: 30, repeated: 0 });
  });

  test("goes on after a dead owner: uncertain messages go again or not, as the site chooses", async () => {
    for (const onUncertain of ["resend", "skip"] as const) {
      publisher = await createPublisher(app);
      await changeSites(app, { id: publisher.siteId }, { onUncertain });
      await subscribeBrowsers(app, publisher, pushService, 20);
      const run = await startPlanned(app, publisher);
      // The last flush of the dead owner: four accepted, five perhaps on the wire, one to retry, the rest untouched.
      await claimByDead(app, { run: run.runId }, { attempt: 1 });
      await writeCodes(app, run.runId, [...Array(4).fill(0x20), ...Array(5).fill(0x01), 0x11]);
      await endLeases(app, run);
      await deliverToEnd(app, createTestContext(app, pushService), run);
      const resent = { accepted: 20, unknown: 0, repeated: 5 };
      const left = { accepted: 15, unknown: 5, repeated: 0 };
      expect(await view(app, publisher, run)).toMatchObject(onUncertain === "resend" ? resent : left);
    }
    expect(pushService.stats().received).toBe(16 + 11);
  });

  test("does not send again to who has left since, and says that nobody can know", async () => {
    await subscribeBrowsers(app, publisher, pushService, 10);
    const run = await startPlanned(app, publisher);
    await writeCodes(app, run.runId, Array(4).fill(0x01));
    const ids = await subscriberIds(app, publisher.siteId);
    await deleteSubscribers(app, { id: [ids[0]!, ids[9]!] });
    await deliverToEnd(app, createTestContext(app, pushService), run);
    expect(await view(app, publisher, run)).toMatchObject({ accepted: 8, unknown: 1, gone: 1, repeated: 3 });
    expect(pushService.stats().received).toBe(8);
  });

  test("remembers that a message was perhaps taken, through a later try that was surely not", async () => {
    await subscribeBrowsers(app, publisher, pushService, 1);
    const run = await startPlanned(app, publisher);
    const context = createTestContext(app, pushService);
    pushService.answerWith({ behaviour: "unavailable", times: 1 });
    pushService.answerWith({ behaviour: "reset", times: 1 });
    await deliverOne(context);
    await endWaits(app);
    await deliverOne(context);
    expect(await batchesOf(app, run)).toMatchObject([{ state: "delayed", repeated: 0, codes: Buffer.of(0x02) }]);
    await deliverToEnd(app, context, run);
    expect(await view(app, publisher, run)).toMatchObject({ accepted: 1, repeated: 1 });
    expect(pushService.stats()).toMatchObject({ received: 3, repeated: 1 });
  });
});

describe("the time to live", () => {
  test("expires what the time to live does not allow any more", async () => {
    await subscribeBrowsers(app, publisher, pushService, 30);
    pushService.answerWith({ behaviour: "unavailable", times: 4 });
    const run = await startPlanned(app, publisher);
    const context = createTestContext(app, pushService);
    await deliverOne(context);
    await endTimeToLive(app, run);
    await deliverToEnd(app, context, run);
    const seen = await view(app, publisher, run);
    expect(seen).toMatchObject({ status: "completed", accepted: 26, expired: 4, reasons: [{ reason: "ttl" }] });
  });

  test("expires the rest of a batch whose time to live ends while it is at work", async () => {
    await subscribeBrowsers(app, publisher, pushService, 30);
    const run = await startPlanned(app, publisher);
    await changeRuns(app, { id: run.runId }, { expiresAt: ahead("400 milliseconds") });
    pushService.answerWith({ delayMs: 600 });
    await deliverOne(createTestContext(app, pushService, { subBatch: 5 }));
    const seen = await eventually(async () => {
      const run2 = await view(app, publisher, run);
      return run2.status === "completed" && run2;
    });
    expect(seen.accepted + seen.expired).toBe(30);
    expect(seen.accepted).toBe(pushService.stats().accepted);
    expect(seen.expired).toBeGreaterThanOrEqual(14);
  });

  test("rests a push service that cannot be reached, and loses nothing by it", async () => {
    await subscribeBrowsers(app, publisher, pushService, 60);
    const run = await startPlanned(app, publisher);
    // The thread cannot connect, because it does not trust the simulator's certificate.
    await deliverOne(createTestContext(app, pushService, {}, { ca: undefined } as never));
    const [batch] = await batchesOf(app, run);
    expect(batch).toMatchObject({ state: "delayed", pending: 60, repeated: 0 });
    // Another machine may reach the push service. So only this thread leaves it alone for longer.
    expect(batch!.waitMs).toBeLessThanOrEqual(1_000);
    const { reasons } = await view(app, publisher, run);
    expect(reasons).toMatchObject([
      { class: "pending", reason: "retrying", pushService: pushService.origin, count: 60 },
    ]);
    await deliverToEnd(app, createTestContext(app, pushService), run);
    expect(await view(app, publisher, run)).toMatchObject({ accepted: 60, repeated: 0 });
  });
});
