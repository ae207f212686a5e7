import { sql } from "kysely";
import { beforeAll, describe, expect, test } from "vitest";
import { changeFeed } from "../../src/feeds/change-feeds.ts";
import { pollWork } from "../../src/feeds/poll/feed-poller.ts";
import { eventually } from "../fixtures/eventually.ts";
import { type FeedAnswer, rss } from "../fixtures/feed-server.ts";
import { ago, present } from "../fixtures/rows/change.ts";
import { changeFeeds } from "../fixtures/rows/feeds.ts";
import { type FeedFixture, makePollDue, openFeedFixture, story, type TestFeed } from "./fixture.ts";

let fixture: FeedFixture;

beforeAll(async () => {
  fixture = await openFeedFixture();
});

const lastAsked = ({ path }: TestFeed) => fixture.server.asked(path).at(-1)!;
/** Returns the seconds from the last poll to the next one. */
const secondsToNext = async (feed: TestFeed) => {
  const { nextPollAt, lastPoll } = await feed.view();
  return (Date.parse(nextPollAt!) - Date.parse(lastPoll!.at)) / 1_000;
};
const bodyOf = (...names: string[]) => rss(names.map((name) => story(fixture, name)));

describe("a poll", () => {
  test("is conditional by ETag and Last-Modified, and a 304 changes nothing", async () => {
    const feed = await fixture.feedWith(fixture.publisher, []);
    const modified = "Mon, 02 Mar 2026 11:00:00 GMT";
    fixture.server.serve(feed.path, (request, response) => {
      const isKnown = request.headers["if-none-match"] === '"v1"' && request.headers["if-modified-since"] === modified;
      response.writeHead(isKnown ? 304 : 200, { etag: '"v1"', "last-modified": modified, "content-type": "text/xml" });
      response.end(isKnown ? undefined : bodyOf("validated"));
    });
    expect((await feed.poll()).lastPoll).toMatchObject({ outcome: "read", newItems: 1 });
    expect(lastAsked(feed).headers["if-none-match"]).toBeUndefined();
    expect((await feed.poll()).lastPoll).toMatchObject({ outcome: "unchanged", newItems: 0, failures: 0 });
    expect(lastAsked(feed).headers).toMatchObject({ "if-none-match": '"v1"', "if-modified-since": modified });
    // The validators of the old address are not sent to the new one.
    fixture.server.serve("/moved.xml", bodyOf("validated"));
    const { actor } = fixture.publisher;
    await changeFeed(fixture.app, actor, {
      feedId: feed.feedId,
      change: { url: `${fixture.server.origin}/moved.xml` },
    });
    await feed.poll();
    expect(fixture.server.asked("/moved.xml").at(-1)!.headers["if-none-match"]).toBeUndefined();
  });

  test("reads the same document once, also if the server sends no validators", async () => {
    const feed = await fixture.feedWith(fixture.publisher, []);
    fixture.server.serve(feed.path, bodyOf("same"));
    expect((await feed.poll()).lastPoll).toMatchObject({ outcome: "read" });
    expect((await feed.poll()).lastPoll).toMatchObject({ outcome: "unchanged" });
  });

  test("treats a 304 to an unconditional request as a failure", async () => {
    const feed = await fixture.feedWith(fixture.publisher, []);
    fixture.server.serve(feed.path, (_request, response) => void response.writeHead(304).end());
    expect((await feed.poll()).lastPoll).toMatchObject({ outcome: "failed", code: "http_status" });
  });

  test("is more frequent if a feed has new items, within Cache-Control and ttl", async () => {
    const feed = await fixture.feedWith(fixture.publisher, []);
    expect(await secondsToNext(feed)).toBeLessThanOrEqual(33);
    fixture.server.serve(feed.path, bodyOf("cached"), { "cache-control": "public, max-age=600", age: "60" });
    expect((await feed.poll()).lastPoll).toMatchObject({ because: { message: "its Cache-Control asks for it" } });
    expect(await secondsToNext(feed)).toBeGreaterThan(530);
    fixture.server.serve(feed.path, rss([], "<ttl>20</ttl>"));
    expect((await feed.poll()).lastPoll).toMatchObject({ because: { message: "its ttl asks for it" } });
    expect(await secondsToNext(feed)).toBeGreaterThan(1_190);
    fixture.server.serve(feed.path, bodyOf("cached"));
    await changeFeeds(fixture.app, { id: feed.feedId }, { newItemAt: ago("2 days"), seededAt: ago("2 days") });
    expect((await feed.poll()).lastPoll).toMatchObject({ because: { message: "nothing new came for a day" } });
  });
});

