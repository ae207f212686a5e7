import { sql } from "kysely";
import { beforeAll, describe, expect, test } from "vitest";
import { changeFeed } from "../../src/feeds/change-feed.ts";
import { pollDueFeeds } from "../../src/feeds/feed-keeper.ts";
import { eventually } from "../worlds/eventually.ts";
import { type FeedAnswer, rss } from "../worlds/feed-server.ts";
import { type FeedDesk, makePollDue, openFeedDesk, story, type TestFeed } from "./feed-desk.ts";

let desk: FeedDesk;

beforeAll(async () => {
  desk = await openFeedDesk();
});

const lastAsked = ({ path }: TestFeed) => desk.server.asked(path).at(-1)!;
const secondsToNext = async (feed: TestFeed) => {
  const { nextPollAt } = await feed.view();
  return (Date.parse(nextPollAt!) - Date.now()) / 1_000;
};
const bodyOf = (...names: string[]) => rss(names.map((name) => story(desk, name)));

describe("a poll", () => {
  test("asks with ETag and Last-Modified, and a 304 leaves everything as it was", async () => {
    const feed = await desk.feedWith(desk.publisher, []);
    const modified = "Mon, 02 Mar 2026 11:00:00 GMT";
    desk.server.serve(feed.path, (request, response) => {
      const isKnown = request.headers["if-none-match"] === '"v1"' && request.headers["if-modified-since"] === modified;
      response.writeHead(isKnown ? 304 : 200, { etag: '"v1"', "last-modified": modified, "content-type": "text/xml" });
      response.end(isKnown ? undefined : bodyOf("validated"));
    });
    expect((await feed.poll()).lastPoll).toMatchObject({ outcome: "read", newItems: 1 });
    expect(lastAsked(feed).headers["if-none-match"]).toBeUndefined();
    expect((await feed.poll()).lastPoll).toMatchObject({ outcome: "unchanged", newItems: 0, failures: 0 });
    expect(lastAsked(feed).headers).toMatchObject({ "if-none-match": '"v1"', "if-modified-since": modified });
    // Another address is another document.
    desk.server.serve("/moved.xml", bodyOf("validated"));
    const { actor } = desk.publisher;
    await changeFeed(desk.app, actor, { feedId: feed.feedId, change: { url: `${desk.server.origin}/moved.xml` } });
    await feed.poll();
    expect(desk.server.asked("/moved.xml").at(-1)!.headers["if-none-match"]).toBeUndefined();
  });

  test("of a server without validators reads the same document once", async () => {
    const feed = await desk.feedWith(desk.publisher, []);
    desk.server.serve(feed.path, bodyOf("same"));
    expect((await feed.poll()).lastPoll).toMatchObject({ outcome: "read" });
    expect((await feed.poll()).lastPoll).toMatchObject({ outcome: "unchanged" });
  });

  test("does not believe a 304 that it did not ask for", async () => {
    const feed = await desk.feedWith(desk.publisher, []);
    desk.server.serve(feed.path, (_request, response) => void response.writeHead(304).end());
    expect((await feed.poll()).lastPoll).toMatchObject({ outcome: "failed", code: "http_status" });
  });

  test("comes sooner to a lively feed, and no sooner than Cache-Control and ttl allow", async () => {
    const feed = await desk.feedWith(desk.publisher, []);
    expect(await secondsToNext(feed)).toBeLessThanOrEqual(33);
    desk.server.serve(feed.path, bodyOf("cached"), { "cache-control": "public, max-age=600", age: "60" });
    expect((await feed.poll()).lastPoll).toMatchObject({ because: "its Cache-Control asks for it" });
    expect(await secondsToNext(feed)).toBeGreaterThan(530);
    desk.server.serve(feed.path, rss([], "<ttl>20</ttl>"));
    expect((await feed.poll()).lastPoll).toMatchObject({ because: "its ttl asks for it" });
    expect(await secondsToNext(feed)).toBeGreaterThan(1_190);
    desk.server.serve(feed.path, bodyOf("cached"));
    await sql`update feeds set new_item_at = now() - interval '2 days', seeded_at = now() - interval '2 days' where id = ${feed.feedId}`.execute(
      desk.app.db,
    );
    expect((await feed.poll()).lastPoll).toMatchObject({ because: "nothing new came for a day" });
  });

  test("backs off from a server that fails, obeys its Retry-After, and forgets it with the first answer", async () => {
    const feed = await desk.feedWith(desk.publisher, []);
    const fail =
      (headers: Record<string, string>): FeedAnswer =>
      (_request, response) =>
        void response.writeHead(503, headers).end();
    desk.server.serve(feed.path, fail({}));
    for (const failures of [1, 2, 3, 4])
      expect((await feed.poll()).lastPoll).toMatchObject({ outcome: "failed", code: "http_status", failures });
    expect(await secondsToNext(feed)).toBeGreaterThan(230);
    desk.server.serve(feed.path, fail({ "retry-after": "7200" }));
    expect((await feed.poll()).lastPoll).toMatchObject({ because: "its server asks to wait (Retry-After)" });
    expect(await secondsToNext(feed)).toBeGreaterThan(7_190);
    desk.server.serve(feed.path, bodyOf("back"));
    expect((await feed.poll()).lastPoll).toMatchObject({ outcome: "read", failures: 0, newItems: 1 });
  });
});

