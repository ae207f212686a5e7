import { type RawBuilder, sql } from "kysely";
import { type Executor, row, rows, type Tx } from "../db/pool.ts";
import { pauseHolds, sendsCampaign } from "./kinds.ts";
import type { AfterClick, ReceiptHour, RunRecord } from "./run.ts";
import type { ScreenTime } from "./screen-times.ts";
import { openRunStatuses, type RunStatus, runStatesBefore } from "./states.ts";

/** The key of a run. `siteId` is the first column in the key of every large table. */
export type RunRef = { siteId: string; runId: string };

/**
 * SQL condition: the run in the table name or alias `table` is open. The statuses are literals, not parameters, because
 * PostgreSQL uses the partial index `open_runs` only if the query repeats its predicate.
 */
export const isOpenRun = (table: "r" | "runs" | "earlier") =>
  sql.raw(`${table}.status in (${openRunStatuses.map((status) => `'${status}'`).join(", ")})`);

/**
 * SQL: the earliest possible start of a run whose `counts_at` is `from` or later. Queries use both conditions,
 * because the index of a site's live runs has created_at but not `counts_at`.
 */
export const earliestStart = (from: RawBuilder<unknown>) => sql`(${from} - interval '26 hours')`;

/** SQL: the message of run `table`. For a headline test, the campaign's own message. */
export const messageOf = (table: "r" | "runs") =>
  sql.raw(`(select m.message from run_messages m
    where m.site_id = ${table}.site_id and m.run_id = ${table}.id and m.no = 0)`);

const runColumns = sql.raw(`r.id, r.campaign_id as "campaignId", r.site_id as "siteId", r.kind, r.status,
  r.planned_at is not null as planned, r.expected_audience as "expectedAudience",
  case when r.finished_at is null then coalesce(r.unplanned, 0) else 0 end as unplanned,
  t.paused_at is not null as "tenantPaused", s.paused_at is not null as "sitePaused",
  s.screen_goal_seconds as "screenGoalSeconds",
  r.started_at as "startedAt", r.finished_at as "finishedAt", r.stop_requested_at as "stopRequestedAt",
  (select m.message#>'{extras,actions}' from run_messages m where m.site_id = r.site_id and m.run_id = r.id and m.no = 0)
    as actions, r.receipts, r.timing->'hour' as "localTime"`);

/** Returns the run if it belongs to this tenant. */
export function runOfTenant(on: Executor, tenantId: string, runId: string): Promise<RunRecord | undefined> {
  return row(
    sql<RunRecord>`select ${runColumns} from runs r join sites s on s.id = r.site_id join tenants t on t.id = r.tenant_id
      where r.id = ${runId} and r.tenant_id = ${tenantId}`,
    on,
  );
}

/** A run with the names by which a person recognises it. */
export type ListedRun = RunRecord & { tenantName: string; siteName: string; title: string; createdAt: Date };

/**
 * Returns the open runs and the last `ended` others, newest first, for the operator's `runs list`. `siteId`: only
 * runs of this site; undefined means all tenants.
 */
export function listedRuns(on: Executor, of: { siteId: string | undefined; ended: number }): Promise<ListedRun[]> {
  const ofSite = of.siteId === undefined ? sql`true` : sql`r.site_id = ${of.siteId}`;
  const found = sql`select ${runColumns}, t.name as "tenantName", s.name as "siteName", ${messageOf("r")}->>'title' as title,
      r.created_at as "createdAt"
    from runs r join sites s on s.id = r.site_id join tenants t on t.id = r.tenant_id where ${ofSite}`;
  return rows(
    sql<ListedRun>`(${found} and ${isOpenRun("r")})
      union all (${found} and not ${isOpenRun("r")} order by r.id desc limit ${of.ended}) order by id desc`,
    on,
  );
}

export async function tenantOfRun(on: Executor, runId: string): Promise<string | undefined> {
  return (await row(sql<{ tenantId: string }>`select tenant_id as "tenantId" from runs where id = ${runId}`, on))
    ?.tenantId;
}

