import { Kysely, type RawBuilder, sql, type Transaction } from "kysely";
import pg from "pg";
import type { Logger } from "../log.ts";
import { asksForPrimary, urlsOfHosts } from "./database-url.ts";
import { Dialect } from "./dialect.ts";
import type { PoolWatch } from "./pool-watch.ts";
import { isPooled, keepsPrepared, limitEachTransaction, openSession } from "./pooled-client.ts";
import { prepareStatements } from "./prepared-statements.ts";
import { clientOfPrimary } from "./primary.ts";
import { noLimits, type SessionLimits } from "./session-settings.ts";
import { limitLocks, limitStatements, lockLimitNow, type StatementLimits } from "./statement-limits.ts";
import { connectInShare, createTenantShares } from "./tenant-share.ts";
import { type ConnectionShare, connectionShare, waitBudgetLeftMs, waitWithinBudget } from "./wait-budget.ts";

/**
 * The database. Statements are hand-written `sql` in each folder's queries.ts, next to their row types. Kysely provides
 * parameters, transactions and migrations.
 */
export type Database = Kysely<unknown>;
export type Tx = Transaction<unknown>;
/** A database or a transaction, for queries that work inside and outside of a transaction. */
export type Executor = Database | Tx;

/** How to reach PostgreSQL: a URL of one or several hosts (database-url.ts), or the Unix socket of the embedded one. */
export type Connection =
  | { url: string }
  | { host: string; port: number; user: string; database: string; password?: string };

// Ids and counts stay below 2^53. As numbers, they need an eighth of the code that strings would need.
const int8 = 20;
const int8Array = 1016;
const asNumbers = new pg.TypeOverrides();
asNumbers.setTypeParser(int8, Number);
asNumbers.setTypeParser(int8Array, (text) => (text === "{}" ? [] : text.slice(1, -1).split(",").map(Number)));

/**
 * Returns a client of `connection` that is not connected yet. If there are several hosts, it will connect to the one
 * that takes writes. It returns int8 columns as numbers. `options` override the defaults.
 */
export function createClient(
  connection: Connection,
  applicationName: string,
  options: pg.ClientConfig = {},
): pg.Client {
  return new (clientClass(connection))({ ...clientOptions(connection, applicationName), ...options });
}

function clientClass(connection: Connection): typeof pg.Client {
  return "url" in connection && asksForPrimary(connection.url) ? clientOfPrimary(connection.url) : pg.Client;
}

const connectWithinMs = 5_000;

function clientOptions(connection: Connection, applicationName: string): pg.ClientConfig {
  // The URLs of several hosts differ only in host and port. The client chooses one when it connects.
  const address = "url" in connection ? { connectionString: urlsOfHosts(connection.url)[0]! } : connection;
  return {
    ...address,
    application_name: applicationName,
    types: asNumbers,
    connectionTimeoutMillis: connectWithinMs,
    keepAlive: true,
  };
}

/** The limits of small statements. They and their waits for locks end before the lease of a batch (batches.ts) does. */
const shortLimits: StatementLimits = { statementMs: 15_000, lockMs: 10_000 };

/** How long after the client's limit PostgreSQL ends a statement or a pausing transaction. Nobody waits for it. */
const afterClientMs = 5_000;

type DatabaseOptions = {
  connection: Connection;
  applicationName: string;
  log: Logger;
  limits?: StatementLimits | "none";
  prepared?: "if possible" | "or warn";
  /** The longest wait until a new connection is open or another one is free. By default 5 seconds. */
  connectWithinMs?: number;
};

const pooledText =
  "delivery cannot use prepared statements and costs more, because of a pooler such as PgBouncer in front of the " +
  "database: set DATABASE_URL_DIRECT to the database itself";

/**
 * The most connections of each share (wait-budget.ts) in a process that answers requests. `tenantMax`: the most
 * connections of a share that the requests of one tenant use at once.
 */
export const sharesOfProcess = { poolMax: 10, readersMax: 3, reservedMax: 2, tenantMax: 3 };

/** The pools of a database, by share. A share without connections of its own has the general pool. */
type Pools = Record<ConnectionShare, pg.Pool>;

