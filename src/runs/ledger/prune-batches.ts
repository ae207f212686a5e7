import { sql } from "kysely";
import { type Executor, row, rows, type Tx } from "../../db/pool.ts";
import type { MaintenanceTask } from "../../maintenance.ts";
import { deleteEndedWelcomes } from "../../subscribers/welcome-queries.ts";
import type { RunRef } from "../queries.ts";

const batchesPerPiece = 200;

/**
 * Returns the maintenance task that deletes the batches of a run `days` after its end (RECIPIENT_DAYS). This deletes
 * the subscriber of each position, its code, and its receipt bits. The run's figures stay in its totals and hours.
 */
export function pruneBatches(days: number): MaintenanceTask {
  return {
    name: "batches of old runs",
    async sweep(tx) {
      const run = await runToExpire(tx, days);
      if (run === undefined) return { removed: 0, at: null };
      return { removed: await deleteBatches(tx, run, batchesPerPiece), at: "on" };
    },
  };
}

/** Returns a run that ended more than `days` ago and still has batches. */
function runToExpire(on: Executor, days: number): Promise<RunRef | undefined> {
  return row(
    sql<RunRef>`select site_id as "siteId", id as "runId" from runs
      where finished_at < now() - make_interval(days => ${days}) and pruned_at is null order by finished_at limit 1`,
    on,
  );
}

/**
 * Deletes the next batches of a run, no more than `limit`, with their recipients and receipt bits. After the last
 * batch it also deletes the list of readers who closed the run's notification and the welcomes that ended with it,
 * and marks the run. Returns how many batches were deleted.
 */
async function deleteBatches(on: Executor, run: RunRef, limit: number): Promise<number> {
  const deleted = await rows(
    sql`delete from run_batches b using (
        select no from run_batches where site_id = ${run.siteId} and run_id = ${run.runId} order by no limit ${limit}) old
      where b.site_id = ${run.siteId} and b.run_id = ${run.runId} and b.no = old.no returning b.no`,
    on,
  );
  if (deleted.length < limit) {
    await sql`update runs set pruned_at = now() where site_id = ${run.siteId} and id = ${run.runId}`.execute(on);
    await sql`delete from interactions where site_id = ${run.siteId} and run_id = ${run.runId}`.execute(on);
    await deleteEndedWelcomes(on, run);
  }
  return deleted.length;
}

/**
 * The number in place of an erased reader, which no subscriber has. A list of recipients keeps its length, because
 * the position of a message in it must not change.
 */
const noReader = 0;

/** Removes the numbers of erased readers from all lists of recipients of a site, in one statement. */
export async function eraseRecipients(tx: Tx, siteId: string, ids: (number | string)[]): Promise<void> {
  await sql`update run_recipients r set subscriber_ids = array(
      select case when one.id = any(${ids}::bigint[]) then ${noReader} else one.id end
      from unnest(r.subscriber_ids) with ordinality as one (id, place) order by one.place)
    where r.site_id = ${siteId} and r.subscriber_ids && ${ids}::bigint[]`.execute(tx);
}
