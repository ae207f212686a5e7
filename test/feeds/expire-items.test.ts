import { sql } from "kysely";
import { beforeAll, expect, test } from "vitest";
import { expireItemKeys, expireItems } from "../../src/feeds/items/expire-items.ts";
import { newId } from "../../src/ids.ts";
import { runMaintenance } from "../../src/maintenance.ts";
import { type FeedFixture, openFeedFixture, story, type TestFeed } from "./fixture.ts";

let fixture: FeedFixture;
let feed: TestFeed;

beforeAll(async () => {
  fixture = await openFeedFixture();
  feed = await fixture.feedWith(fixture.publisher, [story(fixture, "kept")]);
});

/** Inserts items of the feed that came `days` ago, with ids of that time. */
async function insertOldItems(count: number, { days, status }: { days: number; status: string }): Promise<void> {
  const { siteId } = fixture.publisher;
  const at = Date.now() - days * 86_400_000;
  const ids = Array.from(
    { length: count },
    () => at.toString(16).padStart(12, "0") + newId().replaceAll("-", "").slice(12),
  );
  await sql`insert into feed_items (site_id, id, feed_id, status, found_at)
    select ${siteId}, id, ${feed.feedId}, ${status}, now() - make_interval(days => ${days})
    from unnest(${ids}::uuid[]) as id`.execute(fixture.app.db);
}

const countOf = async (table: string) =>
  (await sql<{ n: number }>`select count(*) as n from ${sql.table(table)}`.execute(fixture.app.db)).rows[0]!.n;

test("items that have reached an end expire after 90 days, in any number; younger ones and those that wait for an answer stay", async () => {
  await insertOldItems(4_500, { days: 91, status: "skipped" });
  await insertOldItems(1, { days: 120, status: "asked" });
  await insertOldItems(3, { days: 89, status: "skipped" });
  const before = await countOf("feed_items");
  expect(await runMaintenance(fixture.app.db, [expireItems])).toEqual({ "old items of feeds": 4_500 });
  expect(await countOf("feed_items")).toBe(before - 4_500);
  expect(await runMaintenance(fixture.app.db, [expireItems])).toEqual({ "old items of feeds": 0 });
});

test("a story stays known for 400 days after a feed last had it, and expires then", async () => {
  const before = await countOf("feed_keys");
  expect(before).toBeGreaterThan(0);
  await sql`insert into feed_keys (site_id, key, seen_at)
    select ${fixture.publisher.siteId}, substring(sha256(n::text::bytea) for 16), now() - make_interval(days => 401)
    from generate_series(1, 2001) as n`.execute(fixture.app.db);
  await sql`update feed_keys set seen_at = now() - interval '399 days' where seen_at > now() - interval '1 day'`.execute(
    fixture.app.db,
  );
  expect(await runMaintenance(fixture.app.db, [expireItemKeys])).toEqual({ "known stories of feeds": 2_001 });
  expect(await countOf("feed_keys")).toBe(before);
});
