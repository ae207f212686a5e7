import { sql } from "kysely";
import { notify } from "../db/notices.ts";
import { type Database, row, type Tx } from "../db/pool.ts";
import { lastRank, rankOfSubscriber } from "../subscribers/seen-queries.ts";
import { tracedOfRun } from "../tracing.ts";
import { noteClosed, waitsForUpdate } from "./closed-nudges.ts";
import { countEntry } from "./count-codes.ts";
import { variantOfSubscriber } from "./headline-test/queries.ts";
import { judgeAudience } from "./kept-back.ts";
import { nextReaders, type UnplannedAudience, unplannedReaders } from "./next-readers.ts";
import { lockPlanning, PlanningError, recordPlanFailure } from "./plan-failure.ts";
import { dueAt, isOpenRun, moveRun } from "./queries.ts";
import type { RunMessage } from "./run.ts";
import { planSlices } from "./slices/plan-slices.ts";
import { waitingRank } from "./slices/queries.ts";
import type { ReaderHour } from "./slices/slices.ts";
import type { RunStatus } from "./states.ts";

/** Subscribers per page. The first page is small, so that the first readers are nudged at once. */
const firstPage = 1_000;
const nextPages = 20_000;
/** With slices, which wait anyway. A page is divided by them, so that a small one would have very small batches. */
const slicedPages = 50_000;

/**
 * PostgreSQL ends a statement of a page after this. It has to end it itself: of a connection that we close it learns only
 * after the statement, and until then no planner gets the run's lock.
 */
const pageLimitMs = 30_000;

/** For the groups and sorts of a page. PostgreSQL's 4 MB send those of a page with slices to disk, a quarter slower. */
const pageMemory = "32MB";

/** Recipients per batch, at most. */
export const batchSize = 1_000;

type Unplanned = UnplannedAudience & {
  /** Null: a digest or a welcome. */
  campaignId: string | null;
  message: RunMessage;
  status: RunStatus;
  plannedBatches: number;
  /** Its failed pages, less those that succeeded since. */
  failures: number;
  /** Of its test of headlines: how many variants, and how many of a hundred recipients get them. Null without one. */
  test: { variants: number; share: number } | null;
  /** Null: all are nudged as soon as they are planned. */
  readerHour: ReaderHour | null;
  timeZone: string;
  /** When the campaign was due: readers whose hour had passed by then are nudged at once. */
  dueAt: Date;
  ttlSeconds: number;
  /** It was stopped, or its time to live is over: its pages are only counted. */
  isOver: boolean;
};

/**
 * Freezes the next page of one run's audience into batches, if a run waits for that. The cursor moves in the transaction
 * of its page, so a planner that dies leaves no page half-written. Returns whether there was anything to plan. Throws a
 * `PlanningError` where the page failed: other runs are planned before it is tried again.
 */
export async function planNextPage(db: Database): Promise<boolean> {
  let run: Unplanned | undefined;
  const noteRun = (found: Unplanned) => {
    run = found;
  };
  try {
    return await db.transaction().execute((tx) => planNextPageIn(tx, noteRun));
  } catch (error) {
    if (run === undefined) throw error;
    const failed = run;
    const isGivenUp = await recordPlanFailure(db, failed, () => countRest(db, failed));
    throw new PlanningError(failed.runId, isGivenUp, error);
  }
}

/** The same in the caller's transaction. `onFound`: called with the run before its page is planned. */
export async function planNextPageIn(tx: Tx, onFound: (run: Unplanned) => void = () => {}): Promise<boolean> {
  await limitStatements(tx);
  const runId = await lockUnplannedRun(tx);
  if (runId === undefined) return false;
  const run = await unplannedRun(tx, runId);
  // Another planner finished it between the look and the lock.
  if (run === undefined) return true;
  onFound(run);
  await tracedOfRun("plan a page", runId, {}, () => planPage(tx, run));
  return true;
}

async function planPage(tx: Tx, run: Unplanned): Promise<void> {
  if (run.kind === "update" && run.plannedBatches === 0) await noteClosed(tx, run);
  // Half the size after each failure: a slow database may manage that within the limit.
  const limit = Math.ceil(pageOf(run) / 2 ** run.failures);
  const page = await insertPage(tx, run, limit);
  await moveCursor(tx, run, page);
  if (run.status === "queued" && page.batches > 0) await startServing(tx, run);
}

