import { sql } from "kysely";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { maxStories } from "../../sdk/elements/max-stories.ts";
import type { App } from "../../src/app.ts";
import { rows, type Tx } from "../../src/db/pool.ts";
import { runMaintenance } from "../../src/maintenance.ts";
import { countRequest } from "../../src/rate-limits/count-requests.ts";
import { addressFollowLimit } from "../../src/rate-limits/limits.ts";
import { planNextPageIn } from "../../src/runs/plan/plan-run.ts";
import { expireFollows } from "../../src/subscribers/follows/expire-follows.ts";
import { followDays, maxFollows } from "../../src/subscribers/follows/follow.ts";
import { followedKeys } from "../../src/subscribers/follows/key-queries.ts";
import { countSubscribers, maxRefusedRuns } from "../../src/subscribers/queries.ts";
import { addTopic } from "../../src/tenants/topics/topics.ts";
import { type CampaignFixture, campaignFixtureOf, inSeconds, openCampaignFixture } from "../campaigns/fixture.ts";
import type { Answer } from "../fixtures/app.ts";
import { countRowsRead } from "../fixtures/count-rows-read.ts";
import { type BrowserSubscription, createPublisher, createSubscriptions, subscribe } from "../fixtures/publisher.ts";
import { createReaderClient, type ReaderClient } from "../fixtures/reader-client.ts";
import { ago } from "../fixtures/rows/change.ts";
import { changeRuns, endBatches } from "../fixtures/rows/runs.ts";
import { changeFollows, changeSubscribers } from "../fixtures/rows/subscribers.ts";
import { planAll, recipientsOf } from "../runs/fixture.ts";

/** Tests what readers follow over HTTP: as their browsers do, and as a CMS that sends to them does. */
let shared: CampaignFixture;
let fixture: CampaignFixture;
let app: App;
let client: ReaderClient;
let follower: BrowserSubscription;
let other: BrowserSubscription;

beforeAll(async () => {
  shared = await openCampaignFixture();
});

beforeEach(async () => {
  app = shared.app;
  await sql`truncate rate_limits`.execute(app.db);
  fixture = campaignFixtureOf(app, shared.api, await createPublisher(app));
  client = createReaderClient(shared.api, fixture.publisher.siteId);
  [follower, other] = createSubscriptions(2) as [BrowserSubscription, BrowserSubscription];
  await subscribe(app, fixture.publisher.siteId, [follower, other]);
});

const ask = (body: object = {}, of = follower): Promise<Answer> =>
  client.post("follows", { endpoint: of.endpoint, auth: of.keys.auth, ...body });
const follow = (key: string, of = follower, label?: string) => ask({ follow: { key, ...(label && { label }) } }, of);
const root = () => `/v1/tenants/${fixture.publisher.tenantId}/sites/${fixture.publisher.siteId}/follows`;
const call = (method: "GET" | "DELETE", query = "", key = fixture.publisher.apiKey) =>
  shared.api.call(method, `${root()}${query}`, { key });

async function send(campaignId: string) {
  const { status, body } = await fixture.post(campaignId, "send");
  expect(status).toBe(202);
  await planAll(app);
  const ids = (await recipientsOf(app, { siteId: fixture.publisher.siteId, runId: body.runId })).flat();
  const found = await rows(
    sql<{ endpoint: string }>`select endpoint from subscribers
      where site_id = ${fixture.publisher.siteId} and id = any(${ids}::bigint[])`,
    app.db,
  );
  return { audience: body.audience, endpoints: found.map(({ endpoint }) => endpoint) };
}

