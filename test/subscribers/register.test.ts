import { sql } from "kysely";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { App } from "../../src/app.ts";
import { everybody } from "../../src/subscribers/audience.ts";
import { countSubscribers, upsertSubscriber } from "../../src/subscribers/queries.ts";
import { registerSubscriber } from "../../src/subscribers/register-subscriber.ts";
import { checkSubscription } from "../../src/subscribers/subscription.ts";
import { createTestLink, withinDeviceLimit } from "../../src/subscribers/test-devices.ts";
import { addTopic } from "../../src/tenants/topics/topics.ts";
import { type Answer, type Api, openTestApp, serve } from "../fixtures/app.ts";
import { eventually } from "../fixtures/eventually.ts";
import { holdOpen } from "../fixtures/hold-open.ts";
import { countLockWaits } from "../fixtures/lock-waits.ts";
import {
  type BrowserSubscription,
  createPublisher,
  createSubscriptions,
  type Publisher,
  subscribe,
} from "../fixtures/publisher.ts";
import { createReaderClient, type ReaderClient } from "../fixtures/reader-client.ts";
import { ago } from "../fixtures/rows/change.ts";
import { changeSubscribers } from "../fixtures/rows/subscribers.ts";
import { subscriberIds } from "../runs/fixture.ts";

let app: App;
let api: Api;
let publisher: Publisher;
let reader: ReaderClient;
let sport: string;
let local: string;

beforeAll(async () => {
  app = await openTestApp();
  api = await serve(app);
});

beforeEach(async () => {
  await sql`truncate rate_limits`.execute(app.db);
  publisher = await createPublisher(app);
  reader = createReaderClient(api, publisher.siteId);
  sport = (await addTopic(app, publisher.actor, { siteId: publisher.siteId, name: "Sport" })).topicId;
  local = (await addTopic(app, publisher.actor, { siteId: publisher.siteId, name: "Local" })).topicId;
});

const one = (): BrowserSubscription => createSubscriptions(1)[0]!;
const replacing = ({ endpoint, keys }: BrowserSubscription) => ({ replaces: { endpoint, auth: keys.auth } });

type Row = { id: number; endpoint: string; is_test: boolean; label: string | null; topics: string[] };

async function subscribersOf(siteId: string): Promise<Row[]> {
  const { rows } = await sql<Row>`select id, endpoint, is_test, label,
      array(select topic_id::text from subscriber_topics t where t.site_id = s.site_id and t.subscriber_id = s.id
        order by 1) as topics
    from subscribers s where site_id = ${siteId} order by id`.execute(app.db);
  return rows;
}

async function testToken(siteId: string, label: string, actor = publisher.actor): Promise<string> {
  const { link } = await createTestLink(app, actor, { siteId, label });
  return new URL(link).hash.replace("#pressbell-test=", "");
}

test("a new subscription answers 201 and is stored, without topics and not as a test device", async () => {
  const subscription = one();
  const answer = await reader.subscribe(subscription);
  expect(answer).toMatchObject({ status: 201, body: { topicIds: [], isTest: false, label: null } });
  expect(Object.keys(answer.body).toSorted()).toEqual(["isTest", "label", "topicIds"]);
  expect(await subscribersOf(publisher.siteId)).toMatchObject([
    { endpoint: subscription.endpoint, is_test: false, topics: [] },
  ]);
});

describe("the language of a browser", () => {
  const languages = async () =>
    (
      await sql<{ language: string | null }>`select language from subscribers where site_id = ${publisher.siteId}
        order by id`.execute(app.db)
    ).rows.map(({ language }) => language);

  test("is kept without its region, changes with a later one, and stays without one", async () => {
    const subscription = one();
    await reader.subscribe(subscription, { language: "de-AT" });
    expect(await languages()).toEqual(["de"]);
    await reader.subscribe(subscription, { language: "pt_BR" });
    expect(await languages()).toEqual(["pt"]);
    await reader.subscribe(subscription, { background: true });
    const renewed = one();
    await reader.subscribe(renewed, replacing(subscription));
    expect(await languages()).toEqual(["pt"]);
    await reader.subscribe(one(), { language: "zh-Hant-TW", ...replacing(renewed) });
    expect(await languages()).toEqual(["zh"]);
  });

  test("has one name, however it is written", async () => {
    for (const language of ["iw", "HE", "he-IL"]) await reader.subscribe(one(), { language });
    expect(await languages()).toEqual(["he", "he", "he"]);
  });

  test("is ignored if it is none, and the reader is subscribed", async () => {
    const none = ["", "und", "C", "x-own", "de-", "e".repeat(4_000), 5, ["de"], {}, true, "de'--"];
    for (const language of none) expect(await reader.subscribe(one(), { language })).toMatchObject({ status: 201 });
    expect(await languages()).toEqual(none.map(() => null));
  });
});

