import { sql } from "kysely";
import { type Database, type Executor, inTransaction, row, rows, type Tx } from "../db/pool.ts";
import { recordRun } from "../tracing.ts";
import { finalCode } from "./ledger/codes.ts";
import { countCodesOfRun, sumsOfRun } from "./ledger/counts.ts";
import { endBatches, expireBatches, writeTotals } from "./ledger/end-batches.ts";
import { isClaimable, isWaiting } from "./ledger/states.ts";
import { closeWaves, expiredWaves, recordWaveEnd } from "./ledger/waves.ts";
import { type EndFacts, isOpenRun, lockRun, moveRun, type RunRef } from "./queries.ts";
import { type CodeCount, pushServiceOfUnplanned } from "./run.ts";
import type { RunStatus } from "./states.ts";

/**
 * Ends the batches of runs and waves that were stopped or have expired, then closes every run whose batches
 * are all done. Runs each second, so that it does not matter which worker finished last or died. Returns the
 * runs that it closed.
 */
export async function sweepRuns(db: Database): Promise<RunRef[]> {
  const open = await rows(
    sql<RunRef & { ending: "stopped" | "expired" | null }>`select r.site_id as "siteId", r.id as "runId",
        case when r.status = 'stopping' or s.removed_at is not null then 'stopped'
          when r.expires_at <= now() then 'expired' end as ending
      from runs r join sites s on s.id = r.site_id
      where ${isOpenRun("r")} and (r.planned_at is not null or r.expires_at <= now())`,
    db,
  );
  for (const wave of await expiredWaves(db)) {
    await expireBatches(db, wave, sql`b.wave_no = ${wave.no}`);
    await recordWaveEnd(db, wave);
  }
  const closed: RunRef[] = [];
  for (const run of open) {
    if (run.ending === "stopped") await endBatches(db, run, finalCode.stopped);
    if (run.ending === "expired") await expireBatches(db, run);
    if (await closeRun(db, run)) closed.push(run);
  }
  return closed;
}

/**
 * Closes a run if its whole audience is planned and all its batches are done: writes its totals and moves it to its
 * final state. Returns whether it did. Idempotent.
 */
export async function closeRun(on: Executor, run: RunRef): Promise<boolean> {
  if (!(await isDone(on, run))) return false;
  // The codes are read before the lock, because done batches never change.
  const codes = await countCodesOfRun(on, run);
  const { repeated, reporting } = await sumsOfRun(on, run);
  const closed = await inTransaction(on, async (tx) => {
    const record = await lockRun(tx, run);
    if (record === undefined || !record.planned) return undefined;
    if (!(await moveRun(tx, run, endOf(record)))) return undefined;
    await writeTotals(tx, run, { codes: [...codes, ...unplannedCodes(record)], repeated, reporting });
    await closeWaves(tx, run);
    await sql`delete from run_lists where site_id = ${run.siteId} and run_id = ${run.runId}`.execute(tx);
    return record;
  });
  if (closed !== undefined) recordRun(run, closed.createdAt, endOf(closed));
  return closed !== undefined;
}

/**
 * Closes a run without recipients in the transaction of its send. There is nothing to plan, and no moment at which a
 * person could stop it.
 */
export async function closeEmptyRun(tx: Tx, run: RunRef): Promise<void> {
  await sql`update runs set planned_at = now() where site_id = ${run.siteId} and id = ${run.runId}`.execute(tx);
  await closeRun(tx, run);
}

/** Returns the final state of a run. A run whose site was removed has failed, even if it was stopped too. */
function endOf({ status, siteRemoved, unplanned }: EndFacts): RunStatus {
  if (siteRemoved) return "failed";
  if (status === "stopping") return "stopped";
  return unplanned > 0 ? "failed" : "completed";
}

/** Returns the codes of the recipients that are in no batch because planning was given up. */
function unplannedCodes({ status, siteRemoved, unplanned }: EndFacts): CodeCount[] {
  const code = status === "stopping" || siteRemoved ? finalCode.stopped : finalCode.internal;
  return unplanned === 0 ? [] : [{ pushService: pushServiceOfUnplanned, code, n: unplanned }];
}

async function isDone(on: Executor, run: RunRef): Promise<boolean> {
  const state = await row(
    sql<{ done: boolean }>`select planned_at is not null and not exists (
        select from run_batches b where b.site_id = r.site_id and b.run_id = r.id and ${isClaimable})
      and not exists (
        select from run_batches b where b.site_id = r.site_id and b.run_id = r.id and ${isWaiting}) as done
      from runs r where site_id = ${run.siteId} and id = ${run.runId} and ${isOpenRun("r")}`,
    on,
  );
  return state?.done ?? false;
}