describe("a reader", () => {
  test("follows, sees what they follow, and ends it", async () => {
    expect(await ask()).toMatchObject({ status: 200, body: { follows: [] } });
    await follow("wahl-2026", follower, "Wahl 2026");
    expect((await follow("author:7")).body.follows).toEqual([
      { key: "author:7", label: null },
      { key: "wahl-2026", label: "Wahl 2026" },
    ]);
    expect((await ask({ unfollow: "author:7" })).body.follows).toEqual([{ key: "wahl-2026", label: "Wahl 2026" }]);
    expect((await ask({}, other)).body.follows).toEqual([]);
    const data = await client.post("data", { endpoint: follower.endpoint, auth: follower.keys.auth });
    expect(data.body.further.follows).toMatchObject([{ key: "wahl-2026", label: "Wahl 2026" }]);
  });

  test("is refused with all faults, and without the secret of the subscription", async () => {
    const wrong = await ask({ follow: { key: " a", label: "x".repeat(81) }, unfollow: "", more: 1 });
    expect(wrong.status).toBe(400);
    expect(wrong.body.errors.map(({ path }: { path: string }) => path).toSorted()).toEqual([
      "/follow/key",
      "/follow/label",
      "/more",
      "/unfollow",
    ]);
    expect(await follow("a\nb")).toMatchObject({ status: 400 });
    const stolen = { endpoint: follower.endpoint, auth: other.keys.auth, follow: { key: "a" } };
    expect(await client.post("follows", stolen)).toMatchObject({ status: 404 });
  });

  test("follows at most so many, and may follow one again", async () => {
    expect(maxStories).toBe(maxFollows);
    for (let n = 0; n < maxFollows; n++) await follow(`story-${n}`);
    expect(await follow("one-more")).toMatchObject({ status: 409, body: { code: "follow_limit" } });
    expect(await follow("story-3", follower, "Three")).toMatchObject({ status: 200 });
    expect((await ask()).body.follows).toHaveLength(maxFollows);
  });

  test("of a network that follows too much is refused, and can end what they follow", async () => {
    await follow("story");
    for (let n = 1; n <= addressFollowLimit.quota; n++) {
      await countRequest(app, addressFollowLimit, `${fixture.publisher.siteId} 127.0.0.1`);
    }
    expect(await follow("another")).toMatchObject({ status: 429, body: { limit: "address_follows" } });
    expect(await ask({ unfollow: "story" })).toMatchObject({ status: 200, body: { follows: [] } });
  });

  test("keeps what two rows of their browser followed when they become one", async () => {
    await follow("story");
    await follow("another", other);
    await client.subscribe(other, { replaces: { endpoint: follower.endpoint, auth: follower.keys.auth } });
    const { follows } = (await ask({}, other)).body;
    expect(follows.map(({ key }: { key: string }) => key).toSorted()).toEqual(["another", "story"]);
  });

  test("who leaves leaves no follow", async () => {
    await follow("story");
    await client.unsubscribe(follower);
    expect((await call("GET")).body.data).toEqual([]);
  });
});

describe("a campaign to followers", () => {
  test("reaches the followers of its id, and so does its correction, also after they end it", async () => {
    await follow("wahl-2026");
    await follow("other", other);
    const campaignId = await fixture.draft({ followersOf: "wahl-2026" });
    expect(await send(campaignId)).toEqual({ audience: 1, endpoints: [follower.endpoint] });
    await endBatches(app, { siteId: fixture.publisher.siteId });
    await changeRuns(app, { siteId: fixture.publisher.siteId }, { status: "completed" });
    await ask({ unfollow: "wahl-2026" });
    await follow("wahl-2026", other);
    const correction = await fixture.draft({ corrects: campaignId });
    expect((await fixture.read(correction)).followersOf).toBe("wahl-2026");
    expect((await send(correction)).endpoints).toEqual([follower.endpoint]);
  });

  test("is changed by a PATCH, and back to all readers", async () => {
    await follow("story");
    const campaignId = await fixture.draft();
    const patch = (body: object) =>
      shared.api.call("PATCH", `/v1/campaigns/${campaignId}`, { key: fixture.publisher.apiKey, body });
    expect((await patch({ followersOf: "story" })).body.followersOf).toBe("story");
    expect((await patch({ followersOf: "" })).body.followersOf).toBeNull();
    expect((await send(campaignId)).endpoints).toHaveLength(2);
  });

  test("has no topics, and an id of one line", async () => {
    const body = {
      siteId: fixture.publisher.siteId,
      mode: "manual",
      url: "https://news.example/",
      title: "T",
      body: "B",
    };
    const create = (more: object) =>
      shared.api.call("POST", `/v1/tenants/${fixture.publisher.tenantId}/campaigns`, {
        key: fixture.publisher.apiKey,
        body: { ...body, ...more },
      });
    const { actor, siteId } = fixture.publisher;
    const topicIds = [(await addTopic(app, actor, { siteId, name: "Sport" })).topicId];
    for (const wrong of [{ followersOf: "a", topicIds }, { followersOf: "x".repeat(101) }, { followersOf: " a" }]) {
      const answer = await create(wrong);
      expect(answer).toMatchObject({ status: 400, body: { errors: [{ path: "/followersOf" }] } });
    }
  });

  test("of a large site is counted and planned from its followers, not from all readers", async () => {
    const { siteId } = fixture.publisher;
    await subscribe(app, siteId, createSubscriptions(10_000));
    await follow("story");
    await sql`analyze subscribers, follows`.execute(app.db);
    const audience = { topicIds: [], segment: null, followersOf: "story" };
    const read = (work: (tx: Tx) => Promise<unknown>) => countRowsRead(app, "subscribers", work);
    expect(await read((tx) => countSubscribers(tx, siteId, audience, 10))).toBe(1);
    const { runId } = (await fixture.post(await fixture.draft({ followersOf: "story" }), "send")).body;
    expect(await read((tx) => planNextPageIn(tx))).toBeLessThan(10);
    expect((await recipientsOf(app, { siteId, runId })).flat()).toHaveLength(1);
  });
});

