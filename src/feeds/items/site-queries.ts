import { type RawBuilder, sql } from "kysely";
import { type Executor, row, rows } from "../../db/pool.ts";
import { sendsCampaign } from "../../runs/kinds.ts";
import type { Concern, Full } from "../fair-work.ts";
import { hostOf } from "../queries.ts";
import { recurringCampaignOf } from "./recurring-campaign.ts";
import type { ItemStatus } from "./states.ts";

/**
 * A process's claim on the items of one site's feeds, for the item that is due. `attempt` is the fence: a later claim
 * has a higher number.
 */
export type SiteClaim = Concern & { siteId: string; attempt: number; itemId: string };

/**
 * Locks the row that all feeds of a site share, until the transaction ends, so that feeds are added and entries
 * ingested one after the other. Inserts the row if the site has none yet.
 */
export async function lockSiteForFeeds(on: Executor, siteId: string): Promise<void> {
  await sql`insert into feed_site_claims (site_id) values (${siteId}) on conflict do nothing`.execute(on);
  await sql`select from feed_site_claims where site_id = ${siteId} for update`.execute(on);
}

/**
 * Claims the site of the item that has been due longest, for `leaseMs`. Returns undefined if no item is due at a site
 * that has no claim and does not belong to `full`.
 */
export function claimSite(on: Executor, leaseMs: number, full: Full): Promise<SiteClaim | undefined> {
  const host = sql`coalesce(${hostOf("i.url")}, i.id::text)`;
  return row(
    // A CTE runs once. A subquery of a join may run for each site, and would lock them one after the other.
    sql<SiteClaim>`with due as materialized (
        select i.id, i.site_id, s.tenant_id, ${host} as host, i.tries > 0 as is_slow
        from feed_items i join feed_site_claims c on c.site_id = i.site_id join sites s on s.id = i.site_id
        where i.status in ('new', 'waiting') and i.due_at <= now() and (c.lease_until is null or c.lease_until <= now())
          and s.removed_at is null and s.tenant_id <> all(${full.tenantIds}::uuid[])
          and ${host} <> all(${full.hosts}::text[]) and (i.tries = 0 or not ${full.slow})
        order by i.due_at, i.id limit 1 for no key update of c skip locked)
      update feed_site_claims set lease_until = now() + ${leaseMs} * interval '1 ms', attempt = attempt + 1
      from due where feed_site_claims.site_id = due.site_id
      returning due.site_id as "siteId", attempt, due.id as "itemId", due.tenant_id as "tenantId", due.host,
        due.is_slow as "isSlow"`,
    on,
  );
}

/** Extends a claim by another `leaseMs`, unless another process has claimed the site since. */
export async function renewSiteClaim(on: Executor, leaseMs: number, { siteId, attempt }: SiteClaim): Promise<void> {
  await sql`update feed_site_claims set lease_until = now() + ${leaseMs} * interval '1 ms'
    where site_id = ${siteId} and attempt = ${attempt} and lease_until is not null`.execute(on);
}

/** Ends a claim, unless another process has claimed the site since. */
export async function releaseSiteClaim(on: Executor, { siteId, attempt }: SiteClaim): Promise<void> {
  await sql`update feed_site_claims set lease_until = null where site_id = ${siteId} and attempt = ${attempt}`.execute(
    on,
  );
}

/**
 * Returns which of `keys` the site's feeds have had before, in hex. Records that they were seen, at most once a day
 * for each key.
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

/** Inserts keys of items that a feed has brought. Existing keys stay unchanged. Returns how many are new. */
export async function insertKeys(
  on: Executor,
  { siteId, feedId }: { siteId: string; feedId: string },
  keys: Buffer[],
): Promise<number> {
  const { numAffectedRows } =
    await sql`insert into feed_keys (site_id, key, feed_id) select distinct ${siteId}::uuid, key, ${feedId}::uuid from unnest(${keys}::bytea[]) as key
    on conflict do nothing`.execute(on);
  return Number(numAffectedRows);
}

/** Deletes at most `atMost` keys that no feed has had for `days` days. Returns how many it deleted. */
export async function deleteItemKeys(on: Executor, days: number, atMost: number): Promise<number> {
  const deleted = await rows(
    sql`delete from feed_keys k using (
        select site_id, key from feed_keys where seen_at < now() - make_interval(days => ${days}) limit ${atMost}) old
      where k.site_id = old.site_id and k.key = old.key returning k.site_id`,
    on,
  );
  return deleted.length;
}

/** Returns the keys of the entries that a feed listed at its last poll, or null if they are not known. */
export async function listedKeys(on: Executor, feedId: string): Promise<Buffer[] | null> {
  const found = await row(
    sql<{ listed: Buffer[] | null }>`select listed_keys as listed from feeds where id = ${feedId}`,
    on,
  );
  return found?.listed ?? null;
}

export async function updateListedKeys(on: Executor, feedId: string, keys: Buffer[]): Promise<void> {
  await sql`update feeds set listed_keys = ${keys}::bytea[] where id = ${feedId}`.execute(on);
}

/**
 * An item of the last seven days. `sentAt`: when its feed, an editor or a recurring send sent it; null if nobody did.
 * `isOfDay`: it was sent within the last day.
 */
export type RecentItem = {
  feedId: string;
  url: string | null;
  title: string | null;
  sentAt: Date | null;
  isOfDay: boolean;
};

/** SQL: when the live run of a campaign of item `i` began. */
const liveRunOf = (campaignId: RawBuilder<unknown>) => sql`select r.created_at from runs r
  where r.site_id = i.site_id and r.campaign_id = ${campaignId} and ${sendsCampaign("r")}`;

/** Returns those of the latest thousand items of a site's feeds that came within the last seven days. */
export function recentOfSite(on: Executor, siteId: string): Promise<RecentItem[]> {
  return rows(
    sql<RecentItem>`select feed_id as "feedId", url, title, sent_at as "sentAt",
        coalesce(sent_at > now() - interval '1 day', false) as "isOfDay"
      from (select * from feed_items where site_id = ${siteId} order by id desc limit 1000) i
        cross join lateral (select case status when 'sent' then decided_at
          when 'suggested' then (${liveRunOf(sql`i.campaign_id`)})
          when 'skipped' then (${liveRunOf(sql`(select c.id ${recurringCampaignOf("i")})`)}) end as sent_at) sent
      where found_at > now() - interval '7 days'`,
    on,
  );
}

/** An item with a link. `at`: the date that the feed gives, or the time when the item was found. */
export type NewestItem = {
  url: string;
  title: string | null;
  imageUrl: string | null;
  at: Date;
  status: ItemStatus;
  campaignId: string | null;
};

/**
 * Returns items with a link that a site's feeds have brought in the last `days` days, the newest first. Looks at the
 * latest thousand items.
 */
export function newestOfSite(
  on: Executor,
  siteId: string,
  { days, limit }: { days: number; limit: number },
): Promise<NewestItem[]> {
  return rows(
    sql<NewestItem>`select url, title, image_url as "imageUrl", at, status, campaign_id as "campaignId"
      from (select *, coalesce(published_at, found_at) as at from feed_items
        where site_id = ${siteId} order by id desc limit 1000) latest
      where url is not null and at > now() - make_interval(days => ${days}) and at <= now()
      order by at desc, id limit ${limit}`,
    on,
  );
}
