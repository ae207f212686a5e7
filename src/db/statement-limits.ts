import type pg from "pg";
import { hasWaitBudget, waitBudgetLeftMs } from "./wait-budget.ts";

/** How long a statement may take, and how long it may wait for a lock, in ms. */
export type StatementLimits = { statementMs: number; lockMs: number };

/**
 * The limit of a request's statement, in ms. A request is answered within 20 s (server.ts), and no statement of
 * `inTenant` runs longer than 10 s. So this limit only ends statements that PostgreSQL will not answer any more.
 */
const requestStatementMs = 15_000;

/**
 * Makes each statement of `client` fail if it is not answered within `statementMs`, and closes the connection.
 * Without this limit, a PostgreSQL that disappears without closing the connection (a failover, a cable) would block
 * the caller for the quarter of an hour in which the kernel retransmits. A transaction fails as a whole, and the pool
 * replaces the connection. As after any lost connection, PostgreSQL may still finish the statement, until its own
 * slightly longer limit ends it (session-settings.ts).
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
 * budget. Sets the limit by a statement of its own, and only when it changes. Do not call this for a connection through
 * a pooler, because the setting may stay with another client (pooled-client.ts).
 */
export async function limitLocks(client: pg.ClientBase, lockMs: number): Promise<void> {
  const limitMs = lockLimitNow(lockMs);
  if (lockLimits.get(client) === limitMs) return;
  await client.query(`set lock_timeout = ${limitMs}`);
  lockLimits.set(client, limitMs);
}

/** The step to which lock limits are rounded up, so that a limit seldom changes. */
const lockStepMs = 500;

/** Returns the lock limit of a transaction or statement that begins now, in ms; at least 1. */
export function lockLimitNow(lockMs: number): number {
  if (!hasWaitBudget()) return lockMs;
  return Math.min(lockMs, Math.max(1, Math.ceil(waitBudgetLeftMs() / lockStepMs)) * lockStepMs);
}
