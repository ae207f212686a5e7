import { sql } from "kysely";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { App } from "../../src/app.ts";
import { rows } from "../../src/db/pool.ts";
import { createInFlightBudget } from "../../src/delivery/pace/in-flight-budget.ts";
import { createClaimLoop } from "../../src/delivery/worker/claim-loop.ts";
import type { RunRef } from "../../src/runs/queries.ts";
import { startRunPoller } from "../../src/runs/run-poller.ts";
import { recogniseRateLimits } from "../../src/runs/site-rate-limits.ts";
import type { RunView } from "../../src/runs/view-run.ts";
import { clearLedger, createTestContext, subscribeBrowsers } from "../delivery/fixture.ts";
import { openTestApp } from "../fixtures/app.ts";
import { eventually } from "../fixtures/eventually.ts";
import { createPublisher, type Publisher } from "../fixtures/publisher.ts";
import { type PushService, startPushService } from "../fixtures/push-service/push-service.ts";
import { present } from "../fixtures/rows/change.ts";
import { changeRuns } from "../fixtures/rows/runs.ts";
import { changeSites } from "../fixtures/rows/sites.ts";
import { changeSubscribers } from "../fixtures/rows/subscribers.ts";
import { start, view } from "../runs/fixture.ts";

/** The minute of the push service that limits sites. It is short to keep the test short. */
const minuteMs = 4_000;

let service: PushService;
let app: App;
let publisher: Publisher;

beforeAll(async () => {
  service = await startPushService();
  app = await openTestApp({
    PUSH_SERVICES: service.origin,
    SMTP_URL: "smtp://127.0.0.1:1",
    MAIL_FROM: "bell@example.org",
    PUBLIC_URL: "https://push.example",
  });
  return () => service.close();
});

beforeEach(async () => {
  service.reset();
  await clearLedger(app);
  await sql`truncate accepted_keys, emails`.execute(app.db);
  publisher = await createPublisher(app);
});

/** Marks the `count` readers who subscribed last as seen on the site today. Returns them. */
async function seeLast(count: number): Promise<Set<string>> {
  await changeSubscribers(app, { siteId: publisher.siteId, newest: count }, { seenDaysAgo: 0 });
  const seen = await rows(
    sql<{ endpoint: string }>`select endpoint from subscribers where site_id = ${publisher.siteId}
      order by id desc limit ${count}`,
    app.db,
  );
  await changeSites(app, { id: publisher.siteId }, { readersSeenDaysAgo: 0 });
  return new Set(seen.map(({ endpoint }) => endpoint));
}

/** Ends the time to live of a run now. */
async function expire(run: RunRef): Promise<void> {
  await changeRuns(app, { id: run.runId }, { expiresAt: present });
}

/** Plans runs, delivers with two threads, and looks for limits, until `isOver`. */
async function deliverUntil(isOver: () => Promise<unknown>): Promise<void> {
  let isDraining = false;
  const poller = startRunPoller(app.db, app.log);
  const threads = ["one", "two"].map((owner) => {
    const over = { owner, budget: createInFlightBudget(2_500), subBatch: 625, isDraining: () => isDraining };
    return createClaimLoop(createTestContext(app, service, over));
  });
  const work = threads.map((thread) => thread.run());
  const look = async () => {
    await recogniseRateLimits(app);
    return isOver();
  };
  try {
    await eventually(look, 60_000);
  } finally {
    isDraining = true;
    for (const thread of threads) thread.wake();
    await Promise.all([...work, poller.stop()]);
  }
}

const hasEnded = async (run: RunRef) => (await view(app, publisher, run)).finishedAt !== null;

const reasonsOf = ({ reasons }: RunView) => new Set(reasons.map(({ reason }) => reason));

async function emails(): Promise<number> {
  const [counted] = await rows(sql<{ n: number }>`select count(*) as n from emails`, app.db);
  return counted!.n;
}

