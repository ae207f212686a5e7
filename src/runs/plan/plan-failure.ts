import { sql } from "kysely";
import { type Database, row } from "../../db/pool.ts";
import type { RunRef } from "../queries.ts";

/** Planning of a run is given up once failed pages outnumber planned ones by this. By then it has tried for minutes. */
const failuresAtMost = 10;
const maxAgainMs = 60_000;

/** The run whose page failed, as it was before the page. */
type FailedPage = RunRef & { cursor: number; failures: number; isOver: boolean };

/**
 * The error of a page of a run's audience that could not be planned, with its `cause`. `isGivenUp`: no further page
 * will be planned.
 */
export class PlanningError extends Error {
  readonly runId: string;
  readonly isGivenUp: boolean;

  constructor(runId: string, isGivenUp: boolean, cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.runId = runId;
    this.isGivenUp = isGivenUp;
  }
}

/**
 * Returns the pause in ms before a page that has failed `failures` times is tried again; null if it is not tried
 * again. The first retry is immediate. Later ones wait 2 s, doubled up to a minute. `isOver`: the run was stopped or
 * its time to live has ended. Pages of such a run only count recipients, so the run is not kept open for them.
 */
export function nextPageAfterMs(failures: number, isOver: boolean): number | null {
  if (isOver || failures >= failuresAtMost) return null;
  return failures === 1 ? 0 : Math.min(maxAgainMs, 1_000 * 2 ** (failures - 1));
}

/**
 * Records that a page failed. The page is tried again later, or planning is given up so that the run can end.
 * `countRest`: counts the recipients that are in no batch yet. Returns whether planning was given up. Does nothing if
 * another planner has planned the page since.
 */
export async function recordPlanFailure(
  db: Database,
  page: FailedPage,
  countRest: () => Promise<number>,
): Promise<boolean> {
  const afterMs = nextPageAfterMs(page.failures + 1, page.isOver);
  const unplanned = afterMs === null ? await countRest() : null;
  return db.transaction().execute(async (tx) => {
    // Another planner may already work on the next page. Its recipients would then count twice.
    const { locked } = (await row(sql<{ locked: boolean }>`select ${lockPlanning(sql`${page.runId}`)} as locked`, tx))!;
    if (!locked) return false;
    const recorded = await row(
      sql`update runs set plan_failures = plan_failures + 1,
          plan_from = now() + ${afterMs}::float8 * interval '1 ms',
          planned_at = case when ${afterMs === null} then now() end,
          unplanned = nullif(${unplanned}::bigint, 0)
        where site_id = ${page.siteId} and id = ${page.runId} and planned_at is null
          and plan_cursor = ${page.cursor} and plan_failures = ${page.failures} returning id`,
      tx,
    );
    return recorded !== undefined && afterMs === null;
  });
}

/**
 * Returns SQL that takes the lock of a run's planner until the transaction ends, if it is free. It is an advisory lock,
 * not a row lock: claims update `served` on the run's row and must not wait for a page.
 */
export function lockPlanning(runId: ReturnType<typeof sql>) {
  return sql`pg_try_advisory_xact_lock(hashtextextended('plan ' || ${runId}::text, 0))`;
}
