import { sql } from "kysely";
import { type Database, row, type Tx } from "../db/pool.ts";
import { hasTopic, isReachable } from "../subscribers/queries.ts";
import { isOpenRun, moveRun } from "./queries.ts";
import type { RunStatus } from "./states.ts";

/** Subscribers per page. The first page is small, so that the first readers are nudged at once. */
const firstPage = 1_000;
const nextPages = 20_000;

/** Recipients per batch, at most. */
export const batchSize = 1_000;

type Unplanned = {
  siteId: string;
  runId: string;
  kind: "live" | "test";
  status: RunStatus;
  topicIds: string[];
  cursor: number;
  maxSubscriberId: number;
  plannedBatches: number;
};

/**
 * Freezes the next page of one run's audience into batches, if a run waits for that. The cursor moves in the transaction
 * of its page, so a planner that dies leaves no page half-written. Returns whether there was anything to plan.
 */
export async function planNextPage(db: Database): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const runId = await lockUnplannedRun(tx);
    if (runId === undefined) return false;
    const run = await unplannedRun(tx, runId);
    // Another planner finished it between the look and the lock.
    if (run === undefined) return true;
    const limit = run.plannedBatches === 0 ? firstPage : nextPages;
    const page = await insertPage(tx, run, limit);
    await moveCursor(tx, run, page, page.read < limit);
    if (run.status === "queued" && page.batches > 0) await startServing(tx, run);
    return true;
  });
}

/**
 * Picks a run that is not planned to its end, and locks it for this transaction: tests first, then the run with the fewest
 * batches, so that the pages of a large run do not hold up the first page of another. It is an advisory lock, not a row
 * lock: claims update `served` on the run's row, and must not wait for a page.
 */
async function lockUnplannedRun(tx: Tx): Promise<string | undefined> {
  const run = await row(
    // Materialized, so that rows are locked one at a time, in order, until a lock succeeds.
    sql<{ id: string }>`with waiting as materialized (
        select id from runs
        where ${isOpenRun("runs")} and planned_at is null
        order by priority desc, planned_batches, id)
      select id from waiting where pg_try_advisory_xact_lock(hashtextextended('plan ' || id, 0)) limit 1`,
    tx,
  );
  return run?.id;
}

/** Read after the lock: the locking statement may have seen the run as it was before another planner's page. */
function unplannedRun(tx: Tx, runId: string): Promise<Unplanned | undefined> {
  return row(
    sql<Unplanned>`select site_id as "siteId", id as "runId", kind, status, topic_ids as "topicIds", plan_cursor as cursor,
        max_subscriber_id as "maxSubscriberId", planned_batches as "plannedBatches"
      from runs
      where id = ${runId} and ${isOpenRun("runs")} and planned_at is null`,
    tx,
  );
}

/**
 * Pages the audience by key, never by OFFSET, and writes one row per batch: no subscriber passes through this process. A
 * live run goes to the reachable subscribers. A test run goes to the test subscribers, also to those that their push
 * service keeps refusing: whether it accepts them is what a test finds out.
 */
async function insertPage(
  tx: Tx,
  run: Unplanned,
  limit: number,
): Promise<{ read: number; lastId: number; batches: number; lanes: string[] }> {
  const isInAudience = run.kind === "test" ? sql`s.is_test` : sql`not s.is_test and ${isReachable}`;
  const page = await row(
    sql<{ read: number; lastId: number; batches: number; lanes: string[] }>`
      with page as materialized (
        select s.id, s.lane from subscribers s
        where s.site_id = ${run.siteId} and s.id > ${run.cursor} and s.id <= ${run.maxSubscriberId}
          and ${isInAudience} and ${hasTopic(run.topicIds)}
        order by s.id limit ${limit}),
      placed as (
        select id, lane, (row_number() over (partition by lane order by id) - 1) / ${batchSize} as part from page),
      numbered as materialized (
        select ${run.plannedBatches} + row_number() over (order by part, lane) as no, lane, count(*) as size,
          array_agg(id order by id) as ids
        from placed group by part, lane),
      batches as (
        insert into run_batches (site_id, run_id, no, lane, size, pending, codes)
        select ${run.siteId}, ${run.runId}, no, lane, size, size, decode(repeat('00', size::int), 'hex') from numbered
        returning no),
      recipients as (
        insert into run_recipients (site_id, run_id, no, subscriber_ids)
        select ${run.siteId}, ${run.runId}, no, ids from numbered)
      select (select count(*) from page) as read, (select coalesce(max(id), 0) from page) as "lastId",
        (select count(*) from batches) as batches,
        (select coalesce(array_agg(distinct lane), '{}') from numbered) as lanes`,
    tx,
  );
  return page!;
}

async function moveCursor(
  tx: Tx,
  run: Unplanned,
  page: { lastId: number; batches: number; lanes: string[] },
  isLast: boolean,
) {
  await sql`update runs set
      plan_cursor = greatest(plan_cursor, ${page.lastId}), planned_batches = planned_batches + ${page.batches},
      lanes = array(select distinct lane from unnest(lanes || ${page.lanes}::text[]) as lane),
      planned_at = case when ${isLast} then now() end,
      started_at = coalesce(started_at, case when ${page.batches} > 0 then now() end)
    where site_id = ${run.siteId} and id = ${run.runId}`.execute(tx);
}

/**
 * Moves a run to `sending` with its first batches. It starts with the served count of the least served run beside it: from
 * 0 it would keep all others waiting until it had caught up with them. A run that was stopped meanwhile does not move.
 */
async function startServing(tx: Tx, run: Unplanned): Promise<void> {
  if (!(await moveRun(tx, run, "sending"))) return;
  await sql`update runs set served = coalesce((select min(other.served) from runs other
      where other.status = 'sending' and other.priority = runs.priority and other.id <> runs.id), 0)
    where site_id = ${run.siteId} and id = ${run.runId}`.execute(tx);
}
