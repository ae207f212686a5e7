import { sql } from "kysely";

/**
 * The states of a batch (docs/contributors/ledger.md), and what moves it out of each.
 * - waiting: Its wave has not opened. Opening makes it ready, or done if every reader is suppressed.
 * - ready: Any worker may claim it.
 * - open: A worker has claimed it. A flush leaves it open, ready, delayed or done. After its lease lapses, another
 *   worker may claim it.
 * - delayed: Only retries are left, or its push service rests. It is claimed again at `not_before`.
 * - done: Every recipient has a final code.
 */
export type BatchState = "waiting" | "ready" | "open" | "delayed" | "done";

/**
 * SQL condition: batch `b` is neither waiting nor done. The states are literals, because PostgreSQL uses the partial
 * index `claimable_batches` only if the query repeats its predicate.
 */
export const isClaimable = sql.raw("b.state in ('ready', 'open', 'delayed')");

/** SQL condition: batch `b` waits for its wave. It is the predicate of the index `waiting_batches`. */
export const isWaiting = sql.raw("b.state = 'waiting'");
