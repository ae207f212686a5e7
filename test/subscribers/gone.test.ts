import { sql } from "kysely";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { App } from "../../src/app.ts";
import { runMaintenance } from "../../src/maintenance.ts";
import { expireGone } from "../../src/subscribers/expire-gone.ts";
import { deleteGoneSubscribers } from "../../src/subscribers/gone-queries.ts";
import { createTestLink } from "../../src/subscribers/test-devices.ts";
import { changeSite } from "../../src/tenants/sites/sites.ts";
import { addTopic, changeTopic } from "../../src/tenants/topics/topics.ts";
import { type Api, openTestApp, serve } from "../fixtures/app.ts";
import {
  type BrowserSubscription,
  createPublisher,
  createSubscriptions,
  type Publisher,
} from "../fixtures/publisher.ts";
import { createReaderClient, type ReaderClient } from "../fixtures/reader-client.ts";

/** Tests a reader who comes back after their push service said that they are gone. */
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
  const add = async (name: string) =>
    (await addTopic(app, publisher.actor, { siteId: publisher.siteId, name })).topicId;
  [sport, local] = [await add("Sport"), await add("Local")];
});

const one = (): BrowserSubscription => createSubscriptions(1)[0]!;
const replacing = ({ endpoint, keys }: BrowserSubscription) => ({ replaces: { endpoint, auth: keys.auth } });

/** Does what a send does if the push service answers 410 for this endpoint. */
async function refuse({ endpoint }: BrowserSubscription): Promise<void> {
  const { rows } = await sql<{ id: number }>`select id from subscribers where endpoint = ${endpoint}`.execute(app.db);
  await deleteGoneSubscribers(app.db, publisher.siteId, [{ id: rows[0]!.id, endpoint }]);
}

async function count(table: string): Promise<number> {
  const counted = sql<{ n: number }>`select count(*) as n from ${sql.table(table)} where site_id = ${publisher.siteId}`;
  return (await counted.execute(app.db)).rows[0]!.n;
}

/** Subscribes with topics, and then makes the push service refuse the subscription. */
async function goneReader(topicIds: string[]): Promise<BrowserSubscription> {
  const gone = one();
  await reader.subscribe(gone, { topicIds });
  await refuse(gone);
  return gone;
}

describe("a reader who comes back after a 410", () => {
  test("with another endpoint has their topics again, once, and is one subscriber", async () => {
    const gone = await goneReader([sport, local]);
    const back = await reader.subscribe(one(), replacing(gone));
    expect(back).toMatchObject({ status: 201, body: { topicIds: [sport, local].toSorted() } });
    expect(await count("subscribers")).toBe(1);
    expect(await count("gone_subscribers")).toBe(0);
    expect((await reader.subscribe(one(), replacing(gone))).body.topicIds).toEqual([]);
  });

  test("with the same endpoint, as its daily confirmation names it, has their topics again", async () => {
    const gone = await goneReader([sport]);
    expect((await reader.subscribe(gone)).body.topicIds).toEqual([sport]);
  });

  test("stays the test device that it was", async () => {
    const { link } = await createTestLink(app, publisher.actor, { siteId: publisher.siteId, label: "Desk phone" });
    const gone = one();
    await reader.subscribe(gone, { testToken: new URL(link).hash.replace("#pressbell-test=", "") });
    await refuse(gone);
    const back = await reader.subscribe(one(), replacing(gone));
    expect(back.body).toEqual({ topicIds: [], isTest: true, label: "Desk phone" });
  });

  test("keeps a newer choice, and gets no topic back that was retired", async () => {
    const gone = await goneReader([sport]);
    expect((await reader.subscribe(one(), { ...replacing(gone), topicIds: [local] })).body.topicIds).toEqual([local]);
    const other = await goneReader([sport, local]);
    await changeTopic(app, publisher.actor, { siteId: publisher.siteId, topicId: sport, body: { retired: true } });
    expect((await reader.subscribe(one(), replacing(other))).body.topicIds).toEqual([local]);
  });
});

describe("what is kept", () => {
  test("is given to nobody who does not know the subscription's secret, and at no other site", async () => {
    const gone = await goneReader([sport]);
    const stranger = { endpoint: gone.endpoint, auth: one().keys.auth };
    expect((await reader.subscribe(one(), { replaces: stranger })).body.topicIds).toEqual([]);
    const other = await createPublisher(app);
    const elsewhere = createReaderClient(api, other.siteId);
    expect((await elsewhere.subscribe(one(), replacing(gone))).body.topicIds).toEqual([]);
    expect(await count("gone_subscribers")).toBe(1);
  });

  test("holds neither endpoint nor keys", async () => {
    const { endpoint, keys } = await goneReader([sport]);
    const { rows } = await sql`select * from gone_subscribers where site_id = ${publisher.siteId}`.execute(app.db);
    const text = JSON.stringify(rows, (_, value) =>
      value?.data ? Buffer.from(value.data).toString("base64url") : value,
    );
    for (const secret of [endpoint, keys.auth, keys.p256dh]) expect(text).not.toContain(secret);
  });

  test("is nothing of a reader who unsubscribes", async () => {
    const left = one();
    await reader.subscribe(left, { topicIds: [sport] });
    await reader.unsubscribe(left);
    expect(await count("gone_subscribers")).toBe(0);
  });

  test("is nothing where the site keeps nothing", async () => {
    await changeSite(app, publisher.actor, { siteId: publisher.siteId, returnDays: null });
    await goneReader([sport]);
    expect(await count("gone_subscribers")).toBe(0);
  });

  test("expires after the site's days, is not given back from then on, and goes with the site", async () => {
    await changeSite(app, publisher.actor, { siteId: publisher.siteId, returnDays: 7 });
    const gone = await goneReader([sport]);
    const age = (hours: number) =>
      sql`update gone_subscribers set gone_at = now() - make_interval(hours => ${hours})`.execute(app.db);
    const sweep = async () => (await runMaintenance(app.db, [expireGone]))[expireGone.name];
    await age(7 * 24 - 1);
    expect(await sweep()).toBe(0);
    await age(7 * 24 + 1);
    expect((await reader.subscribe(one(), replacing(gone))).body.topicIds).toEqual([]);
    expect(await sweep()).toBe(1);
  });
});