describe("a first poll", () => {
  test("comes again when a feed is switched on or moved: what stands there then is never sent", async () => {
    const publisher = await desk.anotherPublisher();
    const { actor } = publisher;
    const feed = await desk.feedWith(publisher, [story(desk, "s1")]);
    await changeFeed(desk.app, actor, { feedId: feed.feedId, change: { enabled: false } });
    feed.put([story(desk, "s2"), story(desk, "s1")]);
    const asked = desk.server.asked(feed.path).length;
    expect((await feed.poll()).nextPollAt).toBeNull();
    expect(desk.server.asked(feed.path)).toHaveLength(asked);
    await changeFeed(desk.app, actor, { feedId: feed.feedId, change: { enabled: true } });
    expect(await feed.pollAndSend()).toEqual([]);
    desk.server.serve("/elsewhere.xml", rss([story(desk, "s3"), story(desk, "s1")]));
    await changeFeed(desk.app, actor, { feedId: feed.feedId, change: { url: `${desk.server.origin}/elsewhere.xml` } });
    expect(await feed.pollAndSend()).toEqual([]);
    expect((await feed.view()).items).toMatchObject({ seen: 3, sent: 0 });
  });

  test("of ten thousand items marks them all", async () => {
    const publisher = await desk.anotherPublisher();
    const many = Array.from({ length: 10_000 }, (_, n) => ({ link: `https://archive.example/${n}`, guid: `${n}` }));
    const feed = await desk.feedWith(publisher, many);
    expect((await feed.view()).items).toMatchObject({ seen: 100, new: 0 });
    feed.put([...many.slice(5_000), ...many.slice(0, 5_000)]);
    expect((await feed.poll()).lastPoll).toMatchObject({ outcome: "read", newItems: 0 });
  }, 60_000);
});

test("a poll that is stopped gives the feed back and notes nothing of it", async () => {
  const feed = await desk.feedWith(desk.publisher, []);
  desk.server.serve(feed.path, () => {});
  const before = (await feed.view()).lastPoll;
  await makePollDue(desk.app, feed.feedId);
  const stop = new AbortController();
  const polling = pollDueFeeds(desk.app, stop.signal);
  await eventually(async () => desk.server.asked(feed.path).length > 1);
  stop.abort();
  await polling;
  expect((await feed.view()).lastPoll).toEqual(before);
  const held = await sql`select from feeds where id = ${feed.feedId} and poll_lease_until is not null`.execute(
    desk.app.db,
  );
  expect(held.rows).toEqual([]);
});

test("a poll whose lease has run out changes nothing any more: another has the feed", async () => {
  const feed = await desk.feedWith(desk.publisher, []);
  const answered = Promise.withResolvers<void>();
  desk.server.serve(
    feed.path,
    (_request, response) => void answered.promise.then(() => response.end(bodyOf("too-late"))),
  );
  await makePollDue(desk.app, feed.feedId);
  const slow = pollDueFeeds(desk.app);
  await eventually(async () => desk.server.asked(feed.path).length > 1);
  await sql`update feeds set poll_lease_until = now() where id = ${feed.feedId}`.execute(desk.app.db);
  feed.put([story(desk, "in-time")]);
  await feed.poll();
  answered.resolve();
  await slow;
  expect((await feed.items()).map(({ title }) => title)).toEqual(["The story of in-time"]);
});
