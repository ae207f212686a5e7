import type pg from "pg";
import { hasWaitBudget } from "./wait-budget.ts";

/** How long a statement may take, and how long it may wait for a lock meanwhile; in ms. */
export type StatementLimits = { statementMs: number; lockMs: number };

/**
 * Nobody waits longer for the answer to a request (server.ts), and no statement of `inTenant` runs longer than 10 s, so
 * that here only those are given up that nobody answers any more.
 */
const requestStatementMs = 15_000;

/**
 * Has `client` give up a statement that is not answered in time, and its connection with it: a PostgreSQL that has gone
 * without a word (a failover, a cable) would hold both for the quarter of an hour in which the kernel sends again. What
 * runs in a transaction fails with it, and the pool replaces the connection. What PostgreSQL still does of the statement
 * it does: as after any connection that is lost.
 */
export function limitStatements(client: pg.Client, statementMs: number): void {
  const query = client.query.bind(client) as (...asked: unknown[]) => Promise<unknown>;
  const giveUp = () => client.connection.stream.destroy(new Error("Query read timeout"));

  async function queryInTime(...asked: unknown[]): Promise<unknown> {
    const timer = setTimeout(giveUp, hasWaitBudget() ? Math.min(statementMs, requestStatementMs) : statementMs);
    try {
      return await query(...asked);
    } finally {
      clearTimeout(timer);
    }
  }

  client.query = queryInTime as typeof client.query;
}

const lockLimits = new WeakMap<pg.ClientBase, number>();

/**
 * Has the statements of `client` wait `lockMs` for a lock at most. By a statement, as PgBouncer refuses it as a parameter of
 * the connection, and only where it is a change. There, between transactions, it stays with a connection that another of
 * our processes may have next: each of them wants such a limit, and migrations set their own.
 */
export async function limitLocks(client: pg.ClientBase, lockMs: number): Promise<void> {
  if (lockLimits.get(client) === lockMs) return;
  await client.query(`set lock_timeout = ${lockMs}`);
  lockLimits.set(client, lockMs);
}
