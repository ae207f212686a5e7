import { sql } from "kysely";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { App } from "../../src/app.ts";
import { countAudience } from "../../src/dashboard-api/audience.ts";
import { rows } from "../../src/db/pool.ts";
import { changePreferences } from "../../src/readers/preferences.ts";
import { createReceiptBuffer } from "../../src/receipts/receipt-buffer.ts";
import { createMessageSigner } from "../../src/runs/message-token.ts";
import { isOfAudience } from "../../src/subscribers/audience.ts";
import { freezeSegment } from "../../src/subscribers/segments/queries.ts";
import type { SegmentRule } from "../../src/subscribers/segments/segment.ts";
import { addSegment, changeSegment, countSegment, listSegments } from "../../src/subscribers/segments/segments.ts";
import { changeSite } from "../../src/tenants/sites/sites.ts";
import { addTopic, changeTopic } from "../../src/tenants/topics/topics.ts";
import { openTestApp } from "../fixtures/app.ts";
import { createPublisher, createSubscriptions, type Publisher, subscribe } from "../fixtures/publisher.ts";
import { changeSites } from "../fixtures/rows/sites.ts";
import { changeSubscribers } from "../fixtures/rows/subscribers.ts";
import { startPlanned } from "../runs/fixture.ts";

let app: App;
let publisher: Publisher;

beforeAll(async () => {
  app = await openTestApp();
});

/** Each test has a new site, which has recorded for a year who clicks. */
beforeEach(async () => {
  publisher = await createPublisher(app);
  await changeSites(app, { id: publisher.siteId }, { clicksKnownForDays: 365 });
});

/** How many days ago a reader came, was last seen, and last clicked. null: never. `zone` is that of the browser. */
type Known = {
  came?: number;
  seen?: number | null;
  clicked?: number | null;
  topics?: string[];
  origin?: string;
  zone?: string;
  language?: string;
  /** The time zone of the reader's quiet hours. */
  quietZone?: string;
};

/** Adds readers with these facts. Tests name them by their places in `readers`. */
async function addReaders(readers: Known[]): Promise<void> {
  const { siteId } = publisher;
  for (const { came = 100, seen = null, clicked = null, topics = [], origin, ...where } of readers) {
    const { zone, quietZone, language } = where;
    const [subscription] = createSubscriptions(1, origin);
    await subscribe(app, siteId, [{ ...subscription!, topics }]);
    await changeSubscribers(
      app,
      { siteId, endpoint: subscription!.endpoint },
      {
        createdAt: sql`date_trunc('day', now(), 'UTC') - make_interval(days => ${came})`,
        seenDaysAgo: seen,
        clickedDaysAgo: clicked,
        timeZone: zone ?? null,
        language: language ?? null,
      },
    );
    if (quietZone === undefined) continue;
    const { endpoint, keys } = subscription!;
    const quietHours = { from: "22:00", until: "07:00" };
    const preferences = { maxADay: null, quietHours, digestAt: null, timeZone: quietZone };
    await changePreferences(app, { siteId, body: { endpoint, auth: keys.auth, preferences } });
  }
}

/**
 * Saves a rule as a segment. Expects that the counts of both agree with its readers. Returns the places of these
 * readers.
 */
async function readersOf(rule: SegmentRule): Promise<number[]> {
  const { actor, siteId } = publisher;
  const { segmentId } = await addSegment(app, actor, { siteId, body: { name: `S ${Math.random()}`, rule } });
  const segment = await freezeSegment(app.db, siteId, segmentId);
  const found = await rows(
    sql<{ place: number; isIn: boolean }>`select row_number() over (order by s.id) - 1 as place,
        ${isOfAudience(siteId, { topicIds: [], segment, followersOf: null })} as "isIn" from subscribers s where s.site_id = ${siteId} order by s.id`,
    app.db,
  );
  const places = found.filter(({ isIn }) => isIn).map(({ place }) => place);
  const size = { readers: places.length, exact: true };
  expect(await countSegment(app, actor, { siteId, body: { rule } })).toEqual(size);
  const counted = await countAudience(app, actor, { siteId, query: { segment: segmentId } });
  expect(counted).toMatchObject({ audience: places.length, exact: true });
  return places;
}