/**
 * Opens a pool of at most `poolMax` connections. A lost connection is logged and replaced, and is never fatal.
 * `readersMax` and `reservedMax`: further connections for these shares only; by default all share the pool.
 * `tenantMax`: the most connections of each share that one tenant's requests use at once, and at most one fewer than
 * the share has; by default there is no limit. `watch`: gets the pools and their waits. `limits`: by default those of
 * small statements; "none" is for work that may take any time. `prepared`: prepares repeated statements; "or warn"
 * warns if a pooler, such as an older PgBouncer, forbids that.
 */
export function openDatabase(
  options: DatabaseOptions & {
    poolMax: number;
    readersMax?: number;
    reservedMax?: number;
    tenantMax?: number;
    watch?: PoolWatch;
  },
): Database {
  const { limits = shortLimits, poolMax, readersMax, reservedMax, tenantMax, watch } = options;
  // While the pools close, PostgreSQL may end before it has read that we disconnect. That is no loss.
  let isEnding = false;
  const logLoss = (error: Error) => {
    if (!isEnding) options.log.warn({ err: error }, "a database connection was lost");
  };
  const general = openPool(options, poolMax, logLoss);
  const pools: Pools = {
    general,
    readers: readersMax === undefined ? general : openPool(options, readersMax, logLoss),
    reserved: reservedMax === undefined ? general : openPool(options, reservedMax, logLoss),
  };
  watch?.open(pools);
  const shares = tenantMax === undefined ? undefined : createTenantShares(pools, tenantMax);
  const end = async () => {
    isEnding = true;
    await Promise.all([...new Set(Object.values(pools))].map((pool) => pool.end()));
  };
  const poolWithinBudget = {
    options: general.options,
    connect: () => connectInShare(shares, () => connectTo(poolsOfCaller(pools), limits, watch)),
    end,
  };
  return new Kysely({ dialect: new Dialect({ pool: poolWithinBudget }) });
}

function openPool(
  { connection, applicationName, log, limits = shortLimits, prepared, ...options }: DatabaseOptions,
  max: number,
  logLoss: (error: Error) => void,
): pg.Pool {
  const pool = new pg.Pool({
    ...clientOptions(connection, applicationName),
    Client: clientClass(connection),
    connectionTimeoutMillis: options.connectWithinMs ?? connectWithinMs,
    max,
    onConnect: async (client) => {
      if (limits !== "none") limitStatements(client as pg.Client, limits.statementMs);
      const session = await openSession(client, serverLimits(limits));
      if (prepared !== undefined) {
        const onUnsupported = (err?: Error) => {
          if (prepared === "or warn") log.warn({ err }, pooledText);
        };
        if (session.isPooled && !(await keepsPrepared(client))) onUnsupported();
        else prepareStatements(client, onUnsupported);
      }
      if (session.isPooled) limitEachTransaction(client, () => serverLimits(limits));
    },
  });
  surviveLosses(pool, logLoss);
  return pool;
}

/** Returns the limits of a session that begins now. */
function serverLimits(limits: StatementLimits | "none"): SessionLimits {
  if (limits === "none") return noLimits;
  return { statementMs: limits.statementMs + afterClientMs, lockMs: lockLimitNow(limits.lockMs) };
}

function surviveLosses(pool: pg.Pool, logLoss: (error: Error) => void): void {
  // Without a listener for "error", a restart of PostgreSQL would end this process. The pool listens to its idle
  // clients only. A client that is lost between two statements of a transaction has no query that could fail, so its
  // "error" would end the process too.
  pool.on("connect", (client) => client.on("error", logLoss));
  // The pool repeats the errors of its idle clients, which logLoss has logged.
  pool.on("error", () => {});
}

/**
 * Opens a pool of at most `max` plain clients, for statements that Kysely does not support, such as COPY. They have
 * no limits, and behind a pooler no settings. An idle client is closed after a second.
 */
export function openClients(
  { connection, applicationName, log }: Pick<DatabaseOptions, "connection" | "applicationName" | "log">,
  max: number,
): pg.Pool {
  const pool = new pg.Pool({
    ...clientOptions(connection, applicationName),
    Client: clientClass(connection),
    max,
    idleTimeoutMillis: 1_000,
    allowExitOnIdle: true,
    onConnect: async (client) => void (await openSession(client)),
  });
  surviveLosses(pool, (error) => log.warn({ err: error }, "a database connection was lost"));
  return pool;
}

