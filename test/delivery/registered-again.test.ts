import { sql } from "kysely";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { App } from "../../src/app.ts";
import { rows } from "../../src/db/pool.ts";
import { reachedCodes } from "../../src/runs/ledger/codes.ts";
import type { RunRef } from "../../src/runs/queries.ts";
import { eraseSubscriber } from "../../src/subscribers/erase-subscriber.ts";
import { registerSubscriber } from "../../src/subscribers/register-subscriber.ts";
import { openTestApp } from "../fixtures/app.ts";
import { type BrowserSubscription, createPublisher, type Publisher } from "../fixtures/publisher.ts";
import { type PushService, startPushService } from "../fixtures/push-service/push-service.ts";
import { ahead } from "../fixtures/rows/change.ts";
import { endWaits, letBatchesWait, splitBatches } from "../fixtures/rows/runs.ts";
import { startPlanned, subscriberIds, view } from "../runs/fixture.ts";
import { clearLedger, createTestContext, deliverOne, deliverToEnd } from "./fixture.ts";

/**
 * Tests one browser with two rows, because its page and its worker have registered it with different endpoints. During
 * a run it reports that one row replaces the other. From then on they are one row.
 */
let pushService: PushService;
let app: App;
let publisher: Publisher;
let before: BrowserSubscription;
let now: BrowserSubscription;

beforeAll(async () => {
  pushService = await startPushService({ keepBodies: "all" });
  app = await openTestApp({ PUSH_SERVICES: pushService.origin });
});

beforeEach(async () => {
  pushService.reset();
  await clearLedger(app);
  publisher = await createPublisher(app);
  const made = pushService.createSubscriptions(2, { applicationServerKey: publisher.vapidPublicKey });
  [before, now] = made as [BrowserSubscription, BrowserSubscription];
});

const register = ({ endpoint, keys }: BrowserSubscription, more: object = {}) =>
  registerSubscriber(app, {
    siteId: publisher.siteId,
    address: "192.0.2.1",
    body: { subscription: { endpoint, keys }, ...more },
  });

/** Registers the browser as `now`, and reports that this row replaces that of `before`. */
const registerAnew = () => register(now, { replaces: { endpoint: before.endpoint, auth: before.keys.auth } });

/** Starts a run to both rows, each in a batch of its own. Only the batch of `first` may be claimed yet. */
async function startApart(first: BrowserSubscription): Promise<RunRef> {
  const run = await startPlanned(app, publisher);
  await splitBatches(app, run);
  const others = await rows(
    sql<{ no: number }>`select p.no from run_recipients p join subscribers s on s.id = p.subscriber_ids[1]
      where p.run_id = ${run.runId} and s.endpoint <> ${first.endpoint}`,
    app.db,
  );
  expect(others).toHaveLength(1);
  await letBatchesWait(app, { run: run.runId, no: others[0]!.no }, ahead("1 hour"));
  return run;
}

describe("a browser that registers again during a run gets one message", () => {
  test.each([
    { older: "before", served: "now" },
    { older: "before", served: "before" },
    { older: "now", served: "now" },
    { older: "now", served: "before" },
  ] as const)("with $older as its older row, after that of $served was served", async ({ older, served }) => {
    for (const one of older === "before" ? [before, now] : [now, before]) await register(one);
    const run = await startApart(served === "now" ? now : before);
    const context = createTestContext(app, pushService);
    await deliverOne(context);
    await registerAnew();
    await deliverToEnd(app, context, run);
    expect(pushService.stats()).toMatchObject({ received: 1, accepted: 1 });
    expect(await view(app, publisher, run)).toMatchObject({
      status: "completed",
      audience: 2,
      accepted: 1,
      pending: 0,
    });
  });

  test.each([{ apart: true }, { apart: false }])("where none was served yet (%#)", async ({ apart }) => {
    for (const one of [before, now]) await register(one);
    const run = apart ? await startApart(now) : await startPlanned(app, publisher);
    await registerAnew();
    await deliverToEnd(app, createTestContext(app, pushService), run);
    expect(pushService.stats()).toMatchObject({ received: 1, accepted: 1 });
    expect(pushService.decrypt(now.endpoint)).toHaveLength(1);
    expect(await view(app, publisher, run)).toMatchObject({ status: "completed", accepted: 1, gone: 1 });
  });

  test("while a message to the other row is on its way", async () => {
    for (const one of [before, now]) await register(one);
    const run = await startApart(now);
    pushService.answerWith({ delayMs: 1_000, times: 1 });
    const context = createTestContext(app, pushService);
    const first = deliverOne(context);
    await pushService.received(1);
    await registerAnew();
    await endWaits(app, { run: run.runId, waits: true });
    expect(await deliverOne(createTestContext(app, pushService, { owner: "another" }))).toBe(true);
    expect(pushService.stats().received).toBe(1);
    await first;
    await deliverToEnd(app, context, run);
    expect(pushService.stats().received).toBe(1);
    expect(await view(app, publisher, run)).toMatchObject({ accepted: 1, notSent: 1, reasons: [{ count: 1 }] });
  });
});

test("the run says why, and a correction reaches the browser by the row that is left", async () => {
  for (const one of [before, now]) await register(one);
  const run = await startApart(now);
  const context = createTestContext(app, pushService);
  await deliverOne(context);
  await registerAnew();
  await deliverToEnd(app, context, run);
  expect((await view(app, publisher, run)).reasons).toMatchObject([
    { class: "notSent", reason: "already_sent", count: 1 },
  ]);
  const corrects = { runId: run.runId, sequence: 1, outcomes: reachedCodes };
  const corrected = await startPlanned(app, publisher, { corrects });
  await deliverToEnd(app, context, corrected);
  expect(await view(app, publisher, corrected)).toMatchObject({ audience: 1, accepted: 1 });
  expect(pushService.decrypt(now.endpoint)).toHaveLength(2);
});

test("an erasure takes all numbers of the browser out of the lists, of which eight are kept", async () => {
  await register(before);
  const made = pushService.createSubscriptions(10, { applicationServerKey: publisher.vapidPublicKey });
  for (const one of made) {
    now = one as BrowserSubscription;
    await register(now);
    await registerAnew();
    before = now;
  }
  const [id] = await subscriberIds(app, publisher.siteId);
  const [row] = await rows(
    sql<{ merged: number[] }>`select merged_ids as merged from subscribers where id = ${id!}`,
    app.db,
  );
  expect(row!.merged).toHaveLength(8);
  const { endpoint, keys } = now;
  await eraseSubscriber(app, { siteId: publisher.siteId, body: { endpoint, auth: keys.auth } });
  const erased = await rows(
    sql<{
      id: number;
    }>`select subscriber_id as id from erased_subscribers where site_id = ${publisher.siteId} order by 1`,
    app.db,
  );
  expect(erased.map((one) => one.id)).toEqual([id, ...row!.merged]);
});
