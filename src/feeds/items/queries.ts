import { sql } from "kysely";
import { type Executor, row, rows } from "../../db/pool.ts";
import type { Reason } from "../../decision/checks/check.ts";
import { newId } from "../../ids.ts";
import type { Entry } from "../parse/entry.ts";
import { type ItemStatus, itemStatesBefore } from "./states.ts";

/** What a feed brought, as the database has it. */
export type ItemRecord = {
  id: string;
  siteId: string;
  feedId: string;
  status: ItemStatus;
  guid: string | null;
  url: string | null;
  title: string | null;
  summary: string | null;
  categories: string[];
  publishedAt: Date | null;
  reasons: Reason[];
  tries: number;
  dueAt: Date | null;
  campaignId: string | null;
  runId: string | null;
  foundAt: Date;
  decidedAt: Date | null;
};

const columns = sql.raw(`id, site_id as "siteId", feed_id as "feedId", status, guid, url, title, summary, categories,
  published_at as "publishedAt", reasons, tries, due_at as "dueAt", campaign_id as "campaignId", run_id as "runId",
  found_at as "foundAt", decided_at as "decidedAt"`);

/** An item as callers see it. Times: ISO-8601, UTC. `url`: absent links are null. */
export type ItemView = ReturnType<typeof viewItem>;

export function viewItem({ id: itemId, siteId: _site, feedId: _feed, tries: _tries, ...item }: ItemRecord) {
  const { publishedAt, dueAt, foundAt, decidedAt, ...rest } = item;
  const [published, due, found, decided] = [publishedAt, dueAt, foundAt, decidedAt].map(
    (at) => at?.toISOString() ?? null,
  );
  return { itemId, ...rest, publishedAt: published!, dueAt: due!, foundAt: found!, decidedAt: decided! };
}

/** A page of a feed's items, the newest first, from behind the id `after`; those of one status where it is given. */
export function itemsOfFeed(
  on: Executor,
  feedId: string,
  { status, after, limit }: { status: ItemStatus | undefined; after: string | undefined; limit: number },
): Promise<ItemRecord[]> {
  return rows(
    sql<ItemRecord>`select ${columns} from feed_items where feed_id = ${feedId}
        and (${status ?? null}::text is null or status = ${status ?? null})
        and (${after ?? null}::uuid is null or id < ${after ?? null})
      order by id desc limit ${limit}`,
    on,
  );
}

/** Those of `keys` that the site's feeds have brought before. Notes that they still do, at most once a day. */
export async function knownKeys(on: Executor, siteId: string, keys: Buffer[]): Promise<Set<string>> {
  const known = await rows(
    sql<{ key: Buffer }>`select key from feed_keys where site_id = ${siteId} and key = any(${keys}::bytea[])`,
    on,
  );
  await sql`update feed_keys set seen_at = now() where site_id = ${siteId} and key = any(${keys}::bytea[])
    and seen_at < now() - interval '1 day'`.execute(on);
  return new Set(known.map(({ key }) => key.toString("hex")));
}

export async function insertKeys(on: Executor, siteId: string, keys: Buffer[]): Promise<void> {
  await sql`insert into feed_keys (site_id, key) select distinct ${siteId}::uuid, key from unnest(${keys}::bytea[]) as key
    on conflict do nothing`.execute(on);
}

/** Inserts items in one statement; what is `new` is due at once. Their ids sort in the order of `entries`. */
export async function insertItems(
  on: Executor,
  { siteId, feedId, status }: { siteId: string; feedId: string; status: "seen" | "new" | "asked" },
  entries: Entry[],
): Promise<void> {
  const items = entries.map((entry) => ({ ...entry, id: newId(), published: asDate(entry.publishedMs) }));
  await sql`insert into feed_items (site_id, id, feed_id, status, guid, url, title, summary, categories, published_at, due_at)
    select ${siteId}, i.id, ${feedId}, ${status}, i.guid, i.url, i.title, i.summary,
      array(select jsonb_array_elements_text(i.categories)), i.published, case when ${status} = 'new' then now() end
    from jsonb_to_recordset(${JSON.stringify(items)}::jsonb) as i (id uuid, guid text, url text, title text, summary text,
      categories jsonb, published timestamptz)`.execute(on);
}

function asDate(ms: number | null): string | null {
  return ms === null || Math.abs(ms) > 8.64e15 ? null : new Date(ms).toISOString();
}

export type SiteClaim = { siteId: string; attempt: number };

/** Claims the desk of a site that has items to look at and that nobody holds, for `leaseMs`. */
export function claimSite(on: Executor, leaseMs: number): Promise<SiteClaim | undefined> {
  return row(
    sql<SiteClaim>`update feed_desks set lease_until = now() + ${leaseMs} * interval '1 ms', attempt = attempt + 1
      where site_id = (
        select d.site_id from feed_items i join feed_desks d on d.site_id = i.site_id
        where i.status in ('new', 'waiting') and i.due_at <= now() and (d.lease_until is null or d.lease_until <= now())
          and exists (select from sites s where s.id = d.site_id and s.removed_at is null)
        order by i.due_at limit 1 for no key update of d skip locked)
      returning site_id as "siteId", attempt`,
    on,
  );
}

