import { sql } from "kysely";
import { type Database, type Executor, inTenant, row, rows } from "../../db/pool.ts";
import type { Reason } from "../../decision/checks/check.ts";
import { newId } from "../../ids.ts";
import { sendsCampaign } from "../../runs/kinds.ts";
import { insertEditorNudges } from "../../subscribers/editor-devices/queries.ts";
import type { ItemCounts } from "../feed.ts";
import type { Entry } from "../parse/entry.ts";
import { isOf, recordQuestion, type WhichFeeds } from "../queries.ts";
import type { DueItem, ItemOutcome, ItemRecord } from "./item.ts";
import { type ItemStatus, itemStatesBefore } from "./states.ts";

/** SQL: the columns of an item, for an `ItemRecord`. */
export const itemColumns =
  sql.raw(`id, site_id as "siteId", feed_id as "feedId", status, guid, url, title, summary, image_url as "imageUrl",
  source_host as "sourceHost", categories,
  published_at as "publishedAt", reasons, tries, due_at as "dueAt", campaign_id as "campaignId", run_id as "runId",
  found_at as "foundAt", decided_at as "decidedAt", answered`);

/**
 * Returns a page of a feed's items after the id `after`, the newest first. With `status`, only items with that status.
 */
export function itemsOfFeed(
  on: Executor,
  feedId: string,
  { status, after, limit }: { status: ItemStatus | undefined; after: string | undefined; limit: number },
): Promise<ItemRecord[]> {
  return rows(
    sql<ItemRecord>`select ${itemColumns} from feed_items where feed_id = ${feedId}
        ${status === undefined ? sql`` : sql`and status = ${status}`}
        and (${after ?? null}::uuid is null or id < ${after ?? null})
      order by id desc limit ${limit}`,
    on,
  );
}

/** Returns the ids, addresses and titles of a feed's latest items. */
export function recentOfFeed(on: Executor, feedId: string): Promise<Pick<ItemRecord, "guid" | "url" | "title">[]> {
  return rows(
    sql<Pick<ItemRecord, "guid" | "url" | "title">>`select guid, url, title from feed_items where feed_id = ${feedId}
      order by id desc limit 50`,
    on,
  );
}

/** Returns the number of items of each feed, by status. */
export async function countItems(on: Executor, feedIds: string[]): Promise<Map<string, ItemCounts>> {
  const counted = await rows(
    sql<{ feedId: string; status: ItemStatus; n: number }>`select feed_id as "feedId", status, count(*) as n
      from feed_items where feed_id = any(${feedIds}::uuid[]) group by feed_id, status`,
    on,
  );
  const none = { seen: 0, new: 0, asked: 0, waiting: 0, suggested: 0, sent: 0, skipped: 0 };
  const counts = new Map<string, ItemCounts>(feedIds.map((id) => [id, { ...none }]));
  for (const { feedId, status, n } of counted) counts.get(feedId)![status] = n;
  return counts;
}

/**
 * Inserts items in one statement. New ones are due at once. The ids sort in the order of `entries`. Stores no date
 * that lies more than a week ahead, because it is a mistake of the feed. A date without a time or zone is read in the
 * site's zone, and is not stored if it lies in the future.
 */
export async function insertItems(
  on: Executor,
  {
    siteId,
    feedId,
    sourceHost,
    status,
  }: { siteId: string; feedId: string; sourceHost: string | null; status: "seen" | "new" | "asked" },
  entries: Entry[],
): Promise<void> {
  const items = entries.map((entry) => ({ ...entry, id: newId(), published: asDate(entry.publishedMs) }));
  await sql`insert into feed_items (site_id, id, feed_id, status, guid, url, title, summary, image_url,
      source_host, categories, published_at, due_at)
    select ${siteId}, i.id, ${feedId}, ${status}, i.guid, i.url, i.title, i.summary, i."imageUrl", ${sourceHost},
      array(select jsonb_array_elements_text(i.categories)),
      case when published.at < now() + case when i."isInstant" then interval '7 days' else interval '0' end
        then published.at end,
      case when ${status} = 'new' then now() end
    from jsonb_to_recordset(${JSON.stringify(items)}::jsonb) as i (id uuid, guid text, url text, title text, summary text,
      "imageUrl" text, categories jsonb, published timestamptz, "isInstant" boolean)
    join sites s on s.id = ${siteId}
    cross join lateral (select case when i."isInstant" then i.published
      else i.published at time zone 'UTC' at time zone s.time_zone end as at) published`.execute(on);
}

function asDate(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}

/** Returns an item with the tenant of its site, or undefined if it is no longer due. */
export function dueItem(
  on: Executor,
  { siteId, itemId }: { siteId: string; itemId: string },
): Promise<DueItem | undefined> {
  return row(
    sql<DueItem>`select ${itemColumns}, (select tenant_id from sites where id = site_id) as "tenantId"
      from feed_items where site_id = ${siteId} and id = ${itemId}
        and exists (select from sites where id = ${siteId} and removed_at is null)
        and status in ('new', 'waiting') and due_at <= now()`,
    on,
  );
}

