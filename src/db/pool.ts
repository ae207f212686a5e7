import { Kysely, PostgresDialect, type RawBuilder, sql, type Transaction } from "kysely";
import pg from "pg";
import type { Logger } from "../log.ts";
import { prepareStatements } from "./prepared-statements.ts";
import { limitLocks, limitStatements, type StatementLimits } from "./statement-limits.ts";
import { hasWaitBudget, waitBudgetLeftMs, waitWithinBudget } from "./wait-budget.ts";

/**
 * The database. Statements are hand-written `sql` in each folder's queries.ts, with the row type beside them;
 * Kysely gives them parameters, transactions and migrations.
 */
export type Database = Kysely<unknown>;
export type Tx = Transaction<unknown>;
/** Either: a query does not care whether it runs in a transaction. */
export type Executor = Database | Tx;

/** Where PostgreSQL is: a URL, or the Unix socket of the embedded one. */
export type Connection = { url: string } | { host: string; port: number; user: string; database: string };

// Ids and counts stay below 2^53; as numbers they are an eighth of the code that strings would need.
const int8 = 20;
const int8Array = 1016;
const asNumbers = new pg.TypeOverrides();
asNumbers.setTypeParser(int8, Number);
asNumbers.setTypeParser(int8Array, (text) => (text === "{}" ? [] : text.slice(1, -1).split(",").map(Number)));

/** What a `pg` client needs to reach `connection`; counts arrive as numbers. */
export function clientOptions(connection: Connection, applicationName: string): pg.ClientConfig {
  const where = "url" in connection ? { connectionString: connection.url } : connection;
  return {
    ...where,
    application_name: applicationName,
    types: asNumbers,
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
  };
}

/** For small statements: given up when the lease (batches.ts) is over, which a lock must not outlast. */
const shortLimits: StatementLimits = { statementMs: 15_000, lockMs: 10_000 };

/**
 * Opens a pool of at most `poolMax` connections. A lost connection is logged and replaced, never fatal. `limits`: what a
 * statement may take; "none" for work that takes as long as it takes. `prepared`: for few statements that are sent again
 * and again.
 */
export function openDatabase(options: {
  connection: Connection;
  poolMax: number;
  applicationName: string;
  log: Logger;
  limits?: StatementLimits | "none";
  prepared?: boolean;
}): Database {
  const { limits = shortLimits } = options;
  const pool = new pg.Pool({
    ...clientOptions(options.connection, options.applicationName),
    max: options.poolMax,
    onConnect: async (client) => {
      if (limits !== "none") limitStatements(client as pg.Client, limits.statementMs);
      await awaitCommits(client);
    },
  });
  // Without a listener a restart of PostgreSQL would end this process. The pool listens to its idle clients only: one
  // that is lost between two statements of a transaction has no query to fail either, and would do the same.
  // At the end PostgreSQL may end too, before it has read that we go: that is no loss.
  let isEnding = false;
  const noteLoss = (error: Error) => {
    if (!isEnding) options.log.warn({ err: error }, "a database connection was lost");
  };
  pool.on("connect", (client) => client.on("error", noteLoss));
  const recordHubRefusal = (error: Error) =>
    options.log.warn(
      { err: error },
      "the database takes no prepared statements: delivery costs more; see DATABASE_URL_DIRECT",
    );
  if (options.prepared) pool.on("connect", (client) => prepareStatements(client, recordHubRefusal));
  // What it hears of its idle clients is noted already.
  pool.on("error", () => {});
  const end = () => {
    isEnding = true;
    return pool.end();
  };
  const patientPool = { options: pool.options, connect: () => connectTo(pool, limits), end };
  return new Kysely({ dialect: new PostgresDialect({ pool: patientPool }) });
}

/**
 * Where it is off, PostgreSQL forgets in a crash what it has answered to: intents, whose messages would go out again
 * with nobody counting them. What is stricter than "on" stays.
 */
async function awaitCommits(client: pg.ClientBase): Promise<void> {
  await client.query(`select set_config('synchronous_commit', 'on', false)
    where current_setting('synchronous_commit') = 'off'`);
}

/** A free connection, or a new one, at once; else the next that comes free, for as long as who asks has patience. */
async function connectTo(pool: pg.Pool, limits: StatementLimits | "none"): Promise<pg.PoolClient> {
  const isFree = pool.waitingCount === 0 && (pool.idleCount > 0 || pool.totalCount < pool.options.max);
  const client = await (isFree ? pool.connect() : waitWithinBudget(pool.connect()));
  try {
    if (limits !== "none") await limitLocks(client, lockMsNow(limits.lockMs));
    return client;
  } catch (error) {
    client.release(error as Error);
    throw error;
  }
}

/** Seldom another value has to be set so, and none that is too short for whom PgBouncer hands the connection next. */
const lockStepMs = 500;

/** How long a statement may wait for a lock now, ms: for a request what patience it has left, in steps; else `lockMs`. */
function lockMsNow(lockMs: number): number {
  if (!hasWaitBudget()) return lockMs;
  return Math.min(lockMs, Math.max(1, Math.ceil(waitBudgetLeftMs() / lockStepMs)) * lockStepMs);
}

/** PostgreSQL is away, restarting, or could not get to it in time: the classes and codes of its errors. */
const awayPattern = /^(08|53|57|55P03|40001|40P01)/;
const connectionErrors = new Set([
  ...["ECONNREFUSED", "ECONNRESET", "ECONNABORTED", "ENOENT", "EPIPE", "ETIMEDOUT"],
  ...["EHOSTUNREACH", "ENETUNREACH", "ENETDOWN", "ENOTFOUND", "EAI_AGAIN"],
]);

/** Whether an error says that the database could not be used just now, and not that the work was wrong. */
export function isDatabaseAway(error: unknown): boolean {
  const { code, message = "" } = (error ?? {}) as { code?: unknown; message?: string };
  if (typeof code === "string") return awayPattern.test(code) || connectionErrors.has(code);
  return /timeout exceeded when trying to connect|Connection terminated|not queryable|Query read timeout/.test(message);
}

/** The rows of `query`, in an array. */
export async function rows<Row>(query: RawBuilder<Row>, on: Executor): Promise<Row[]> {
  return (await query.execute(on)).rows;
}

/** The first row of `query`, or undefined. */
export async function row<Row>(query: RawBuilder<Row>, on: Executor): Promise<Row | undefined> {
  return (await query.execute(on)).rows[0];
}

/** Runs `work` in one transaction: the caller's, where there is one. */
export async function inTransaction<T>(on: Executor, work: (tx: Tx) => Promise<T>): Promise<T> {
  return on.isTransaction ? work(on as Tx) : on.transaction().execute(work);
}

/**
 * Runs `work` in one transaction for one tenant: the tenant is known to the database as `app.tenant_id`, so that
 * row-level security can stand behind it, and neither a lock nor a statement can hold a request for long (wait-budget.ts).
 */
export async function inTenant<T>(db: Database, tenantId: string, work: (tx: Tx) => Promise<T>): Promise<T> {
  return db.transaction().execute(async (tx) => {
    // 0 would mean no limit.
    const lockMs = Math.max(1, Math.ceil(waitBudgetLeftMs()));
    await sql`select set_config('app.tenant_id', ${tenantId}, true),
      set_config('lock_timeout', ${`${lockMs}ms`}, true), set_config('statement_timeout', '10s', true)`.execute(tx);
    return work(tx);
  });
}