/** Holds the desk for another `leaseMs`; 0 gives it back. False: another has it. */
export async function renewSiteClaim(on: Executor, desk: SiteClaim, leaseMs: number): Promise<boolean> {
  const renewed = await row(
    sql`update feed_desks set lease_until = now() + ${leaseMs} * interval '1 ms'
      where site_id = ${desk.siteId} and attempt = ${desk.attempt} returning site_id`,
    on,
  );
  return renewed !== undefined;
}

/** The next item of a site to look at, with whose it is. */
export function nextDueItem(on: Executor, siteId: string): Promise<(ItemRecord & { tenantId: string }) | undefined> {
  return row(
    sql<
      ItemRecord & { tenantId: string }
    >`select ${columns}, (select tenant_id from sites where id = site_id) as "tenantId"
      from feed_items where site_id = ${siteId} and exists (select from sites where id = ${siteId} and removed_at is null) and status in ('new', 'waiting') and due_at <= now()
      order by due_at, id limit 1`,
    on,
  );
}

export type ItemOutcome =
  | { to: "sent"; campaignId: string; runId: string }
  | { to: "skipped"; reasons: Reason[]; campaignId: string | null }
  | { to: "waiting"; reasons: Reason[]; campaignId: string | null; afterMs: number };

/** Writes what becomes of an item; one that has ended meanwhile stays as it is. */
export async function moveItem(
  on: Executor,
  item: { siteId: string; id: string },
  outcome: ItemOutcome,
): Promise<void> {
  const reasons = outcome.to === "sent" ? [] : outcome.reasons;
  const runId = outcome.to === "sent" ? outcome.runId : null;
  const afterMs = outcome.to === "waiting" ? outcome.afterMs : null;
  const from: ItemStatus[] = outcome.to === "waiting" ? ["new", "waiting"] : itemStatesBefore(outcome.to);
  await sql`update feed_items set status = ${outcome.to}, reasons = ${JSON.stringify(reasons)},
      campaign_id = ${outcome.campaignId}, run_id = ${runId}, tries = tries + 1, decided_at = now(),
      due_at = now() + ${afterMs}::float8 * interval '1 ms'
    where site_id = ${item.siteId} and id = ${item.id} and status = any(${from})`.execute(on);
}

/** The owner's answer about the items that they were asked about. Returns how many. */
export async function answerItems(on: Executor, feedId: string, reasons: Reason[] | null): Promise<number> {
  const answered = await rows(
    sql`update feed_items set status = case when ${reasons === null} then 'new' else 'skipped' end,
        reasons = ${JSON.stringify(reasons ?? [])}, due_at = case when ${reasons === null} then now() end,
        decided_at = case when ${reasons === null} then null else now() end
      where feed_id = ${feedId} and status = 'asked' returning id`,
    on,
  );
  return answered.length;
}

/** Ends all items of a feed that are still to be looked at. */
export async function skipOpenItems(on: Executor, feedId: string, reasons: Reason[]): Promise<void> {
  await sql`update feed_items set status = 'skipped', reasons = ${JSON.stringify(reasons)}, due_at = null, decided_at = now()
    where feed_id = ${feedId} and status in ('new', 'waiting', 'asked')`.execute(on);
}

/**
 * How often a feed's campaigns have gone out within the last hour and day. Counted by the runs themselves: a process
 * that died after a send has not noted it on the item yet.
 */
export async function countSends(on: Executor, siteId: string, feedId: string): Promise<{ hour: number; day: number }> {
  const counted = await row(
    sql<{ hour: number; day: number }>`select count(*) as day,
        count(*) filter (where r.created_at > now() - interval '1 hour') as hour
      from runs r join campaigns c on c.site_id = r.site_id and c.id = r.campaign_id
      where r.site_id = ${siteId} and r.kind = 'live' and r.created_at > now() - interval '1 day'
        and c.created_by = ${`feed:${feedId}`}`,
    on,
  );
  return counted!;
}

/**
 * Removes what has ended and is older than `days` of the next `pageSize` items behind the id `after`. Ids sort by time, so
 * the walk is over at the first younger one: `lastId` is null then.
 */
export async function deleteItemsPage(
  on: Executor,
  { after, days, pageSize }: { after: string | null; days: number; pageSize: number },
): Promise<{ lastId: string | null; removed: number }> {
  const page = await row(
    sql<{ lastId: string | null; removed: number }>`with page as materialized (
        select id, found_at < now() - make_interval(days => ${days}) as is_old from feed_items
        where ${after}::uuid is null or id > ${after} order by id limit ${pageSize}),
      gone as (
        delete from feed_items i using page p
        where i.id = p.id and p.is_old and i.status in ('seen', 'sent', 'skipped') returning i.id)
      select (select count(*) from gone) as removed,
        (select p.id from page p where p.is_old and (select count(*) from page) = ${pageSize}
          and not exists (select from page younger where not younger.is_old) order by p.id desc limit 1) as "lastId"`,
    on,
  );
  return page!;
}

/** Removes at most `atMost` keys that no feed has brought for `days`. Returns how many. */
export async function deleteItemKeys(on: Executor, days: number, atMost: number): Promise<number> {
  const removed = await rows(
    sql`delete from feed_keys k using (
        select site_id, key from feed_keys where seen_at < now() - make_interval(days => ${days}) limit ${atMost}) old
      where k.site_id = old.site_id and k.key = old.key returning k.site_id`,
    on,
  );
  return removed.length;
}
