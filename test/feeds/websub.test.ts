import { createHmac } from "node:crypto";
import { sql } from "kysely";
import { beforeAll, describe, expect, test } from "vitest";
import { rows } from "../../src/db/pool.ts";
import { changeFeed } from "../../src/feeds/change-feeds.ts";
import { claimLeaseMs } from "../../src/feeds/fair-work.ts";
import { itemWork } from "../../src/feeds/items/send-due-items.ts";
import { claimHub } from "../../src/feeds/websub/queries.ts";
import { hubWork } from "../../src/feeds/websub/subscribe-hub.ts";
import { type Api, serve } from "../fixtures/app.ts";
import { type FeedItem, rss } from "../fixtures/feed-server.ts";
import { ago, present } from "../fixtures/rows/change.ts";
import { changeFeeds } from "../fixtures/rows/feeds.ts";
import { readRaw, sendRaw } from "../http/raw.ts";
import { type FeedFixture, openFeedFixture, story, type TestFeed } from "./fixture.ts";

let fixture: FeedFixture;
let api: Api;

beforeAll(async () => {
  fixture = await openFeedFixture({ PUBLIC_URL: "https://push.herald.example/pressbell" });
  api = await serve(fixture.app);
  fixture.server.serve("/hub", (_request, response) => void response.writeHead(202).end());
});

/**
 * Creates a feed that names the test's hub, and subscribes it. `asked` has the parameters of the last request to the
 * hub.
 */
async function feedWithHub(): Promise<{
  feed: TestFeed;
  topic: string;
  asked: URLSearchParams;
  put(items: FeedItem[]): string;
}> {
  const publisher = await fixture.anotherPublisher();
  const feed = await fixture.feedWith(publisher, []);
  const topic = `${fixture.server.origin}${feed.path}`;
  const links = `<atom:link rel="hub" href="${fixture.server.origin}/hub"/><atom:link rel="self" href="${topic}"/>`;
  const put = (items: FeedItem[]) => {
    feed.put(items);
    const text = rss(items, links);
    fixture.server.serve(feed.path, text);
    return text;
  };
  put([]);
  await feed.poll();
  await hubWork(fixture.app).untilIdle();
  return { feed, topic, put, asked: new URLSearchParams(fixture.server.asked("/hub").at(-1)!.body) };
}

type HubFeed = Awaited<ReturnType<typeof feedWithHub>>;

/** Sends the request with which the hub verifies the subscription. */
function verify({ feed, topic }: HubFeed, parameters: Record<string, string> = {}) {
  const query = {
    "hub.mode": "subscribe",
    "hub.topic": topic,
    "hub.challenge": "a-challenge",
    "hub.lease_seconds": "86400",
    ...parameters,
  };
  return fetch(`${api.url}/websub/${feed.feedId}?${new URLSearchParams(query)}`);
}

/** Returns in how many seconds the service will ask the hub of a feed. */
async function dueInSeconds({ feed: { feedId } }: HubFeed): Promise<number> {
  const due = sql<{ s: number }>`select extract(epoch from hub_next_at - now())::float8 as s
    from feeds where id = ${feedId}`;
  return (await rows(due, fixture.app.db))[0]!.s;
}

async function subscribedFeed(): Promise<HubFeed> {
  const hubFeed = await feedWithHub();
  await verify(hubFeed);
  return hubFeed;
}

/** Sends a push of the hub. It is signed with the hub's secret, unless `signature` is given. */
function sendPush({ feed, asked }: HubFeed, body: string, signature?: string, type = "application/rss+xml") {
  const signed = `sha256=${createHmac("sha256", asked.get("hub.secret")!).update(body).digest("hex")}`;
  const headers = { "content-type": type, "x-hub-signature": signature ?? signed };
  return fetch(`${api.url}/websub/${feed.feedId}`, { method: "POST", headers, body });
}

