import { sql } from "kysely";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { App } from "../../src/app.ts";
import { sendDueDigests } from "../../src/automations/digests/send-due-digests.ts";
import { changeWelcome } from "../../src/automations/welcome/change-welcome.ts";
import { sendDueWelcomes } from "../../src/automations/welcome/send-due-welcomes.ts";
import { quarantineEverything } from "../../src/backup/quarantine.ts";
import { row } from "../../src/db/pool.ts";
import { runMaintenance } from "../../src/maintenance.ts";
import { pruneBatches } from "../../src/runs/ledger/prune-batches.ts";
import { stopRun } from "../../src/runs/stop-run.ts";
import { deleteGoneSubscribers } from "../../src/subscribers/gone-queries.ts";
import { createTestLink } from "../../src/subscribers/test-devices.ts";
import { changeSite } from "../../src/tenants/sites/sites.ts";
import { addTopic } from "../../src/tenants/topics/topics.ts";
import { type Api, openTestApp, serve } from "../fixtures/app.ts";
import { eventually } from "../fixtures/eventually.ts";
import { zoneFarFromMidnight } from "../fixtures/far-from-midnight.ts";
import { holdOpen } from "../fixtures/hold-open.ts";
import {
  type BrowserSubscription,
  createPublisher,
  createSubscriptions,
  type Publisher,
  subscribe,
} from "../fixtures/publisher.ts";
import { createReaderClient, type ReaderClient } from "../fixtures/reader-client.ts";
import { ago, present } from "../fixtures/rows/change.ts";
import { changeRuns } from "../fixtures/rows/runs.ts";
import { changeTenants } from "../fixtures/rows/sites.ts";
import {
  changePreferences,
  changeSubscribers,
  changeWelcomes,
  deleteWelcomes,
  putOffNewestWelcome,
} from "../fixtures/rows/subscribers.ts";
import { message, pause, planAll, startPlanned, subscriberIds, view } from "../runs/fixture.ts";
import { makeDue, nextStep, sendDue, step, underWay, welcomeRuns, welcomeWith } from "./welcome-fixture.ts";

let app: App;
let api: Api;
let publisher: Publisher;
let client: ReaderClient;
let siteId: string;

beforeAll(async () => {
  app = await openTestApp({ PLANS: '{"unlimited":{},"small":{"audienceCap":2}}' });
  api = await serve(app);
});

beforeEach(async () => {
  await sql`truncate rate_limits`.execute(app.db);
  await changeRuns(app, { status: ["queued", "sending"] }, { completedAt: present });
  await deleteWelcomes(app, {});
  publisher = await createPublisher(app);
  siteId = publisher.siteId;
  client = createReaderClient(api, siteId);
});

/** Adds a reader who subscribes in their browser. */
async function join(more: object = {}): Promise<BrowserSubscription> {
  const reader = createSubscriptions(1)[0]!;
  expect((await client.subscribe(reader, more)).status).toBe(201);
  return reader;
}

/**
 * Postpones the newest reader's step by another minute, because the minute at whose end it is due may end at any
 * moment.
 */
const putOffNewest = () => putOffNewestWelcome(app);

async function joinMany(count: number): Promise<void> {
  for (let n = 0; n < count; n++) await join();
}

/** Returns the audience of each run of the welcome, by step. */
const audiences = async () => (await welcomeRuns(app, siteId)).map((run) => [run.step, run.audience]);

async function prefer(reader: BrowserSubscription, preferences: object): Promise<void> {
  const nothing = { maxADay: null, quietHours: null, digestAt: null, timeZone: "UTC" };
  const body = { endpoint: reader.endpoint, auth: reader.keys.auth, preferences: { ...nothing, ...preferences } };
  expect((await client.post("preferences", body)).status).toBe(200);
}

