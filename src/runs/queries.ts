import { type RawBuilder, sql } from "kysely";
import { notify } from "../db/notices.ts";
import { type Executor, row, rows, type Tx } from "../db/pool.ts";
import type { FrozenSegment } from "../subscribers/segments/segment.ts";
import { deleteEndedWelcomes } from "../subscribers/welcome-queries.ts";
import type { Counts } from "./codes.ts";
import type { CodeCount, ReceiptHour, RunKind, RunMessage, RunRecord, RunTotals, Urgency, Waiting } from "./run.ts";
import { type ReaderHour, spanOf } from "./slices/slices.ts";
import { openRunStatuses, type RunStatus, runStatesBefore } from "./states.ts";

/** The key of a run: site_id leads every key of a large table. */
export type RunRef = { siteId: string; runId: string };

/** A new run: message and audience, frozen. Subscribers with an id above `maxSubscriberId` came later. */
export type NewRun = {
  id: string;
  siteId: string;
  tenantId: string;
  /** Null: a digest or a welcome. */
  campaignId: string | null;
  kind: RunKind;
  message: RunMessage;
  topicIds: string[];
  /** Absent or null: all readers. */
  segment?: FrozenSegment | null;
  ttlSeconds: number;
  urgency: Urgency;
  idempotencyKey: string | null;
  maxSubscriberId: number;
  expectedAudience: number;
  /** Absent: all are nudged as soon as they are planned. */
  readerHour?: ReaderHour | undefined;
  /** Which step of its site's welcome it is, from 1. Absent: it is none. */
  welcomeStep?: number | undefined;
};

/**
 * The condition that a run is open, for the table name or alias `table`. As literals, not parameters: PostgreSQL uses the
 * partial index `open_runs` only where the query repeats its predicate.
 */
export const isOpenRun = (table: "r" | "runs" | "earlier") =>
  sql.raw(`${table}.status in (${openRunStatuses.map((status) => `'${status}'`).join(", ")})`);

/**
 * The moment of the nudge by the clocks of the site, for the table name or alias `table` of runs: of one at the hour of the
 * readers that hour at the site, even if it is still to come; of any other when it began.
 */
export const nudgedAt = (table: "r" | "runs") => sql.raw(`coalesce(${table}.nudged_at, ${table}.created_at)`);

/**
 * SQL: when the campaign of a run was due, for the table name or alias `table` of runs; a pause may have held it until
 * later. Without a schedule it is the beginning of the run.
 */
export const dueAt = (table: "r" | "runs") =>
  sql.raw(`coalesce((select c.scheduled_at from campaigns c
    where c.site_id = ${table}.site_id and c.id = ${table}.campaign_id), ${table}.created_at)`);

/**
 * SQL: the earliest start of a run whose `nudgedAt` is `from` or later. Queries ask for both, since the index of a
 * site's live runs has created_at.
 */
export const earliestStart = (from: RawBuilder<unknown>) => sql`(${from} - interval '26 hours')`;

export async function insertRun(on: Executor, run: NewRun): Promise<void> {
  // Of a pause that held the campaign for longer than until that hour, the end is the moment.
  const nudged = run.readerHour
    ? sql`(select greatest(now(), grace_from) from campaigns where site_id = ${run.siteId} and id = ${run.campaignId})`
    : null;
  const lastMoment = sql`${run.readerHour ? new Date(spanOf(run.readerHour).lastMs) : null}::timestamptz`;
  await sql`with inserted as (insert into runs (site_id, id, tenant_id, campaign_id, kind, priority, message, topic_ids, segment, ttl_seconds, urgency,
      idempotency_key, max_subscriber_id, expected_audience, reader_hour, nudged_at, welcome_step, expires_at)
    values (${run.siteId}, ${run.id}, ${run.tenantId}, ${run.campaignId}, ${run.kind}, ${run.kind === "test" ? 1 : 0},
      ${JSON.stringify(run.message)}, ${run.topicIds}, ${run.segment ? JSON.stringify(run.segment) : null}, ${run.ttlSeconds}, ${run.urgency}, ${run.idempotencyKey},
      ${run.maxSubscriberId}, ${run.expectedAudience}, ${run.readerHour ? JSON.stringify(run.readerHour) : null}, ${nudged},
      ${run.welcomeStep ?? null},
      greatest(now(), ${lastMoment}) + make_interval(secs => ${run.ttlSeconds})) returning id)
    select ${notify("run")} from inserted`.execute(on);
}