describe("the time zone of a browser", () => {
  const zones = async () =>
    (
      await sql<{ zone: string | null }>`select time_zone as zone from subscribers where site_id = ${publisher.siteId}
        order by id`.execute(app.db)
    ).rows.map(({ zone }) => zone);

  test("is kept with its subscription, changes with a later one, and stays without one", async () => {
    const subscription = one();
    await reader.subscribe(subscription, { timeZone: "Asia/Tokyo" });
    expect(await zones()).toEqual(["Asia/Tokyo"]);
    await reader.subscribe(subscription, { timeZone: "Europe/Berlin" });
    expect(await zones()).toEqual(["Europe/Berlin"]);
    await reader.subscribe(subscription, { background: true });
    const renewed = one();
    await reader.subscribe(renewed, replacing(subscription));
    expect(await zones()).toEqual(["Europe/Berlin"]);
    await reader.subscribe(one(), { timeZone: "America/Lima", ...replacing(renewed) });
    expect(await zones()).toEqual(["America/Lima"]);
  });

  test("has one name, however it is written", async () => {
    for (const timeZone of ["us/eastern", "AMERICA/NEW_YORK", "US/Eastern"])
      await reader.subscribe(one(), { timeZone });
    expect(await zones()).toEqual(["America/New_York", "America/New_York", "America/New_York"]);
  });

  test("is ignored where the service does not know its name, and the reader is subscribed", async () => {
    for (const timeZone of ["Mars/Olympus", "+02:00", ""])
      expect(await reader.subscribe(one(), { timeZone })).toMatchObject({ status: 201 });
    expect(await zones()).toEqual([null, null, null]);
  });

  test("that is no text, or a long one, answers 400", async () => {
    for (const timeZone of [2, ["Asia/Tokyo"], "A".repeat(65)])
      expect(await reader.subscribe(one(), { timeZone })).toMatchObject({
        status: 400,
        body: { errors: [{ path: "/timeZone" }] },
      });
  });
});

test("members that a browser adds, such as expirationTime, are ignored", async () => {
  const subscription = { ...one(), expirationTime: null, anything: 1 };
  expect((await reader.post("subscriptions", { subscription })).status).toBe(201);
});

test("the same subscription again answers 200, updates its row, and is confirmed now", async () => {
  const subscription = one();
  await reader.subscribe(subscription, { topicIds: [sport] });
  await changeSubscribers(app, {}, { confirmedAt: ago("3 months") });
  expect(await reader.subscribe(subscription)).toMatchObject({ status: 200, body: { topicIds: [sport] } });
  const { rows } = await sql`select 1 from subscribers where site_id = ${publisher.siteId}
    and confirmed_at > now() - interval '1 minute'`.execute(app.db);
  expect(rows).toHaveLength(1);
});

test("the same subscription again makes it reachable after three refusals", async () => {
  const subscription = one();
  await reader.subscribe(subscription);
  await changeSubscribers(app, { siteId: publisher.siteId }, { refusedRuns: 3 });
  expect(await countSubscribers(app.db, publisher.siteId, everybody, 10)).toBe(0);
  expect(await reader.subscribe(subscription)).toMatchObject({ status: 200 });
  expect(await countSubscribers(app.db, publisher.siteId, everybody, 10)).toBe(1);
});

test("twenty requests of one browser at once create one subscriber, and none fails", async () => {
  // The test does not use HTTP, where a request may wait only a few seconds for a free connection, and only three have
  // one at a time.
  const request = { siteId: publisher.siteId, address: "192.0.2.1", body: { subscription: one() } };
  const answers = await Promise.all(Array.from({ length: 20 }, () => registerSubscriber(app, request)));
  expect(answers.filter(({ isNew }) => isNew)).toHaveLength(1);
  expect(await subscribersOf(publisher.siteId)).toHaveLength(1);
});