/** Returns the live run of a campaign, with the idempotency key that started it. */
export function liveRunOfCampaign(
  on: Executor,
  ref: { siteId: string; campaignId: string },
): Promise<{ id: string; status: RunStatus; idempotencyKey: string | null; expectedAudience: number } | undefined> {
  return row(
    sql<{ id: string; status: RunStatus; idempotencyKey: string | null; expectedAudience: number }>`
      select id, status, idempotency_key as "idempotencyKey", expected_audience as "expectedAudience"
      from runs where site_id = ${ref.siteId} and campaign_id = ${ref.campaignId} and ${sendsCampaign("runs")}`,
    on,
  );
}

/**
 * Returns what readers did with the notification of a run, hour by hour. The hours of a live run include the receipts
 * of its updates.
 */
export function receiptHoursOfRun(on: Executor, run: RunRef): Promise<ReceiptHour[]> {
  return rows(
    sql<ReceiptHour>`select hour, sum(displayed) as displayed, sum(clicked) as clicked, sum(dismissed) as dismissed,
        sum(unsubscribed) as unsubscribed, sum(action1) as action1, sum(action2) as action2
      from notification_hours where site_id = ${run.siteId} and run_id = ${run.runId} group by hour order by hour`,
    on,
  );
}

/** Returns how long the notifications of a run took to reach the screen. */
export function screenTimesOfRun(on: Executor, run: RunRef): Promise<ScreenTime[]> {
  return rows(
    sql<ScreenTime>`select seconds, displayed from screen_times where site_id = ${run.siteId} and run_id = ${run.runId}`,
    on,
  );
}

/**
 * Returns what followed clicks on the notification of a run, with counts. For a live run, it includes clicks on its
 * updates.
 */
export function outcomesOfRun(on: Executor, run: RunRef): Promise<AfterClick[]> {
  return rows(
    sql<AfterClick>`select name, sum(n)::float8 as count from notification_outcomes
      where site_id = ${run.siteId} and run_id = ${run.runId} group by name order by count desc, name`,
    on,
  );
}

/** Moves a run to `to` if its state allows that (states.ts). Returns whether it did. */
export async function moveRun(on: Executor, run: RunRef, to: RunStatus): Promise<boolean> {
  const finished = !openRunStatuses.includes(to);
  const moved = await row(
    sql`update runs set status = ${to},
        started_at = case when ${to === "sending"} then now() else started_at end,
        stop_requested_at = case when ${to === "stopping"} then now() else stop_requested_at end,
        finished_at = case when ${finished} then now() else finished_at end
      where site_id = ${run.siteId} and id = ${run.runId} and status = any(${runStatesBefore(to)}) returning id`,
    on,
  );
  return moved !== undefined;
}

/** Stops all open test runs, because a pause does not halt them. Returns how many it stopped. */
export async function stopTestRuns(tx: Tx): Promise<number> {
  const stopped = await rows(
    sql`update runs set status = 'stopping', stop_requested_at = now()
      where not ${pauseHolds("runs")} and status = any(${runStatesBefore("stopping")}) returning id`,
    tx,
  );
  return stopped.length;
}

/**
 * Deletes a run that has ended, with its messages, batches, outcomes and receipts. It is used for the last fire drill
 * of a site.
 */
export async function deleteEndedRun(tx: Tx, run: RunRef): Promise<void> {
  await sql`delete from runs where site_id = ${run.siteId} and id = ${run.runId} and finished_at is not null`.execute(
    tx,
  );
}

/**
 * The facts that decide how a run ends. `unplanned`: the number of recipients in no batch, because
 * planning was given up.
 */
export type EndFacts = {
  status: RunStatus;
  createdAt: Date;
  planned: boolean;
  unplanned: number;
  siteRemoved: boolean;
};

/** Locks a run until the transaction ends. Never lock a run before a batch: claims lock in the other order. */
export function lockRun(on: Executor, run: RunRef): Promise<EndFacts | undefined> {
  return row(
    sql<EndFacts>`select r.status, r.created_at as "createdAt", r.planned_at is not null as planned, coalesce(r.unplanned, 0) as unplanned,
        s.removed_at is not null as "siteRemoved"
      from runs r join sites s on s.id = r.site_id
      where r.site_id = ${run.siteId} and r.id = ${run.runId} for update of r`,
    on,
  );
}

/** Returns how many runs of a site have not ended, including tests. */
export async function countUnfinishedRuns(on: Executor, siteId: string): Promise<number> {
  const found = await row(
    sql<{ n: number }>`select count(*) as n from runs where site_id = ${siteId} and finished_at is null`,
    on,
  );
  return found!.n;
}