const refusal = (work: Promise<unknown>) =>
  work.then(
    () => null,
    ({ code, details }) => details?.errors ?? code,
  );

describe("the readers of a rule are those who", () => {
  test("subscribed in the last days, or at least so many days ago", async () => {
    await addReaders([{ came: 0 }, { came: 6 }, { came: 7 }, { came: 8 }]);
    expect(await readersOf({ subscribedWithinDays: 7 })).toEqual([0, 1]);
    expect(await readersOf({ subscribedBeforeDays: 7 })).toEqual([2, 3]);
    expect(await readersOf({ subscribedWithinDays: 8, subscribedBeforeDays: 1 })).toEqual([1, 2]);
  });

  test("were here in the last days, or not, while they were subscribed", async () => {
    await addReaders([{ seen: 0 }, { seen: 29 }, { seen: 30 }, { seen: null }, { came: 29, seen: null }]);
    expect(await readersOf({ seenWithinDays: 30 })).toEqual([0, 1]);
    expect(await readersOf({ notSeenForDays: 30 })).toEqual([2, 3]);
    expect(await readersOf({ seenWithinDays: 31, notSeenForDays: 2 })).toEqual([1, 2]);
  });

  test("clicked in the last days, or not, while they were subscribed", async () => {
    await addReaders([{ clicked: 0 }, { clicked: 13 }, { clicked: 14 }, { seen: 0 }, { came: 13 }]);
    expect(await readersOf({ clickedWithinDays: 14 })).toEqual([0, 1]);
    expect(await readersOf({ notClickedForDays: 14 })).toEqual([2, 3]);
    expect(await readersOf({ seenWithinDays: 1, notClickedForDays: 14 })).toEqual([3]);
  });

  test("have any, all or none of some topics, also a retired one", async () => {
    const { actor, siteId } = publisher;
    const add = async (name: string) => (await addTopic(app, actor, { siteId, name })).topicId;
    const [sport, city] = [await add("Sport"), await add("City")];
    await addReaders([{ topics: [sport] }, { topics: [city] }, { topics: [sport, city] }, {}]);
    expect(await readersOf({ topics: { any: [sport, city] } })).toEqual([0, 1, 2]);
    expect(await readersOf({ topics: { all: [sport, city] } })).toEqual([2]);
    expect(await readersOf({ topics: { none: [sport] } })).toEqual([1, 3]);
    expect(await readersOf({ topics: { any: [sport], none: [city] } })).toEqual([0]);
    await changeTopic(app, actor, { siteId, topicId: sport, body: { retired: true } });
    expect(await readersOf({ topics: { any: [sport] } })).toEqual([0, 2]);
  });

  test("are reached through some push services, and all conditions hold", async () => {
    const mozilla = "https://updates.push.services.mozilla.com";
    await addReaders([{ seen: 1 }, { seen: 1, origin: mozilla }, { origin: mozilla }]);
    expect(await readersOf({ pushServices: ["mozilla"] })).toEqual([1, 2]);
    expect(await readersOf({ pushServices: ["mozilla", "fcm"] })).toEqual([0, 1, 2]);
    expect(await readersOf({ pushServices: ["mozilla"], seenWithinDays: 7 })).toEqual([1]);
  });
});

test("readers are in the language of their browser, and in none if it is not known", async () => {
  await addReaders([{ language: "de", seen: 1 }, { language: "pt" }, {}, { language: "de" }]);
  expect(await readersOf({ languages: ["de"] })).toEqual([0, 3]);
  expect(await readersOf({ languages: ["de", "pt"] })).toEqual([0, 1, 3]);
  expect(await readersOf({ languages: ["de"], seenWithinDays: 7 })).toEqual([0]);
  expect(await readersOf({ languages: ["fr"] })).toEqual([]);
});