function pageOf({ readerHour, plannedBatches }: Unplanned): number {
  if (readerHour !== null) return slicedPages;
  return plannedBatches === 0 ? firstPage : nextPages;
}

/** A page that was written. `cursor`: for the next one. `isLast`: there is none. */
type Page = { cursor: number; isLast: boolean; batches: number; lanes: string[] };

async function limitStatements(tx: Tx): Promise<void> {
  await sql`select set_config('statement_timeout', ${`${pageLimitMs}ms`}, true),
    set_config('work_mem', ${pageMemory}, true)`.execute(tx);
}

/**
 * Picks a run that is not planned to its end, and locks it for this transaction: tests first, then those whose pages do
 * not fail, then the run with the fewest batches, so that the pages of a large run do not hold up the first page of
 * another.
 */
async function lockUnplannedRun(tx: Tx): Promise<string | undefined> {
  const run = await row(
    // Materialized, so that rows are locked one at a time, in order, until a lock succeeds.
    sql<{ id: string }>`with waiting as materialized (
        select id from runs
        where ${isOpenRun("runs")} and planned_at is null and (plan_again_at is null or plan_again_at <= now())
          and not ${waitsForUpdate}
        order by priority desc, plan_failures, planned_batches, id)
      select id from waiting where ${lockPlanning(sql`id`)} limit 1`,
    tx,
  );
  return run?.id;
}

/** Read after the lock: the locking statement may have seen the run as it was before another planner's page. */
function unplannedRun(tx: Tx, runId: string): Promise<Unplanned | undefined> {
  return row(
    sql<Unplanned>`select site_id as "siteId", id as "runId", campaign_id as "campaignId", kind, message, status, topic_ids as "topicIds", segment, plan_cursor as cursor,
        max_subscriber_id as "maxSubscriberId", planned_batches as "plannedBatches", plan_failures as failures,
        status = 'stopping' or expires_at <= now() as "isOver", reader_hour as "readerHour", ${dueAt("runs")} as "dueAt",
        ttl_seconds as "ttlSeconds", (select s.time_zone from sites s where s.id = runs.site_id) as "timeZone",
        (select jsonb_build_object('variants', jsonb_array_length(h.messages), 'share', h.share) from headline_tests h
          where h.site_id = runs.site_id and h.run_id = runs.id) as test
      from runs
      where id = ${runId} and ${isOpenRun("runs")} and planned_at is null`,
    tx,
  );
}

/**
 * Writes the next page of the audience (next-readers.ts), one row per batch: no subscriber passes through this process. A
 * live run goes to the reachable subscribers. A test run goes to the test subscribers, also to those that their push
 * service keeps refusing: whether it accepts them is what a test finds out. A batch has readers of one rank, by when they
 * were last seen (docs/decisions/0018): the pages go by id, which never changes, and claims go by rank. Those who are left
 * out by their own wish (docs/decisions/0020) have batches of their own, which are done at once; so has each variant of a
 * test of headlines, and those who take no part in it are parked until it ends. The readers of a slice are parked until its
 * moment (docs/decisions/0023). Readers are grouped by hash, and each group is sorted and divided: to sort all of them by
 * group costs half as much again with slices (0.42 instead of 0.28 s of CPU for 100,000 readers in twelve zones).
 */
