import { sql } from "kysely";
import { notify } from "../../db/notices.ts";
import { type Database, row, type Tx } from "../../db/pool.ts";
import { readByKeys } from "../../db/read-by-keys.ts";
import { lastRank, rankOfSubscriber } from "../../subscribers/seen-queries.ts";
import type { CampaignClass } from "../../tenants/sites/campaign-classes.ts";
import { tracedOfRun } from "../../tracing.ts";
import { noteClosed, waitsForThread } from "../interactions.ts";
import { policyOf, type RunKind } from "../kinds.ts";
import { type Page, planBatches } from "../ledger/plan-batches.ts";
import { isOpenRun, moveRun } from "../queries.ts";
import type { RunStatus } from "../states.ts";
import { suppressionsOf } from "../suppressions.ts";
import type { Timing } from "../timing.ts";
import { planWaves } from "../waves/plan-waves.ts";
import { nextReaders, type UnplannedAudience, unplannedReaders } from "./next-readers.ts";
import { lockPlanning, PlanningError, recordPlanFailure } from "./plan-failure.ts";

/** Subscribers per page. The first page is small, so that the first readers are notified immediately. */
const firstPage = 1_000;
const nextPages = 20_000;
/**
 * Subscribers per page of a run with waves. Waves divide each page, so small pages would have very small batches. A
 * large page costs no time, because waves wait anyway.
 */
const wavePages = 50_000;

/**
 * The time after which PostgreSQL ends a statement of a page. Closing the connection would not help: PostgreSQL
 * notices that only after the statement, and until then no planner gets the run's lock.
 */
const pageLimitMs = 30_000;

/**
 * The memory for grouping and sorting a page. With PostgreSQL's default of 4 MB, pages with waves use the disk and
 * are a quarter slower.
 */
const pageMemory = "32MB";

type Unplanned = UnplannedAudience & {
  /** Null for a digest, a welcome or a win-back. */
  campaignId: string | null;
  kind: RunKind;
  class: CampaignClass;
  threadId: string;
  timing: Timing;
  /** The number of messages of the run. Each recipient gets one of them. */
  messages: number;
  status: RunStatus;
  plannedBatches: number;
  /** Failed pages, minus the pages that succeeded since. */
  failures: number;
  /** The time zone of the site. */
  timeZone: string;
  startedAt: Date;
  ttlSeconds: number;
  /** The run was stopped, or its time to live is over: its pages are only counted. */
  isOver: boolean;
};

/**
 * Freezes the next page of one run's audience into batches, if a run waits for that. The cursor moves in the
 * transaction of the page, so a planner that dies leaves no half-written page. Returns whether there was anything to
 * plan. Throws a `PlanningError` if the page failed. Other runs are planned before that page is tried again.
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

/**
 * Plans the next page, like `planNextPage`, in the caller's transaction. `onFound`: called with the run before its
 * page is planned.
 */
export async function planNextPageIn(tx: Tx, onFound: (run: Unplanned) => void = () => {}): Promise<boolean> {
  await limitStatements(tx);
  const runId = await lockUnplannedRun(tx);
  if (runId === undefined) return false;
  const run = await unplannedRun(tx, runId);
  // Another planner planned the last page after the run was picked and before it was locked.
  if (run === undefined) return true;
  onFound(run);
  await tracedOfRun("plan a page", runId, {}, () => planPage(tx, run));
  return true;
}

async function planPage(tx: Tx, run: Unplanned): Promise<void> {
  if (policyOf(run).suppressedBy.includes("closed") && run.plannedBatches === 0) await noteClosed(tx, run);
  // The page is halved after each failure, because a slow database may plan the smaller page within the limit.
  const limit = Math.ceil(pageOf(run) / 2 ** run.failures);
  const page = await planBatches(tx, run, {
    readers: nextReaders(run, limit),
    rank: run.audience.of === "testDevices" ? sql.lit(lastRank) : rankOfSubscriber,
    waves: await planWaves(tx, run),
    suppressed: await suppressionsOf(tx, run),
  });
  await moveCursor(tx, run, page);
  if (run.status === "queued" && page.batches > 0) await startServing(tx, run);
}

function pageOf({ timing, audience, plannedBatches }: Unplanned): number {
  if (timing.at === "localTime") return wavePages;
  // Each page of a list reads the whole rest of the list, and nobody waits for a digest.
  return plannedBatches > 0 || audience.of === "list" ? nextPages : firstPage;
}

async function limitStatements(tx: Tx): Promise<void> {
  await sql`select set_config('statement_timeout', ${`${pageLimitMs}ms`}, true),
    set_config('work_mem', ${pageMemory}, true)`.execute(tx);
  await readByKeys(tx);
}

/**
 * Picks a run whose audience is not fully planned, and locks it for this transaction. Tests come first, then
 * runs without failing pages, then the run with the fewest batches, so that a large run does not delay the
 * first page of another.
 */
async function lockUnplannedRun(tx: Tx): Promise<string | undefined> {
  const run = await row(
    // The expression is materialized, so that rows are locked one at a time, in order, until a lock succeeds.
    sql<{ id: string }>`with waiting as materialized (
        select id from runs
        where ${isOpenRun("runs")} and planned_at is null and (plan_from is null or plan_from <= now())
          and not ${waitsForThread}
        order by priority desc, plan_failures, planned_batches, id)
      select id from waiting where ${lockPlanning(sql`id`)} limit 1`,
    tx,
  );
  return run?.id;
}

/** Reads the run after the lock, because the locking statement may have seen it before another planner's page. */
function unplannedRun(tx: Tx, runId: string): Promise<Unplanned | undefined> {
  return row(
    sql<Unplanned>`select site_id as "siteId", id as "runId", campaign_id as "campaignId", kind, class, thread_id as "threadId", status,
        audience, timing, plan_cursor as cursor, planned_batches as "plannedBatches", plan_failures as failures,
        status = 'stopping' or expires_at <= now() as "isOver", created_at as "startedAt", ttl_seconds as "ttlSeconds",
        (select s.time_zone from sites s where s.id = runs.site_id) as "timeZone",
        (select count(*) from run_messages m where m.site_id = runs.site_id and m.run_id = runs.id) as messages
      from runs
      where id = ${runId} and ${isOpenRun("runs")} and planned_at is null`,
    tx,
  );
}

/**
 * Returns how many recipients are in no batch yet. If the database cannot count them, returns the count at the send
 * minus the recipients in batches. That is at least one, because the failed page has at least one.
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
      planned_recipients = planned_recipients + ${page.recipients},
      push_services = array(select distinct push_service from unnest(push_services || ${page.pushServices}::text[]) as push_service),
      planned_at = case when ${page.isLast} then now() end, plan_failures = greatest(0, plan_failures - 1),
      started_at = coalesce(started_at, case when ${page.batches} > 0 then now() end)
    where site_id = ${run.siteId} and id = ${run.runId} returning id)
    select ${notify("batches")} from moved where ${page.batches} > 0`.execute(tx);
}

/**
 * Moves a run to `sending` with its first batches. Its served count starts at that of the least served other run.
 * From 0, it would keep all others waiting until it had caught up. A run that was stopped meanwhile does not move.
 */
async function startServing(tx: Tx, run: Unplanned): Promise<void> {
  if (!(await moveRun(tx, run, "sending"))) return;
  await sql`update runs set served = coalesce((select min(other.served) from runs other
      where other.status = 'sending' and other.priority = runs.priority and other.id <> runs.id), 0)
    where site_id = ${run.siteId} and id = ${run.runId}`.execute(tx);
}