describe("a new reader", () => {
  test("gets each step once, the first within a minute and others on their days, and then no more", async () => {
    await welcomeWith(app, publisher, step(0), step(3), step(10));
    await join();
    const first = await row(
      sql<{ minutes: number }>`select (extract(epoch from w.due_at - s.created_at) / 60)::float8 as minutes
        from welcome_due w join subscribers s on s.id = w.subscriber_id where w.site_id = ${siteId}`,
      app.db,
    );
    expect(first!.minutes).toBeGreaterThan(0);
    expect(first!.minutes).toBeLessThanOrEqual(1);
    await putOffNewest();
    await sendDue(app);
    expect(await audiences()).toEqual([]);
    await nextStep(app);
    const [{ step: second, minutes } = { step: 0, minutes: 0 }] = await underWay(app, siteId);
    expect(second).toBe(2);
    expect(minutes! / 1_440).toBeGreaterThan(3 - 2 / 1_440);
    expect(minutes! / 1_440).toBeLessThanOrEqual(3 + 1 / 24);
    await nextStep(app);
    const [{ minutes: third } = { minutes: 0 }] = await underWay(app, siteId);
    expect(Math.round(third! / 1_440)).toBe(7);
    await nextStep(app);
    expect(await underWay(app, siteId)).toEqual([{ step: 3, minutes: null }]);
    await nextStep(app);
    expect(await welcomeRuns(app, siteId)).toMatchObject([
      { step: 1, title: "Day 0", audience: 1, notSent: 0 },
      { step: 2, title: "Day 3", audience: 1, notSent: 0 },
      { step: 3, title: "Day 10", audience: 1, notSent: 0 },
    ]);
  });

  test("can get the first step on a later day, within an hour of the time at which they came", async () => {
    await welcomeWith(app, publisher, step(2));
    await join();
    const [{ minutes } = { minutes: 0 }] = await underWay(app, siteId);
    expect(minutes! / 60).toBeGreaterThan(47.9);
    expect(minutes! / 60).toBeLessThanOrEqual(49);
  });
});

describe("readers", () => {
  test("share a run with those who are due at the same moment", async () => {
    await welcomeWith(app, publisher, step(0), step(3));
    await joinMany(3);
    const moments = await row(
      sql<{ n: number }>`select count(distinct due_at) as n from welcome_due where site_id = ${siteId}`,
      app.db,
    );
    expect(moments!.n).toBeLessThanOrEqual(2);
    await nextStep(app);
    expect(await audiences()).toEqual([[1, 3]]);
  });

  test("have a run without a campaign, which the API shows", async () => {
    await welcomeWith(app, publisher, step(0));
    await join();
    await nextStep(app);
    const [{ runId } = { runId: "" }] = await welcomeRuns(app, siteId);
    const shown = await api.call("GET", `/v1/runs/${runId}`, { key: publisher.apiKey });
    expect(shown.body).toMatchObject({ kind: "welcome", campaignId: null, audience: 1, pending: 1 });
    const stranger = await createPublisher(app);
    expect((await api.call("GET", `/v1/runs/${runId}`, { key: stranger.apiKey })).status).toBe(404);
  });

  test("who leave get no further step", async () => {
    await welcomeWith(app, publisher, step(0), step(3));
    const reader = await join();
    await client.unsubscribe(reader);
    expect(await underWay(app, siteId)).toEqual([]);
  });

  test("are forgotten with the lists of recipients of their last step", async () => {
    await welcomeWith(app, publisher, step(0));
    await join();
    await nextStep(app);
    await changeRuns(app, { siteId }, { completedAt: ago("8 days") });
    await runMaintenance(app.db, [pruneBatches(7)]);
    expect(await underWay(app, siteId)).toEqual([]);
  });
});

describe("no welcome begins", () => {
  beforeEach(async () => {
    await welcomeWith(app, publisher, step(0));
  });

  test("for a visit of a reader who is there", async () => {
    const reader = await join();
    await nextStep(app);
    await deleteWelcomes(app, {});
    await client.subscribe(reader);
    expect(await underWay(app, siteId)).toEqual([]);
  });

  test("for imported readers, and those of another service", async () => {
    await subscribe(app, siteId, createSubscriptions(2));
    await join({ migrated: true });
    expect(await underWay(app, siteId)).toEqual([]);
  });

  test("for a subscription that a browser renews, with the former one or without it", async () => {
    await join({ background: true });
    const former = createSubscriptions(1)[0]!;
    await join({ replaces: { endpoint: former.endpoint, auth: former.keys.auth } });
    expect(await underWay(app, siteId)).toEqual([]);
  });

  test("for a reader whose choice was kept while they were gone", async () => {
    await changeSite(app, publisher.actor, { siteId, returnDays: 30 });
    const reader = await join();
    const [id] = await subscriberIds(app, siteId);
    await deleteGoneSubscribers(app.db, siteId, [{ id: id!, endpoint: reader.endpoint }]);
    await client.subscribe(reader);
    expect(await underWay(app, siteId)).toEqual([]);
  });

  test("for a test device", async () => {
    const { link } = await createTestLink(app, publisher.actor, { siteId, label: "Phone" });
    await join({ testToken: link.split("#pressbell-test=")[1] });
    expect((await subscriberIds(app, siteId)).length).toBe(1);
    expect(await underWay(app, siteId)).toEqual([]);
  });

  test("at a site where it is off, or that has none", async () => {
    await changeWelcome(app, publisher.actor, { siteId, body: { enabled: false } });
    await join();
    client = createReaderClient(api, (await createPublisher(app)).siteId);
    await join();
    expect(await row(sql<{ n: number }>`select count(*) as n from welcome_due`, app.db)).toEqual({ n: 0 });
  });
});