test("readers are in the time zone of the browser, else of their quiet hours, else of the site", async () => {
  const { actor, siteId } = publisher;
  const [tokyo, berlin, rome] = ["Asia/Tokyo", "Europe/Berlin", "Europe/Rome"];
  await addReaders([{ zone: tokyo, quietZone: rome }, { quietZone: berlin }, {}, { zone: rome }]);
  await changeSite(app, actor, { siteId, timeZone: berlin });
  expect(await readersOf({ timeZones: [tokyo] })).toEqual([0]);
  expect(await readersOf({ timeZones: [berlin] })).toEqual([1, 2]);
  expect(await readersOf({ timeZones: [rome, tokyo] })).toEqual([0, 3]);
  await changeSite(app, actor, { siteId, timeZone: rome });
  expect(await readersOf({ timeZones: [berlin] })).toEqual([1]);
  expect(await readersOf({ timeZones: [rome], subscribedBeforeDays: 1 })).toEqual([2, 3]);
});

describe("clicks", () => {
  test("are recorded once a day for the reader who clicked", async () => {
    await addReaders([{}, { clicked: 3 }, {}]);
    const run = await startPlanned(app, publisher);
    // The readers were already here today.
    await changeSubscribers(app, { siteId: publisher.siteId }, { seenDaysAgo: 0 });
    const receipts = createReceiptBuffer(app);
    const tokenOf = createMessageSigner(app.secrets.tokenKey, run.runId, 1);
    receipts.record(tokenOf(0).token, "displayed", { origin: undefined });
    for (const place of [1, 2]) receipts.record(tokenOf(place).token, "clicked", { origin: undefined });
    await receipts.write();
    expect(await readersOf({ clickedWithinDays: 1 })).toHaveLength(2);
    const versions = () => rows(sql`select xmin::text from subscribers where site_id = ${publisher.siteId}`, app.db);
    const before = await versions();
    receipts.record(tokenOf(1).token, "clicked", { origin: undefined });
    await receipts.stop();
    expect(await versions()).toEqual(before);
  });

  test("cannot be asked for before the site knows them, from a day of its own", async () => {
    const { actor, siteId } = publisher;
    await addReaders([{ clicked: 2 }, {}]);
    const rule = { notClickedForDays: 7 };
    const { segmentId } = await addSegment(app, actor, { siteId, body: { name: "Asleep", rule } });
    const size = async () => (await countAudience(app, actor, { siteId, query: { segment: segmentId } })).audience;
    expect(await size()).toBe(1);
    await changeSite(app, actor, { siteId, receipts: "aggregate" });
    expect(await size()).toBe(0);
    const fault = { path: "/rule", message: expect.stringContaining("does not know who clicked") };
    expect(await refusal(countSegment(app, actor, { siteId, body: { rule } }))).toMatchObject([fault]);
    expect((await listSegments(app, actor, { siteId })).countsClicks).toBe(false);
    await changeSite(app, actor, { siteId, receipts: "full" });
    expect(await size()).toBe(0);
    expect(await readersOf({ clickedWithinDays: 7 })).toEqual([0]);
    await changeSites(app, { id: siteId }, { clicksKnownDaysEarlier: 7 });
    expect(await size()).toBe(1);
  });
});

const rule = { seenWithinDays: 30 };
const add = (body: unknown) => addSegment(app, publisher.actor, { siteId: publisher.siteId, body });
const change = (segmentId: string, body: unknown) =>
  changeSegment(app, publisher.actor, { siteId: publisher.siteId, segmentId, body });
const list = async () => (await listSegments(app, publisher.actor, { siteId: publisher.siteId })).data;

