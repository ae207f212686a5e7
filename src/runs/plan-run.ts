import { sql } from "kysely";
import { type Database, row, type Tx } from "../db/pool.ts";
import { hasTopic, isReachable } from "../subscribers/queries.ts";

/** The first page is small, so that the first readers are nudged at once; the next ones are quick to page. */
const firstPage = 1_000;
const nextPages = 20_000;

/** Recipients of a batch, at most. */
export const batchSize = 1_000;

type Unplanned = {
  siteId: string;
  runId: string;
  kind: "live" | "test";
  topicIds: string[];
  cursor: number;
  maxSubscriberId: number;
  plannedBatches: number;
};

/**
 * Freezes the next page of one run's audience into batches, if a run waits for it. The cursor moves in the page's own
 * transaction, so a planner that dies leaves nothing half-done. Returns whether there was anything to plan.
 */
export async function planNextPage(db: Database): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const runId = await lockUnplannedRun(tx);
    if (runId === undefined) return false;
    const run = await unplannedRun(tx, runId);
    // Another planner finished it after we had looked and before we had the lock.
    if (run === undefined) return true;
    const limit = run.plannedBatches === 0 ? firstPage : nextPages;
    const page = await insertPage(tx, run, limit);
    await moveCursor(tx, run, page, page.read < limit);
    return true;
  });
}

/**
 * Picks a run that is not planned to its end and is nobody else's for this transaction: tests first, then the one with
 * the fewest batches, so that the pages of a large run do not hold up the first page of another. By an advisory lock
 * rather than a row lock: claims count what they serve on the run's row, and must not wait for a page.
 */
async function lockUnplannedRun(tx: Tx): Promise<string | undefined> {
  const run = await row(
    // Materialized: the rows come in order and are locked one at a time, until one could be.
    sql<{ id: string }>`with waiting as materialized (
        select id from runs
        where status in ('queued', 'sending', 'stopping') and planned_at is null
        order by priority desc, planned_batches, id)
      select id from waiting where pg_try_advisory_xact_lock(hashtextextended('plan ' || id, 0)) limit 1`,
    tx,
  );
  return run?.id;
}

/** Read after the lock: what the locking statement saw may be from before another planner's page. */
function unplannedRun(tx: Tx, runId: string): Promise<Unplanned | undefined> {
  return row(
    sql<Unplanned>`select site_id as "siteId", id as "runId", kind, topic_ids as "topicIds", plan_cursor as cursor,
        max_subscriber_id as "maxSubscriberId", planned_batches as "plannedBatches"
      from runs
      where id = ${runId} and status in ('queued', 'sending', 'stopping') and planned_at is null`,
    tx,
  );
}

/**
 * Pages the audience by key, never by OFFSET, and writes a row for each batch of one lane: nothing of an audience
 * passes through this process. A test run goes to the test subscribers, also to those whom their push service has refused
 * again and again (whether it takes one is what a test asks), a live run to all others.
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

/**
 * With its first batches a run starts to be served, from where the least served of the others stands: from 0 it would
 * make them all wait until it had caught up with them.
 */
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
      status = case when status = 'queued' and ${page.batches} > 0 then 'sending' else status end,
      served = case when status = 'queued' and ${page.batches} > 0 then coalesce(
        (select min(other.served) from runs other where other.status = 'sending' and other.priority = runs.priority), 0)
        else served end,
      started_at = coalesce(started_at, case when ${page.batches} > 0 then now() end)
    where site_id = ${run.siteId} and id = ${run.runId}`.execute(tx);
}
