import { sql } from "kysely";
import { type Database, type Executor, inTransaction, row, rows, type Tx } from "../db/pool.ts";
import { recordRun } from "../tracing.ts";
import { codeCountsOf, countCodes, type FinalCode, finalCode, isFinal, isUncertain } from "./codes.ts";
import { countCodesOfRun, countEntry } from "./count-codes.ts";
import {
  cappedHours,
  cappedLanes,
  type EndFacts,
  isOpenRun,
  lockRun,
  moveRun,
  type RunRef,
  sumsOfRun,
  writeTotals,
} from "./queries.ts";
import { type CodeCount, laneOfUnplanned } from "./run.ts";
import { closeSlices, expiredSlices, recordEnd } from "./slices/queries.ts";
import type { RunStatus } from "./states.ts";

/** How many batches that were claimed before are ended in one sweep of a run. */
const batchesPerPage = 200;

/**
 * Ends the batches of runs and slices that were stopped or have expired, then closes every run whose batches are all done.
 * Runs each second, so that it does not matter which worker finished last, or died. Returns the runs that it closed.
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
  for (const slice of await expiredSlices(db)) {
    await expireBatches(db, slice, sql`slice_at = ${slice.at}`);
    await recordEnd(db, slice);
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
 * Closes a run if it is planned to its end and all its batches are done: writes its totals and moves it to its final
 * state. Returns whether it did. Idempotent.
 */
export async function closeRun(on: Executor, run: RunRef): Promise<boolean> {
  if (!(await isDone(on, run))) return false;
  // Read before the lock: done batches never change.
  const codes = await countCodesOfRun(on, run);
  const { repeated } = await sumsOfRun(on, run);
  const closed = await inTransaction(on, async (tx) => {
    const record = await lockRun(tx, run);
    if (record === undefined || !record.planned) return undefined;
    if (!(await moveRun(tx, run, endOf(record)))) return undefined;
    await writeTotals(tx, run, { codes: [...codes, ...unplannedCodes(record)], repeated });
    if (record.hasSlices) await closeSlices(tx, run);
    return record;
  });
  if (closed !== undefined) recordRun(run, closed.createdAt, endOf(closed));
  return closed !== undefined;
}

/**
 * Closes a run with an audience of zero in the transaction of its send: there is nothing to plan, and no moment at which it
 * could be stopped.
 */
export async function closeEmptyRun(tx: Tx, run: RunRef): Promise<void> {
  await sql`update runs set planned_at = now() where site_id = ${run.siteId} and id = ${run.runId}`.execute(tx);
  await closeRun(tx, run);
}

/** A run whose site was removed has failed, also if it was stopped as well. */
function endOf({ status, siteRemoved, unplanned }: EndFacts): RunStatus {
  if (siteRemoved) return "failed";
  if (status === "stopping") return "stopped";
  return unplanned > 0 ? "failed" : "completed";
}

/** The recipients that are in no batch, because planning was given up. */
function unplannedCodes({ status, siteRemoved, unplanned }: EndFacts): CodeCount[] {
  const code = status === "stopping" || siteRemoved ? finalCode.stopped : finalCode.internal;
  return unplanned === 0 ? [] : [{ lane: laneOfUnplanned, code, n: unplanned }];
}

async function isDone(on: Executor, run: RunRef): Promise<boolean> {
  const state = await row(
    sql<{ done: boolean }>`select planned_at is not null and not exists (
        select from run_batches b where b.site_id = r.site_id and b.run_id = r.id and b.state <> 'done') as done
      from runs r where site_id = ${run.siteId} and id = ${run.runId} and ${isOpenRun("r")}`,
    on,
  );
  return state?.done ?? false;
}