describe("topics", () => {
  test("given topics replace the chosen ones, an empty list removes all, none keeps them", async () => {
    const subscription = one();
    expect((await reader.subscribe(subscription, { topicIds: [sport] })).body.topicIds).toEqual([sport]);
    expect((await reader.subscribe(subscription, { topicIds: [local.toUpperCase()] })).body.topicIds).toEqual([local]);
    expect((await reader.subscribe(subscription)).body.topicIds).toEqual([local]);
    expect(await subscribersOf(publisher.siteId)).toMatchObject([{ topics: [local] }]);
    expect((await reader.subscribe(subscription, { topicIds: [] })).body.topicIds).toEqual([]);
    expect(await subscribersOf(publisher.siteId)).toMatchObject([{ topics: [] }]);
  });

  test("another site's topic and an invalid id are refused, each with its index", async () => {
    const other = await createPublisher(app);
    const { topicId } = await addTopic(app, other.actor, { siteId: other.siteId, name: "Sport" });
    const answer = await reader.subscribe(one(), { topicIds: [sport, topicId, "x", 7] });
    expect(answer.status).toBe(400);
    expect(answer.body.errors.map(({ path }: { path: string }) => path)).toEqual([
      "/topicIds/1",
      "/topicIds/2",
      "/topicIds/3",
    ]);
    expect(await subscribersOf(publisher.siteId)).toEqual([]);
  });
});

test("all faults are reported at once", async () => {
  const body = {
    subscription: { endpoint: "https://evil.example/x", keys: { p256dh: "BAAA", auth: "short" } },
    topicIds: ["x"],
    replaces: { endpoint: 1 },
    testToken: "forged",
    typo: true,
  };
  const answer = await reader.post("subscriptions", body);
  expect(answer.status).toBe(400);
  expect(answer.body.errors.map(({ path }: { path: string }) => path).toSorted()).toEqual([
    "/replaces/auth",
    "/replaces/endpoint",
    "/subscription/endpoint",
    "/subscription/keys/auth",
    "/subscription/keys/p256dh",
    "/testToken",
    "/topicIds/0",
    "/typo",
  ]);
});

test("a site has two hundred test devices at most", async () => {
  const devices = createSubscriptions(200);
  await subscribe(app, publisher.siteId, devices.slice(1), "Newsroom");
  const token = await testToken(publisher.siteId, "Phone");
  expect((await reader.subscribe(devices[0]!, { testToken: token })).status).toBe(201);
  const [more] = createSubscriptions(1);
  expect(await reader.subscribe(more!, { testToken: token })).toMatchObject({
    status: 409,
    body: { code: "device_limit" },
  });
  expect((await reader.subscribe(devices[0]!, { testToken: token })).status).toBe(200);
  expect((await reader.subscribe(more!)).body.isTest).toBe(false);
});

test("a known test device registers again where an import has brought more than two hundred", async () => {
  const { siteId } = publisher;
  const devices = createSubscriptions(202);
  await subscribe(app, siteId, devices.slice(1), "Newsroom");
  const token = await testToken(siteId, "Phone");
  expect((await reader.subscribe(devices[1]!, { testToken: token })).status).toBe(200);
  expect((await reader.subscribe(devices[0]!, { testToken: token })).body).toMatchObject({ code: "device_limit" });
});

test("of two test devices that register at once, the limit lets one in", async () => {
  const { siteId } = publisher;
  const [one, two, ...devices] = createSubscriptions(201) as [BrowserSubscription, BrowserSubscription];
  await subscribe(app, siteId, devices, "Newsroom");
  const token = await testToken(siteId, "Phone");
  const rules = { pushServices: app.config.PUSH_SERVICES, topicIds: new Set<string>() };
  const { subscription } = checkSubscription(one, undefined, rules);
  const change = { topicIds: null, replaces: null, label: "Phone", isVisit: false };
  let answer: Promise<Answer> | undefined;
  await holdOpen(app, async (tx) => {
    await withinDeviceLimit(tx, siteId, () => upsertSubscriber(tx, siteId, subscription!, change));
    answer = reader.subscribe(two, { testToken: token });
    await eventually(async () => (await countLockWaits(app.db)) > 0);
  });
  expect(await answer).toMatchObject({ status: 409, body: { code: "device_limit" } });
});

