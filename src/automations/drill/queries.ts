import { sql } from "kysely";
import { type Executor, row, rows, type Tx } from "../../db/pool.ts";
import { newId } from "../../ids.ts";
import type { CheckedDrill, DrillFacts } from "./check-drill.ts";
import { type DrillRow, type DrillSettings, drillSeconds, type FailedStep } from "./drill.ts";

const columns = sql.raw(`d.canary_id as "canaryId", d.every_minutes as "everyMinutes", d.started_at as "startedAt",
  d.planned_at as "plannedAt", d.sent_at as "sentAt", d.accepted_at as "acceptedAt", d.displayed_at as "displayedAt",
  d.ended_at as "endedAt", d.expects_display as "expectsDisplay", d.failed_step as "failedStep", d.failed_code as "failedCode"`);

/** SQL condition: site `s` of tenant `t` has drills. Pausing the readers' notifications does not pause drills. */
const takePlace = sql.raw(`(s.removed_at is null and t.erase_at is null
  and not (s.quarantined_at is not null and s.paused_at is not null))`);

/** SQL condition: the drill of row `d` runs. */
const isOpen = sql.raw("(d.started_at is not null and d.ended_at is null)");

/** SQL condition: row `d` has a canary, no drill of it runs, and the run of its last drill has ended. */
const mayBegin = sql`(d.canary_id is not null and not ${isOpen} and not exists (
  select from runs r where r.site_id = d.site_id and r.id = d.run_id and r.finished_at is null))`;

/** SQL condition: a drill of row `d` may begin and is due. */
const isDue = sql`(${mayBegin}
  and (d.started_at is null or d.started_at <= now() - make_interval(mins => d.every_minutes)))`;

/** Returns the row of a site; undefined if it never had a canary. */
export function drillOfSite(on: Executor, siteId: string): Promise<DrillRow | undefined> {
  return row(sql<DrillRow>`select ${columns} from drills d where d.site_id = ${siteId}`, on);
}

/** Returns the row of a site like `drillOfSite`, and locks it until the transaction ends. */
export function lockDrill(tx: Tx, siteId: string): Promise<DrillRow | undefined> {
  return row(sql<DrillRow>`select ${columns} from drills d where d.site_id = ${siteId} for update`, tx);
}

/**
 * Stores the settings of an owner. If the canary changes, the caller also calls `forgetDrill`, so that the first drill
 * of the new canary begins at once.
 */
export async function upsertDrill(tx: Tx, siteId: string, { canaryId, everyMinutes }: DrillSettings): Promise<void> {
  await sql`insert into drills as d (site_id, canary_id, every_minutes, thread_id)
    values (${siteId}, ${canaryId}::bigint, ${everyMinutes}, ${newId()})
    on conflict (site_id) do update set canary_id = excluded.canary_id, every_minutes = excluded.every_minutes`.execute(
    tx,
  );
}

/** Forgets the last drill of a site and what the owners were told of it. Its run stays until the next drill begins. */
export async function forgetDrill(tx: Tx, siteId: string): Promise<void> {
  await sql`update drills set started_at = null, planned_at = null, sent_at = null, accepted_at = null, displayed_at = null,
      ended_at = null, failed_step = null, failed_code = null, told = '{}'
    where site_id = ${siteId}`.execute(tx);
}

/** Returns the sites whose drill is running or due. */
export function sitesWithDrills(on: Executor): Promise<{ siteId: string; isOpen: boolean }[]> {
  return rows(
    sql<{ siteId: string; isOpen: boolean }>`select d.site_id as "siteId", ${isOpen} as "isOpen"
      from drills d join sites s on s.id = d.site_id join tenants t on t.id = s.tenant_id
      where d.canary_id is not null and ${takePlace} and (${isOpen} or ${isDue}) order by d.site_id`,
    on,
  );
}

/**
 * A drill that is about to begin: its canary, its thread, the sequence of the last drill, and the run of the last
 * drill.
 */
export type BeginningDrill = { canaryId: number; threadId: string; sequence: number; lastRunId: string | null };

/**
 * Locks the drill of a site that is about to begin. Also locks the site, which can be neither exported nor removed
 * until the transaction ends. Returns undefined if another process has the lock, or if the drill may not begin. `now`:
 * before its time.
 */
export function lockBeginning(tx: Tx, siteId: string, now = false): Promise<BeginningDrill | undefined> {
  return row(
    sql<BeginningDrill>`select d.canary_id as "canaryId", d.thread_id as "threadId", d.sequence, d.run_id as "lastRunId"
      from drills d join sites s on s.id = d.site_id join tenants t on t.id = s.tenant_id
      where d.site_id = ${siteId} and ${takePlace} and ${now ? mayBegin : isDue}
      for update of d skip locked for key share of s`,
    tx,
  );
}

/**
 * The test device of a site's drills. `id`: its current number. A new subscription of its browser gets a new number.
 */
