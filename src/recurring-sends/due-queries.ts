import { sql } from "kysely";
import { type Executor, row, type Tx } from "../db/pool.ts";
import type { Reason } from "../decision/checks/check.ts";
import type { Outcome } from "./recurring-send.ts";

/**
 * A recurring send that a process has claimed. Its next occurrence has to be computed if `day` is null, or if `zone`
 * is not `timeZone`, the current zone of the site. `lastAt`: when a process last looked for a story. `lateMs` and
 * `nowMs`: by the database's clock.
 */
export type DueRecurringSend = {
  id: string;
  tenantId: string;
  siteId: string;
  days: number[];
  time: string;
  feedId: string | null;
  topicId: string | null;
  day: string | null;
  dueAt: Date | null;
  zone: string | null;
  timeZone: string;
  lastAt: Date | null;
  lastDay: string | null;
  lateMs: number;
  nowMs: number;
};

/** A claimed recurring send with an occurrence that is due. */
export type DueOccurrence = DueRecurringSend & { day: string; dueAt: Date };

/** Days for which the record of an occurrence is stored. */
export const keptDays = 400;

/**
 * Claims, for `leaseMs`, the recurring send that has been due the longest. Returns undefined if there is none. Reads
 * all enabled recurring sends, because a site has few, and because a changed time zone of the site has to be noticed.
 */
export function claimDue(on: Executor, leaseMs: number): Promise<DueRecurringSend | undefined> {
  return row(
    sql<DueRecurringSend>`with due as materialized (
        select r.id, s.time_zone from recurring_sends r join sites s on s.id = r.site_id
        where r.enabled and s.removed_at is null and (r.next_at <= now() or r.zone is distinct from s.time_zone)
          and (r.lease_until is null or r.lease_until <= now())
        order by r.next_at nulls first, r.id limit 1 for no key update of r skip locked)
      update recurring_sends r set lease_until = now() + ${leaseMs}::float8 * interval '1 ms' from due
      where r.id = due.id
      returning r.id, r.tenant_id as "tenantId", r.site_id as "siteId", r.days, r.time, r.feed_id as "feedId",
        r.topic_id as "topicId", r.next_day::text as day, r.next_at as "dueAt", r.zone, due.time_zone as "timeZone",
        (select max(o.looked_at) from recurring_occurrences o
          where o.site_id = r.site_id and o.recurring_send_id = r.id and o.outcome <> 'missed') as "lastAt",
        (select max(o.day)::text from recurring_occurrences o where o.site_id = r.site_id and o.recurring_send_id = r.id)
          as "lastDay",
        coalesce(extract(epoch from clock_timestamp() - r.next_at) * 1000, 0)::float8 as "lateMs",
        (extract(epoch from clock_timestamp()) * 1000)::float8 as "nowMs"`,
    on,
  );
}

/** Makes a claimed occurrence available again after `afterMs`. */
export async function postpone(on: Executor, { id }: Pick<DueRecurringSend, "id">, afterMs: number): Promise<void> {
  await sql`update recurring_sends set lease_until = now() + ${afterMs}::float8 * interval '1 ms'
    where id = ${id}`.execute(on);
}

/**
 * Locks the recurring send of an occurrence until the transaction ends. Returns false if another process has recorded
 * the occurrence, or if a person has changed, switched off or removed the recurring send meanwhile.
 */
export async function lockOccurrence(tx: Tx, due: DueOccurrence): Promise<boolean> {
  const locked = await row(
    sql`select r.id from recurring_sends r where r.id = ${due.id} and r.enabled and r.next_day = ${due.day}::date
        and r.time = ${due.time} and r.feed_id is not distinct from ${due.feedId}::uuid
        and r.topic_id is not distinct from ${due.topicId}::uuid
      for no key update`,
    tx,
  );
  return locked !== undefined;
}

type End = {
  outcome: Outcome;
  reasons: Reason[];
  story: { url: string | null; title: string | null } | null;
  campaignId: string | null;
};

/** Records the outcome of an occurrence. The caller has locked its recurring send. Deletes records that are too old. */
export async function insertOccurrence(tx: Tx, due: DueOccurrence, end: End): Promise<void> {
  await sql`insert into recurring_occurrences (site_id, recurring_send_id, day, due_at, looked_at, outcome, reasons, url,
      title, campaign_id)
    values (${due.siteId}, ${due.id}, ${due.day}::date, ${due.dueAt}, to_timestamp(${due.nowMs}::float8 / 1000), ${end.outcome}, ${JSON.stringify(end.reasons)},
      ${end.story?.url ?? null}, ${end.story?.title ?? null}, ${end.campaignId})`.execute(tx);
  await sql`delete from recurring_occurrences where site_id = ${due.siteId} and recurring_send_id = ${due.id}
    and day < ${due.day}::date - ${keptDays}::int`.execute(tx);
}