describe("an editor", () => {
  test("lists what readers follow, the most followed first, in pages and by a search", async () => {
    for (const key of ["a", "b", "wahl"]) await follow(key);
    await follow("b", other);
    const first = (await call("GET", "?limit=2")).body;
    expect(first.data).toEqual([
      { key: "b", followers: 2 },
      { key: "a", followers: 1 },
    ]);
    expect((await call("GET", `?limit=2&cursor=${first.nextCursor}`)).body).toEqual({
      data: [{ key: "wahl", followers: 1 }],
      nextCursor: null,
    });
    expect((await call("GET", "?search=wAH")).body.data).toEqual([{ key: "wahl", followers: 1 }]);
    expect(await call("GET", "?cursor=x")).toMatchObject({ status: 400, body: { errors: [{ path: "/cursor" }] } });
  });

  test("counts reachable readers, and no test devices", async () => {
    const { siteId } = fixture.publisher;
    const [device, refused] = createSubscriptions(2) as [BrowserSubscription, BrowserSubscription];
    await subscribe(app, siteId, [device], "Phone");
    await subscribe(app, siteId, [refused, ...createSubscriptions(2_000)]);
    for (const reader of [device, refused, follower]) await follow("story", reader);
    await follow("tried", device);
    await changeSubscribers(app, { endpoint: refused.endpoint }, { refusedRuns: maxRefusedRuns });
    expect((await call("GET")).body.data).toEqual([
      { key: "story", followers: 1 },
      { key: "tried", followers: 0 },
    ]);
    expect((await send(await fixture.draft({ followersOf: "story" }))).audience).toBe(1);
    await sql`analyze subscribers, follows`.execute(app.db);
    const list = (tx: Tx) => followedKeys(tx, siteId, { search: "", after: null, limit: 50 });
    expect(await countRowsRead(app, "subscribers", list)).toBeLessThan(10);
  });

  test("ends a story for all its followers, and learns how many", async () => {
    await follow("wahl 2026/ä");
    await follow("wahl 2026/ä", other);
    await follow("stays");
    const answer = await call("DELETE", `?key=${encodeURIComponent("wahl 2026/ä")}`);
    expect(answer).toMatchObject({ status: 200, body: { ended: 2, hasMore: false } });
    expect((await ask()).body.follows).toEqual([{ key: "stays", label: null }]);
    expect(await call("DELETE", "?key=never")).toMatchObject({ status: 200, body: { ended: 0, hasMore: false } });
    expect(await call("DELETE")).toMatchObject({ status: 400, body: { errors: [{ path: "/key" }] } });
  });

  test("cannot end a story while a campaign to its followers is scheduled", async () => {
    await follow("story");
    const campaignId = await fixture.draft({ followersOf: "story" });
    expect(await fixture.post(campaignId, "schedule", { scheduleAt: inSeconds(3_600) })).toMatchObject({ status: 200 });
    expect(await call("DELETE", "?key=story")).toMatchObject({ status: 409, body: { code: "follows_awaited" } });
    await fixture.post(campaignId, "cancel");
    expect(await call("DELETE", "?key=story")).toMatchObject({ body: { ended: 1 } });
  });

  test("of another tenant sees and ends nothing", async () => {
    await follow("story");
    const stranger = await createPublisher(app);
    for (const method of ["GET", "DELETE"] as const) {
      expect(await call(method, "?key=story", stranger.apiKey)).toMatchObject({ status: 403 });
      const path = `/v1/tenants/${stranger.tenantId}/sites/${fixture.publisher.siteId}/follows`;
      const answer = await shared.api.call(method, method === "GET" ? path : `${path}?key=story`, {
        key: stranger.apiKey,
      });
      expect(answer).toMatchObject({ status: 404 });
    }
    expect((await ask()).body.follows).toHaveLength(1);
  });
});

test("follows end after so many days in which nothing was sent for them", async () => {
  const { siteId } = fixture.publisher;
  for (const key of ["silent", "sent"]) await follow(key);
  await follow("silent", other);
  await send(await fixture.draft({ followersOf: "sent" }));
  await changeFollows(app, { siteId }, { followedAt: ago(`${followDays + 1} days`) });
  await follow("silent", other);
  await runMaintenance(app.db, [expireFollows]);
  expect((await ask()).body.follows).toEqual([{ key: "sent", label: null }]);
  expect((await ask({}, other)).body.follows).toEqual([{ key: "silent", label: null }]);
});