const runColumns = sql.raw(`r.id, r.campaign_id as "campaignId", r.site_id as "siteId", r.kind, r.status,
  r.planned_at is not null as planned, r.expected_audience as "expectedAudience",
  case when r.finished_at is null then coalesce(r.unplanned, 0) else 0 end as unplanned,
  t.paused_at is not null as "tenantPaused", s.paused_at is not null as "sitePaused",
  r.started_at as "startedAt", r.finished_at as "finishedAt", r.stop_requested_at as "stopRequestedAt",
  r.message#>'{extras,actions}' as actions, r.message->>'receipts' as receipts, r.reader_hour as "readerHour"`);

/** The run if it is this tenant's. */
export function runOfTenant(on: Executor, tenantId: string, runId: string): Promise<RunRecord | undefined> {
  return row(
    sql<RunRecord>`select ${runColumns} from runs r join sites s on s.id = r.site_id join tenants t on t.id = r.tenant_id
      where r.id = ${runId} and r.tenant_id = ${tenantId}`,
    on,
  );
}

/** A run with what tells a person which one it is. */
export type ListedRun = RunRecord & { tenantName: string; siteName: string; title: string; createdAt: Date };

/**
 * The open runs and the last `ended` others, newest first, for the operator's `runs list`: of all tenants, or of one site.
 */