/** Moves an item to the state of `outcome`, if the item is still in a state from which it may move there. */
export async function moveItem(
  on: Executor,
  item: { siteId: string; id: string },
  outcome: ItemOutcome,
): Promise<void> {
  const reasons = outcome.to === "sent" ? [] : outcome.reasons;
  const runId = outcome.to === "sent" ? outcome.runId : null;
  const afterMs = outcome.to === "waiting" ? outcome.afterMs : null;
  const isTry = outcome.to !== "waiting" || outcome.isTry;
  // An item that keeps waiting does not change its state, so the table of moves does not have this case.
  const from: ItemStatus[] = outcome.to === "waiting" ? ["new", "waiting"] : itemStatesBefore(outcome.to);
  await sql`update feed_items set status = ${outcome.to}, reasons = ${JSON.stringify(reasons)},
      campaign_id = ${outcome.campaignId}, run_id = ${runId}, tries = tries + ${isTry ? 1 : 0}, decided_at = now(),
      due_at = now() + ${afterMs}::float8 * interval '1 ms'
    where site_id = ${item.siteId} and id = ${item.id} and status = any(${from})`.execute(on);
}

/** Moves an item to `suggested` and queues the notifications to the editors' devices, in one transaction. */
export function suggestItem(
  db: Database,
  item: { tenantId: string; siteId: string; id: string },
  outcome: Extract<ItemOutcome, { to: "suggested" }>,
): Promise<void> {
  return inTenant(db, item.tenantId, async (tx) => {
    await moveItem(tx, item, outcome);
    await insertEditorNudges(tx, item.siteId, outcome.campaignId);
  });
}

/** Makes an item due after `afterMs`. Its state stays the same. */
export async function postponeItem(on: Executor, item: { siteId: string; id: string }, afterMs: number): Promise<void> {
  await sql`update feed_items set due_at = now() + ${afterMs}::float8 * interval '1 ms'
    where site_id = ${item.siteId} and id = ${item.id} and status in ('new', 'waiting')`.execute(on);
}

/**
 * Ends the question about a feed's `asked` items. `reasons` null makes them new and due. Otherwise they are skipped
 * for these reasons.
 */
export async function answerItems(on: Executor, feedId: string, reasons: Reason[] | null): Promise<void> {
  await sql`update feed_items set status = case when ${reasons === null} then 'new' else 'skipped' end,
      answered = ${reasons === null}, reasons = ${JSON.stringify(reasons ?? [])}, due_at = case when ${reasons === null} then now() end,
      decided_at = case when ${reasons === null} then null else now() end
    where feed_id = ${feedId} and status = 'asked'`.execute(on);
}

/** Skips all open items of feeds, and ends the question about them. Returns how many it skipped. */
export async function skipOpenItems(on: Executor, which: WhichFeeds, reason: Reason): Promise<number> {
  await recordQuestion(on, which, false);
  const skipped = await rows(
    sql`update feed_items set status = 'skipped', reasons = ${JSON.stringify([reason])}, due_at = null, decided_at = now()
      where status in ('new', 'waiting', 'asked') and ${isOf(which, "feed_id")}
      returning id`,
    on,
  );
  return skipped.length;
}

/**
 * The number of live sends of a feed's campaigns within the last hour and day before `nowMs`. `nowMs`: the database's
 * clock in ms since 1970.
 */
export type FeedSends = { hour: number; day: number; nowMs: number };

/**
 * Returns how many campaigns of a feed were sent within the last hour and the last day. Counts runs, not items,
 * because a process that died after a send has not recorded it on the item.
 */
export async function countSends(on: Executor, siteId: string, feedId: string): Promise<FeedSends> {
  const counted = await row(
    sql<FeedSends>`select (extract(epoch from now()) * 1000)::float8 as "nowMs", count(*) as day,
        count(*) filter (where r.created_at > now() - interval '1 hour') as hour
      from runs r join campaigns c on c.site_id = r.site_id and c.id = r.campaign_id
      where r.site_id = ${siteId} and ${sendsCampaign("r")} and r.created_at > now() - interval '1 day'
        and c.created_by = ${`feed:${feedId}`}`,
    on,
  );
  return counted!;
}

/** Returns how many items a feed has suggested within the last hour and the last day. */
export async function countSuggestions(on: Executor, feedId: string): Promise<FeedSends> {
  const counted = await row(
    sql<FeedSends>`select (extract(epoch from now()) * 1000)::float8 as "nowMs", count(*) as day,
        count(*) filter (where decided_at > now() - interval '1 hour') as hour
      from feed_items where feed_id = ${feedId} and status = 'suggested' and decided_at > now() - interval '1 day'`,
    on,
  );
  return counted!;
}

/**
 * Looks at the next `pageSize` items after the id `after`. Deletes those that have reached an end and are older than
 * `days`. Returns in `lastId` the id to continue after. It is null at the end: after the last item, or once a younger
 * item was found, because ids sort by time.
 */
export async function deleteItemsPage(
  on: Executor,
  { after, days, pageSize }: { after: string | null; days: number; pageSize: number },
): Promise<{ lastId: string | null; removed: number }> {
  const page = await row(
    sql<{ lastId: string | null; removed: number }>`with page as materialized (
        select id, found_at < now() - make_interval(days => ${days}) as is_old from feed_items
        where ${after}::uuid is null or id > ${after} order by id limit ${pageSize}),
      deleted as (
        delete from feed_items i using page p
        where i.id = p.id and p.is_old and i.status in ('seen', 'suggested', 'sent', 'skipped') returning i.id)
      select (select count(*) from deleted) as removed,
        (select p.id from page p where p.is_old and (select count(*) from page) = ${pageSize}
          and not exists (select from page younger where not younger.is_old) order by p.id desc limit 1) as "lastId"`,
    on,
  );
  return page!;
}
