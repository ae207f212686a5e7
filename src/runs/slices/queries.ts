import { sql } from "kysely";
import { type Executor, row, rows, type Tx } from "../../db/pool.ts";
import { finalCode } from "../codes.ts";
import { countEntry } from "../count-codes.ts";
import { isOpenRun, type RunRef } from "../queries.ts";
import type { RunKind, RunMessage } from "../run.ts";
import type { SliceRecord } from "./slices.ts";

/**
 * Added to the rank of a batch until its slice is released. Claims look at the ranks of readers alone, so that thousands of
 * waiting batches cost them nothing.
 */
export const waitingRank = 10;

/** SQL condition: a batch waits for the moment of its slice. The index waiting_batches has this literal. */
export const waitsForSlice = sql.raw(`rank >= ${waitingRank} and state = 'parked'`);

/** The key of a slice. */
export type SliceRef = RunRef & { at: Date };

/** A slice whose moment has come, with what its readers are judged by. */
export type DueSlice = SliceRef & { campaignId: string | null; kind: RunKind; message: RunMessage };

/** SQL: the slices `v` that are due, in runs `r` that are neither paused nor stopped. */
const dueSlices = sql`run_slices v join runs r on r.site_id = v.site_id and r.id = v.run_id
    join sites s on s.id = r.site_id join tenants t on t.id = r.tenant_id
  where v.released_at is null and v.ended_at is null and v.at <= now() and v.expires_at > now()
    and r.status = 'sending' and s.paused_at is null and s.removed_at is null and t.paused_at is null`;

/** Returns the slices that are due and not released, the longest due first. */
export function readDueSlices(on: Executor): Promise<SliceRef[]> {
  return rows(
    sql<SliceRef>`select v.site_id as "siteId", v.run_id as "runId", v.at from ${dueSlices} order by v.at`,
    on,
  );
}

/** Locks a slice until the transaction ends. Undefined: it is no longer due, or another process has it. */
export function lockDueSlice(tx: Tx, { siteId, runId, at }: SliceRef): Promise<DueSlice | undefined> {
  return row(
    sql<DueSlice>`select v.site_id as "siteId", v.run_id as "runId", v.at, r.campaign_id as "campaignId", r.kind, r.message
      from ${dueSlices} and v.site_id = ${siteId} and v.run_id = ${runId} and v.at = ${at}
      for update of v skip locked`,
    tx,
  );
}

/** Locks the next waiting batches of a slice, at most `limit`. Returns their numbers. */
export async function lockWaitingBatches(tx: Tx, slice: SliceRef, limit: number): Promise<number[]> {
  const locked = await rows(
    sql<{ no: number }>`select no from run_batches where site_id = ${slice.siteId} and run_id = ${slice.runId}
        and slice_at = ${slice.at} and ${waitsForSlice}
      order by no limit ${limit} for update`,
    tx,
  );
  return locked.map(({ no }) => no);
}

/** Records that all batches of a slice were handed to the workers. */
export async function recordRelease(tx: Tx, { siteId, runId, at }: SliceRef): Promise<void> {
  await sql`update run_slices set released_at = now()
    where site_id = ${siteId} and run_id = ${runId} and at = ${at}`.execute(tx);
}

/** The slices of open runs whose time to live is over. */
export function expiredSlices(on: Executor): Promise<SliceRef[]> {
  return rows(
    sql<SliceRef>`select v.site_id as "siteId", v.run_id as "runId", v.at
      from run_slices v join runs r on r.site_id = v.site_id and r.id = v.run_id
      where v.ended_at is null and v.expires_at <= now() and r.status = 'sending'`,
    on,
  );
}

/** Records the end of a slice once all its batches are done. */
export async function recordEnd(on: Executor, { siteId, runId, at }: SliceRef): Promise<void> {
  await sql`update run_slices set ended_at = now() where site_id = ${siteId} and run_id = ${runId} and at = ${at}
    and not exists (select from run_batches b where b.site_id = ${siteId} and b.run_id = ${runId} and b.slice_at = ${at}
      and b.state <> 'done')`.execute(on);
}

/**
 * Ends the slices of a run that is being closed, with what was accepted of each: its batches are deleted later. One that a
 * stop has cut off counts as never released, as it did not go out to its end.
 */
export async function closeSlices(tx: Tx, { siteId, runId }: RunRef): Promise<void> {
  const isCutOff = sql`position(decode(to_hex(${finalCode.stopped}::int), 'hex') in codes) > 0`;
  await sql`update run_slices v set ended_at = coalesce(v.ended_at, now()), accepted = coalesce(sums.accepted, 0),
      released_at = case when not coalesce(sums.is_cut_off, false) then v.released_at end
    from run_slices of_run left join (
        select slice_at, sum(accepted) as accepted, bool_or(${isCutOff}) as is_cut_off from run_batches
        where site_id = ${siteId} and run_id = ${runId} and slice_at is not null group by slice_at) sums
      on sums.slice_at = of_run.at
    where of_run.site_id = ${siteId} and of_run.run_id = ${runId}
      and v.site_id = of_run.site_id and v.run_id = of_run.run_id and v.at = of_run.at`.execute(tx);
}

/** The slices of a run, the first moment first. */
export function slicesOfRun(on: Executor, { siteId, runId }: RunRef): Promise<SliceRecord[]> {
  return rows(
    sql<SliceRecord>`select v.at, v.utc_offset as "utcOffset", v.readers, v.released_at as "releasedAt", v.ended_at as "endedAt",
        coalesce(sums.pending, 0)::float8 as pending, coalesce(v.accepted, sums.accepted, 0)::float8 as accepted
      from run_slices v left join (
          select slice_at, sum(pending) as pending, sum(accepted) as accepted from run_batches
          where site_id = ${siteId} and run_id = ${runId} and slice_at is not null group by slice_at) sums
        on sums.slice_at = v.at
      where v.site_id = ${siteId} and v.run_id = ${runId} order by v.at`,
    on,
  );
}

/**
 * Ends what waits for a moment that has passed, in all open runs, as perhaps sent: after a restore no one knows whether it
 * was. Returns the number of recipients.
 */
export async function endPassedSlices(tx: Tx): Promise<number> {
  const ended = await row(
    sql<{ n: number }>`with passed as (
        update run_slices v set ended_at = now() from runs r
        where r.site_id = v.site_id and r.id = v.run_id and ${isOpenRun("r")}
          and v.released_at is null and v.ended_at is null and v.at <= now()
        returning v.site_id, v.run_id, v.at),
      batches as (
        update run_batches b set state = 'done', codes = decode(repeat(to_hex(${finalCode.uncertain}::int), b.size), 'hex'), not_before = null, pending = 0,
          unanswered = 0, unknown = b.size,
          code_counts = ${countEntry(sql`${finalCode.uncertain}::int`, sql`b.size`)}
        from passed where b.site_id = passed.site_id and b.run_id = passed.run_id and b.slice_at = passed.at
          and ${waitsForSlice}
        returning b.size)
      select coalesce(sum(size), 0)::float8 as n from batches`,
    tx,
  );
  return ended!.n;
}
