import { type RawBuilder, sql } from "kysely";
import { type Executor, row, rows } from "../db/pool.ts";
import type { FeedChange, FeedRecord } from "./feed.ts";

export const feedColumns =
  sql.raw(`id, tenant_id as "tenantId", site_id as "siteId", url, enabled, override, suggest, test_headlines as "testHeadlines", topics, segment_id as segment,
  unmatched, at_limit as "atLimit", hourly_limit as "hourlyLimit", daily_limit as "dailyLimit", allowed_hosts as "allowedHosts",
  poll_seconds as "pollSeconds", title, created_at as "createdAt",
  seeded_at as "seededAt", asked_at as "askedAt", next_poll_at as "nextPollAt", polled_at as "polledAt", worked_at as "workedAt",
  poll_result as "pollResult", failures, etag, last_modified as "lastModified", body_hash as "bodyHash",
  ttl_minutes as "ttlMinutes", document_host as "documentHost", new_item_at as "newItemAt", hub_url as "hubUrl", hub_topic as "hubTopic",
  case when hub_state = 'asking' and hub_lease_until > now() then 'active' else hub_state end as "hubState",
  coalesce(hub_state = 'asking', false) as "isHubAsked", hub_lease_until as "hubLeaseUntil", hub_notified_at as "hubPushedAt",
  hub_missed_at as "hubMissedAt"`);

/**
 * SQL condition: the feed's site was not removed. The feeds of a removed site keep their rows, but count as deleted.
 */
export const ofLiveSite = sql.raw("exists (select from sites where sites.id = feeds.site_id and removed_at is null)");

/** SQL: host and port of the https address in a column, as they are written there. */
export const hostOf = (column: string) => sql`split_part(${sql.ref(column)}, '/', 3)`;

/** Inserts a feed whose first poll is due at once. Returns false if the site already has a feed with this URL. */
export async function insertFeed(
  on: Executor,
  feed: { id: string; tenantId: string; siteId: string; url: string; createdBy: string },
): Promise<boolean> {
  const inserted = await row(
    sql`insert into feeds (id, tenant_id, site_id, url, created_by)
      values (${feed.id}, ${feed.tenantId}, ${feed.siteId}, ${feed.url}, ${feed.createdBy})
      on conflict (site_id, url) do nothing returning id`,
    on,
  );
  return inserted !== undefined;
}

export async function countFeeds(on: Executor, siteId: string): Promise<number> {
  return (await row(sql<{ n: number }>`select count(*) as n from feeds where site_id = ${siteId}`, on))!.n;
}

/** Returns the feed if it is this tenant's. */
export function feedOfTenant(on: Executor, tenantId: string, id: string): Promise<FeedRecord | undefined> {
  return row(
    sql<FeedRecord>`select ${feedColumns} from feeds
      where id = ${id} and tenant_id = ${tenantId} and ${ofLiveSite}`,
    on,
  );
}

/** Returns the feed of any tenant. Used for pollers, hubs and the command line. */
export function feedById(on: Executor, id: string): Promise<FeedRecord | undefined> {
  return row(sql<FeedRecord>`select ${feedColumns} from feeds where id = ${id} and ${ofLiveSite}`, on);
}

/** Locks the feed until the transaction ends. Returns it as it is under the lock. */
export function lockFeed(on: Executor, id: string): Promise<FeedRecord | undefined> {
  return row(sql<FeedRecord>`select ${feedColumns} from feeds where id = ${id} for no key update`, on);
}

/** Returns the tenant's feeds, the oldest first. With `siteId`, only the feeds of that site. */
export function feedsOfTenant(on: Executor, tenantId: string, siteId: string | undefined): Promise<FeedRecord[]> {
  return rows(
    sql<FeedRecord>`select ${feedColumns} from feeds
      where tenant_id = ${tenantId} and ${ofLiveSite}
        and (${siteId ?? null}::uuid is null or site_id = ${siteId ?? null})
      order by id`,
    on,
  );
}

