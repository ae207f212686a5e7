import { sql } from "kysely";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { App } from "../../src/app.ts";
import { sweepRuns } from "../../src/runs/close-run.ts";
import { planNextPage } from "../../src/runs/plan/plan-run.ts";
import { moveRun, type RunRef } from "../../src/runs/queries.ts";
import { addTopic } from "../../src/tenants/topics/topics.ts";
import { openTestApp } from "../fixtures/app.ts";
import { createPublisher, createSubscriptions, type Publisher, subscribe } from "../fixtures/publisher.ts";
import { changeInTurn, changeSubscribers, deleteSubscribers, insertSubscribers } from "../fixtures/rows/subscribers.ts";
import { batchesOf, countOf, planAll, recipientsOf, start, startPlanned, subscriberIds, view } from "./fixture.ts";

/**
 * Inserts subscribers without real keys, for audiences of several pages. Of every four, three use fcm and one uses
 * mozilla.
 */
async function addSubscribers(app: App, siteId: string, count: number): Promise<void> {
  await insertSubscribers(app, siteId, count);
  await changeSubscribers(app, { siteId, turn: { rest: 0, of: 4 } }, { pushService: "mozilla" });
}

let app: App;
let publisher: Publisher;

async function ranksOf(run: RunRef): Promise<number[]> {
  const { rows } = await sql<{
    rank: number;
  }>`select rank from run_batches where run_id = ${run.runId} order by no`.execute(app.db);
  return rows.map(({ rank }) => rank);
}

beforeAll(async () => {
  app = await openTestApp();
});

beforeEach(async () => {
  publisher = await createPublisher(app);
});

describe("planning a run", () => {
  test("pages the audience by key into batches of up to 1,000 of one push service", async () => {
    await addSubscribers(app, publisher.siteId, 24_500);
    const run = await start(app, publisher);
    const pages: number[] = [];
    while (await planNextPage(app.db)) pages.push((await batchesOf(app, run)).length);

    // The first 1,000 make two batches. The next 20,000 make 15 and 5, and the last 3,500 make 3 and 1.
    expect(pages).toEqual([2, 22, 26]);
    const batches = await batchesOf(app, run);
    expect(batches.map(({ no }) => no)).toEqual(batches.map((_, i) => i + 1));
    expect(Math.max(...batches.map(({ size }) => size))).toBe(1_000);
    const recipients = await recipientsOf(app, run);
    expect(recipients.flat().sort((a, b) => a - b)).toEqual(await subscriberIds(app, publisher.siteId));
    expect(recipients.map((ids) => ids.length)).toEqual(batches.map(({ size }) => size));
    for (const ids of recipients) expect(ids).toEqual([...ids].sort((a, b) => a - b));
    const { rows: mixed } = await sql`select from run_recipients p join run_batches b using (site_id, run_id, no)
      cross join lateral unnest(p.subscriber_ids) as one join subscribers s on s.site_id = p.site_id and s.id = one
      where run_id = ${run.runId} and s.push_service <> b.push_service`.execute(app.db);
    expect(mixed).toEqual([]);
    expect(await view(app, publisher, run)).toMatchObject({ status: "sending", audience: 24_500, pending: 24_500 });
  });

  test("leaves out subscribers refused in three runs in a row, but no test device", async () => {
    await subscribe(app, publisher.siteId, createSubscriptions(2));
    await subscribe(app, publisher.siteId, createSubscriptions(2), "desk");
    const [reader, refused, ...devices] = await subscriberIds(app, publisher.siteId);
    await changeSubscribers(app, { id: [refused!, ...devices] }, { refusedRuns: 3 });
    const live = await startPlanned(app, publisher);
    const check = await startPlanned(app, publisher, { kind: "test" });
    expect(await recipientsOf(app, live)).toEqual([[reader]]);
    expect(await recipientsOf(app, check)).toEqual([devices]);
  });

  test("leaves out who came after the send, whoever has left, and test subscribers", async () => {
    await addSubscribers(app, publisher.siteId, 5);
    await subscribe(app, publisher.siteId, createSubscriptions(2), "desk");
    const audience = (await subscriberIds(app, publisher.siteId)).slice(0, 5);
    const run = await start(app, publisher);
    await addSubscribers(app, publisher.siteId, 3);
    await deleteSubscribers(app, { id: audience[2]! });
    await planAll(app);
    const planned = (await recipientsOf(app, run)).flat().sort((a, b) => a - b);
    expect(planned).toEqual(audience.filter((id) => id !== audience[2]));
  });

  test("of a test goes to the test subscribers alone", async () => {
    await addSubscribers(app, publisher.siteId, 5);
    await subscribe(app, publisher.siteId, createSubscriptions(2), "desk");
    const run = await startPlanned(app, publisher, { kind: "test" });
    expect((await recipientsOf(app, run)).flat()).toEqual((await subscriberIds(app, publisher.siteId)).slice(5));
  });

  test("takes who has any of the topics, once", async () => {
    const { siteId } = publisher;
    const [sport, city, other] = await Promise.all(
      ["Sport", "City", "Other"].map(async (name) => (await addTopic(app, publisher.actor, { siteId, name })).topicId),
    );
    const topics = [[sport!], [city!], [sport!, city!], [other!], []];
    const subscriptions = createSubscriptions(5).map((one, i) => ({ ...one, topics: topics[i]! }));
    await subscribe(app, siteId, subscriptions);
    const ids = await subscriberIds(app, siteId);
    const run = await startPlanned(app, publisher, { topicIds: [sport!, city!] });
    expect((await recipientsOf(app, run)).flat().sort((a, b) => a - b)).toEqual(ids.slice(0, 3));
  });
});

