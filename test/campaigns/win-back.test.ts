import { sql } from "kysely";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { App } from "../../src/app.ts";
import { sendDueWinBacks } from "../../src/automations/win-back/send-due-win-backs.ts";
import { quarantineEverything } from "../../src/backup/quarantine.ts";
import { row, rows } from "../../src/db/pool.ts";
import { changeSite } from "../../src/tenants/sites/sites.ts";
import { type Api, openTestApp, serve } from "../fixtures/app.ts";
import { setClassRule } from "../fixtures/class-rules.ts";
import { zoneFarFromMidnight } from "../fixtures/far-from-midnight.ts";
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
import { changeSites, changeTenants } from "../fixtures/rows/sites.ts";
import { changeSubscribers, passDays } from "../fixtures/rows/subscribers.ts";
import { pause, planAll, startPlanned, view } from "../runs/fixture.ts";
import { endLastRun, look, winBackRuns, winBackWith, zoneAt } from "./win-back-fixture.ts";

let app: App;
let api: Api;
let publisher: Publisher;
let siteId: string;
let reader: ReaderClient;

beforeAll(async () => {
  app = await openTestApp({ PLANS: '{"unlimited":{},"small":{"audienceCap":2}}' });
  api = await serve(app);
});

beforeEach(async () => {
  await changeRuns(app, { status: ["queued", "sending"] }, { completedAt: present });
  await sql`delete from win_backs`.execute(app.db);
  publisher = await createPublisher(app);
  siteId = publisher.siteId;
  reader = createReaderClient(api, siteId);
});

/** Creates readers who subscribed 300 days ago and were last seen this many days ago. null: never seen. */
async function readersSeen(...daysAgo: (number | null)[]): Promise<BrowserSubscription[]> {
  const made = createSubscriptions(daysAgo.length);
  await subscribe(app, siteId, made);
  for (const [at, seenDaysAgo] of daysAgo.entries())
    await changeSubscribers(app, { endpoint: made[at]!.endpoint }, { createdAt: ago("300 days"), seenDaysAgo });
  return made;
}

/** Ends the run of the day. The poll loop looks again, and once more a day later. */
async function nextDay(): Promise<void> {
  if ((await winBackRuns(app, siteId)).length > 0) await endLastRun(app, siteId);
  await look(app);
  await passDays(app, siteId, 1);
  await look(app);
}

const audiences = async () => (await winBackRuns(app, siteId)).map(({ audience }) => audience);

describe("the win-back goes to", () => {
  test("readers who were not seen for so many days, and to no others", async () => {
    await readersSeen(60, 61, 200, 59, 0, null);
    const [recent] = createSubscriptions(1);
    await subscribe(app, siteId, [recent!]);
    await winBackWith(app, publisher);
    await look(app);
    expect(await audiences()).toEqual([4]);
  });

  test("each of them once, and later to those whose days are over then", async () => {
    await readersSeen(60, 61, 59, 57, null);
    await winBackWith(app, publisher);
    await look(app);
    for (let day = 0; day < 4; day++) await nextDay();
    expect(await audiences()).toEqual([3, 1, 1]);
  });

  test("a reader again who came back and stays away again", async () => {
    const [one] = await readersSeen(60);
    await winBackWith(app, publisher);
    await look(app);
    await reader.subscribe(one!);
    await nextDay();
    await passDays(app, siteId, 58);
    await look(app);
    expect(await audiences()).toEqual([1]);
    await nextDay();
    expect(await audiences()).toEqual([1, 1]);
  });

  test("nobody twice when the number of days changes", async () => {
    await readersSeen(60, 40, 20);
    await winBackWith(app, publisher);
    await look(app);
    for (const afterDays of [30, 60, 10]) {
      await winBackWith(app, publisher, { afterDays });
      await nextDay();
    }
    expect(await audiences()).toEqual([1, 1, 1]);
  });

  test("nobody without a run, and looks once a day", async () => {
    await readersSeen(3);
    await winBackWith(app, publisher);
    await look(app);
    const state = sql`select seen_until = (now() at time zone 'UTC')::date - 60 as "isDone", run_id as "runId" from win_backs
      where site_id = ${siteId}`;
    expect(await row(state, app.db)).toEqual({ isDone: true, runId: null });
    expect(await audiences()).toEqual([]);
  });

  test("no test device, and no reader that push services refuse", async () => {
    const [device, refused] = await readersSeen(90, 90, 90);
    await changeSubscribers(app, { endpoint: device!.endpoint }, { isTest: true });
    await changeSubscribers(app, { endpoint: refused!.endpoint }, { refusedRuns: 3 });
    await winBackWith(app, publisher);
    await look(app);
    expect(await audiences()).toEqual([1]);
  });
});

