import { type RawBuilder, sql } from "kysely";
import { type Executor, row, rows, type Tx } from "../db/pool.ts";
import type { Occurrence } from "./occurrences.ts";
import type { OccurrenceRecord, RecurringSendRecord } from "./recurring-send.ts";

const columns = sql.raw(`r.id, r.site_id as "siteId", r.days, r.time, r.feed_id as "feedId", r.topic_id as "topicId",
  coalesce(f.title, regexp_replace(f.url, '^https://', ''), t.name) as "sourceName",
  coalesce(not f.enabled, t.retired_at is not null) as "isSourceOff", r.enabled, r.next_day::text as "nextDay",
  r.next_at as "nextAt", r.created_at as "createdAt"`);
const joined = sql.raw(`recurring_sends r left join feeds f on f.id = r.feed_id
  left join topics t on t.site_id = r.site_id and t.id = r.topic_id`);

/** Returns the recurring sends of a site, the oldest first. */
export function recurringSendsOfSite(on: Executor, siteId: string): Promise<RecurringSendRecord[]> {
  return rows(sql<RecurringSendRecord>`select ${columns} from ${joined} where r.site_id = ${siteId} order by r.id`, on);
}

/** Returns a recurring send of a site. */
export function recurringSendOfSite(
  on: Executor,
  siteId: string,
  id: string,
): Promise<RecurringSendRecord | undefined> {
  return row(
    sql<RecurringSendRecord>`select ${columns} from ${joined} where r.site_id = ${siteId} and r.id = ${id}`,
    on,
  );
}

/** Returns the site of a recurring send of any tenant, for the command line. */
export function siteOfRecurringSend(
  on: Executor,
  id: string,
): Promise<{ tenantId: string; siteId: string } | undefined> {
  return row(
    sql<{ tenantId: string; siteId: string }>`select r.tenant_id as "tenantId", r.site_id as "siteId"
      from recurring_sends r join sites s on s.id = r.site_id where r.id = ${id} and s.removed_at is null`,
    on,
  );
}

/** Locks a recurring send until the transaction ends. Returns the day of its last recorded occurrence, if any. */
export async function lockRecurringSend(
  tx: Tx,
  siteId: string,
  id: string,
): Promise<{ lastDay: string | null } | undefined> {
  return row(
    sql<{ lastDay: string | null }>`select
        (select max(o.day)::text from recurring_occurrences o where o.site_id = r.site_id and o.recurring_send_id = r.id)
          as "lastDay"
      from recurring_sends r where r.site_id = ${siteId} and r.id = ${id} for no key update of r`,
    tx,
  );
}

/** Returns the number of recurring sends of a site. The caller has locked the site. */
export async function countRecurringSends(tx: Tx, siteId: string): Promise<number> {
  const counted = await row(
    sql<{ n: number }>`select count(*) as n from recurring_sends where site_id = ${siteId}`,
    tx,
  );
  return counted!.n;
}

type Settings = Pick<RecurringSendRecord, "days" | "time" | "feedId" | "topicId" | "enabled">;

export async function insertRecurringSend(
  tx: Tx,
  of: { id: string; tenantId: string; siteId: string; createdBy: string },
  { days, time, feedId, topicId, enabled }: Settings,
): Promise<void> {
  await sql`insert into recurring_sends (id, tenant_id, site_id, days, time, feed_id, topic_id, enabled, created_by)
    values (${of.id}, ${of.tenantId}, ${of.siteId}, ${days}::smallint[], ${time}, ${feedId}, ${topicId}, ${enabled},
      ${of.createdBy})`.execute(tx);
}

export async function updateRecurringSend(
  tx: Tx,
  id: string,
  { days, time, feedId, topicId, enabled }: Settings,
): Promise<void> {
  await sql`update recurring_sends set days = ${days}::smallint[], time = ${time}, feed_id = ${feedId},
      topic_id = ${topicId}, enabled = ${enabled} where id = ${id}`.execute(tx);
}

/** Deletes a recurring send and the record of its occurrences. */
export async function deleteRecurringSend(tx: Tx, siteId: string, id: string): Promise<void> {
  await sql`delete from recurring_sends where site_id = ${siteId} and id = ${id}`.execute(tx);
}

/** Stores the next occurrence, which was computed in `zone`, and ends the claim of a process. */
export async function updateNext(on: Executor, id: string, { day, atMs }: Occurrence, zone: string): Promise<void> {
  await sql`update recurring_sends set next_day = ${day}::date, next_at = to_timestamp(${atMs}::float8 / 1000),
      zone = ${zone}, lease_until = null where id = ${id}`.execute(on);
}

/** Returns the recorded occurrences of a site on the days from `from` to `to`, the earliest first. */
export function occurrencesOfSite(
  on: Executor,
  siteId: string,
  { from, to }: { from: string; to: string },
): Promise<OccurrenceRecord[]> {
  return rows(
    sql<OccurrenceRecord>`select recurring_send_id as "recurringSendId", day::text, due_at as "dueAt", outcome, reasons,
        url, title, campaign_id as "campaignId"
      from recurring_occurrences where site_id = ${siteId} and day between ${from}::date and ${to}::date
      order by due_at, recurring_send_id`,
    on,
  );
}

/**
 * Makes a site, or all sites, compute the next occurrences from now on. Overdue occurrences may have gone out
 * elsewhere.
 */
export async function restartRecurringSends(on: Executor, siteId: string | "all"): Promise<void> {
  const ofSites: RawBuilder<unknown> = siteId === "all" ? sql`true` : sql`site_id = ${siteId}`;
  await sql`update recurring_sends set next_day = null, next_at = null, zone = null, lease_until = null
    where ${ofSites}`.execute(on);
}
