import { sql } from "kysely";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { maxItems, maxKeys, maxOpenItems } from "../../src/feeds/items/feed-caps.ts";
import { present } from "../fixtures/rows/change.ts";
import { insertKnownStories, insertNewItems, insertOldItems } from "../fixtures/rows/feeds.ts";
import { type FeedFixture, openFeedFixture, story, type TestFeed } from "./fixture.ts";

let fixture: FeedFixture;
let feed: TestFeed;
let itsFeed: { siteId: string; feedId: string };

beforeAll(async () => {
  fixture = await openFeedFixture();
});

beforeEach(async () => {
  const publisher = await fixture.anotherPublisher();
  feed = await fixture.feedWith(publisher, []);
  itsFeed = { siteId: publisher.siteId, feedId: feed.feedId };
});

const countOf = async (table: string, condition = sql`true`) =>
  (
    await sql<{ n: number }>`select count(*) as n from ${sql.table(table)}
      where feed_id = ${feed.feedId} and ${condition}`.execute(fixture.app.db)
  ).rows[0]!.n;

const stories = (count: number, name: string, guid?: (i: number) => string) =>
  Array.from({ length: count }, (_, i) => {
    const link = `https://elsewhere.example/${name}-${i}`;
    return { link, guid: guid?.(i) ?? `id of ${name} ${i}`, title: `The story of ${name} ${i}` };
  });

test("a feed has a thousand open items at most; what comes beyond is dropped, and not new later", async () => {
  await insertNewItems(fixture.app, itsFeed, maxOpenItems - 3, "https://elsewhere.example/open-");
  feed.put(stories(10, "more"));
  expect((await feed.poll()).lastPoll).toMatchObject({ newItems: 3 });
  expect(await countOf("feed_items")).toBe(maxOpenItems);
  feed.put(stories(20, "yet-more"));
  expect((await feed.poll()).lastPoll).toMatchObject({ newItems: 0 });
  expect(await countOf("feed_items")).toBe(maxOpenItems);
  await sql`delete from feed_items where feed_id = ${feed.feedId}`.execute(fixture.app.db);
  feed.put(stories(10, "more"));
  expect((await feed.poll()).lastPoll).toMatchObject({ newItems: 0 });
});

test("of more items than a feed may have the oldest that have ended go, and no open one", async () => {
  await insertOldItems(fixture.app, itsFeed, 1, { days: 9, status: "asked" });
  await insertOldItems(fixture.app, itsFeed, 2, { days: 8, status: "skipped" });
  await insertOldItems(fixture.app, itsFeed, maxItems - 2, { days: 7, status: "skipped" });
  feed.put([story(fixture, "newest")]);
  await feed.poll();
  expect(await countOf("feed_items", sql`status in ('skipped', 'asked')`)).toBe(maxItems);
  expect(await countOf("feed_items", sql`status = 'asked'`)).toBe(1);
  expect(await countOf("feed_items", sql`found_at < now() - interval '7 days 12 hours'`)).toBe(2);
  expect(await countOf("feed_items", sql`status = 'new'`)).toBe(1);
});

test.each([
  ["new stories", undefined],
  ["known stories under ever new addresses", (i: number) => `the same ${i}`],
])("of more keys than a feed may have those seen longest ago go: %s", async (_, guid) => {
  feed.put(stories(20, "first", guid));
  await feed.poll();
  const before = await countOf("feed_keys");
  await insertKnownStories(fixture.app, itsFeed, maxKeys - before, sql`now() - interval '2 days'`);
  feed.put(stories(20, "second", guid));
  await feed.poll();
  expect(await countOf("feed_keys")).toBe(maxKeys);
  expect(await countOf("feed_keys", sql`seen_at > now() - interval '1 day'`)).toBe(guid ? 60 : 80);
  feed.put([...stories(20, "second", guid), ...stories(20, "first", guid)]);
  expect((await feed.poll()).lastPoll).toMatchObject({ newItems: 0 });
});

test("the keys of one feed take no place of another's", async () => {
  const publisher = await fixture.anotherPublisher();
  const other = await fixture.feedWith(publisher, [story(fixture, "neighbour")]);
  const both = { siteId: publisher.siteId, feedId: feed.feedId };
  await insertKnownStories(fixture.app, both, maxKeys + 100, present);
  other.put([story(fixture, "neighbour"), story(fixture, "new")]);
  expect((await other.poll()).lastPoll).toMatchObject({ newItems: 1 });
  expect(await countOf("feed_keys")).toBe(maxKeys + 100);
});