describe("the win-back waits", () => {
  test.for([8, 19, 2])("until the day begins at the site: not at %i o'clock there", async (hour) => {
    await readersSeen(90);
    await winBackWith(app, publisher);
    await changeSites(app, { id: siteId }, { timeZone: zoneAt(hour) });
    await look(app);
    expect(await audiences()).toEqual([]);
  });

  test("while a site has seen no reader for a week: its pages have lost the loader", async () => {
    await readersSeen(90);
    await winBackWith(app, publisher);
    await changeSites(app, { id: siteId }, { readersSeenDaysAgo: 8 });
    await look(app);
    expect(await audiences()).toEqual([]);
    await changeSites(app, { id: siteId }, { readersSeenDaysAgo: 6 });
    await look(app);
    expect(await audiences()).toEqual([1]);
  });

  test("for the end of a pause, and goes to those who are still away then", async () => {
    const [one] = await readersSeen(60, 60, 57);
    await winBackWith(app, publisher);
    await pause(app, "sites", siteId);
    await look(app);
    await passDays(app, siteId, 3);
    await reader.subscribe(one!);
    await look(app);
    expect(await audiences()).toEqual([]);
    await pause(app, "sites", siteId, false);
    await look(app);
    expect(await audiences()).toEqual([2]);
  });

  test("while more readers are due than the plan allows", async () => {
    const [one] = await readersSeen(60, 61, 62);
    await winBackWith(app, publisher);
    await changeTenants(app, { id: publisher.tenantId }, { plan: "small" });
    await look(app);
    expect(await audiences()).toEqual([]);
    await reader.subscribe(one!);
    await look(app);
    expect(await audiences()).toEqual([2]);
  });

  test("for the end of the run before", async () => {
    await readersSeen(60, 59);
    await winBackWith(app, publisher);
    await look(app);
    await passDays(app, siteId, 1);
    await look(app);
    expect(await audiences()).toEqual([1]);
    await endLastRun(app, siteId);
    await look(app);
    expect(await audiences()).toEqual([1, 1]);
  });
});

describe("what readers have chosen holds:", () => {
  const prefer = async (one: BrowserSubscription, preferences: object) => {
    const nothing = { maxADay: null, quietHours: null, digestAt: null, timeZone: "UTC" };
    const body = { endpoint: one.endpoint, auth: one.keys.auth, preferences: { ...nothing, ...preferences } };
    expect((await reader.post("preferences", body)).status).toBe(200);
  };
  const reasons = async () => {
    const [run] = await winBackRuns(app, siteId);
    const { reasons: all } = await view(app, publisher, { siteId, runId: run!.runId });
    return all.filter(({ class: of }) => of === "notSent").map(({ reason, count }) => [reason, count]);
  };

  test("quiet hours, a limit a day and a muted story suppress it", async () => {
    const [quiet, limited, muting] = await readersSeen(90, 90, 90, 90);
    await winBackWith(app, publisher);
    const at = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString().slice(11, 16);
    await prefer(quiet!, { quietHours: { from: at(-60), until: at(60) } });
    await prefer(limited!, { maxADay: 1, timeZone: zoneFarFromMidnight().timeZone });
    const sent = await startPlanned(app, publisher, {
      message: { title: "T", body: "B", url: "https://news.example/missed", imageUrl: null },
    });
    const proof = { endpoint: muting!.endpoint, auth: muting!.keys.auth };
    expect((await reader.post("preferences", { ...proof, mute: sent.runId })).status).toBe(200);
    await look(app);
    expect((await reasons()).toSorted()).toEqual([
      ["frequency_cap", 1],
      ["muted", 1],
      ["reader_quiet", 1],
    ]);
    await nextDay();
    expect(await audiences()).toEqual([4]);
  });

  test("the site's cap of normal notifications suppresses it", async () => {
    await readersSeen(90, 90);
    await winBackWith(app, publisher);
    await setClassRule(app, publisher, { caps: { hour: null, day: 1, week: null } });
    await startPlanned(app, publisher);
    await look(app);
    expect(await reasons()).toEqual([["class_cap", 2]]);
  });
});

describe("no reader gets it twice", () => {
  const everyRecipient = async () => {
    const found = await rows(
      sql<{ id: string }>`select unnest(p.subscriber_ids)::text as id from run_recipients p
        where p.site_id = ${siteId}`,
      app.db,
    );
    return { all: found.length, different: new Set(found.map(({ id }) => id)).size };
  };

  test("when several processes look at the same time", async () => {
    await readersSeen(...Array<number>(20).fill(90));
    await winBackWith(app, publisher);
    await Promise.all(Array.from({ length: 6 }, () => sendDueWinBacks(app)));
    await planAll(app);
    expect(await everyRecipient()).toEqual({ all: 20, different: 20 });
  });

  test("when a process dies within its transaction, and other sites do not wait", async () => {
    await readersSeen(90, 90);
    await winBackWith(app, publisher);
    const other = await createPublisher(app);
    await subscribe(app, other.siteId, createSubscriptions(1));
    await changeSubscribers(app, { siteId: other.siteId }, { createdAt: ago("90 days") });
    await winBackWith(app, other);
    await sql`create function die() returns trigger language plpgsql as $$ begin
      if new.site_id = ${sql.lit(siteId)} then raise exception 'died'; end if; return new; end $$`.execute(app.db);
    await sql`create trigger die before update on win_backs for each row execute function die()`.execute(app.db);
    await look(app);
    expect(await winBackRuns(app, siteId)).toEqual([]);
    expect(await winBackRuns(app, other.siteId)).toMatchObject([{ audience: 1 }]);
    await sql`drop function die cascade`.execute(app.db);
    await look(app);
    await look(app);
    expect(await everyRecipient()).toEqual({ all: 2, different: 2 });
  });

  test("after a restore: those who were due may have had it since the backup", async () => {
    await readersSeen(90, 59);
    await winBackWith(app, publisher);
    await app.db.transaction().execute(quarantineEverything);
    await changeSite(app, publisher.actor, { siteId, paused: false });
    await look(app);
    expect(await audiences()).toEqual([]);
    await nextDay();
    expect(await audiences()).toEqual([1]);
  });
});
