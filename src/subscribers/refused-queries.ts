import { sql } from "kysely";
import { type Executor, row, rows } from "../db/pool.ts";
import { countLeft } from "./left-days.ts";
import { maxRefusedRuns } from "./queries.ts";

/**
 * Counts one more run in a row in which a push service refused these subscribers (401, 403) but accepts the site's
 * key.
 */
export async function countRefusals(on: Executor, siteId: string, ids: number[]): Promise<void> {
  await sql`update subscribers set refused_runs = least(refused_runs + 1, 1000),
      accepted_before = accepted_before or accepted, accepted = false
    where site_id = ${siteId} and id = any(${ids}::bigint[])`.execute(on);
}

/**
 * Records that a push service has accepted a message to these subscribers: the first one, or the first after it
 * refused them.
 */
export async function recordAccepted(on: Executor, siteId: string, ids: number[]): Promise<void> {
  await sql`update subscribers set refused_runs = 0, accepted = true
    where site_id = ${siteId} and id = any(${ids}::bigint[])`.execute(on);
}

/** Returns those of `ids` whose push service has accepted a message and has not refused one since. */
export async function acceptedAmong(on: Executor, siteId: string, ids: number[]): Promise<Set<number>> {
  const accepted = await rows(
    sql<{ id: number }>`select id from subscribers
      where site_id = ${siteId} and id = any(${ids}::bigint[]) and accepted`,
    on,
  );
  return new Set(accepted.map(({ id }) => id));
}

/**
 * The refused subscribers of a push service, without test devices. `refused`: how many were refused in their last run.
 * `excluded`: how many were refused so often in a row that they get no live sends.
 */
export type RefusedCount = { pushService: string; refused: number; excluded: number };

/** Counts the refused subscribers of a site by push service, the largest number first. */
export function refusedOfSite(on: Executor, siteId: string): Promise<RefusedCount[]> {
  return rows(
    sql<RefusedCount>`select push_service as "pushService", count(*) as refused,
        count(*) filter (where refused_runs >= ${maxRefusedRuns}) as "excluded"
      from subscribers where site_id = ${siteId} and refused_runs > 0 and not is_test
      group by push_service order by refused desc, push_service`,
    on,
  );
}

/** Deletes at most `limit` subscribers of a site that are excluded. Returns how many were deleted. */
export async function deleteExcluded(on: Executor, siteId: string, limit: number): Promise<number> {
  const deleted = await row(
    sql<{ n: number }>`with gone as (
        delete from subscribers where site_id = ${siteId} and refused_runs >= ${maxRefusedRuns} and not is_test
          and id in (select id from subscribers where site_id = ${siteId} and refused_runs >= ${maxRefusedRuns}
            and not is_test limit ${limit})
        returning site_id, is_test),
      counted as (${countLeft("deleted", "gone")})
      select count(*) as n from gone`,
    on,
  );
  return deleted!.n;
}