test("a poll of a feed with a ttl of an hour is due after 30 seconds if an owner has set that", async () => {
  const feed = await fixture.feedWith(fixture.publisher, [], { pollSeconds: 30 });
  fixture.server.serve(feed.path, rss([], "<ttl>60</ttl>"), { "cache-control": "max-age=3600" });
  expect((await feed.poll()).lastPoll).toMatchObject({ because: { message: "an owner has set it" } });
  expect(await secondsToNext(feed)).toBeLessThanOrEqual(33);
});

describe("a poll", () => {
  test("backs off from a failing server, obeys Retry-After, and is regular after an answer", async () => {
    const feed = await fixture.feedWith(fixture.publisher, []);
    const fail =
      (headers: Record<string, string>): FeedAnswer =>
      (_request, response) =>
        void response.writeHead(503, headers).end();
    fixture.server.serve(feed.path, fail({}));
    for (const failures of [1, 2, 3, 4])
      expect((await feed.poll()).lastPoll).toMatchObject({ outcome: "failed", code: "http_status", failures });
    expect(await secondsToNext(feed)).toBeGreaterThan(230);
    fixture.server.serve(feed.path, fail({ "retry-after": "7200" }));
    expect((await feed.poll()).lastPoll).toMatchObject({
      because: { message: "its server asks to wait (Retry-After)" },
    });
    expect(await secondsToNext(feed)).toBeGreaterThan(7_190);
    fixture.server.serve(feed.path, bodyOf("back"));
    expect((await feed.poll()).lastPoll).toMatchObject({ outcome: "read", failures: 0, newItems: 1 });
  });
});

describe("a first poll", () => {
  test("is repeated for a feed switched on or moved: its entries of then are never sent", async () => {
    const publisher = await fixture.anotherPublisher();
    const { actor } = publisher;
    const feed = await fixture.feedWith(publisher, [story(fixture, "s1")]);
    await changeFeed(fixture.app, actor, { feedId: feed.feedId, change: { enabled: false } });
    feed.put([story(fixture, "s2"), story(fixture, "s1")]);
    const asked = fixture.server.asked(feed.path).length;
    expect((await feed.poll()).nextPollAt).toBeNull();
    expect(fixture.server.asked(feed.path)).toHaveLength(asked);
    await changeFeed(fixture.app, actor, { feedId: feed.feedId, change: { enabled: true } });
    expect(await feed.pollAndSend()).toEqual([]);
    fixture.server.serve("/elsewhere.xml", rss([story(fixture, "s3"), story(fixture, "s1")]));
    await changeFeed(fixture.app, actor, {
      feedId: feed.feedId,
      change: { url: `${fixture.server.origin}/elsewhere.xml` },
    });
    expect(await feed.pollAndSend()).toEqual([]);
    expect((await feed.view()).items).toMatchObject({ seen: 3, sent: 0 });
  });

  test("of ten thousand entries stores the keys of all", async () => {
    const publisher = await fixture.anotherPublisher();
    const many = Array.from({ length: 10_000 }, (_, n) => ({ link: `https://archive.example/${n}`, guid: `${n}` }));
    const feed = await fixture.feedWith(publisher, many);
    expect((await feed.view()).items).toMatchObject({ seen: 100, new: 0 });
    feed.put([...many.slice(5_000), ...many.slice(0, 5_000)]);
    expect((await feed.poll()).lastPoll).toMatchObject({ outcome: "read", newItems: 0 });
  });
});

test("a poll that is aborted releases the feed and records nothing", async () => {
  const feed = await fixture.feedWith(fixture.publisher, []);
  fixture.server.serve(feed.path, () => {});
  const before = (await feed.view()).lastPoll;
  await makePollDue(fixture.app, feed.feedId);
  const stop = new AbortController();
  const polling = pollWork(fixture.app).untilIdle(stop.signal);
  await eventually(async () => fixture.server.asked(feed.path).length > 1);
  stop.abort();
  await polling;
  expect((await feed.view()).lastPoll).toEqual(before);
  const held = await sql`select from feeds where id = ${feed.feedId} and poll_lease_until is not null`.execute(
    fixture.app.db,
  );
  expect(held.rows).toEqual([]);
});

test("a poll whose lease has run out changes nothing: another has claimed the feed", async () => {
  const feed = await fixture.feedWith(fixture.publisher, []);
  const answered = Promise.withResolvers<void>();
  fixture.server.serve(
    feed.path,
    (_request, response) => void answered.promise.then(() => response.end(bodyOf("too-late"))),
  );
  await makePollDue(fixture.app, feed.feedId);
  const slow = pollWork(fixture.app).untilIdle();
  await eventually(async () => fixture.server.asked(feed.path).length > 1);
  await changeFeeds(fixture.app, { id: feed.feedId }, { pollLeaseUntil: present });
  feed.put([story(fixture, "in-time")]);
  await feed.poll();
  answered.resolve();
  await slow;
  expect((await feed.items()).map(({ title }) => title)).toEqual(["The story of in-time"]);
});
