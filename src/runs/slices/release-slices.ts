import { type RawBuilder, sql } from "kysely";
import { notify } from "../../db/notices.ts";
import type { Database, Tx } from "../../db/pool.ts";
import { countEntry } from "../count-codes.ts";
import { judgeAudience } from "../kept-back.ts";
import {
  type DueSlice,
  lockDueSlice,
  lockWaitingBatches,
  readDueSlices,
  recordRelease,
  type SliceRef,
  waitingRank,
} from "./queries.ts";

/** Batches of a slice that are released in one transaction: as many recipients as a page of a plan has. */
const batchesAtOnce = 20;

/**
 * Hands the next batches of each slice whose moment has come to the workers, at most `atOnce` of a slice: between the
 * parts of a large one other runs are planned. Readers are judged now by what they have asked for (docs/decisions/0020):
 * when the run was planned it was another day or hour where they are. A process that dies leaves a batch either waiting or
 * released. Returns whether there may be more to release, and the errors of slices that could not be released, which hold
 * up no other.
 */
export async function releaseDueSlices(
  db: Database,
  atOnce = batchesAtOnce,
): Promise<{ hasMore: boolean; errors: unknown[] }> {
  const released = { hasMore: false, errors: [] as unknown[] };
  for (const slice of await readDueSlices(db)) {
    try {
      const hasMore = await db.transaction().execute((tx) => releaseNextBatches(tx, slice, atOnce));
      released.hasMore ||= hasMore;
    } catch (error) {
      released.errors.push(error);
    }
  }
  return released;
}

/** Returns whether there may be more to release. */
async function releaseNextBatches(tx: Tx, due: SliceRef, atOnce: number): Promise<boolean> {
  const slice = await lockDueSlice(tx, due);
  if (slice === undefined) return false;
  // Locked before they are judged: a stop ends them before that, or after the transaction.
  const numbers = await lockWaitingBatches(tx, slice, atOnce);
  const judged = await judgeAudience(tx, slice);
  if (judged === undefined) await releaseAll(tx, slice, numbers);
  else await releaseJudged(tx, slice, numbers, judged);
  if (numbers.length === atOnce) return true;
  await recordRelease(tx, slice);
  return false;
}

async function releaseAll(tx: Tx, { siteId, runId }: DueSlice, numbers: number[]): Promise<void> {
  await sql`with released as (
      update run_batches set state = 'ready', not_before = null, rank = rank - ${waitingRank}::int
      where site_id = ${siteId} and run_id = ${runId} and no = any(${numbers}::int[]) returning no)
    select ${notify("batches")} from released limit 1`.execute(tx);
}

/** The same where readers have asked for something: who is left out gets a final code in the place that they have. */
async function releaseJudged(
  tx: Tx,
  { siteId, runId }: DueSlice,
  numbers: number[],
  judged: RawBuilder<unknown>,
): Promise<void> {
  await sql`with page as materialized (
      select one.id, b.lane, b.no, one.position
      from run_batches b join run_recipients p on p.site_id = b.site_id and p.run_id = b.run_id and p.no = b.no
        cross join lateral unnest(p.subscriber_ids) with ordinality as one (id, position)
      where b.site_id = ${siteId} and b.run_id = ${runId} and b.no = any(${numbers}::int[])),
    ${judged},
    coded as (
      select page.no, count(j.code)::smallint as left_out,
        string_agg(decode(lpad(to_hex(coalesce(j.code, 0)), 2, '0'), 'hex'), ''::bytea order by page.position) as codes
      from page left join judged j on j.id = page.id group by page.no),
    entry as (
      select no, string_agg(${countEntry(sql`code`, sql`n`)}, ''::bytea order by code) as counts
      from (select page.no, j.code, count(*) as n from page join judged j on j.id = page.id group by page.no, j.code) by_code
      group by no),
    released as (
      update run_batches b set state = case when coded.left_out = b.size then 'done' else 'ready' end, not_before = null,
        rank = b.rank - ${waitingRank}::int, codes = coded.codes, not_sent = coded.left_out,
        code_counts = coalesce((select counts from entry where entry.no = b.no), ''),
        pending = b.size - coded.left_out, unanswered = b.size - coded.left_out
      from coded where b.site_id = ${siteId} and b.run_id = ${runId} and b.no = coded.no returning b.no)
    select ${notify("batches")} from released limit 1`.execute(tx);
}