async function insertPage(tx: Tx, run: Unplanned, limit: number): Promise<Page> {
  const next = nextReaders(run, limit);
  // The readers of slices are judged when these are released.
  const judged = run.readerHour === null ? await judgeAudience(tx, run) : undefined;
  const slices = await planSlices(tx, run);
  const waits = sql`(slice_at is not null or (variant is null and ${sql.lit(run.test !== null)}))`;
  const page = await row(
    sql<Page>`
      with ${next.lists} page as materialized (
        select s.id, s.lane, ${run.kind === "test" ? sql.lit(lastRank) : rankOfSubscriber} as rank,
          ${variantOfSubscriber(run, run.test)} as variant, ${slices.zone} as zone
        ${next.readers}),
      ${judged ?? sql`judged as (select null::bigint as id, null::int as code where false)`},
      ${slices.slice},
      recipient as (
        select page.id, page.lane, j.code, case when j.code is null then page.rank else ${sql.lit(lastRank)} end as rank,
          case when j.code is null then page.variant end as variant,
          coalesce(slice.at, (select at from slice where zone = '')) as slice_at, slice.utc_offset
        from page left join judged j on j.id = page.id left join slice on slice.zone = page.zone),
      grouped as (
        select slice_at, code, variant, rank, lane, array_agg(id) as found
        from recipient group by slice_at, code, variant, rank, lane),
      parts as (
        select slice_at, code, variant, rank, lane, part,
          sorted.ids[part * ${batchSize} + 1 : (part + 1) * ${batchSize}] as ids
        from grouped
          cross join lateral (select array_agg(id order by id) as ids from unnest(found) as id) sorted
          cross join lateral generate_series(0, (cardinality(found) - 1) / ${batchSize}) as part),
      numbered as materialized (
        select ${run.plannedBatches} + row_number() over (order by slice_at, rank, part, lane, code, variant) as no, lane,
          rank, code, variant, slice_at, cardinality(ids) as size, ids
        from parts),
      batches as (
        insert into run_batches (site_id, run_id, no, lane, rank, size, pending, unanswered, codes, variant, slice_at, state,
          not_before)
        select ${run.siteId}, ${run.runId}, no, lane, rank + case when slice_at is null then 0 else ${waitingRank}::int end, size,
          size, size, decode(repeat('00', size::int), 'hex'), variant, slice_at, case when ${waits} then 'parked' else 'ready' end,
          case when ${waits} then 'infinity'::timestamptz end
        from numbered where code is null
        returning no),
      left_out as (
        insert into run_batches (site_id, run_id, no, lane, rank, size, pending, not_sent, state, codes, code_counts)
        select ${run.siteId}, ${run.runId}, no, lane, rank, size, 0, size, 'done', decode(repeat(to_hex(code), size::int), 'hex'),
          ${countEntry(sql`code`, sql`size`)}
        from numbered where code is not null
        returning no),
      ${slices.written},
      recipients as (
        insert into run_recipients (site_id, run_id, no, subscriber_ids)
        select ${run.siteId}, ${run.runId}, no, ids from numbered)
      select ${next.cursor} as cursor, ${next.isLast} as "isLast",
        (select count(*) from numbered) as batches,
        (select coalesce(array_agg(distinct lane), '{}') from numbered) as lanes`,
    tx,
  );
  return page!;
}

/**
 * How many recipients are in no batch yet. Where the database cannot even count them, what the send counted less those in
 * batches; at least one, as the page that fails has one.
 */
async function countRest(db: Database, run: Unplanned): Promise<number> {
  const counted = sql<{ n: number }>`select count(*) as n ${unplannedReaders(run)}`;
  const expected = sql<{ n: number }>`select greatest(1, r.expected_audience - sums.size) as n
    from runs r join run_sums sums on sums.run_id = r.id and sums.site_id = r.site_id
    where r.site_id = ${run.siteId} and r.id = ${run.runId}`;
  const count = async (tx: Tx) => {
    await limitStatements(tx);
    return row(counted, tx);
  };
  const found = await db
    .transaction()
    .execute(count)
    .catch(() => row(expected, db));
  return found!.n;
}

async function moveCursor(tx: Tx, run: Unplanned, page: Page) {
  await sql`with moved as (update runs set
      plan_cursor = greatest(plan_cursor, ${page.cursor}), planned_batches = planned_batches + ${page.batches},
      lanes = array(select distinct lane from unnest(lanes || ${page.lanes}::text[]) as lane),
      planned_at = case when ${page.isLast} then now() end, plan_failures = greatest(0, plan_failures - 1),
      started_at = coalesce(started_at, case when ${page.batches} > 0 then now() end)
    where site_id = ${run.siteId} and id = ${run.runId} returning id)
    select ${notify("batches")} from moved where ${page.batches} > 0`.execute(tx);
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
