import { sql } from "kysely";
import { beforeAll, beforeEach, expect, test } from "vitest";
import type { App } from "../../src/app.ts";
import type { RunRef } from "../../src/runs/queries.ts";
import { openTestApp } from "../fixtures/app.ts";
import { createPublisher, type Publisher } from "../fixtures/publisher.ts";
import { type PushService, startPushService } from "../fixtures/push-service/push-service.ts";
import { changeSubscribers } from "../fixtures/rows/subscribers.ts";
import { endRests, startPlanned, view } from "../runs/fixture.ts";
import { clearLedger, createTestContext, deliverOne, deliverToEnd, subscribeBrowsers } from "./fixture.ts";

let pushService: PushService;
let app: App;
let publisher: Publisher;
let logged: Record<string, unknown>[];

beforeAll(async () => {
  pushService = await startPushService();
  app = await openTestApp({ PUSH_SERVICES: pushService.origin });
});

beforeEach(async () => {
  pushService.reset();
  await clearLedger(app);
  publisher = await createPublisher(app);
  logged = [];
});

/** Returns the context of a delivery thread whose warnings go to `logged`. */
function warnedContext() {
  const warn = (line: unknown, said?: string) => void logged.push({ ...(line as object), message: said });
  const log = Object.assign(Object.create(app.log) as App["log"], { warn });
  return createTestContext(app, pushService, { log });
}

/** Subscribes `count` readers of the push service `name`, which the simulator plays. */
async function subscribeAt(name: string, count: number): Promise<string[]> {
  const endpoints = await subscribeBrowsers(app, publisher, pushService, count);
  for (const endpoint of endpoints) await changeSubscribers(app, { endpoint }, { pushService: name });
  return endpoints;
}

const blockedReasons = async () => {
  const { rows } = await sql<{
    reason: string | null;
  }>`select blocked_reason as reason from site_push_services where site_id = ${publisher.siteId}`.execute(app.db);
  return rows.map(({ reason }) => reason);
};

const unknownWarnings = () => logged.filter(({ message }) => String(message).includes("does not know"));

test("Apple's 400 for foreign readers counts as a refusal of each, and of nobody else", async () => {
  const [foreign] = await subscribeAt("apple", 8);
  pushService.answerWith({
    match: { endpoint: foreign! },
    refusal: { pushService: "apple", reason: "VapidPkHashMismatch" },
  });
  const run = await startPlanned(app, publisher);
  await deliverToEnd(app, warnedContext(), run);
  const seen = await view(app, publisher, run);
  expect(seen).toMatchObject({ accepted: 7, failed: 1 });
  expect(seen.reasons).toMatchObject([{ reason: "forbidden", pushService: "apple", count: 1 }]);
  expect(seen.reasons[0]).not.toHaveProperty("said");
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from subscribers
    where site_id = ${publisher.siteId} and refused_runs > 0`.execute(app.db);
  expect(rows).toEqual([{ n: 1 }]);
});

test("Apple's 400 for everybody holds Apple for the site", async () => {
  await subscribeAt("apple", 120);
  pushService.answerWith({ refusal: { pushService: "apple", reason: "VapidPkHashMismatch" } });
  const run = await startPlanned(app, publisher);
  const context = warnedContext();
  for (let claims = 0; claims < 80 && !(await blockedReasons()).includes("forbidden"); claims++) {
    await endRests(app, run);
    await deliverOne(context);
  }
  expect(await blockedReasons()).toEqual(["forbidden"]);
  expect(pushService.stats().received).toBeLessThan(80);
});

test("an unknown reason is shown on each run, and logged once for its push service", async () => {
  await subscribeAt("apple", 6);
  const said = "status 400, BrandNewReason";
  const refuseAll = () => pushService.answerWith({ status: 400, body: '{"reason":"BrandNewReason"}' });
  const runs: RunRef[] = [];
  for (let n = 0; n < 3; n++) {
    refuseAll();
    const run = await startPlanned(app, publisher);
    await deliverToEnd(app, warnedContext(), run);
    runs.push(run);
  }
  for (const run of runs) {
    const { reasons } = await view(app, publisher, run);
    expect(reasons).toMatchObject([{ reason: "bad_request", pushService: "apple", count: 6, said }]);
  }
  expect(unknownWarnings()).toEqual([
    {
      pushService: "apple",
      said,
      readAs: "bad_request",
      message: "a push service gives a reason that Pressbell does not know: report it with this line",
    },
  ]);
});

test("a known reason is neither shown in its words nor logged", async () => {
  await subscribeAt("mozilla", 3);
  pushService.answerWith({ refusal: { pushService: "mozilla", reason: "errno 110" } });
  const run = await startPlanned(app, publisher);
  await deliverToEnd(app, warnedContext(), run);
  const [reason, ...others] = (await view(app, publisher, run)).reasons;
  expect([reason!.reason, others]).toEqual(["bad_request", []]);
  expect(reason).not.toHaveProperty("said");
  expect(unknownWarnings()).toEqual([]);
});
