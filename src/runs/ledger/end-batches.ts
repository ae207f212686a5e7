import { sql } from "kysely";
import { type Database, type Executor, row, rows } from "../../db/pool.ts";
import { rateLimitedHours, rateLimitedPushServices } from "../push-services.ts";
import type { RunRef } from "../queries.ts";
import type { RunTotals } from "../run.ts";
import { codeCount, encodeCodeCounts, sameCodes } from "./code-counts.ts";
import { countCodes, type FinalCode, finalCode, isFinal, isUncertain } from "./codes.ts";

/** The most batches with an earlier claim that one sweep of a run ends. */
const batchesPerPage = 200;

/**
 * Ends the expired batches of a run that fulfil `which`. Recipients on a push service that limits the site get a
 * separate code.
 */
export async function expireBatches(db: Database, run: RunRef, which = sql`true`): Promise<void> {
  const pushServices = await rateLimitedPushServices(db, run.siteId, rateLimitedHours);
  if (pushServices.length > 0)
    await endBatches(db, run, finalCode.rateLimited, sql`${which} and b.push_service = any(${pushServices}::text[])`);
  await endBatches(db, run, finalCode.expired, sql`${which} and b.push_service <> all(${pushServices}::text[])`);
}

/**
 * Ends the batches of a run without a live claim. The owner of a live claim ends its batch itself. One statement ends
 * all batches that were never claimed. The others are ended code by code: uncertain messages are not sent again, so
 * they become `unknown`. `which`: a condition on batches.
 */
export async function endBatches(db: Database, run: RunRef, code: FinalCode, which = sql`true`): Promise<void> {
  const column = sql.raw(code === finalCode.stopped ? "not_sent" : "expired");
  const size = sql`b.size`;
  await sql`update run_batches b set state = 'done', codes = ${sameCodes(sql.lit(code), size)},
      not_before = null, pending = 0, unanswered = 0, ${column} = b.size, code_counts = ${codeCount(sql.lit(code), size)}
    where b.site_id = ${run.siteId} and b.run_id = ${run.runId} and b.state in ('waiting', 'ready', 'delayed')
      and b.attempt = 0 and b.pending = b.size and ${which}`.execute(db);
  const claimedBefore = await rows(
    sql<{ no: number; attempt: number; codes: Buffer }>`select b.no, b.attempt, b.codes from run_batches b
      where b.site_id = ${run.siteId} and b.run_id = ${run.runId} and b.state <> 'done'
        and (b.state <> 'open' or b.lease_until < now()) and ${which} order by b.no limit ${batchesPerPage}`,
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
  // The attempt rises as in a claim, so that an owner that comes back is fenced. The codes are compared because a late
  // owner that is not fenced yet may have written outcomes since they were read. The next sweep reads these.
  await sql`update run_batches set state = 'done', attempt = attempt + 1, owner = null, lease_until = null,
      not_before = null, codes = ${codes}, pending = 0, accepted = ${counts.accepted}, gone = ${counts.gone},
      failed = ${counts.failed}, expired = ${counts.expired}, not_sent = ${counts.notSent}, unknown = ${counts.unknown},
      code_counts = ${encodeCodeCounts(codes)}, unanswered = 0
    where site_id = ${run.siteId} and run_id = ${run.runId} and no = ${batch.no} and attempt = ${batch.attempt}
      and codes = ${batch.codes} and state <> 'done' and (state <> 'open' or lease_until < now())`.execute(db);
}

/** Returns the codes with every code that is not final set to `code`, and uncertain codes to `unknown`. */
export function endCodes(codes: Buffer, code: number): Buffer {
  return Buffer.from(codes.map((old) => (isFinal(old) ? old : isUncertain(old) ? finalCode.uncertain : code)));
}

/**
 * Ends a batch that its owner cannot deliver because of a fault in Pressbell. Untried messages become failed,
 * uncertain ones `unknown`. Does nothing if the batch has another owner by now. It first sets the lease to a moment
 * in the past, under the fence, because `endClaimedBatch` ends only batches without a live claim.
 */
export async function failBatch(db: Database, batch: RunRef & { no: number; attempt: number }): Promise<void> {
  const held = await row(
    sql<{ codes: Buffer }>`update run_batches set lease_until = now() - interval '1 millisecond'
      where site_id = ${batch.siteId} and run_id = ${batch.runId} and no = ${batch.no} and attempt = ${batch.attempt}
        and state = 'open' returning codes`,
    db,
  );
  if (held !== undefined) await endClaimedBatch(db, batch, { ...batch, codes: held.codes }, finalCode.internal);
}

/** Writes the totals of a run at its end. From then on its batches are no longer read. */
export async function writeTotals(on: Executor, run: RunRef, { codes, repeated, reporting }: RunTotals): Promise<void> {
  await sql`update runs set repeated = ${repeated}, reporting = ${reporting} where site_id = ${run.siteId} and id = ${run.runId}`.execute(
    on,
  );
  await sql`insert into run_totals (site_id, run_id, push_service, code, n)
    select ${run.siteId}, ${run.runId}, push_service, code, n
    from unnest(${codes.map((c) => c.pushService)}::text[], ${codes.map((c) => c.code)}::smallint[],
      ${codes.map((c) => c.n)}::bigint[]) as totals (push_service, code, n)`.execute(on);
}
