import { sql } from "kysely";
import { type Executor, row, rows } from "../../db/pool.ts";
import { isRateLimited } from "../push-services.ts";
import type { RunRef } from "../queries.ts";
import type { CodeCount, Waiting } from "../run.ts";
import { decodeCodeCounts } from "./code-counts.ts";
import { type Counts, isUncertain } from "./codes.ts";

export type RunSums = Counts & { repeated: number; reporting: number };

/**
 * Returns the sums of a run. While it is open, they come from its batches (10,000 rows for ten million recipients),
 * then from its totals.
 */
export async function sumsOfRun(on: Executor, run: RunRef): Promise<RunSums> {
  const sums = await row(
    sql<RunSums>`select pending, accepted, gone, failed, expired, not_sent as "notSent", unknown, repeated, reporting
      from run_sums where site_id = ${run.siteId} and run_id = ${run.runId}`,
    on,
  );
  return sums!;
}

/**
 * Returns how often each final code occurs in a run's batches, by push service. It is one statement: five thousand
 * batches take a few milliseconds.
 */
export async function countCodesOfRun(on: Executor, run: RunRef): Promise<CodeCount[]> {
  const found = await rows(
    sql<{
      pushService: string;
      bytes: Buffer;
    }>`select push_service as "pushService", string_agg(code_counts, '') as bytes from run_batches
      where site_id = ${run.siteId} and run_id = ${run.runId} group by push_service`,
    on,
  );
  return found.flatMap(({ pushService, bytes }) => {
    const counts = new Map<number, number>();
    for (const { code, n } of decodeCodeCounts(bytes)) counts.set(code, (counts.get(code) ?? 0) + n);
    return [...counts].map(([code, n]) => ({ pushService, code, n })).toSorted((a, b) => a.code - b.code);
  });
}

/** Returns how often each final code occurred, by push service. The totals are written when the run ends. */
export function totalsOfRun(on: Executor, run: RunRef): Promise<CodeCount[]> {
  return rows(
    sql<CodeCount>`select push_service as "pushService", code, n from run_totals where site_id = ${run.siteId} and run_id = ${run.runId}
      order by n desc, push_service, code`,
    on,
  );
}

/** Returns how many messages of an open run may have been posted: they have no outcome and are in claimed batches. */
export async function countUncertain(on: Executor, run: RunRef): Promise<number> {
  const claimed = await rows(
    sql<{ codes: Buffer }>`select codes from run_batches
      where site_id = ${run.siteId} and run_id = ${run.runId} and state <> 'done' and attempt > 0`,
    on,
  );
  return claimed.reduce((sum, { codes }) => sum + codes.filter(isUncertain).length, 0);
}

/**
 * Returns the recipients who wait in an open run, by push service. If a batch was delayed before all its recipients
 * were tried, it waits for its push service. The rest of the run on that push service then waits too. Batches that
 * wait for a wave do not count.
 */
export function waitingOfRun(on: Executor, run: RunRef): Promise<Waiting[]> {
  return rows(
    sql<Waiting>`with open as (
        select b.push_service, b.pending, b.state = 'delayed' or l.origin is not null as waits,
          bool_or(b.state = 'delayed' and position('\\x00'::bytea in b.codes) > 0) over (partition by b.push_service) as "pushServiceWaits",
          l.blocked_reason as "blockedReason", l.not_before as "restsUntil", ${isRateLimited} as "isRateLimited"
        from run_batches b
          left join site_push_services l on l.site_id = b.site_id and l.origin = b.push_service
            and (l.not_before > now() or l.blocked_reason is not null)
        where b.site_id = ${run.siteId} and b.run_id = ${run.runId} and b.state <> 'done' and b.pending > 0)
      select push_service as "pushService", sum(pending) as n, "blockedReason", "restsUntil", "isRateLimited" from open
      where waits or "pushServiceWaits"
      group by push_service, "blockedReason", "restsUntil", "isRateLimited" order by n desc, push_service`,
    on,
  );
}