test("a test token that is no text, and cannot be made one, answers 400", async () => {
  const answer = await reader.post("subscriptions", { subscription: one(), testToken: { toString: [] } });
  expect(answer).toMatchObject({ status: 400, body: { errors: [{ path: "/testToken" }] } });
});

test.each([[[]], ['"text"'], [7], [{}], [{ subscription: null }], [{ subscription: [] }], [{ subscription: "x" }]])(
  "a body that is no registration is 400 with a fault: %j",
  async (body) => {
    const answer = await reader.post("subscriptions", body);
    expect(answer).toMatchObject({ status: 400, body: { code: "validation_failed" } });
    expect(answer.body.errors.length).toBeGreaterThan(0);
  },
);

test("a known endpoint with other keys answers 409 and stays unchanged", async () => {
  const subscription = one();
  await reader.subscribe(subscription);
  const forged = { ...one(), endpoint: subscription.endpoint };
  const old = one();
  await reader.subscribe(old);
  expect(await reader.subscribe(forged, replacing(old))).toMatchObject({
    status: 409,
    body: { code: "subscription_conflict" },
  });
  // The subscription that `replaces` names also still exists.
  expect((await subscribersOf(publisher.siteId)).map(({ endpoint }) => endpoint)).toEqual([
    subscription.endpoint,
    old.endpoint,
  ]);
  expect((await reader.subscribe(subscription)).status).toBe(200);
});

describe("replaces", () => {
  test("moves topics, test mark and label, and the old subscription is gone", async () => {
    const [old, fresh] = createSubscriptions(2) as [BrowserSubscription, BrowserSubscription];
    await reader.subscribe(old, { topicIds: [sport], testToken: await testToken(publisher.siteId, "My phone") });
    const answer = await reader.subscribe(fresh, replacing(old));
    expect(answer).toMatchObject({ status: 201, body: { topicIds: [sport], isTest: true, label: "My phone" } });
    expect(await subscribersOf(publisher.siteId)).toMatchObject([
      { endpoint: fresh.endpoint, is_test: true, label: "My phone", topics: [sport] },
    ]);
  });

  test("given topics win over those of the old subscription", async () => {
    const [old, fresh] = createSubscriptions(2) as [BrowserSubscription, BrowserSubscription];
    await reader.subscribe(old, { topicIds: [sport] });
    expect((await reader.subscribe(fresh, { ...replacing(old), topicIds: [local] })).body.topicIds).toEqual([local]);
    expect(await subscribersOf(publisher.siteId)).toMatchObject([{ endpoint: fresh.endpoint, topics: [local] }]);
  });

  test("sent twice, by page and worker at once, results in one subscriber with the topics", async () => {
    const [old, fresh] = createSubscriptions(2) as [BrowserSubscription, BrowserSubscription];
    await reader.subscribe(old, { topicIds: [sport] });
    const answers = await Promise.all([1, 2, 3].map(() => reader.subscribe(fresh, replacing(old))));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 201]);
    expect(await subscribersOf(publisher.siteId)).toMatchObject([{ endpoint: fresh.endpoint, topics: [sport] }]);
  });

  test("keeps the subscriber's id, so that a running send still reaches it", async () => {
    const [old, fresh] = createSubscriptions(2) as [BrowserSubscription, BrowserSubscription];
    await reader.subscribe(old, { topicIds: [sport] });
    const ids = await subscriberIds(app, publisher.siteId);
    await reader.subscribe(fresh, replacing(old));
    expect(await subscriberIds(app, publisher.siteId)).toEqual(ids);
  });

  test("during the page's registration without `replaces`, results in one subscriber", async () => {
    const [old, fresh] = createSubscriptions(2) as [BrowserSubscription, BrowserSubscription];
    await reader.subscribe(old, { topicIds: [sport] });
    let answer: ReturnType<typeof registerSubscriber> | undefined;
    await holdOpen(app, async (tx) => {
      const { subscription } = checkSubscription(fresh, undefined, {
        pushServices: app.config.PUSH_SERVICES,
        topicIds: new Set<string>(),
      });
      await upsertSubscriber(tx, publisher.siteId, subscription!, { topicIds: null, replaces: null, label: null });
      const { endpoint, keys } = fresh;
      const body = { subscription: { endpoint, keys }, ...replacing(old) };
      answer = registerSubscriber(app, { siteId: publisher.siteId, address: "192.0.2.1", body });
      await eventually(async () => (await countLockWaits(app.db)) > 0);
    });
    expect(await answer).toMatchObject({ isNew: false, topicIds: [sport] });
    expect(await subscribersOf(publisher.siteId)).toMatchObject([{ endpoint: fresh.endpoint, topics: [sport] }]);
  });

  test("is ignored without the right secret: no reader can take the place of another", async () => {
    const [victim, mine] = createSubscriptions(2) as [BrowserSubscription, BrowserSubscription];
    await reader.subscribe(victim, { topicIds: [sport] });
    const guess = { replaces: { endpoint: victim.endpoint, auth: one().keys.auth } };
    expect(await reader.subscribe(mine, guess)).toMatchObject({ status: 201, body: { topicIds: [] } });
    expect(await reader.subscribe(mine, { replaces: { endpoint: "no url", auth: "?" } })).toMatchObject({
      status: 200,
    });
    expect(await subscribersOf(publisher.siteId)).toHaveLength(2);
  });

  test("ignores the subscription itself", async () => {
    const subscription = one();
    await reader.subscribe(subscription, { topicIds: [sport] });
    expect(await reader.subscribe(subscription, replacing(subscription))).toMatchObject({
      status: 200,
      body: { topicIds: [sport] },
    });
  });
});