describe("a condition", () => {
  test("of a topic skips readers without it on the day of the step, who get the next step", async () => {
    const { topicId } = await addTopic(app, publisher.actor, { siteId, name: "Sport" });
    await welcomeWith(app, publisher, step(0, { topicId }), step(3));
    await join();
    await join({ topicIds: [topicId] });
    const later = await join();
    await client.subscribe(later, { topicIds: [topicId] });
    await nextStep(app);
    await nextStep(app);
    expect(await audiences()).toEqual([
      [1, 2],
      [2, 3],
    ]);
  });

  test("that nobody fulfils starts no run, and ends the welcome after the last step", async () => {
    const { topicId } = await addTopic(app, publisher.actor, { siteId, name: "Sport" });
    await welcomeWith(app, publisher, step(0), step(3, { topicId }));
    await join();
    await nextStep(app);
    await nextStep(app);
    expect(await audiences()).toEqual([[1, 1]]);
    expect(await underWay(app, siteId)).toEqual([]);
  });

  test("of no click leaves out those who have clicked", async () => {
    await welcomeWith(app, publisher, step(0), step(3, { onlyUnclicked: true }), step(4));
    await joinMany(3);
    await nextStep(app);
    await changeSubscribers(app, { id: (await subscriberIds(app, siteId))[0]! }, { clickedDaysAgo: 0 });
    await nextStep(app);
    await nextStep(app);
    expect(await audiences()).toEqual([
      [1, 3],
      [2, 2],
      [3, 3],
    ]);
  });
});

describe("what readers have chosen holds:", () => {
  test("their limit a day counts a step, and suppresses one that is above it", async () => {
    await welcomeWith(app, publisher, step(0), step(3));
    await prefer(await join(), { maxADay: 1, timeZone: zoneFarFromMidnight().timeZone });
    await nextStep(app);
    expect((await view(app, publisher, await startPlanned(app, publisher))).reasons).toMatchObject([
      { reason: "frequency_cap", count: 1 },
    ]);
    await nextStep(app);
    const [, second] = await welcomeRuns(app, siteId);
    expect(second).toMatchObject({ audience: 1, notSent: 1 });
    expect((await view(app, publisher, { siteId, runId: second!.runId })).reasons).toMatchObject([
      { class: "notSent", reason: "frequency_cap", count: 1 },
    ]);
  });

  test("a step that quiet hours suppress is in no digest, beside a notification that is", async () => {
    await welcomeWith(app, publisher, step(0));
    const at = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString().slice(11, 16);
    await prefer(await join(), { quietHours: { from: at(-60), until: at(60) }, digestAt: at(120) });
    await nextStep(app);
    expect(await welcomeRuns(app, siteId)).toMatchObject([{ audience: 1, notSent: 1 }]);
    const kept = sql<{ kept: string[] }>`select suppressed as kept from reader_preferences where site_id = ${siteId}`;
    expect(await row(kept, app.db)).toEqual({ kept: [] });
    await startPlanned(app, publisher, { message: { ...message, title: "A story" } });
    await changePreferences(app, { siteId }, { isQuiet: false, digestDueAt: present });
    while ((await sendDueDigests(app)) > 0);
    const digest = sql<{ body: string }>`select m.message->>'body' as body
      from runs r join run_messages m on m.site_id = r.site_id and m.run_id = r.id
      where r.site_id = ${siteId} and r.kind = 'digest'`;
    expect(await row(digest, app.db)).toEqual({ body: "• A story" });
    await planAll(app);
  });

  test("a reader who is refused by their push service is not notified", async () => {
    await welcomeWith(app, publisher, step(0));
    await join();
    await changeSubscribers(app, { siteId }, { refusedRuns: 3 });
    await nextStep(app);
    expect(await audiences()).toEqual([[1, 0]]);
  });
});

