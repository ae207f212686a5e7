import { sql } from "kysely";
import { type Executor, row } from "../../db/pool.ts";

/** The most open items of a feed: items that are not decided yet or wait for the owner. */
export const maxOpenItems = 1_000;
/**
 * The most items of a feed, including those that have reached an end. It allows over 200 a day for the 90 days that
 * they are kept.
 */
export const maxItems = 20_000;
/**
 * The most keys of a feed. A document has at most 10,000 entries of two keys each, so the keys of five documents fit.
 */
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

/** Deletes those of a feed's items that have reached an end and are not among its newest `maxItems`. */
export async function deleteItemsBeyondCap(on: Executor, feedId: string): Promise<void> {
  await sql`delete from feed_items where feed_id = ${feedId} and status in ('seen', 'suggested', 'sent', 'skipped')
    and id < (select id from feed_items where feed_id = ${feedId} order by id desc offset ${maxItems - 1} limit 1)`.execute(
    on,
  );
}

/** Deletes all keys of a feed but the `maxKeys` that were seen last. */
export async function deleteKeysBeyondCap(on: Executor, feedId: string): Promise<void> {
  await sql`delete from feed_keys k using (
      select site_id, key from feed_keys where feed_id = ${feedId} order by seen_at desc offset ${maxKeys}) old
    where k.site_id = old.site_id and k.key = old.key`.execute(on);
}
