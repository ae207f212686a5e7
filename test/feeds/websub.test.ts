import { createHmac } from "node:crypto";
import { sql } from "kysely";
import { beforeAll, describe, expect, test } from "vitest";
import { changeFeed } from "../../src/feeds/change-feeds.ts";
import { sendDueItems } from "../../src/feeds/items/send-due-items.ts";
import { subscribeDueHubs } from "../../src/feeds/websub/subscribe-hub.ts";
import { type Api, serve } from "../fixtures/app.ts";
import { type FeedItem, rss } from "../fixtures/feed-server.ts";
import { type FeedFixture, openFeedFixture, story, type TestFeed } from "./fixture.ts";

let fixture: FeedFixture;
let api: Api;

beforeAll(async () => {
  fixture = await openFeedFixture({ PUBLIC_URL: "https://push.herald.example/pressbell" });
  api = await serve(fixture.app);
  fixture.server.serve("/hub", (_request, response) => void response.writeHead(202).end());
});

/** A feed that names the test's hub, and what the hub was last asked. */
async function hubbedFeed(): Promise<{
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
  await subscribeDueHubs(fixture.app);
  return { feed, topic, put, asked: new URLSearchParams(fixture.server.asked("/hub").at(-1)!.body) };
}

type Hubbed = Awaited<ReturnType<typeof hubbedFeed>>;

/** What a hub asks before it tells. */
function verify({ feed, topic }: Hubbed, parameters: Record<string, string> = {}) {
  const query = {
    "hub.mode": "subscribe",
    "hub.topic": topic,
    "hub.challenge": "a-challenge",
    "hub.lease_seconds": "86400",
    ...parameters,
  };
  return fetch(`${api.url}/websub/${feed.feedId}?${new URLSearchParams(query)}`);
}

async function agreedFeed(): Promise<Hubbed> {
  const hubbed = await hubbedFeed();
  await verify(hubbed);
  return hubbed;
}

/** What a hub tells; signed with its secret unless `signature` says otherwise. */
function tell({ feed, asked }: Hubbed, body: string, signature?: string, type = "application/rss+xml") {
  const signed = `sha256=${createHmac("sha256", asked.get("hub.secret")!).update(body).digest("hex")}`;
  const headers = { "content-type": type, "x-hub-signature": signature ?? signed };
  return fetch(`${api.url}/websub/${feed.feedId}`, { method: "POST", headers, body });
}