describe("a push service that takes 1,000 messages of a site a minute", () => {
  test("gets readers seen lately first, and what it does not take in time has expired", async () => {
    await subscribeBrowsers(app, publisher, service, 5_000);
    const seen = await seeLast(1_000);
    service.cap({ messages: 1_000, everyMs: minuteMs });
    // The run must not end before the limit is recognised, however busy the machine is.
    service.cap({ messages: 4_500, everyMs: 60 * minuteMs });
    const run = await start(app, publisher);
    let atLeast = 2_000;
    let isRecognised = false;
    await deliverUntil(async () => {
      const { accepted } = service.stats();
      if (!isRecognised && reasonsOf(await view(app, publisher, run)).has("rate_limited")) {
        isRecognised = true;
        // The run continues at the rate that the push service allows.
        atLeast = Math.min(4_500, Math.max(atLeast, accepted + 500));
      }
      if (isRecognised && accepted >= atLeast) await expire(run);
      return hasEnded(run);
    });

    const reached = [...service.receipts()].filter(({ accepted }) => accepted);
    const firstOther = reached.findIndex(({ endpoint }) => !seen.has(endpoint!));
    expect(firstOther).toBeGreaterThanOrEqual(950);
    const ended = await view(app, publisher, run);
    expect(ended).toMatchObject({ status: "completed", audience: 5_000, pending: 0, failed: 0, unknown: 0 });
    expect(ended.accepted + ended.expired).toBe(5_000);
    expect(service.stats()).toMatchObject({ distinctSubscriptionsAccepted: ended.accepted, repeated: 0 });
    expect(ended.reasons).toMatchObject([{ class: "expired", reason: "rate_limited", count: ended.expired }]);
    expect(await emails()).toBe(1);
  });

  test("and takes those of another site is named on the run, and the owners get one e-mail a day", async () => {
    const other = await createPublisher(app);
    await subscribeBrowsers(app, publisher, service, 600);
    await subscribeBrowsers(app, other, service, 600);
    service.cap({ messages: 100, everyMs: 60_000, applicationServerKey: publisher.vapidPublicKey });
    const run = await start(app, publisher);
    let isOtherStarted = false;
    await deliverUntil(async () => {
      if (!isOtherStarted && reasonsOf(await view(app, publisher, run)).has("throttled")) {
        isOtherStarted = true;
        await start(app, other);
      }
      return reasonsOf(await view(app, publisher, run)).has("rate_limited");
    });
    const [reason] = (await view(app, publisher, run)).reasons;
    expect(reason).toMatchObject({ class: "pending", reason: "rate_limited" });
    expect(reason!.message).toMatch(/for 1, then 7, then 14 days\. What helps: fewer notifications/);
    expect(await emails()).toBe(1);
    // The push service asks to wait once more.
    await sql`update site_push_services set throttled_at = now() where site_id = ${publisher.siteId}`.execute(app.db);
    await sql`update accepted_keys set accepted_at = now() + interval '1 second'`.execute(app.db);
    expect(await recogniseRateLimits(app)).toMatchObject([{ siteId: publisher.siteId, pushService: service.origin }]);
    expect(await emails()).toBe(1);
  });
});

test("a push service that asks all sites to wait limits none of them", async () => {
  const other = await createPublisher(app);
  await subscribeBrowsers(app, publisher, service, 100);
  await subscribeBrowsers(app, other, service, 100);
  service.answerWith({ status: 429, headers: { "retry-after": "60" } });
  const run = await start(app, publisher);
  await start(app, other);
  const throttled = sql<{ n: number }>`select count(*) as n from site_push_services where throttled_at is not null`;
  await deliverUntil(async () => (await rows(throttled, app.db))[0]!.n === 2);
  expect(await recogniseRateLimits(app)).toEqual([]);
  expect(reasonsOf(await view(app, publisher, run))).toEqual(new Set(["throttled"]));
  expect(await emails()).toBe(0);
});
