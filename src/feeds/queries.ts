import { sql } from "kysely";
import { type Executor, row, rows } from "../db/pool.ts";
import type { FeedChange, FeedRecord, ItemCounts, PollResult } from "./feed.ts";

const columns = sql.raw(`id, tenant_id as "tenantId", site_id as "siteId", url, enabled, override, topics, unmatched,
  hourly_cap as "hourlyCap", daily_cap as "dailyCap", title, created_at as "createdAt", seeded_at as "seededAt",
  asked_at as "askedAt", next_poll_at as "nextPollAt", polled_at as "polledAt", poll_result as "pollResult", failures,
  etag, last_modified as "lastModified", body_hash as "bodyHash", ttl_minutes as "ttlMinutes",
  new_item_at as "newItemAt", hub_url as "hubUrl", hub_topic as "hubTopic", hub_state as "hubState",
  hub_lease_until as "hubLeaseUntil", hub_told_at as "hubToldAt", hub_missed_at as "hubMissedAt"`);

/** A site that was given up has no feeds any more, whatever rows there are. */
const ofLiveSite = sql.raw("exists (select from sites where sites.id = feeds.site_id and removed_at is null)");

/** Locks what the feeds of a site share until the transaction ends; makes it where it is not there yet. */
export async function lockSiteForFeeds(on: Executor, siteId: string): Promise<void> {
  await sql`insert into feed_desks (site_id) values (${siteId}) on conflict do nothing`.execute(on);
  await sql`select from feed_desks where site_id = ${siteId} for update`.execute(on);
}

/** Inserts a feed that is polled at once. False: the site has one at this URL already. */
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

/** The feed if it is this tenant's. */
export function feedOfTenant(on: Executor, tenantId: string, id: string): Promise<FeedRecord | undefined> {
  return row(
    sql<FeedRecord>`select ${columns} from feeds
      where id = ${id} and tenant_id = ${tenantId} and ${ofLiveSite}`,
    on,
  );
}

/** The feed, whoever asks: for its hub, and for the command line. */
export function feedById(on: Executor, id: string): Promise<FeedRecord | undefined> {
  return row(sql<FeedRecord>`select ${columns} from feeds where id = ${id} and ${ofLiveSite}`, on);
}

/** Locks the feed until the transaction ends, and reads it as it is then. */
export function lockFeed(on: Executor, id: string): Promise<FeedRecord | undefined> {
  return row(sql<FeedRecord>`select ${columns} from feeds where id = ${id} for no key update`, on);
}

/** The tenant's feeds, the oldest first; those of one site where `siteId` is given. */
export function feedsOfTenant(on: Executor, tenantId: string, siteId: string | undefined): Promise<FeedRecord[]> {
  return rows(
    sql<FeedRecord>`select ${columns} from feeds
      where tenant_id = ${tenantId} and ${ofLiveSite} and (${siteId ?? null}::uuid is null or site_id = ${siteId ?? null}) order by id`,
    on,
  );
}

/** Writes what is given of a feed, leaves the rest. Another feed of the site at that URL: a unique violation. */
export async function updateFeed(on: Executor, id: string, change: Omit<FeedChange, "newItems">): Promise<void> {
  const {
    url = null,
    enabled = null,
    override = null,
    topics,
    unmatched = null,
    hourlyCap = null,
    dailyCap = null,
  } = change;
  await sql`update feeds set url = coalesce(${url}, url), enabled = coalesce(${enabled}, enabled),
      override = coalesce(${override}, override),
      topics = coalesce(${topics === undefined ? null : JSON.stringify(topics)}::jsonb, topics),
      unmatched = coalesce(${unmatched}, unmatched), hourly_cap = coalesce(${hourlyCap}, hourly_cap),
      daily_cap = coalesce(${dailyCap}, daily_cap)
    where id = ${id}`.execute(on);
}

/**
 * Makes the next poll a first one: what stands in the feed then counts as seen. Also fences a poll that is under way
 * at the old address, and leaves the hub.
 */
export async function startAfresh(on: Executor, id: string): Promise<void> {
  await sql`update feeds set seeded_at = null, next_poll_at = now(), poll_lease_until = null,
      poll_attempt = poll_attempt + 1, etag = null, last_modified = null, body_hash = null, ttl_minutes = null,
      failures = 0, hub_url = null, hub_topic = null, hub_state = null, hub_next_at = null, hub_lease_until = null,
      hub_told_at = null, hub_missed_at = null
    where id = ${id}`.execute(on);
}

export async function deleteFeedRow(on: Executor, tenantId: string, id: string): Promise<boolean> {
  const gone = await row(sql`delete from feeds where id = ${id} and tenant_id = ${tenantId} returning id`, on);
  return gone !== undefined;
}