export function listedRuns(on: Executor, of: { siteId: string | undefined; ended: number }): Promise<ListedRun[]> {
  const ofSite = of.siteId === undefined ? sql`true` : sql`r.site_id = ${of.siteId}`;
  const found = sql`select ${runColumns}, t.name as "tenantName", s.name as "siteName", r.message->>'title' as title,
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

/** The live run of a campaign, with the key that started it. */
export function liveRunOfCampaign(
  on: Executor,
  ref: { siteId: string; campaignId: string },
): Promise<{ id: string; status: RunStatus; idempotencyKey: string | null; expectedAudience: number } | undefined> {
  return row(
    sql<{ id: string; status: RunStatus; idempotencyKey: string | null; expectedAudience: number }>`
      select id, status, idempotency_key as "idempotencyKey", expected_audience as "expectedAudience"
      from runs where site_id = ${ref.siteId} and campaign_id = ${ref.campaignId} and kind = 'live'`,
    on,
  );
}

export type RunSums = Counts & { repeated: number };

/** The sums of a run: over its batches while it is open (10,000 rows for ten million recipients), then from its totals. */
export async function sumsOfRun(on: Executor, run: RunRef): Promise<RunSums> {
  const sums = await row(
    sql<RunSums>`select pending, accepted, gone, failed, expired, not_sent as "notSent", unknown, repeated
      from run_sums where site_id = ${run.siteId} and run_id = ${run.runId}`,
    on,
  );
  return sums!;
}

/**
 * What waits in an open run, by lane. A batch that was parked before each of its recipients was tried waits for its push
 * service, and so does the rest of the run on that lane.
 */
export function waitingOfRun(on: Executor, run: RunRef): Promise<Waiting[]> {
  return rows(
    sql<Waiting>`with open as (
        select b.lane, b.pending, (b.state = 'parked' and b.not_before < 'infinity') or l.origin is not null as waits,
          bool_or(b.state = 'parked' and b.not_before < 'infinity' and position('\\x00'::bytea in b.codes) > 0) over (partition by b.lane) as "laneWaits",
          l.held_reason as "heldReason", l.not_before as "restsUntil", ${isCapped} as "isCapped"
        from run_batches b
          left join lanes l on l.site_id = b.site_id and l.origin = b.lane
            and (l.not_before > now() or l.held_reason is not null)
        where b.site_id = ${run.siteId} and b.run_id = ${run.runId} and b.state <> 'done' and b.pending > 0)
      select lane, sum(pending) as n, "heldReason", "restsUntil", "isCapped" from open
      where waits or "laneWaits"
      group by lane, "heldReason", "restsUntil", "isCapped" order by n desc, lane`,
    on,
  );
}

/** The lanes of a site whose push service was seen to limit it, within the last `hours`. */
export async function cappedLanes(on: Executor, siteId: string, hours: number): Promise<string[]> {
  const capped = await rows(
    sql<{ lane: string }>`select origin as lane from lanes
      where site_id = ${siteId} and capped_at > now() - make_interval(hours => ${hours}) order by origin`,
    on,
  );
  return capped.map(({ lane }) => lane);
}

/** What was seen of a limit speaks for so many hours. */
export const cappedHours = 1;

/** SQL condition: the push service of lane `l` was seen to limit the site, within `cappedHours`. */
export const isCapped = sql.raw(`coalesce(l.capped_at > now() - interval '${cappedHours} hours', false)`);

/** How often each final code occurred, by lane; written when the run ends. */
export function totalsOfRun(on: Executor, run: RunRef): Promise<CodeCount[]> {
  return rows(
    sql<CodeCount>`select lane, code, n from run_totals where site_id = ${run.siteId} and run_id = ${run.runId}
      order by n desc, lane, code`,
    on,
  );
}

/** The receipts of a run, hour by hour. */
export function receiptHoursOfRun(on: Executor, run: RunRef): Promise<ReceiptHour[]> {
  return rows(
    sql<ReceiptHour>`select hour, displayed, clicked, dismissed, unsubscribed, action1, action2 from receipt_hours
      where site_id = ${run.siteId} and run_id = ${run.runId} order by hour`,
    on,
  );
}

/** Writes the totals of a run at its end: from then on its batches are not read any more. */
export async function writeTotals(on: Executor, run: RunRef, { codes, repeated }: RunTotals): Promise<void> {
  await sql`update runs set repeated = ${repeated} where site_id = ${run.siteId} and id = ${run.runId}`.execute(on);
  await sql`insert into run_totals (site_id, run_id, lane, code, n)
    select ${run.siteId}, ${run.runId}, lane, code, n
    from unnest(${codes.map((c) => c.lane)}::text[], ${codes.map((c) => c.code)}::smallint[],
      ${codes.map((c) => c.n)}::bigint[]) as totals (lane, code, n)`.execute(on);
}

/** Moves a run to `to` if its state allows that (states.ts). Returns false where it does not. */
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

/** Stops all open test runs: a pause does not hold them. Returns how many. */
export async function stopTestRuns(tx: Tx): Promise<number> {
  const stopped = await rows(
    sql`update runs set status = 'stopping', stop_requested_at = now()
      where kind = 'test' and status = any(${runStatesBefore("stopping")}) returning id`,
    tx,
  );
  return stopped.length;
}

/** A run that ended more than `days` ago and still has batches. */
export function runToExpire(on: Executor, days: number): Promise<RunRef | undefined> {
  return row(
    sql<RunRef>`select site_id as "siteId", id as "runId" from runs
      where finished_at < now() - make_interval(days => ${days}) and pruned_at is null order by finished_at limit 1`,
    on,
  );
}

/**
 * Deletes at most `limit` batches of a run with their recipients and receipt bits, and after the last of them who has
 * closed its nudge and whose welcome ended with it, and marks the run. Returns how many were deleted.
 */
export async function deleteBatches(on: Executor, run: RunRef, limit: number): Promise<number> {
  const deleted = await rows(
    sql`delete from run_batches b using (
        select no from run_batches where site_id = ${run.siteId} and run_id = ${run.runId} order by no limit ${limit}) old
      where b.site_id = ${run.siteId} and b.run_id = ${run.runId} and b.no = old.no returning b.no`,
    on,
  );
  if (deleted.length < limit) {
    await sql`update runs set pruned_at = now() where site_id = ${run.siteId} and id = ${run.runId}`.execute(on);
    await sql`delete from closed_nudges where site_id = ${run.siteId} and run_id = ${run.runId}`.execute(on);
    await deleteEndedWelcomes(on, run);
  }
  return deleted.length;
}

/** What decides how a run ends. `unplanned`: how many recipients are in no batch, because planning was given up. */
export type EndFacts = {
  status: RunStatus;
  createdAt: Date;
  planned: boolean;
  unplanned: number;
  siteRemoved: boolean;
  hasSlices: boolean;
};

/** Locks a run until the transaction ends. Never lock a run and then a batch: claims lock in the other order. */
export function lockRun(on: Executor, run: RunRef): Promise<EndFacts | undefined> {
  return row(
    sql<EndFacts>`select r.status, r.created_at as "createdAt", r.planned_at is not null as planned, coalesce(r.unplanned, 0) as unplanned,
        s.removed_at is not null as "siteRemoved", r.reader_hour is not null as "hasSlices"
      from runs r join sites s on s.id = r.site_id
      where r.site_id = ${run.siteId} and r.id = ${run.runId} for update of r`,
    on,
  );
}

/** How many runs of a site have not ended, tests included. */
export async function countUnfinishedRuns(on: Executor, siteId: string): Promise<number> {
  const found = await row(
    sql<{ n: number }>`select count(*) as n from runs where site_id = ${siteId} and finished_at is null`,
    on,
  );
  return found!.n;
}