describe("a segment", () => {
  test("is added, changed, and retired, with a line in the audit log for each", async () => {
    const { segmentId } = await add({ name: " Regulars ", rule });
    expect(await list()).toEqual([{ segmentId, name: "Regulars", rule, isRetired: false }]);
    await change(segmentId, { name: "Fans" });
    await change(segmentId, { rule: { seenWithinDays: 7 } });
    expect(await list()).toEqual([{ segmentId, name: "Fans", rule: { seenWithinDays: 7 }, isRetired: false }]);
    await change(segmentId, { retired: true });
    expect(await list()).toMatchObject([{ segmentId, isRetired: true }]);
    const events = await rows(
      sql<{ event: string }>`select event as event from audit_events
        where site_id = ${publisher.siteId} and event like 'segment.%' order by id`,
      app.db,
    );
    const named = ["segment.added", "segment.changed", "segment.changed", "segment.retired"];
    expect(events.map(({ event }) => event)).toEqual(named);
  });

  test("has a name of its own, until it is retired", async () => {
    const { segmentId } = await add({ name: "Regulars", rule });
    const { segmentId: other } = await add({ name: "Fans", rule });
    const taken = [{ path: "/name", message: "is the name of another segment of this site: Regulars" }];
    expect(await refusal(add({ name: "Regulars", rule }))).toMatchObject(taken);
    expect(await refusal(change(other, { name: "Regulars" }))).toMatchObject(taken);
    await change(segmentId, { name: "Regulars" });
    await change(segmentId, { retired: true });
    await change(other, { name: "Regulars" });
    expect(await refusal(change(segmentId, { name: "Back" }))).toBe("not_found");
  });

  test("is refused with all faults of the body, or of the site", async () => {
    const stranger = await createPublisher(app);
    const { topicId } = await addTopic(app, stranger.actor, { siteId: stranger.siteId, name: "Sport" });
    const paths = async (body: unknown) =>
      ((await refusal(add(body))) as { path: string }[]).map(({ path }) => path).toSorted();
    expect(await paths({ name: "", rule: { seenWithinDays: 0 } })).toEqual(["/name", "/rule/seenWithinDays"]);
    expect(await paths({ name: "A" })).toEqual(["/rule"]);
    await add({ name: "Taken", rule });
    const both = { name: "Taken", rule: { topics: { none: [topicId] } } };
    expect(await paths(both)).toEqual(["/name", "/rule/topics/none/0"]);
    expect(await paths([])).toEqual([""]);
  });
});

test("a site has fifty segments at most", async () => {
  const { segmentId } = await add({ name: "First", rule });
  for (let i = 2; i <= 50; i++) await add({ name: `S ${i}`, rule });
  expect(await refusal(add({ name: "One more", rule }))).toBe("segment_limit");
  await change(segmentId, { retired: true });
  await add({ name: "One more", rule });
});

test("a site has five hundred segments at most with those retired within a day", async () => {
  await sql`insert into segments (site_id, id, name, rule, retired_at)
    select ${publisher.siteId}, gen_random_uuid(), 'S ' || n, '{}', now() from generate_series(1, 500) n`.execute(
    app.db,
  );
  expect(await refusal(add({ name: "One more", rule }))).toBe("segment_limit");
  await sql`update segments set retired_at = now() - interval '25 hours' where name = 'S 1'`.execute(app.db);
  await add({ name: "One more", rule });
});

test("a segment of another tenant is not found, and none of its readers are counted", async () => {
  await addReaders([{ seen: 1 }]);
  const { segmentId } = await add({ name: "Regulars", rule });
  const stranger = await createPublisher(app);
  const theirs = { siteId: stranger.siteId };
  const foreign = { siteId: publisher.siteId };
  expect(await refusal(listSegments(app, stranger.actor, foreign))).toBe("not_found");
  expect(await refusal(addSegment(app, stranger.actor, { ...foreign, body: { name: "A", rule } }))).toBe("not_found");
  expect(await refusal(countSegment(app, stranger.actor, { ...foreign, body: { rule } }))).toBe("not_found");
  for (const site of [theirs, foreign]) {
    const input = { ...site, segmentId, body: { retired: true } };
    expect(await refusal(changeSegment(app, stranger.actor, input))).toBe("not_found");
  }
  expect((await listSegments(app, stranger.actor, theirs)).data).toEqual([]);
  const query = { segment: segmentId };
  expect(await countAudience(app, stranger.actor, { ...theirs, query })).toMatchObject({ audience: 0 });
});
