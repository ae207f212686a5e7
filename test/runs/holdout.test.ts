import { sql } from "kysely";
import { beforeAll, beforeEach, expect, test } from "vitest";
import type { App } from "../../src/app.ts";
import { row } from "../../src/db/pool.ts";
import { finalCode } from "../../src/runs/ledger/codes.ts";
import { endBatches } from "../../src/runs/ledger/end-batches.ts";
import { openDueWaves } from "../../src/runs/waves/open-waves.ts";
import type { CampaignClass } from "../../src/tenants/sites/campaign-classes.ts";
import { type Api, openTestApp, serve } from "../fixtures/app.ts";
import { setClassRule } from "../fixtures/class-rules.ts";
import { createPublisher, createSubscriptions, type Publisher, subscribe } from "../fixtures/publisher.ts";
import { createReaderClient } from "../fixtures/reader-client.ts";
import { ago, present } from "../fixtures/rows/change.ts";
import { changeRuns } from "../fixtures/rows/runs.ts";
import { changeSubscribers, insertSubscribers } from "../fixtures/rows/subscribers.ts";
import { planAll, recipientsOf, type StartOptions, start, startPlanned, view } from "./fixture.ts";

let app: App;
let api: Api;
let publisher: Publisher;

beforeAll(async () => {
  app = await openTestApp();
  api = await serve(app);
});

beforeEach(async () => {
  await changeRuns(app, { status: ["queued", "sending"] }, { completedAt: present });
  publisher = await createPublisher(app);
});

const leaveOut = (holdoutPercent: number, ofClass?: CampaignClass) =>
  setClassRule(app, publisher, { holdoutPercent }, ofClass);

/** Sends a notification as if `daysAgo` days ago. Returns the ids of the readers left out, and the reasons. */
async function send({ daysAgo = 0, ...options }: StartOptions & { daysAgo?: number } = {}) {
  const run = await start(app, publisher, options);
  await changeRuns(app, { id: run.runId }, { createdAt: ago(`${daysAgo} days`) });
  await planAll(app);
  await openDueWaves(app.db, 1_000);
  const { audience, pending, reasons } = await view(app, publisher, run);
  const found = await row(
    sql<{ ids: number[] }>`select coalesce(array_agg(one.id order by one.id), '{}')::bigint[] as ids
      from run_batches b join run_recipients p using (site_id, run_id, no) cross join lateral unnest(p.subscriber_ids)
        with ordinality as one (id, at)
      where run_id = ${run.runId} and get_byte(b.codes, one.at::int - 1) = ${finalCode.heldOut}`,
    app.db,
  );
  return { heldOut: found!.ids, audience, pending, reasons: reasons.map(({ reason, count }) => `${reason} ${count}`) };
}

test("a class leaves out its share: the same readers all through a period, others in the next", async () => {
  await insertSubscribers(app, publisher.siteId, 1_000, { createdAt: ago("200 days") });
  await leaveOut(10);
  const first = await send({ daysAgo: 0 });
  expect(first.heldOut.length).toBeGreaterThan(60);
  expect(first.heldOut.length).toBeLessThan(150);
  expect(first).toMatchObject({ audience: 1_000, pending: 1_000 - first.heldOut.length });
  expect(first.reasons).toEqual([`held_out ${first.heldOut.length}`]);
  expect((await send({ daysAgo: 0 })).heldOut).toEqual(first.heldOut);
  const earlier = await send({ daysAgo: 28 });
  const both = earlier.heldOut.filter((id) => first.heldOut.includes(id));
  expect(both.length).toBeLessThan(30);
});

test("each class draws its own readers, and a class without a share leaves out nobody", async () => {
  await insertSubscribers(app, publisher.siteId, 500, { createdAt: ago("200 days") });
  await leaveOut(10);
  await leaveOut(10, "low");
  const normal = await send();
  const low = await send({ class: "low" });
  expect(low.heldOut.length).toBeGreaterThan(20);
  expect(low.heldOut).not.toEqual(normal.heldOut);
  expect(await send({ class: "breaking" })).toMatchObject({ heldOut: [], pending: 500 });
});

test("a share that grows keeps the readers that it had", async () => {
  await insertSubscribers(app, publisher.siteId, 500, { createdAt: ago("200 days") });
  await leaveOut(3);
  const few = await send();
  await leaveOut(10);
  expect((await send()).heldOut).toEqual(expect.arrayContaining(few.heldOut));
});

test("at the readers' own hour the same readers are left out as at once", async () => {
  await insertSubscribers(app, publisher.siteId, 300, { createdAt: ago("200 days") });
  await leaveOut(10);
  const local = await send({ localTime: { date: "2020-01-01", time: "08:00" } });
  expect(local.heldOut.length).toBeGreaterThan(10);
  expect(local.heldOut).toEqual((await send()).heldOut);
});

test("readers who wait are left out before their wave opens: no correction reaches them", async () => {
  await insertSubscribers(app, publisher.siteId, 300, { createdAt: ago("200 days") });
  await leaveOut(10);
  const { heldOut } = await send();
  const run = await start(app, publisher, { localTime: { date: "2099-01-01", time: "08:00" } });
  await planAll(app);
  await endBatches(app.db, run, finalCode.stopped);
  const { reasons } = await view(app, publisher, run);
  expect(reasons.map(({ reason, count }) => `${reason} ${count}`)).toEqual([
    `stopped ${300 - heldOut.length}`,
    `held_out ${heldOut.length}`,
  ]);
  const correction = await startPlanned(app, publisher, {
    corrects: { runId: run.runId, sequence: 1, outcomes: [finalCode.stopped] },
  });
  expect((await recipientsOf(app, correction)).flat().filter((id) => heldOut.includes(id))).toEqual([]);
});

test("a reader who subscribed during the period gets everything", async () => {
  await insertSubscribers(app, publisher.siteId, 300);
  await leaveOut(10);
  expect(await send()).toMatchObject({ heldOut: [], pending: 300 });
});

test("test devices get test sends, whatever is left out", async () => {
  await insertSubscribers(app, publisher.siteId, 100, { createdAt: ago("200 days") });
  await changeSubscribers(app, { siteId: publisher.siteId }, { isTest: true });
  await leaveOut(10);
  expect(await send({ kind: "test" })).toMatchObject({ heldOut: [], pending: 100 });
});

test("what a reader is left out of comes in no digest, and counts for no limit of theirs", async () => {
  // There are enough readers that some are surely drawn.
  const readers = createSubscriptions(150);
  await subscribe(app, publisher.siteId, readers);
  const client = createReaderClient(api, publisher.siteId);
  for (const { endpoint, keys } of readers) {
    const preferences = {
      maxADay: 1,
      quietHours: { from: "00:00", until: "23:59" },
      digestAt: "18:00",
      timeZone: "UTC",
    };
    await client.post("preferences", { endpoint, auth: keys.auth, preferences });
  }
  await changeSubscribers(app, { siteId: publisher.siteId }, { createdAt: ago("200 days") });
  await leaveOut(10);
  const { heldOut } = await send();
  expect(heldOut.length).toBeGreaterThan(0);
  const kept = await row(
    sql<{ n: number }>`select count(*)::int as n from reader_preferences
      where site_id = ${publisher.siteId} and subscriber_id = any(${heldOut}::bigint[])
        and (cardinality(suppressed) > 0 or used > 0)`,
    app.db,
  );
  expect(kept).toEqual({ n: 0 });
});