test("planning gives each rank its own batches, and no returning reader two places", async () => {
  await addSubscribers(app, publisher.siteId, 2_500);
  await changeInTurn(app, publisher.siteId, [{ seenDaysAgo: 0 }, { seenDaysAgo: 8 }, { seenDaysAgo: null }]);
  const run = await start(app, publisher);
  await planNextPage(app.db);
  await changeSubscribers(app, { siteId: publisher.siteId, turn: { rest: 0, of: 2 } }, { seenDaysAgo: 0 });
  await planAll(app);
  const recipients = await recipientsOf(app, run);
  expect(recipients.flat().sort((a, b) => a - b)).toEqual(await subscriberIds(app, publisher.siteId));
  const { rows: mixed } = await sql`select from run_recipients p join run_batches b using (site_id, run_id, no)
    cross join lateral unnest(p.subscriber_ids) as one join subscribers s on s.site_id = p.site_id and s.id = one
    where run_id = ${run.runId} and b.no > 6 and b.rank <> case when s.seen_on >= now()::date - 1 then 0
      when s.seen_on is not null then 1 else 2 end`.execute(app.db);
  expect(mixed).toEqual([]);
  expect(new Set((await ranksOf(run)).slice(0, 6))).toEqual(new Set([0, 1, 2]));
});

describe("planning by several, and after a fault", () => {
  test("by many planners at once places nobody twice", async () => {
    await addSubscribers(app, publisher.siteId, 3_000);
    const runs = await Promise.all(Array.from({ length: 3 }, () => start(app, publisher)));
    for (let round = 0; round < 5; round++) await Promise.all(Array.from({ length: 8 }, () => planNextPage(app.db)));
    const all = await subscriberIds(app, publisher.siteId);
    for (const run of runs) {
      expect((await recipientsOf(app, run)).flat().sort((a, b) => a - b)).toEqual(all);
      expect(await view(app, publisher, run)).toMatchObject({ audience: 3_000, pending: 3_000 });
    }
    expect(await planNextPage(app.db)).toBe(false);
  });

  test("gives each run its first page before a large one gets its second, and tests theirs first", async () => {
    await addSubscribers(app, publisher.siteId, 2_500);
    await subscribe(app, publisher.siteId, createSubscriptions(1), "desk");
    const large = await start(app, publisher);
    await planNextPage(app.db);
    const small = await start(app, publisher);
    const test = await start(app, publisher, { kind: "test" });
    await planNextPage(app.db);
    expect((await batchesOf(app, test)).length).toBe(1);
    await planNextPage(app.db);
    expect((await batchesOf(app, small)).length).toBeGreaterThan(0);
    expect((await batchesOf(app, large)).length).toBe(2);
    await planAll(app);
  });

  test("that dies amid a page leaves no trace, and the next planner starts where it did", async () => {
    await addSubscribers(app, publisher.siteId, 1_500);
    const run = await start(app, publisher);
    await sql`create function die() returns trigger language plpgsql as $$ begin raise 'the planner dies'; end $$;
      create trigger dies before update of plan_cursor on runs for each row execute function die()`.execute(app.db);
    const before = [await countOf(app, "run_batches"), await countOf(app, "run_recipients")];
    await expect(planNextPage(app.db)).rejects.toThrow("the planner dies");
    expect([await countOf(app, "run_batches"), await countOf(app, "run_recipients")]).toEqual(before);
    expect(await view(app, publisher, run)).toMatchObject({ status: "queued", audience: 0 });
    await sql`drop trigger dies on runs; drop function die()`.execute(app.db);
    await planAll(app);
    expect(await view(app, publisher, run)).toMatchObject({ status: "sending", audience: 1_500 });
  });
});

describe("planning that has an end of its own", () => {
  test("of nobody ends at once, completed with zeros", async () => {
    const run = await startPlanned(app, publisher);
    expect((await sweepRuns(app.db)).map(({ runId }) => runId)).toContain(run.runId);
    const seen = await view(app, publisher, run);
    expect(seen).toMatchObject({ status: "completed", audience: 0, pending: 0, accepted: 0, reasons: [] });
    expect(seen.finishedAt).not.toBeNull();
  });

  test("goes on after a stop, so that the counts add up: the rest is not sent", async () => {
    await addSubscribers(app, publisher.siteId, 2_500);
    const run = await start(app, publisher);
    await planNextPage(app.db);
    expect(await moveRun(app.db, run, "stopping")).toBe(true);
    await sweepRuns(app.db);
    expect((await view(app, publisher, run)).status).toBe("stopping");
    await planAll(app);
    await sweepRuns(app.db);
    const seen = await view(app, publisher, run);
    expect(seen).toMatchObject({ status: "stopped", audience: 2_500, notSent: 2_500, pending: 0 });
    expect(seen.reasons).toMatchObject([
      { reason: "stopped", pushService: "fcm" },
      { reason: "stopped", pushService: "mozilla" },
    ]);
  });

  test("of a run that was stopped before its first page ends with everybody not sent", async () => {
    await addSubscribers(app, publisher.siteId, 10);
    const run = await start(app, publisher);
    await moveRun(app.db, run, "stopping");
    await planAll(app);
    await sweepRuns(app.db);
    expect(await view(app, publisher, run)).toMatchObject({ status: "stopped", audience: 10, notSent: 10 });
  });
});
