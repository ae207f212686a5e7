import { sql } from "kysely";
import { type Executor, row, rows } from "../../db/pool.ts";
import type { Subscriber } from "../../subscribers/queries.ts";
import type { RunRef } from "../queries.ts";
import { leaseSeconds } from "./claim-batch.ts";
import { encodeCodeCounts } from "./code-counts.ts";
import { countCodes, countUnanswered } from "./codes.ts";
import { type RunSignal, signalOfRun } from "./run-signal.ts";
import { type RunSize, sizeOfRun } from "./run-size.ts";

/** How a flush leaves the batch: still claimed, ready for any worker, delayed until its retries are due, or done. */
export type BatchEnd = { state: "open" | "ready" | "done" } | { state: "delayed"; afterMs: number };

/** A claim of a batch. `attempt` is its fence. */
type Claim = RunRef & { no: number; attempt: number };

/**
 * The fields that a flush writes. `flushNo` rises with each try of each flush of a claim. If the answer to a try was
 * lost, the try may reach PostgreSQL after later ones, whose codes are newer.
 */
export type BatchWrite = { flushNo: number; codes: Buffer; repeated: number; end: BatchEnd };

/** The result of a flush. `isRepeated`: an earlier try, whose answer was lost, has ended the batch. */
export type Flushed = RunSize & { signal: RunSignal; isRepeated: boolean };

const fenced: Flushed = { signal: "fenced", isRepeated: false, recipientsOfRun: 0, batchesOfRun: 0 };

/**
 * Writes a batch in one statement: its codes, the lease, and its end if it has come. Returns whether to continue. If
 * the answer to an end was lost, the end is written again. A flush that arrives after a later flush of its claim is
 * fenced.
 */
export async function flushBatch(on: Executor, claim: Claim, owner: string, write: BatchWrite): Promise<Flushed> {
  return (await row(writeBatch(claim, owner, write), on)) ?? fenced;
}

/**
 * Writes a batch like `flushBatch`, with the intents of the next sub-batch in the codes. The same statement reads which
 * of `next` (ids) are still subscribers. A POST may start only after this has returned "go".
 */
export async function flushIntents(
  on: Executor,
  claim: Claim,
  owner: string,
  write: BatchWrite,
  next: number[],
): Promise<Flushed & { found: Subscriber[] }> {
  const read = await rows(
    sql<Flushed & (Subscriber | { id: null })>`with flushed as (${writeBatch(claim, owner, write)})
      select flushed.*, s.id, s.merged_ids as "mergedIds", s.endpoint, s.p256dh, s.auth, s.refused_runs as "refusedRuns",
        s.registered as "isRegistered", s.accepted as "hasAccepted"
      from flushed left join subscribers s on s.site_id = ${claim.siteId} and s.id = any(${next}::bigint[])`,
    on,
  );
  const found = read.filter((reader): reader is Subscriber & Flushed => reader.id !== null);
  const { signal, isRepeated, recipientsOfRun, batchesOfRun } = read[0] ?? fenced;
  return { signal, isRepeated, recipientsOfRun, batchesOfRun, found };
}

function writeBatch(batch: Claim, owner: string, write: BatchWrite) {
  const { pending, accepted, gone, failed, expired, notSent, unknown } = countCodes(write.codes);
  const isOpen = write.end.state === "open";
  const delayedMs = write.end.state === "delayed" ? write.end.afterMs : null;
  // The condition does not name `state`, because a batch with an owner is open. With `state`, PostgreSQL would scan the
  // index of open batches while the table is small, instead of reading this row. A repeated end keeps the number of the
  // first try.
  return sql<Flushed>`update run_batches b set flush_no = case when b.owner is null then b.flush_no else ${write.flushNo} end, codes = ${write.codes}, repeated = ${write.repeated},
        pending = ${pending}, accepted = ${accepted}, gone = ${gone}, failed = ${failed}, expired = ${expired},
        not_sent = ${notSent}, unknown = ${unknown}, code_counts = ${encodeCodeCounts(write.codes)},
        unanswered = ${countUnanswered(write.codes)}, state = ${write.end.state},
        crashes = case when ${pending} < b.pending then 0 else b.crashes end,
        owner = case when ${isOpen} then b.owner end,
        lease_until = case when ${isOpen} then now() + make_interval(secs => ${leaseSeconds}) end,
        not_before = now() + ${delayedMs}::float8 * interval '1 millisecond'
      from runs r join sites s on s.id = r.site_id join tenants t on t.id = r.tenant_id
      where b.site_id = ${batch.siteId} and b.run_id = ${batch.runId} and b.no = ${batch.no}
        and b.attempt = ${batch.attempt}
        and (b.owner = ${owner} or (b.owner is null and b.state = ${write.end.state}))
        and b.flush_no <= ${write.flushNo}
        and r.site_id = b.site_id and r.id = b.run_id
      returning ${signalOfRun} as signal, b.flush_no < ${write.flushNo} as "isRepeated", ${sizeOfRun}`;
}