/** What became of the items of each feed. */
export async function countItems(on: Executor, feedIds: string[]): Promise<Map<string, ItemCounts>> {
  const counted = await rows(
    sql<{ feedId: string; status: keyof ItemCounts; n: number }>`select feed_id as "feedId", status, count(*) as n
      from feed_items where feed_id = any(${feedIds}::uuid[]) group by feed_id, status`,
    on,
  );
  const none = { seen: 0, new: 0, asked: 0, waiting: 0, sent: 0, skipped: 0 };
  const counts = new Map<string, ItemCounts>(feedIds.map((id) => [id, { ...none }]));
  for (const { feedId, status, n } of counted) counts.get(feedId)![status] = n;
  return counts;
}

export type PollClaim = FeedRecord & { pollAttempt: number };

/** Claims the feed that has been due the longest, for `leaseMs`; undefined where none is due or free. */
export function claimPoll(on: Executor, leaseMs: number): Promise<PollClaim | undefined> {
  return row(
    sql<PollClaim>`update feeds set poll_lease_until = now() + ${leaseMs} * interval '1 ms', poll_attempt = poll_attempt + 1
      where id = (
        select id from feeds where enabled and next_poll_at <= now() and ${ofLiveSite}
          and (poll_lease_until is null or poll_lease_until <= now())
        order by next_poll_at limit 1 for no key update skip locked)
      returning ${columns}, poll_attempt as "pollAttempt"`,
    on,
  );
}

/** Gives a claim back without a word, to be polled soon. */
export async function returnPoll(on: Executor, claim: PollClaim, afterMs: number): Promise<void> {
  await sql`update feeds set poll_lease_until = null, next_poll_at = now() + ${afterMs} * interval '1 ms'
    where id = ${claim.id} and poll_attempt = ${claim.pollAttempt}`.execute(on);
}

/** Of a poll that brought a document: what the next one and the feed's page need. */
export type Fetched = {
  etag: string | null;
  lastModified: string | null;
  bodyHash: Buffer;
  ttlMinutes: number | null;
  title: string | null;
  hub: { url: string; topic: string } | null;
};

/** Ends a claim with its result. `fetched` null: what was known stays. False: another has claimed the feed since. */
export async function finishPoll(
  on: Executor,
  claim: PollClaim,
  { result, fetched, afterMs }: { result: PollResult; fetched: Fetched | null; afterMs: number },
): Promise<boolean> {
  const failures = result.outcome === "failed" ? claim.failures + 1 : 0;
  const isOurs = await row(
    sql`update feeds set polled_at = now(), poll_lease_until = null, poll_result = ${JSON.stringify(result)},
        failures = ${failures}, next_poll_at = now() + ${afterMs} * interval '1 ms'
      where id = ${claim.id} and poll_attempt = ${claim.pollAttempt} returning id`,
    on,
  );
  if (isOurs === undefined) return false;
  if (fetched !== null) await keepFetched(on, claim.id, fetched);
  return true;
}

/** Another hub than before, or none: what was agreed with the old one is forgotten. */
async function keepFetched(on: Executor, id: string, { hub, ...fetched }: Fetched): Promise<void> {
  await sql`update feeds set etag = ${fetched.etag}, last_modified = ${fetched.lastModified},
      body_hash = ${fetched.bodyHash}, ttl_minutes = ${fetched.ttlMinutes}, title = coalesce(${fetched.title}, title)
    where id = ${id}`.execute(on);
  const [url, topic] = [hub?.url ?? null, hub?.topic ?? null];
  await sql`update feeds set hub_url = ${url}, hub_topic = ${topic}, hub_state = null, hub_lease_until = null,
      hub_told_at = null, hub_missed_at = null, hub_next_at = case when ${url}::text is not null then now() end
    where id = ${id} and (hub_url, hub_topic) is distinct from (${url}, ${topic})`.execute(on);
}

/** Notes that new items came: by a push of the hub, or by a poll, which means that the hub had not told. */
export async function recordNewItems(on: Executor, id: string, by: "poll" | "push"): Promise<void> {
  await sql`update feeds set new_item_at = now(),
      hub_missed_at = case when ${by} = 'poll' and hub_state = 'active' then now() else hub_missed_at end
    where id = ${id}`.execute(on);
}

/** The first poll is done: from now on what is new counts. */
export async function recordFirstPoll(on: Executor, id: string): Promise<void> {
  await sql`update feeds set seeded_at = now() where id = ${id} and seeded_at is null`.execute(on);
}

/** Asks the owner (or, with false, has been answered). A question that stands keeps its first time. */
export async function recordQuestion(on: Executor, id: string, isAsked: boolean): Promise<void> {
  await sql`update feeds set asked_at = case when ${isAsked} then coalesce(asked_at, now()) end where id = ${id}`.execute(
    on,
  );
}

export async function pollSoon(on: Executor, id: string): Promise<void> {
  await sql`update feeds set next_poll_at = now() where id = ${id} and next_poll_at > now()`.execute(on);
}