/** Ends the batches of a run, or those of `which`, that have expired, apart where the push service limits the site. */
async function expireBatches(db: Database, run: RunRef, which = sql`true`): Promise<void> {
  const lanes = await cappedLanes(db, run.siteId, cappedHours);
  if (lanes.length > 0) await endBatches(db, run, finalCode.capped, sql`${which} and lane = any(${lanes}::text[])`);
  await endBatches(db, run, finalCode.expired, sql`${which} and lane <> all(${lanes}::text[])`);
}

/**
 * Ends the batches of a run without a live claim (an owner ends its own): those without any code in one statement,
 * the others by their codes. What is uncertain is not sent again, hence `unknown`. `which`: a condition of batches.
 */
async function endBatches(db: Database, run: RunRef, code: FinalCode, which = sql`true`): Promise<void> {
  const column = sql.raw(code === finalCode.stopped ? "not_sent" : "expired");
  await sql`update run_batches set state = 'done', codes = decode(repeat(to_hex(${code}::int), size), 'hex'),
      not_before = null, pending = 0, ${column} = size,
      code_counts = ${countEntry(sql`${code}::int`, sql`size`)}
    where site_id = ${run.siteId} and run_id = ${run.runId} and state in ('ready', 'parked') and attempt = 0
      and pending = size and ${which}`.execute(db);
  const claimedBefore = await rows(
    sql<{ no: number; attempt: number; codes: Buffer }>`select no, attempt, codes from run_batches
      where site_id = ${run.siteId} and run_id = ${run.runId} and state <> 'done'
        and (state in ('ready', 'parked') or lease_until < now()) and ${which} order by no limit ${batchesPerPage}`,
    db,
  );
  for (const batch of claimedBefore) await endClaimedBatch(db, run, batch, code);
}

async function endClaimedBatch(
  db: Database,
  run: RunRef,
  batch: { no: number; attempt: number; codes: Buffer },
  code: number,
): Promise<void> {
  const codes = endCodes(batch.codes, code);
  const counts = countCodes(codes);
  // The attempt rises as in a claim, so that an owner that comes back is fenced. The codes are compared because an owner
  // that is late, and not fenced yet, may have written outcomes since they were read: the next sweep reads those.
  await sql`update run_batches set state = 'done', attempt = attempt + 1, owner = null, lease_until = null,
      not_before = null, codes = ${codes}, pending = 0, accepted = ${counts.accepted}, gone = ${counts.gone},
      failed = ${counts.failed}, expired = ${counts.expired}, not_sent = ${counts.notSent}, unknown = ${counts.unknown},
      code_counts = ${codeCountsOf(codes)}
    where site_id = ${run.siteId} and run_id = ${run.runId} and no = ${batch.no} and attempt = ${batch.attempt}
      and codes = ${batch.codes} and (state in ('ready', 'parked') or (state = 'open' and lease_until < now()))`.execute(
    db,
  );
}

/**
 * Ends a batch that its owner cannot deliver because of a fault of ours: what was not tried has failed, what is uncertain
 * is `unknown`. Does nothing where the batch has another owner by now. The lease is set back to the past first, under the
 * fence: that is how `endClaimedBatch` recognises a batch without a live claim.
 */
export async function failBatch(db: Database, batch: RunRef & { no: number; attempt: number }): Promise<void> {
  const held = await row(
    sql<{ codes: Buffer }>`update run_batches set lease_until = now() - interval '1 millisecond'
      where site_id = ${batch.siteId} and run_id = ${batch.runId} and no = ${batch.no} and attempt = ${batch.attempt}
        and state = 'open' returning codes`,
    db,
  );
  if (held !== undefined) await endClaimedBatch(db, batch, { ...batch, codes: held.codes }, finalCode.internal);
  await closeRun(db, batch);
}

/** The codes with every code that is not final set to `code`, and uncertain ones to `unknown`. */
export function endCodes(codes: Buffer, code: number): Buffer {
  return Buffer.from(codes.map((old) => (isFinal(old) ? old : isUncertain(old) ? finalCode.uncertain : code)));
}
