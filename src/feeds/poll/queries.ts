import { sql } from "kysely";
import { type Executor, row } from "../../db/pool.ts";
import type { Concern, Full } from "../fair-work.ts";
import type { FeedRecord, PollResult } from "../feed.ts";
import { feedColumns, hostOf, ofLiveSite } from "../queries.ts";

/**
 * A process's claim on the poll of a feed, since `claimedAt`. `pollAttempt` is the fence: a later claim has a higher
 * number.
 */
export type PollClaim = FeedRecord & Concern & { pollAttempt: number; claimedAt: Date };

/**
 * Claims the feed whose poll has been due longest, for `leaseMs`. Returns undefined if no feed is due that is
 * unclaimed and does not belong to `full`.
 */
export function claimPoll(on: Executor, leaseMs: number, full: Full): Promise<PollClaim | undefined> {
  return row(
    sql<PollClaim>`update feeds set poll_lease_until = now() + ${leaseMs} * interval '1 ms', poll_attempt = poll_attempt + 1
      where id = (
        select id from feeds where enabled and next_poll_at <= now() and ${ofLiveSite}
          and (poll_lease_until is null or poll_lease_until <= now())
          and tenant_id <> all(${full.tenantIds}::uuid[]) and ${hostOf("url")} <> all(${full.hosts}::text[])
          and (failures = 0 or not ${full.slow})
        order by next_poll_at limit 1 for no key update skip locked)
      returning ${feedColumns}, poll_attempt as "pollAttempt", now() as "claimedAt", ${hostOf("url")} as host,
        failures > 0 as "isSlow"`,
    on,
  );
}

/** Extends a claim by another `leaseMs`, unless it has ended or another process has claimed the feed since. */
export async function renewPoll(on: Executor, leaseMs: number, claim: PollClaim): Promise<void> {
  await sql`update feeds set poll_lease_until = now() + ${leaseMs} * interval '1 ms'
    where id = ${claim.id} and poll_attempt = ${claim.pollAttempt} and poll_lease_until is not null`.execute(on);
}

/** Ends a claim without a result. The feed is due again after `afterMs`. */
export async function releasePoll(on: Executor, claim: PollClaim, afterMs: number): Promise<void> {
  await sql`update feeds set poll_lease_until = null, next_poll_at = now() + ${afterMs} * interval '1 ms'
    where id = ${claim.id} and poll_attempt = ${claim.pollAttempt}`.execute(on);
}

/** What a poll stores of the document that it read, for the next poll and for the feed's page. */
export type PolledDocument = {
  etag: string | null;
  lastModified: string | null;
  bodyHash: Buffer;
  ttlMinutes: number | null;
  title: string | null;
  /** The host of the document, after redirects. */
  host: string;
  hub: { url: string; topic: string } | null;
};

/**
 * Ends a claim with its result. The feed is due again after `afterMs`. `document`: null if the poll brought none, and
 * the stored one stays. Returns false if another process has claimed the feed since. Nothing was written then.
 */
export async function finishPoll(
  on: Executor,
  claim: PollClaim,
  { result, document, afterMs }: { result: PollResult; document: PolledDocument | null; afterMs: number },
): Promise<boolean> {
  const hasFailed = result.outcome === "failed";
  const failures = hasFailed ? claim.failures + 1 : 0;
  const finished = await row(
    sql`update feeds set polled_at = now(), poll_lease_until = null, poll_result = ${JSON.stringify(result)},
        failures = ${failures}, worked_at = case when ${hasFailed} then worked_at else now() end,
        failing_since = case when ${hasFailed} then coalesce(failing_since, now()) end,
        failing_notified_at = case when ${hasFailed} then failing_notified_at end, next_poll_at = now() + ${afterMs} * interval '1 ms'
      where id = ${claim.id} and poll_attempt = ${claim.pollAttempt} returning id`,
    on,
  );
  if (finished === undefined) return false;
  if (document !== null) await updateDocument(on, claim.id, document);
  return true;
}

/**
 * Stores a document. If the hub is another than before, or gone, the subscription to the old one is dropped. A new hub
 * is due to be asked at once.
 */
async function updateDocument(on: Executor, id: string, { hub, ...document }: PolledDocument): Promise<void> {
  await sql`update feeds set etag = ${document.etag}, last_modified = ${document.lastModified},
      body_hash = ${document.bodyHash}, ttl_minutes = ${document.ttlMinutes}, title = coalesce(${document.title}, title),
      document_host = ${document.host}
    where id = ${id}`.execute(on);
  const [url, topic] = [hub?.url ?? null, hub?.topic ?? null];
  await sql`update feeds set hub_url = ${url}, hub_topic = ${topic}, hub_state = null, hub_lease_until = null,
      hub_notified_at = null, hub_missed_at = null, hub_next_at = case when ${url}::text is not null then now() end
    where id = ${id} and (hub_url, hub_topic) is distinct from (${url}, ${topic})`.execute(on);
}

/**
 * Gives a feed another address and keeps everything else. Returns false if the site already has a feed with that
 * address.
 */
export async function updateAddress(on: Executor, id: string, url: string): Promise<boolean> {
  const moved = await row(
    sql`update feeds set url = ${url} where id = ${id}
      and not exists (select from feeds o where o.site_id = feeds.site_id and o.url = ${url}) returning id`,
    on,
  );
  return moved !== undefined;
}

/** Records that new items came. If a poll finds them although the feed's hub is active, the hub failed to push them. */
export async function recordNewItems(on: Executor, id: string, by: "poll" | "push"): Promise<void> {
  await sql`update feeds set new_item_at = now(),
      hub_missed_at = case when ${by} = 'poll' and (hub_state = 'active' or hub_lease_until > now()) then now() else hub_missed_at end
    where id = ${id}`.execute(on);
}

/** Records that the first poll is done: entries that come later are new. */
export async function recordFirstPoll(on: Executor, id: string): Promise<void> {
  await sql`update feeds set seeded_at = now() where id = ${id} and seeded_at is null`.execute(on);
}

/**
 * Makes the next poll of a feed due within `seconds`. Does not apply to a feed that fails, whose pause spares its
 * server.
 */
export async function pollWithin(on: Executor, id: string, seconds: number): Promise<void> {
  await sql`update feeds set next_poll_at = least(next_poll_at, now() + ${seconds} * interval '1 s')
    where id = ${id} and failures = 0`.execute(on);
}

/** Makes the next poll of a feed due now. */
export async function pollSoon(on: Executor, id: string): Promise<void> {
  await sql`update feeds set next_poll_at = now() where id = ${id} and next_poll_at > now()`.execute(on);
}
