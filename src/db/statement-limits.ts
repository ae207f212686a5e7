import type pg from "pg";
import { hasWaitBudget, waitBudgetLeftMs } from "./wait-budget.ts";

/** How long a statement may take, and how long it may wait for a lock meanwhile; in ms. */
export type StatementLimits = { statementMs: number; lockMs: number };

/**
 * The limit of a request's statement, ms. A request is answered within 20 s (server.ts), and no statement of `inTenant`
 * runs longer than 10 s, so this limit only ends statements that PostgreSQL will not answer any more.
 */
const requestStatementMs = 15_000;

/**
 * Makes each statement of `client` fail if it is not answered within `statementMs`, and closes the connection. Without
 * this, a PostgreSQL that is gone without closing the connection (a failover, a cable) would block the caller for the
 * quarter of an hour in which the kernel retransmits. A transaction fails as a whole, and the pool replaces the
 * connection. PostgreSQL may still finish the statement, as after any lost connection, until its own limit ends it
 * (session-settings.ts), which is a little longer.
 */
export function limitStatements(client: pg.Client, statementMs: number): void {
  const query = client.query.bind(client) as (...args: unknown[]) => Promise<unknown>;
  const closeConnection = () => client.connection.stream.destroy(new Error("Query read timeout"));

  async function queryInTime(...args: unknown[]): Promise<unknown> {
    const limitMs = hasWaitBudget() ? Math.min(statementMs, requestStatementMs) : statementMs;
    const timer = setTimeout(closeConnection, limitMs);
    try {
      return await query(...args);
    } finally {
      clearTimeout(timer);
    }
  }

  client.query = queryInTime as typeof client.query;
}

const lockLimits = new WeakMap<pg.ClientBase, number>();

/**
 * Limits how long a statement of `client` waits for a lock: to `lockMs`, or to what is left of the request's wait
 * budget. The limit is set by a statement, and only when it changes. Not for a connection through a pooler, whose settings
 * may stay with another client (pooled-client.ts).
 */
export async function limitLocks(client: pg.ClientBase, lockMs: number): Promise<void> {
  const limitMs = lockLimitNow(lockMs);
  if (lockLimits.get(client) === limitMs) return;
  await client.query(`set lock_timeout = ${limitMs}`);
  lockLimits.set(client, limitMs);
}

/** Lock limits are rounded up to steps of this size: so the limit seldom changes. */
const lockStepMs = 500;

/** Returns the limit for locks that a transaction or statement has which begins now, in ms; at least 1. */
export function lockLimitNow(lockMs: number): number {
  if (!hasWaitBudget()) return lockMs;
  return Math.min(lockMs, Math.max(1, Math.ceil(waitBudgetLeftMs() / lockStepMs)) * lockStepMs);
}