describe("a feed that names a hub", () => {
  test("is subscribed there with its own callback, topic and secret, and active once the hub has verified", async () => {
    const hubbed = await hubbedFeed();
    const { feed, topic, asked } = hubbed;
    const other = await hubbedFeed();
    expect(fixture.server.asked("/hub").at(-1)!.headers["content-type"]).toBe("application/x-www-form-urlencoded");
    expect(Object.fromEntries(asked)).toMatchObject({
      "hub.mode": "subscribe",
      "hub.topic": topic,
      "hub.callback": `https://push.herald.example/pressbell/websub/${feed.feedId}`,
      "hub.secret": expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(other.asked.get("hub.secret")).not.toBe(asked.get("hub.secret"));
    expect((await feed.view()).push).toMatchObject({ hub: `${fixture.server.origin}/hub`, state: "asking" });
    const answer = await verify(hubbed);
    expect([answer.status, await answer.text()]).toEqual([200, "a-challenge"]);
    const { push } = await feed.view();
    expect(push).toMatchObject({ state: "active" });
    expect(Date.parse(push!.leaseUntil!)).toBeGreaterThan(Date.now() + 86_000_000);
  });

  test("tells of an item, which goes out without a poll, once, though the poll finds it too", async () => {
    const hubbed = await agreedFeed();
    const polls = fixture.server.asked(hubbed.feed.path).length;
    const body = hubbed.put([story(fixture, "pushed")]);
    expect((await tell(hubbed, body)).status).toBe(202);
    expect((await tell(hubbed, body)).status).toBe(202);
    await sendDueItems(fixture.app);
    expect(fixture.server.asked(hubbed.feed.path)).toHaveLength(polls);
    expect(await hubbed.feed.items()).toMatchObject([{ status: "sent", title: "The story of pushed" }]);
    expect(await hubbed.feed.pollAndSend()).toHaveLength(1);
    expect((await hubbed.feed.view()).push!.lastToldAt).not.toBeNull();
  });
});

describe("what a hub tells", () => {
  test.for([
    ["no signature", ""],
    ["another secret's signature", `sha256=${createHmac("sha256", "guess").update("x").digest("hex")}`],
    ["an unknown method", "md5=0123456789abcdef0123456789abcdef01234567"],
    ["half a signature", "sha256=0123456789012345678901234567890123456789"],
  ] as const)("is ignored with 202 where it comes with %s", async ([, signature]) => {
    const hubbed = await agreedFeed();
    const body = hubbed.put([story(fixture, "forged")]);
    expect((await tell(hubbed, body, signature)).status).toBe(202);
    expect(await hubbed.feed.items()).toEqual([]);
    expect((await hubbed.feed.view()).push!.lastToldAt).toBeNull();
  });

  test("may be signed with sha1, as older hubs do", async () => {
    const hubbed = await agreedFeed();
    const body = hubbed.put([story(fixture, "old-hub")]);
    const sha1 = createHmac("sha1", hubbed.asked.get("hub.secret")!).update(body).digest("hex");
    await tell(hubbed, body, `sha1=${sha1}`);
    expect(await hubbed.feed.items()).toMatchObject([{ title: "The story of old-hub" }]);
  });

  test("leads to a poll at once where it cannot be read", async () => {
    const hubbed = await agreedFeed();
    expect((await tell(hubbed, "something has changed", undefined, "text/plain")).status).toBe(202);
    expect(Date.parse((await hubbed.feed.view()).nextPollAt!)).toBeLessThanOrEqual(Date.now());
  });

  test("is believed: the feed is polled rarely, and often again when a poll finds what was not told", async () => {
    const hubbed = await agreedFeed();
    const { feed } = hubbed;
    const because = async () => (await feed.poll()).lastPoll!.because;
    expect(await because()).toBe("it is lively");
    await tell(hubbed, hubbed.put([story(fixture, "told")]));
    expect(await because()).toBe("its hub tells of what is new");
    hubbed.put([story(fixture, "untold"), story(fixture, "told")]);
    await feed.poll();
    expect(await because()).toBe("it is lively");
    await tell(hubbed, hubbed.put([story(fixture, "told-2"), story(fixture, "untold")]));
    expect(await because()).toBe("its hub tells of what is new");
  });
});

describe("a hub", () => {
  test.for([
    ["another topic", { "hub.topic": "https://herald.example/other.xml" }],
    ["an unsubscription, which nobody here asked for", { "hub.mode": "unsubscribe" }],
    ["an unknown mode", { "hub.mode": "publish" }],
    ["an empty challenge", { "hub.challenge": "" }],
    ["an endless challenge", { "hub.challenge": "x".repeat(5_000) }],
  ] as const)("is not confirmed %s", async ([, parameters]) => {
    const hubbed = await hubbedFeed();
    const answer = await verify(hubbed, parameters);
    expect([answer.status, await answer.text()]).toEqual([404, ""]);
    expect((await hubbed.feed.view()).push).toMatchObject({ state: "asking" });
  });

  test("is not confirmed a feed that there is not, nor one that names no hub", async () => {
    const hubbed = await hubbedFeed();
    const plain = await fixture.feedWith(fixture.publisher, []);
    for (const feedId of ["01890000-0000-7000-8000-000000000000", "nonsense", plain.feedId]) {
      const feed = { ...hubbed.feed, feedId };
      expect((await verify({ ...hubbed, feed })).status).toBe(404);
      expect((await tell({ ...hubbed, feed }, "x")).status).toBe(410);
    }
  });

  test("may forget a feed that is off: 410", async () => {
    const hubbed = await agreedFeed();
    const { actor } = fixture.publisher;
    await sql`update feeds set tenant_id = ${fixture.publisher.tenantId}, site_id = ${fixture.publisher.siteId} where id = ${hubbed.feed.feedId}`.execute(
      fixture.app.db,
    );
    await changeFeed(fixture.app, actor, { feedId: hubbed.feed.feedId, change: { enabled: false } });
    expect((await tell(hubbed, "x")).status).toBe(410);
    expect((await verify(hubbed)).status).toBe(404);
  });

  test("is asked again before its lease ends, and stays active meanwhile", async () => {
    const hubbed = await agreedFeed();
    const asked = fixture.server.asked("/hub").length;
    await subscribeDueHubs(fixture.app);
    expect(fixture.server.asked("/hub")).toHaveLength(asked);
    const { feedId } = hubbed.feed;
    const due = await sql<{
      part: number;
    }>`select extract(epoch from hub_next_at - now())::float8 / 86400 as part from feeds where id = ${feedId}`.execute(
      fixture.app.db,
    );
    expect(due.rows[0]!.part).toBeCloseTo(0.8, 2);
    await sql`update feeds set hub_next_at = now() where id = ${feedId}`.execute(fixture.app.db);
    await subscribeDueHubs(fixture.app);
    expect(fixture.server.asked("/hub")).toHaveLength(asked + 1);
    expect((await hubbed.feed.view()).push).toMatchObject({ state: "active" });
    await verify(hubbed, { "hub.lease_seconds": "172800" });
    expect(Date.parse((await hubbed.feed.view()).push!.leaseUntil!)).toBeGreaterThan(Date.now() + 172_000_000);
  });

  test("that refuses, or denies later, is left for a day, and the feed is polled", async () => {
    const hubbed = await hubbedFeed();
    const denied = await verify(hubbed, { "hub.mode": "denied" });
    expect(denied.status).toBe(200);
    expect((await hubbed.feed.view()).push).toMatchObject({ state: "refused", leaseUntil: null });
    expect((await verify(hubbed)).status).toBe(404);
    fixture.server.serve("/hub", (_request, response) => void response.writeHead(403).end());
    const other = await hubbedFeed();
    fixture.server.serve("/hub", (_request, response) => void response.writeHead(202).end());
    expect((await other.feed.view()).push).toMatchObject({ state: "refused" });
    expect((await other.feed.poll()).lastPoll).toMatchObject({ because: "it is lively" });
  });
});

test("without a PUBLIC_URL no hub is asked, and the feed says that its hub is not used", async () => {
  const local = await openFeedFixture();
  local.server.serve("/hub", (_request, response) => void response.writeHead(202).end());
  const feed = await local.feedWith(local.publisher, []);
  local.server.serve(feed.path, rss([]), {
    link: `<${local.server.origin}/hub>; rel="hub", <${local.server.origin}/all.xml>; rel=self`,
  });
  await sql`update feeds set body_hash = null where id = ${feed.feedId}`.execute(local.app.db);
  await feed.poll();
  await subscribeDueHubs(local.app);
  expect(local.server.asked("/hub")).toEqual([]);
  expect((await feed.view()).push).toMatchObject({ hub: `${local.server.origin}/hub`, state: "unused" });
});

test("what is too large for a push is refused before it is read, and other methods get 405", async () => {
  const hubbed = await agreedFeed();
  expect((await tell(hubbed, "x".repeat(3 * 1024 * 1024))).status).toBe(413);
  const other = await fetch(`${api.url}/websub/${hubbed.feed.feedId}`, { method: "PUT" });
  expect([other.status, other.headers.get("allow")]).toEqual([405, "GET, POST"]);
});