describe("a feed that names a hub", () => {
  test("is subscribed with its own callback, topic and secret, and active once verified", async () => {
    const hubFeed = await feedWithHub();
    const { feed, topic, asked } = hubFeed;
    const other = await feedWithHub();
    expect(fixture.server.asked("/hub").at(-1)!.headers["content-type"]).toBe("application/x-www-form-urlencoded");
    expect(Object.fromEntries(asked)).toMatchObject({
      "hub.mode": "subscribe",
      "hub.topic": topic,
      "hub.callback": `https://push.herald.example/pressbell/websub/${feed.feedId}`,
      "hub.secret": expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(other.asked.get("hub.secret")).not.toBe(asked.get("hub.secret"));
    expect((await feed.view()).push).toMatchObject({ hub: `${fixture.server.origin}/hub`, state: "asking" });
    const answer = await verify(hubFeed);
    expect([answer.status, await answer.text()]).toEqual([200, "a-challenge"]);
    const { push } = await feed.view();
    expect(push).toMatchObject({ state: "active" });
    expect(Date.parse(push!.leaseUntil!)).toBeGreaterThan(Date.now() + 86_000_000);
  });

  test("sends an item that the hub pushes without a poll, and once, though polls find it", async () => {
    const hubFeed = await subscribedFeed();
    const polls = fixture.server.asked(hubFeed.feed.path).length;
    const body = hubFeed.put([story(fixture, "pushed")]);
    expect((await sendPush(hubFeed, body)).status).toBe(202);
    expect((await sendPush(hubFeed, body)).status).toBe(202);
    await itemWork(fixture.app).untilIdle();
    expect(fixture.server.asked(hubFeed.feed.path)).toHaveLength(polls);
    expect(await hubFeed.feed.items()).toMatchObject([{ status: "sent", title: "The story of pushed" }]);
    expect(await hubFeed.feed.pollAndSend()).toHaveLength(1);
    expect((await hubFeed.feed.view()).push!.lastNotifiedAt).not.toBeNull();
    const sources = sql<{
      host: string;
    }>`select source_host as host from feed_items where feed_id = ${hubFeed.feed.feedId}`;
    expect(await rows(sources, fixture.app.db)).toEqual([{ host: "localhost" }]);
  });
});

describe("a push of a hub", () => {
  test.for([
    ["no signature", ""],
    ["another secret's signature", `sha256=${createHmac("sha256", "guess").update("x").digest("hex")}`],
    ["an unknown method", "md5=0123456789abcdef0123456789abcdef01234567"],
    ["half a signature", "sha256=0123456789012345678901234567890123456789"],
  ] as const)("is ignored with 202 if it comes with %s", async ([, signature]) => {
    const hubFeed = await subscribedFeed();
    const body = hubFeed.put([story(fixture, "forged")]);
    expect((await sendPush(hubFeed, body, signature)).status).toBe(202);
    expect(await hubFeed.feed.items()).toEqual([]);
    expect((await hubFeed.feed.view()).push!.lastNotifiedAt).toBeNull();
  });

  test("may be signed with sha1, as older hubs do", async () => {
    const hubFeed = await subscribedFeed();
    const body = hubFeed.put([story(fixture, "old-hub")]);
    const sha1 = createHmac("sha1", hubFeed.asked.get("hub.secret")!).update(body).digest("hex");
    await sendPush(hubFeed, body, `sha1=${sha1}`);
    expect(await hubFeed.feed.items()).toMatchObject([{ title: "The story of old-hub" }]);
  });

  test("makes a poll due at once if it cannot be read", async () => {
    const hubFeed = await subscribedFeed();
    expect((await sendPush(hubFeed, "something has changed", undefined, "text/plain")).status).toBe(202);
    expect(Date.parse((await hubFeed.feed.view()).nextPollAt!)).toBeLessThanOrEqual(Date.now());
  });

  test("is refused with 429 above twenty a minute of its feed, and the feed is polled soon", async () => {
    const [hubFeed, other] = [await subscribedFeed(), await subscribedFeed()];
    await changeFeeds(fixture.app, { id: hubFeed.feed.feedId }, { nextPollAt: ago("-6 hours") });
    for (let i = 0; i < 30; i++) expect((await sendPush(hubFeed, "forged", "sha256=00")).status).toBe(202);
    const pushed = async (i: number) => sendPush(hubFeed, rss([story(fixture, `flood-${i}`)]));
    for (let i = 0; i < 20; i++) expect((await pushed(i)).status).toBe(202);
    expect(Date.parse((await hubFeed.feed.view()).nextPollAt!)).toBeGreaterThan(Date.now() + 5 * 3_600_000);
    const refused = await pushed(20);
    expect(refused.status).toBe(429);
    expect(await refused.json()).toMatchObject({ code: "rate_limited", limit: "hub_pushes" });
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(Date.parse((await hubFeed.feed.view()).nextPollAt!)).toBeLessThanOrEqual(Date.now() + 61_000);
    expect(await hubFeed.feed.items()).toHaveLength(20);
    expect((await sendPush(other, rss([story(fixture, "other")]))).status).toBe(202);
    await sql`update rate_limits set resets_at = now()`.execute(fixture.app.db);
    expect((await pushed(21)).status).toBe(202);
  });

  test("makes polls rare, until a poll finds an item that was not pushed", async () => {
    const hubFeed = await subscribedFeed();
    const { feed } = hubFeed;
    const because = async () => (await feed.poll()).lastPoll!.because.message;
    expect(await because()).toBe("it is lively");
    await sendPush(hubFeed, hubFeed.put([story(fixture, "pushed-1")]));
    expect(await because()).toBe("its hub tells of what is new");
    hubFeed.put([story(fixture, "missed"), story(fixture, "pushed-1")]);
    await feed.poll();
    expect(await because()).toBe("it is lively");
    await sendPush(hubFeed, hubFeed.put([story(fixture, "pushed-2"), story(fixture, "missed")]));
    expect(await because()).toBe("its hub tells of what is new");
  });
});

describe("a hub", () => {
  test.for([
    ["another topic", { "hub.topic": "https://herald.example/other.xml" }],
    ["an unsubscription, which Pressbell never asks for", { "hub.mode": "unsubscribe" }],
    ["an unknown mode", { "hub.mode": "publish" }],
    ["an empty challenge", { "hub.challenge": "" }],
    ["a challenge over 4,096 characters", { "hub.challenge": "x".repeat(5_000) }],
  ] as const)("is not confirmed %s", async ([, parameters]) => {
    const hubFeed = await feedWithHub();
    const answer = await verify(hubFeed, parameters);
    expect([answer.status, await answer.text()]).toEqual([404, ""]);
    expect((await hubFeed.feed.view()).push).toMatchObject({ state: "asking" });
  });

  test("is not confirmed an unknown feed, nor one that names no hub", async () => {
    const hubFeed = await feedWithHub();
    const plain = await fixture.feedWith(fixture.publisher, []);
    for (const feedId of ["01890000-0000-7000-8000-000000000000", "nonsense", plain.feedId]) {
      const feed = { ...hubFeed.feed, feedId };
      expect((await verify({ ...hubFeed, feed })).status).toBe(404);
      expect((await sendPush({ ...hubFeed, feed }, "x")).status).toBe(410);
    }
  });

  test("may delete the subscription of a feed that is off: 410", async () => {
    const hubFeed = await subscribedFeed();
    const { actor } = fixture.publisher;
    await changeFeeds(
      fixture.app,
      { id: hubFeed.feed.feedId },
      { tenantId: fixture.publisher.tenantId, siteId: fixture.publisher.siteId },
    );
    await changeFeed(fixture.app, actor, { feedId: hubFeed.feed.feedId, change: { enabled: false } });
    expect((await sendPush(hubFeed, "x")).status).toBe(410);
    expect((await verify(hubFeed)).status).toBe(404);
  });

  test("is asked again before its lease ends, and stays active meanwhile", async () => {
    const hubFeed = await subscribedFeed();
    const asked = fixture.server.asked("/hub").length;
    await hubWork(fixture.app).untilIdle();
    expect(fixture.server.asked("/hub")).toHaveLength(asked);
    const { feedId } = hubFeed.feed;
    expect((await dueInSeconds(hubFeed)) / 86_400).toBeCloseTo(0.8, 2);
    await changeFeeds(fixture.app, { id: feedId }, { hubNextAt: present });
    await hubWork(fixture.app).untilIdle();
    expect(fixture.server.asked("/hub")).toHaveLength(asked + 1);
    expect((await hubFeed.feed.view()).push).toMatchObject({ state: "active" });
    await verify(hubFeed, { "hub.lease_seconds": "172800" });
    expect(Date.parse((await hubFeed.feed.view()).push!.leaseUntil!)).toBeGreaterThan(Date.now() + 172_000_000);
  });

  test("that refuses, or denies later, is not asked again for a day, and the feed is polled", async () => {
    const hubFeed = await feedWithHub();
    const denied = await verify(hubFeed, { "hub.mode": "denied" });
    expect(denied.status).toBe(200);
    expect((await hubFeed.feed.view()).push).toMatchObject({ state: "refused", leaseUntil: null });
    expect((await verify(hubFeed)).status).toBe(404);
    fixture.server.serve("/hub", (_request, response) => void response.writeHead(403).end());
    const other = await feedWithHub();
    fixture.server.serve("/hub", (_request, response) => void response.writeHead(202).end());
    expect((await other.feed.view()).push).toMatchObject({ state: "refused" });
    expect((await other.feed.poll()).lastPoll).toMatchObject({ because: { message: "it is lively" } });
  });
});

describe("a request to a hub", () => {
  test("is made again after an hour, and after 15 s where its process has died", async () => {
    const hubFeed = await feedWithHub();
    expect(await dueInSeconds(hubFeed)).toBeGreaterThan(3_500);
    await changeFeeds(fixture.app, { id: hubFeed.feed.feedId }, { hubNextAt: present });
    const claim = () => claimHub(fixture.app.db, claimLeaseMs, { tenantIds: [], hosts: [], slow: false });
    expect(await claim()).toMatchObject({ id: hubFeed.feed.feedId });
    expect(await claim()).toBeUndefined();
    expect(await dueInSeconds(hubFeed)).toBeLessThanOrEqual(15);
  });

  test("is made again after four fifths of the lease of a hub that confirms before it answers", async () => {
    const hubFeed = await feedWithHub();
    const { promise: verified, resolve } = Promise.withResolvers<number>();
    fixture.server.serve("/hub", async (_request, response) => {
      resolve((await verify(hubFeed)).status);
      response.writeHead(202).end();
    });
    await changeFeeds(fixture.app, { id: hubFeed.feed.feedId }, { hubNextAt: present });
    await hubWork(fixture.app).untilIdle();
    fixture.server.serve("/hub", (_request, response) => void response.writeHead(202).end());
    expect(await verified).toBe(200);
    expect((await dueInSeconds(hubFeed)) / 86_400).toBeCloseTo(0.8, 2);
  });

  test("is confirmed once, and a hub cannot deny what is not asked: the lease stays", async () => {
    const hubFeed = await subscribedFeed();
    const { leaseUntil } = (await hubFeed.feed.view()).push!;
    for (const parameters of [
      { "hub.lease_seconds": "7776000" },
      { "hub.lease_seconds": "60" },
      { "hub.mode": "denied" },
    ] as Record<string, string>[]) {
      const answer = await verify(hubFeed, parameters);
      expect([answer.status, await answer.text()]).toEqual([404, ""]);
    }
    expect((await hubFeed.feed.view()).push).toMatchObject({ state: "active", leaseUntil });
  });

  test("to a hub that the feed names, before it is sent, is confirmed nothing", async () => {
    const hubFeed = await feedWithHub();
    const { feedId } = hubFeed.feed;
    await changeFeeds(fixture.app, { id: feedId }, { hubState: null, hubNextAt: present });
    for (const mode of ["subscribe", "denied"]) {
      expect((await verify(hubFeed, { "hub.mode": mode })).status).toBe(404);
    }
    await hubWork(fixture.app).untilIdle();
    expect((await verify(hubFeed)).status).toBe(200);
  });

  test("that its hub verifies several times at once is confirmed one of them", async () => {
    const hubFeed = await feedWithHub();
    const answers = await Promise.all(Array.from({ length: 5 }, () => verify(hubFeed)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 404, 404, 404, 404]);
  });
});

test("without PUBLIC_URL no hub is asked, and the feed shows its hub as unused", async () => {
  const local = await openFeedFixture();
  local.server.serve("/hub", (_request, response) => void response.writeHead(202).end());
  const feed = await local.feedWith(local.publisher, []);
  local.server.serve(feed.path, rss([]), {
    link: `<${local.server.origin}/hub>; rel="hub", <${local.server.origin}/all.xml>; rel=self`,
  });
  await changeFeeds(local.app, { id: feed.feedId }, { bodyHash: null });
  await feed.poll();
  await hubWork(local.app).untilIdle();
  expect(local.server.asked("/hub")).toEqual([]);
  expect((await feed.view()).push).toMatchObject({ hub: `${local.server.origin}/hub`, state: "unused" });
});

test("a push that is too large is refused before it is read, and other methods get 405", async () => {
  const hubFeed = await subscribedFeed();
  // The test sends no part of the body. Otherwise the server may close the connection before the test has read the
  // answer.
  const head = [
    `POST /websub/${hubFeed.feed.feedId} HTTP/1.1`,
    "host: localhost",
    "content-type: application/rss+xml",
    `content-length: ${3 * 1024 * 1024}`,
  ];
  expect(readRaw(await sendRaw(api.url, `${head.join("\r\n")}\r\n\r\n`)).status).toBe(413);
  const other = await fetch(`${api.url}/websub/${hubFeed.feed.feedId}`, { method: "PUT" });
  expect([other.status, other.headers.get("allow")]).toEqual([405, "GET, POST"]);
});