/** Writes the given fields of a feed. Throws a unique violation if another feed of the site has the URL. */
export async function updateFeed(on: Executor, id: string, change: Omit<FeedChange, "newItems">): Promise<void> {
  const {
    url = null,
    enabled = null,
    override = null,
    suggest = null,
    testHeadlines = null,
    topics,
    segment = null,
    unmatched = null,
    atLimit = null,
    hourlyLimit = null,
    dailyLimit = null,
    allowedHosts = null,
    pollSeconds = null,
  } = change;
  await sql`update feeds set url = coalesce(${url}, url), enabled = coalesce(${enabled}, enabled),
      override = coalesce(${override}, override), suggest = coalesce(${suggest}, suggest),
      test_headlines = coalesce(${testHeadlines}, test_headlines),
      topics = coalesce(${topics === undefined ? null : JSON.stringify(topics)}::jsonb, topics),
      segment_id = case when ${segment}::text is null then segment_id else nullif(${segment}, '')::uuid end,
      unmatched = coalesce(${unmatched}, unmatched), at_limit = coalesce(${atLimit}, at_limit), hourly_limit = coalesce(${hourlyLimit}, hourly_limit),
      daily_limit = coalesce(${dailyLimit}, daily_limit), allowed_hosts = coalesce(${allowedHosts}, allowed_hosts),
      poll_seconds = coalesce(${pollSeconds}, poll_seconds)
    where id = ${id}`.execute(on);
}

/** One feed, the feeds of a site, or the feeds of all sites. */
export type WhichFeeds = { feedId: string } | { siteId: string } | "all";

/** SQL condition: a row belongs to these feeds. `column`: the column with the feed's id. */
export function isOf(which: WhichFeeds, column: "id" | "feed_id"): RawBuilder<unknown> {
  if (which === "all") return sql`true`;
  return "siteId" in which ? sql`site_id = ${which.siteId}` : sql`${sql.ref(column)} = ${which.feedId}`;
}

/**
 * Makes the next poll of feeds a first poll that is due at once: the entries in the document at that poll are never
 * sent. Also fences a running poll of the old address, and drops the subscription to the hub.
 */
export async function resetFeeds(on: Executor, which: WhichFeeds): Promise<void> {
  await sql`update feeds set seeded_at = null, next_poll_at = now(), poll_lease_until = null,
      poll_attempt = poll_attempt + 1, etag = null, last_modified = null, body_hash = null, ttl_minutes = null,
      failures = 0, failing_since = null, failing_notified_at = null, hub_url = null, hub_topic = null, hub_state = null, hub_next_at = null, hub_lease_until = null,
      hub_notified_at = null, hub_missed_at = null
    where ${isOf(which, "id")}`.execute(on);
}

/**
 * Forgets the hubs of a site's feeds, which know the address of another installation. Makes the next poll of each feed
 * due now.
 */
export async function resetHubsOfSite(on: Executor, siteId: string): Promise<void> {
  await sql`update feeds set next_poll_at = now(), poll_lease_until = null, hub_url = null, hub_topic = null,
      hub_state = null, hub_next_at = null, hub_lease_until = null, hub_notified_at = null, hub_missed_at = null
    where site_id = ${siteId}`.execute(on);
}

export async function deleteFeedRow(on: Executor, tenantId: string, id: string): Promise<void> {
  await sql`delete from feeds where id = ${id} and tenant_id = ${tenantId}`.execute(on);
}

/**
 * Records that the owner is asked about very many new items of feeds. With `isAsked` false, records that the owner has
 * answered. A question that is already open keeps its time.
 */
export async function recordQuestion(on: Executor, which: WhichFeeds, isAsked: boolean): Promise<void> {
  await sql`update feeds set asked_at = case when ${isAsked} then coalesce(asked_at, now()) end
    where ${isOf(which, "id")}`.execute(on);
}
