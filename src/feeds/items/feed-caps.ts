import { sql } from "kysely";
import { type Executor, row } from "../../db/pool.ts";

/** The most open items of a feed: those that are not decided yet, or wait for the owner. */
export const maxOpenItems = 1_000;
/** The most items of a feed, with those that have reached an end: over 200 a day for the 90 days that they are kept. */
export const maxItems = 20_000;
/** The most keys of a feed. A document has 10,000 entries of two keys each at most, so those of five fit. */
export const maxKeys = 100_000;

/** Returns how many more open items a feed may have. The caller has locked the feed. */
export async function roomForItems(on: Executor, feedId: string): Promise<number> {
  const open = await row(
    sql<{ n: number }>`select count(*) as n from (select from feed_items
      where feed_id = ${feedId} and status in ('new', 'waiting', 'asked') limit ${maxOpenItems}) open`,
    on,
  );
  return maxOpenItems - open!.n;
}

/** Deletes the oldest of a feed's items that have reached an end, as far as it has too many items. */
export async function deleteItemsBeyondCap(on: Executor, feedId: string): Promise<void> {
  await sql`delete from feed_items where feed_id = ${feedId} and status in ('seen', 'suggested', 'sent', 'skipped')
    and id < (select id from feed_items where feed_id = ${feedId} order by id desc offset ${maxItems - 1} limit 1)`.execute(
    on,
  );
}

/** Deletes the keys that a feed had longest ago, as far as it has too many. */
export async function deleteKeysBeyondCap(on: Executor, feedId: string): Promise<void> {
  await sql`delete from feed_keys k using (
      select site_id, key from feed_keys where feed_id = ${feedId} order by seen_at desc offset ${maxKeys}) old
    where k.site_id = old.site_id and k.key = old.key`.execute(on);
}