describe("replaces, if both subscriptions exist", () => {
  test("after the page's registration, keeps the subscriber's id, with the topics of both", async () => {
    const [old, fresh] = createSubscriptions(2) as [BrowserSubscription, BrowserSubscription];
    await reader.subscribe(old, { topicIds: [sport], testToken: await testToken(publisher.siteId, "My phone") });
    const [id] = await subscriberIds(app, publisher.siteId);
    await reader.subscribe(fresh, { topicIds: [local] });
    await changeSubscribers(app, { id: id! }, { refusedRuns: 3, confirmedAt: ago("3 months") });
    const answer = await reader.subscribe(fresh, replacing(old));
    const topicIds = [sport, local].toSorted();
    expect(answer).toMatchObject({ status: 200, body: { topicIds, isTest: true, label: "My phone" } });
    expect(await subscribersOf(publisher.siteId)).toEqual([
      { id, endpoint: fresh.endpoint, is_test: true, label: "My phone", topics: topicIds },
    ]);
    const { rows } = await sql`select auth, refused_runs, confirmed_at > now() - interval '1 minute' as confirmed
      from subscribers where site_id = ${publisher.siteId}`.execute(app.db);
    expect(rows).toEqual([{ auth: Buffer.from(fresh.keys.auth, "base64url"), refused_runs: 0, confirmed: true }]);
  });

  test("keeps the older one, whichever replaces the other", async () => {
    const [first, second] = createSubscriptions(2) as [BrowserSubscription, BrowserSubscription];
    await reader.subscribe(first, { topicIds: [sport] });
    const [id] = await subscriberIds(app, publisher.siteId);
    await reader.subscribe(second, { topicIds: [sport] });
    expect(await reader.subscribe(first, { ...replacing(second), topicIds: [local] })).toMatchObject({
      status: 200,
      body: { topicIds: [local] },
    });
    expect(await subscribersOf(publisher.siteId)).toMatchObject([{ id, endpoint: first.endpoint, topics: [local] }]);
  });

  test("sent several times at once, results in the older one", async () => {
    const [old, fresh] = createSubscriptions(2) as [BrowserSubscription, BrowserSubscription];
    await reader.subscribe(old, { topicIds: [sport] });
    const [id] = await subscriberIds(app, publisher.siteId);
    await reader.subscribe(fresh);
    const options = [replacing(old), {}, replacing(old), {}, replacing(old)];
    const answers = await Promise.all(options.map((extra) => reader.subscribe(fresh, extra)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(await subscribersOf(publisher.siteId)).toMatchObject([{ id, endpoint: fresh.endpoint, topics: [sport] }]);
  });
});

describe("a test token", () => {
  test("creates a test device with its label, and a later confirmation keeps it", async () => {
    const subscription = one();
    const token = await testToken(publisher.siteId, "Zoë's phone 📱");
    const device = { isTest: true, label: "Zoë's phone 📱" };
    expect(await reader.subscribe(subscription, { testToken: token })).toMatchObject({ status: 201, body: device });
    expect(await reader.subscribe(subscription)).toMatchObject({ status: 200, body: device });
  });

  test("turns an existing reader into a test device", async () => {
    const subscription = one();
    await reader.subscribe(subscription);
    const again = await reader.subscribe(subscription, { testToken: await testToken(publisher.siteId, "Desk") });
    expect(again).toMatchObject({ status: 200, body: { isTest: true, label: "Desk" } });
  });

  test("of another site, or with one changed character, is refused", async () => {
    const other = await createPublisher(app);
    const foreign = await testToken(other.siteId, "Theirs", other.actor);
    const own = await testToken(publisher.siteId, "Mine");
    const changed = own.slice(0, 50) + (own[50] === "A" ? "B" : "A") + own.slice(51);
    for (const token of [foreign, changed, "", "x".repeat(700), "ä"]) {
      const answer = await reader.subscribe(one(), { testToken: token });
      expect(answer).toMatchObject({ status: 400, body: { errors: [{ path: "/testToken" }] } });
    }
    expect(await subscribersOf(publisher.siteId)).toEqual([]);
  });

  test("is valid for 24 hours", async () => {
    const early = { ...app, now: () => Date.now() - 24 * 3_600_000 + 600_000 };
    const late = { ...app, now: () => Date.now() - 24 * 3_600_000 - 1_000 };
    const tokenOf = async (at: App) => {
      const fromMs = at.now();
      const created = await createTestLink(at, publisher.actor, { siteId: publisher.siteId, label: "Desk" });
      expect(new Date(created.expiresAt).getTime() - fromMs).toBeGreaterThan(24 * 3_600_000 - 2_000);
      return new URL(created.link).hash.replace("#pressbell-test=", "");
    };
    expect((await reader.subscribe(one(), { testToken: await tokenOf(early) })).status).toBe(201);
    expect((await reader.subscribe(one(), { testToken: await tokenOf(late) })).status).toBe(400);
  });
});

describe("unsubscribe", () => {
  test("deletes the subscription and its topics at once", async () => {
    const subscription = one();
    await reader.subscribe(subscription, { topicIds: [sport] });
    expect(await reader.unsubscribe(subscription)).toMatchObject({ status: 204 });
    expect(await subscribersOf(publisher.siteId)).toEqual([]);
  });

  test("answers the same for a wrong secret, unknown and invalid endpoint, deleting nothing", async () => {
    const subscription = one();
    await reader.subscribe(subscription);
    const wrong = { ...subscription, keys: one().keys };
    const answers = [await reader.unsubscribe(wrong), await reader.unsubscribe(one())];
    answers.push(await reader.post("unsubscribe", { endpoint: "nothing", auth: "nothing" }));
    for (const { status, body } of answers) expect({ status, body }).toEqual({ status: 204, body: undefined });
    expect(await subscribersOf(publisher.siteId)).toHaveLength(1);
  });

  test("reports all faults of an invalid body", async () => {
    const answer = await reader.post("unsubscribe", { auth: 7, extra: 1 });
    expect(answer.status).toBe(400);
    expect(answer.body.errors.map(({ path }: { path: string }) => path).toSorted()).toEqual([
      "/auth",
      "/endpoint",
      "/extra",
    ]);
  });

  test("at one site does not affect another site with the same endpoint", async () => {
    const subscription = one();
    const other = await createPublisher(app);
    const there = createReaderClient(api, other.siteId);
    await reader.subscribe(subscription, { topicIds: [sport] });
    expect((await there.subscribe(subscription)).status).toBe(201);
    await there.unsubscribe(subscription);
    expect(await subscribersOf(other.siteId)).toEqual([]);
    expect(await subscribersOf(publisher.siteId)).toMatchObject([{ topics: [sport] }]);
    // A replacement does not affect the other site either.
    await there.subscribe(one(), replacing(subscription));
    expect(await subscribersOf(publisher.siteId)).toHaveLength(1);
  });
});
