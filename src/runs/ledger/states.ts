import { sql } from "kysely";

/**
 * The states of a batch (docs/contributors/ledger.md), and what moves it out of each:
 *
 * waiting  Its wave has not opened. Opening makes it ready, or done where every reader is suppressed.
 * ready    Any worker may claim it.
 * open     A worker has claimed it. A flush leaves it open, ready, delayed or done; a lapsed lease lets another claim it.
 * delayed   Only retries are left, or its push service rests: claimed again at `not_before`.
 * done     Every recipient has a final code.
 */
export type BatchState = "waiting" | "ready" | "open" | "delayed" | "done";

/**
 * SQL condition: batch `b` is neither waiting nor done. As a literal, because PostgreSQL uses the partial index
 * `claimable_batches` only where the query repeats its predicate.
 */
export const isClaimable = sql.raw("b.state in ('ready', 'open', 'delayed')");

/** SQL condition: batch `b` waits for its wave. The predicate of the index `waiting_batches`. */
export const isWaiting = sql.raw("b.state = 'waiting'");
