import { sql } from "kysely";
import { type Executor, row, rows } from "../../db/pool.ts";

/** A process's hold on the items of one site's feeds. `attempt` is the fence: a later claim has a higher one. */
export type SiteClaim = { siteId: string; attempt: number };

/**
 * Locks the row that all feeds of a site share, until the transaction ends: two feeds of a site are added, or their
 * entries ingested, one after the other. Inserts the row if the site has none yet.
 */
export async function lockSiteForFeeds(on: Executor, siteId: string): Promise<void> {
  await sql`insert into feed_desks (site_id) values (${siteId}) on conflict do nothing`.execute(on);
  await sql`select from feed_desks where site_id = ${siteId} for update`.execute(on);
}

/** Claims a site that has due items and no claim, the longest due first, for `leaseMs`. Undefined if there is none. */
export function claimSite(on: Executor, leaseMs: number): Promise<SiteClaim | undefined> {
  return row(
    sql<SiteClaim>`update feed_desks set lease_until = now() + ${leaseMs} * interval '1 ms', attempt = attempt + 1
      where site_id = (
        select c.site_id from feed_items i join feed_desks c on c.site_id = i.site_id
        where i.status in ('new', 'waiting') and i.due_at <= now() and (c.lease_until is null or c.lease_until <= now())
          and exists (select from sites s where s.id = c.site_id and s.removed_at is null)
        order by i.due_at limit 1 for no key update of c skip locked)
      returning site_id as "siteId", attempt`,
    on,
  );
}

/** Extends a claim by `leaseMs` from now. False: another process has claimed the site since. */
export async function renewSiteClaim(on: Executor, claim: SiteClaim, leaseMs: number): Promise<boolean> {
  const renewed = await row(
    sql`update feed_desks set lease_until = now() + ${leaseMs} * interval '1 ms'
      where site_id = ${claim.siteId} and attempt = ${claim.attempt} returning site_id`,
    on,
  );
  return renewed !== undefined;
}

/** Ends a claim, unless another process has claimed the site since. */
export async function releaseSiteClaim(on: Executor, claim: SiteClaim): Promise<void> {
  await renewSiteClaim(on, claim, 0);
}

/**
 * Returns which of `keys` the site's feeds have had before, in hex. Records that they were seen, at most once a day.
 */
export async function knownKeys(on: Executor, siteId: string, keys: Buffer[]): Promise<Set<string>> {
  const known = await rows(
    sql<{ key: Buffer }>`select key from feed_keys where site_id = ${siteId} and key = any(${keys}::bytea[])`,
    on,
  );
  await sql`update feed_keys set seen_at = now() where site_id = ${siteId} and key = any(${keys}::bytea[])
    and seen_at < now() - interval '1 day'`.execute(on);
  return new Set(known.map(({ key }) => key.toString("hex")));
}

/** Inserts keys of a site's items; keys that are there already stay unchanged. */
export async function insertKeys(on: Executor, siteId: string, keys: Buffer[]): Promise<void> {
  await sql`insert into feed_keys (site_id, key) select distinct ${siteId}::uuid, key from unnest(${keys}::bytea[]) as key
    on conflict do nothing`.execute(on);
}

/** Deletes at most `atMost` keys that no feed has had for `days`. Returns the number of deleted keys. */
export async function deleteItemKeys(on: Executor, days: number, atMost: number): Promise<number> {
  const deleted = await rows(
    sql`delete from feed_keys k using (
        select site_id, key from feed_keys where seen_at < now() - make_interval(days => ${days}) limit ${atMost}) old
      where k.site_id = old.site_id and k.key = old.key returning k.site_id`,
    on,
  );
  return deleted.length;
}
