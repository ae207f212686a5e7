import { afterEach, beforeEach, expect, test } from "vitest";
import type { App } from "../../src/app.ts";
import { createInFlightBudget } from "../../src/delivery/pace/in-flight-budget.ts";
import { createClaimLoop } from "../../src/delivery/worker/claim-loop.ts";
import type { RunRef } from "../../src/runs/queries.ts";
import { openTestApp } from "../fixtures/app.ts";
import { eventually } from "../fixtures/eventually.ts";
import { createPublisher, subscribe } from "../fixtures/publisher.ts";
import { type PushService, startPushService } from "../fixtures/push-service/push-service.ts";
import { ahead } from "../fixtures/rows/change.ts";
import { claimByDead, forgetPushServices, setPushService, splitBatches } from "../fixtures/rows/runs.ts";
import { batchesOf, startPlanned } from "../runs/fixture.ts";
import { createTestContext } from "./fixture.ts";

let pushService: PushService;
let app: App;
let isDraining: boolean;
let claimLoop: ReturnType<typeof createClaimLoop>;

beforeEach(async () => {
  isDraining = false;
  pushService = await startPushService();
  pushService.answerWith({ behaviour: "hang" });
  app = await openTestApp({ PUSH_SERVICES: pushService.origin });
  // The deadline would end the batches. It is so late that only `end` ends them, however long a test takes.
  const limits = { deadlineMs: 300_000 };
  claimLoop = createClaimLoop(createTestContext(app, pushService, { isDraining: () => isDraining }, limits));
});
afterEach(() => pushService.close());

/** Ends the loop. It claims nothing more, and its batches end with their connections. */
async function end(loop: Promise<void>): Promise<void> {
  isDraining = true;
  claimLoop.wake();
  pushService.disconnect();
  await loop;
}

/** Starts a run of a new site, with `batches` batches of `size` readers each. */
async function startRunOf(batches: number, kind: "live" | "test" = "live", size = 1): Promise<RunRef> {
  const publisher = await createPublisher(app);
  const made = pushService.createSubscriptions(batches * size, { applicationServerKey: publisher.vapidPublicKey });
  await subscribe(app, publisher.siteId, made, kind === "test" ? "ClaimLoop phone" : undefined);
  // The push service rests until the batches are split. Otherwise the loop could claim a batch that the split replaces.
  const { siteId } = publisher;
  await setPushService(app, siteId, pushService.origin, { waitsUntil: ahead("1 day") });
  const run = await startPlanned(app, publisher, { kind });
  await splitBatches(app, run, size);
  await forgetPushServices(app, siteId);
  return run;
}

const openOf = async (run: RunRef) => (await batchesOf(app, run)).filter(({ state }) => state === "open").length;

test("a thread holds two batches of a slow push service, four with other runs, and any test", async () => {
  const large = await startRunOf(5);
  const ended = claimLoop.run();
  await eventually(async () => (await openOf(large)) === 2);
  const small = await startRunOf(3);
  await eventually(async () => (await openOf(small)) === 1);
  const next = [await startRunOf(1), await startRunOf(1), await startRunOf(1)];
  await eventually(async () => (await Promise.all(next.map(openOf))).includes(1));
  // Before it claims the second test send, the loop has looked for all other batches.
  for (const run of [await startRunOf(1, "test"), await startRunOf(1, "test")]) {
    await eventually(async () => (await openOf(run)) === 1);
  }
  expect([await openOf(large), await openOf(small)]).toEqual([2, 1]);
  expect((await Promise.all(next.map(openOf))).sort()).toEqual([0, 0, 1]);
  await end(ended);
});

test("a thread holds batches for what a small run may have in flight, and one more", async () => {
  const context = { budget: createInFlightBudget(10_000), isDraining: () => isDraining };
  claimLoop = createClaimLoop(createTestContext(app, pushService, context, { deadlineMs: 300_000 }));
  const small = await startRunOf(5, "live", 110);
  const ended = claimLoop.run();
  await eventually(async () => (await openOf(small)) === 3);
  // Before it claims this run, the loop has looked for more batches of the first.
  const next = await startRunOf(1);
  await eventually(async () => (await openOf(next)) === 1);
  expect(await openOf(small)).toBe(3);
  await end(ended);
});

test("a thread claims nothing beside a batch whose last three owners died", async () => {
  const run = await startRunOf(2);
  await claimByDead(app, { run: run.runId }, { attempt: 3, crashes: 2 });
  const ended = claimLoop.run();
  await pushService.received(1);
  const owners = (await batchesOf(app, run)).map(({ owner }) => owner === "dead");
  expect(owners.sort()).toEqual([false, true]);
  await end(ended);
});