export type Canary = { id: number; reportsDisplays: boolean };

/** Returns the canary of a site; undefined if it is no longer subscribed. */
export function canaryOfSite(on: Executor, siteId: string, canaryId: number): Promise<Canary | undefined> {
  return row(
    sql<Canary>`select id, reports_displays as "reportsDisplays" from subscribers
      where site_id = ${siteId} and is_test and (id = ${canaryId} or ${canaryId} = any(merged_ids)) order by id limit 1`,
    on,
  );
}

/** Records that a drill has begun, with its run. The result of the last drill stays until this one ends. */
export async function noteBegun(tx: Tx, siteId: string, runId: string, canary: Canary): Promise<void> {
  await sql`update drills set started_at = now(), planned_at = null, sent_at = null, accepted_at = null, displayed_at = null,
      ended_at = null, sequence = sequence + 1, run_id = ${runId}, canary_id = ${canary.id},
      expects_display = ${canary.reportsDisplays}
    where site_id = ${siteId}`.execute(tx);
}

/** Records a drill without a canary: it failed at its start. */
export async function noteWithoutCanary(tx: Tx, siteId: string): Promise<void> {
  await sql`update drills set started_at = now(), planned_at = null, sent_at = null, accepted_at = null, displayed_at = null,
      ended_at = now(), run_id = null, failed_step = 'canary', failed_code = null
    where site_id = ${siteId}`.execute(tx);
}

/** A running drill, with its site. */
export type OpenDrill = DrillFacts & { tenantId: string; siteName: string; startedAt: Date };

/**
 * Locks the row of a running drill and returns the facts about it. Returns undefined if another process has the lock,
 * or if the drill has ended. The message of the drill is the only one of its run.
 */
export function lockOpenDrill(tx: Tx, siteId: string): Promise<OpenDrill | undefined> {
  return row(
    sql<OpenDrill>`select ${columns}, s.tenant_id as "tenantId", s.name as "siteName", now() as now,
        d.started_at < now() - make_interval(secs => ${drillSeconds}) as "isLate", r.planned_at as "runPlannedAt",
        r.id is null or r.finished_at is not null as "runEnded", r.unplanned is not null as "planGivenUp",
        (select get_byte(b.codes, 0) from run_batches b where b.site_id = d.site_id and b.run_id = d.run_id limit 1) as code,
        coalesce((select n.displayed > 0 from notification_sums n where n.site_id = d.site_id and n.run_id = d.run_id), false)
          as "isDisplayed"
      from drills d join sites s on s.id = d.site_id join tenants t on t.id = s.tenant_id
        left join runs r on r.site_id = d.site_id and r.id = d.run_id
      where d.site_id = ${siteId} and ${isOpen} and ${takePlace} for update of d skip locked`,
    tx,
  );
}

/** Stores which steps a drill has reached, and how it ended. */
export async function noteChecked(tx: Tx, siteId: string, checked: CheckedDrill): Promise<void> {
  const { plannedAt, sentAt, acceptedAt, displayedAt, end } = checked;
  await sql`update drills set planned_at = ${plannedAt}, sent_at = ${sentAt}, accepted_at = ${acceptedAt},
      displayed_at = ${displayedAt}, ended_at = ${end ? sql`now()` : null},
      failed_step = ${end ? end.failedStep : sql`failed_step`},
      failed_code = ${end ? end.failedStep && end.failedCode : sql`failed_code`}
    where site_id = ${siteId}`.execute(tx);
}

/** Records that the owners are told of a failed step. Returns false if they were told of it less than a day ago. */
export async function noteTold(tx: Tx, siteId: string, step: FailedStep): Promise<boolean> {
  const noted = await row(
    sql`update drills set told = told || jsonb_build_object(${step}::text, now())
      where site_id = ${siteId} and coalesce((told->>${step})::timestamptz <= now() - interval '1 day', true)
      returning site_id`,
    tx,
  );
  return noted !== undefined;
}

/**
 * Ends the running drills of a site, or of all sites, without a result, because this database may not know their
 * outcome.
 */
export async function endDrills(on: Executor, siteId: string | "all"): Promise<void> {
  const ofSites = siteId === "all" ? sql`true` : sql`d.site_id = ${siteId}`;
  await sql`update drills d set ended_at = now() where ${isOpen} and ${ofSites}`.execute(on);
}

/** Returns how many sites have a last drill that failed, by the step that it did not reach. */
export function countFailedDrills(on: Executor): Promise<{ step: FailedStep; n: number }[]> {
  return rows(
    sql<{ step: FailedStep; n: number }>`select d.failed_step as step, count(*) as n
      from drills d join sites s on s.id = d.site_id join tenants t on t.id = s.tenant_id
      where d.canary_id is not null and d.failed_step is not null and ${takePlace} group by d.failed_step`,
    on,
  );
}