describe("readers wait, and go on with the same days between two steps,", () => {
  beforeEach(async () => {
    await welcomeWith(app, publisher, step(0), step(3));
    await join();
    await makeDue(app);
  });

  const waitsWhile = async () => {
    await sendDue(app);
    expect(await audiences()).toEqual([]);
  };
  const goesOn = async () => {
    await sendDue(app);
    expect(await audiences()).toEqual([[1, 1]]);
    const [{ minutes } = { minutes: 0 }] = await underWay(app, siteId);
    expect(Math.round(minutes! / 1_440)).toBe(3);
  };

  test.each(["sites", "tenants"] as const)("while a pause of %s holds", async (of) => {
    const id = of === "sites" ? siteId : publisher.tenantId;
    await pause(app, of, id);
    await changeWelcomes(app, {}, { dueAt: ago("9 days") });
    await waitsWhile();
    await pause(app, of, id, false);
    await goesOn();
  });

  test("while the agreement is not accepted", async () => {
    const accept = (isAccepted: boolean) =>
      changeTenants(app, { id: publisher.tenantId }, { hasAgreement: isAccepted });
    await accept(false);
    await waitsWhile();
    await accept(true);
    await goesOn();
  });

  test("while PLANS does not name their plan", async () => {
    const use = (plan: string) => changeTenants(app, { id: publisher.tenantId }, { plan });
    await use("gone");
    await waitsWhile();
    await use("unlimited");
    await goesOn();
  });
});

test("no run has more readers than the plan allows", async () => {
  await changeTenants(app, { id: publisher.tenantId }, { plan: "small" });
  await welcomeWith(app, publisher, step(0));
  await joinMany(5);
  await nextStep(app);
  expect(await audiences()).toEqual([
    [1, 2],
    [1, 2],
    [1, 1],
  ]);
});

describe("nobody gets a step twice, and everybody once,", () => {
  const everyRecipient = () =>
    row(
      sql<{ all: number; different: number }>`select count(id) as all, count(distinct id) as different
        from run_recipients r cross join lateral unnest(r.subscriber_ids) as one (id) where r.site_id = ${siteId}`,
      app.db,
    );

  test("when five processes send at the same time", async () => {
    await welcomeWith(app, publisher, step(0), step(3), step(6));
    await joinMany(20);
    await makeDue(app);
    const [locked, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const slow = holdOpen(app, async (tx) => {
      // The first process waits here with the readers that it has claimed. The others find none.
      await sql`lock table runs in exclusive mode`.execute(tx);
      locked.resolve();
      await release.promise;
    });
    await locked.promise;
    const taken: number[] = [];
    const sends = Array.from({ length: 5 }, async () => taken.push(await sendDueWelcomes(app)));
    // The limit is shorter than the time for which the first process may wait for its lock.
    await eventually(async () => taken.length === 4, 9_000).finally(() => release.resolve());
    await Promise.all([slow, ...sends]);
    expect(taken).toEqual([0, 0, 0, 0, 20]);
    expect(new Set((await underWay(app, siteId)).map((reader) => reader.step))).toEqual(new Set([2]));
    await sendDue(app);
    expect(await everyRecipient()).toEqual({ all: 20, different: 20 });
  });

  test("when a process dies within its transaction, and other sites do not wait", async () => {
    await welcomeWith(app, publisher, step(0));
    await joinMany(3);
    const other = await createPublisher(app);
    await welcomeWith(app, other, step(0));
    client = createReaderClient(api, other.siteId);
    await join();
    await makeDue(app);
    const dying = sql.lit(siteId);
    await sql`create function die() returns trigger language plpgsql as $$ begin
      if new.site_id = ${dying} then raise exception 'died'; end if; return new; end $$`.execute(app.db);
    await sql`create trigger die before insert on runs for each row execute function die()`.execute(app.db);
    await sendDue(app);
    expect(await welcomeRuns(app, siteId)).toEqual([]);
    expect(await welcomeRuns(app, other.siteId)).toMatchObject([{ audience: 1 }]);
    await sql`drop function die cascade`.execute(app.db);
    await sendDue(app);
    expect(await everyRecipient()).toEqual({ all: 3, different: 3 });
  });

  test("when the run is stopped: those who were not reached are not tried again", async () => {
    await welcomeWith(app, publisher, step(0), step(3));
    await join();
    await nextStep(app);
    const [{ runId } = { runId: "" }] = await welcomeRuns(app, siteId);
    await stopRun(app, publisher.actor, { runId });
    await nextStep(app);
    expect(await audiences()).toEqual([
      [1, 1],
      [2, 1],
    ]);
  });
});

test("after a restore, due readers end their welcome, and others go on", async () => {
  await welcomeWith(app, publisher, step(0));
  await join();
  await makeDue(app);
  await join();
  await putOffNewest();
  await app.db.transaction().execute(quarantineEverything);
  expect(await underWay(app, siteId)).toHaveLength(1);
  await sendDue(app);
  expect(await audiences()).toEqual([]);
  await changeSite(app, publisher.actor, { siteId, paused: false });
  await nextStep(app);
  expect(await audiences()).toEqual([[1, 1]]);
});
