import { sql } from "kysely";
import { beforeAll, expect, test } from "vitest";
import { expireItemKeys, expireItems } from "../../src/feeds/items/expire-items.ts";
import { itemsOfFeed } from "../../src/feeds/items/queries.ts";
import { runMaintenance } from "../../src/maintenance.ts";
import { countRowsRead } from "../fixtures/count-rows-read.ts";
import { ago } from "../fixtures/rows/change.ts";
import { insertKnownStories, insertOldItems } from "../fixtures/rows/feeds.ts";
import { type FeedFixture, openFeedFixture, story, type TestFeed } from "./fixture.ts";

let fixture: FeedFixture;
let feed: TestFeed;

beforeAll(async () => {
  fixture = await openFeedFixture();
  feed = await fixture.feedWith(fixture.publisher, [story(fixture, "kept")]);
});

const itsFeed = () => ({ siteId: fixture.publisher.siteId, feedId: feed.feedId });

const countOf = async (table: string) =>
  (await sql<{ n: number }>`select count(*) as n from ${sql.table(table)}`.execute(fixture.app.db)).rows[0]!.n;

test("ended items expire after 90 days, in any number; younger and asked ones stay", async () => {
  await insertOldItems(fixture.app, itsFeed(), 4_500, { days: 91, status: "skipped" });
  await insertOldItems(fixture.app, itsFeed(), 1, { days: 120, status: "asked" });
  await insertOldItems(fixture.app, itsFeed(), 3, { days: 89, status: "skipped" });
  const before = await countOf("feed_items");
  expect(await runMaintenance(fixture.app.db, [expireItems])).toEqual({ "old items of feeds": 4_500 });
  expect(await countOf("feed_items")).toBe(before - 4_500);
  expect(await runMaintenance(fixture.app.db, [expireItems])).toEqual({ "old items of feeds": 0 });
});

test("a page of suggestions among thousands of items reads no others", async () => {
  const { app } = fixture;
  await insertOldItems(app, itsFeed(), 5_000, { days: 80, status: "seen" });
  await insertOldItems(app, itsFeed(), 5, { days: 85, status: "suggested" });
  await sql`analyze feed_items`.execute(app.db);
  const read = await countRowsRead(app, "feed_items", (tx) =>
    itemsOfFeed(tx, feed.feedId, { status: "suggested", after: undefined, limit: 51 }),
  );
  expect(read).toBeGreaterThanOrEqual(5);
  expect(read).toBeLessThan(20);
});

test("a story stays known for 400 days after a feed last had it, and expires then", async () => {
  const before = await countOf("feed_keys");
  expect(before).toBeGreaterThan(0);
  await insertKnownStories(fixture.app, itsFeed(), 2_001, ago("401 days"));
  await sql`update feed_keys set seen_at = now() - interval '399 days' where seen_at > now() - interval '1 day'`.execute(
    fixture.app.db,
  );
  expect(await runMaintenance(fixture.app.db, [expireItemKeys])).toEqual({ "known stories of feeds": 2_001 });
  expect(await countOf("feed_keys")).toBe(before);
});