/** Returns the pools from which the caller may get its next connection, the preferred pool first. */
function poolsOfCaller({ general, readers, reserved }: Pools): pg.Pool[] {
  const share = connectionShare();
  if (share === "readers") return [readers];
  return share === "general" || reserved === general ? [general] : [general, reserved];
}

function hasFree(pool: pg.Pool): boolean {
  return pool.waitingCount === 0 && (pool.idleCount > 0 || pool.totalCount < pool.options.max);
}

/** Waits for a connection of any of `pools`, and releases the connections that come later. */
function connectFirst(pools: pg.Pool[]): Promise<pg.PoolClient> {
  let isTaken = false;
  const attempts = pools.map(async (pool) => {
    const client = await pool.connect();
    if (isTaken) {
      client.release();
      throw new Error("a connection of another pool was free first");
    }
    isTaken = true;
    return client;
  });
  return Promise.any(attempts).catch(({ errors }: AggregateError) => {
    throw errors[0];
  });
}

async function waitForFirst(pools: pg.Pool[], watch: PoolWatch | undefined): Promise<pg.PoolClient> {
  const sinceMs = performance.now();
  try {
    return await waitWithinBudget(connectFirst(pools));
  } finally {
    watch?.waited(performance.now() - sinceMs);
  }
}

/** Returns a free or a new connection at once, or else the next free one, within the request's wait budget. */
async function connectTo(
  pools: pg.Pool[],
  limits: StatementLimits | "none",
  watch: PoolWatch | undefined,
): Promise<pg.PoolClient> {
  const free = pools.find(hasFree);
  const client = await (free === undefined ? waitForFirst(pools, watch) : free.connect());
  try {
    if (limits !== "none" && !isPooled(client)) await limitLocks(client, limits.lockMs);
    return client;
  } catch (error) {
    client.release(error as Error);
    throw error;
  }
}

/**
 * Error classes and codes of a PostgreSQL that is away, restarting, read-only (25006: a standby, or a failover that
 * is not over), or too busy to finish in time.
 */
const awayPattern = /^(08|53|57|55P03|40001|40P01|25006|25P03)/;
const connectionErrors = new Set([
  ...["ECONNREFUSED", "ECONNRESET", "ECONNABORTED", "ENOENT", "EPIPE", "ETIMEDOUT"],
  ...["EHOSTUNREACH", "ENETUNREACH", "ENETDOWN", "ENOTFOUND", "EAI_AGAIN"],
]);

/** Messages of `pg`'s own errors, which have no code. "timeout expired": a connection did not open in time. */
const awayMessage =
  /timeout exceeded when trying to connect|timeout expired|Connection terminated|not queryable|Query read timeout/;

/** Returns whether an error means that the database cannot be used now, rather than that a statement is wrong. */
export function isDatabaseAway(error: unknown): boolean {
  const { code, message = "" } = (error ?? {}) as { code?: unknown; message?: string };
  if (typeof code === "string") return awayPattern.test(code) || connectionErrors.has(code);
  return awayMessage.test(message);
}

/** Runs `query` and returns its rows. */
export async function rows<Row>(query: RawBuilder<Row>, on: Executor): Promise<Row[]> {
  return (await query.execute(on)).rows;
}

/** Runs `query` and returns its first row; undefined if there is none. */
export async function row<Row>(query: RawBuilder<Row>, on: Executor): Promise<Row | undefined> {
  return (await query.execute(on)).rows[0];
}

/** Runs `work` in one transaction. If `on` is a transaction, uses it. */
export async function inTransaction<T>(on: Executor, work: (tx: Tx) => Promise<T>): Promise<T> {
  return on.isTransaction ? work(on as Tx) : on.transaction().execute(work);
}

/**
 * Runs `work` in one transaction for one tenant. Sets `app.tenant_id`, on which row-level security can rely. Limits
 * locks to the wait budget (wait-budget.ts) and statements to 10 s, so that neither blocks a request for long.
 */
export async function inTenant<T>(db: Database, tenantId: string, work: (tx: Tx) => Promise<T>): Promise<T> {
  return db.transaction().execute(async (tx) => {
    // A lock_timeout of 0 would mean no limit.
    const lockMs = Math.max(1, Math.ceil(waitBudgetLeftMs()));
    await sql`select set_config('app.tenant_id', ${tenantId}, true),
      set_config('lock_timeout', ${`${lockMs}ms`}, true), set_config('statement_timeout', '10s', true)`.execute(tx);
    return work(tx);
  });
}
