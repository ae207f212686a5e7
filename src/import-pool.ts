import type pg from "pg";
import { type Connection, openClients } from "./db/pool.ts";
import { appError } from "./errors.ts";
import type { Logger } from "./log.ts";
import { createSlots } from "./slots.ts";

/** The connections and turns of imports, which need COPY and VACUUM. */
export type ImportPool = {
  /**
   * Runs `work` when it is its tenant's turn. At most one import of a tenant, and two imports in all, run at a time.
   * With the `signal` of a request, waits at most 10 s. Throws `unavailable` after that, or if `signal` is aborted,
   * and `rate_limited` if four imports of the tenant are already waiting. Without `signal`, waits as long as
   * necessary.
   */
  inTurn<T>(tenantId: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T>;
  /** Runs `work` on a connection, which is closed if `work` throws. */
  withClient<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T>;
  /**
   * Runs a statement in the background, at most once a minute. All calls within that time share one execution. Logs a
   * failure.
   */
  later(statement: string): void;
  /** Ends all connections. Interrupts a running statement of `later`. */
  close(): Promise<void>;
};

/** The most imports at once in a process. The statement of `later` uses one more connection. */
export const maxImports = 2;
/** The most import connections of a process. */
export const importConnections = maxImports + 1;
/** The most requests of one tenant that wait for their turn. Each waiting request holds its data in memory. */
export const maxWaiting = 4;
export const maxWaitMs = 10_000;
const laterEveryMs = 60_000;

type Options = { connection: Connection; log: Logger; everyMs?: number };

/** Opens the pool. `connection`: without a pooler, if there is one. `everyMs`: for tests. */
export function createImportPool({ connection, log, everyMs = laterEveryMs }: Options): ImportPool {
  const pool = openClients({ connection, log, applicationName: "pressbell import" }, importConnections);
  const turns = createTurns();

  async function withClient<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    const client = await pool.connect();
    try {
      const result = await work(client);
      client.release();
      return result;
    } catch (error) {
      client.release(true);
      throw error;
    }
  }

  const { later, stop } = createBackground({ withClient, log, everyMs });

  async function close(): Promise<void> {
    await stop();
    await pool.end();
  }

  return { inTurn: turns, withClient, later, close };
}

function createTurns(): ImportPool["inTurn"] {
  const slots = createSlots({ maxConcurrent: maxImports, maxPerRequester: 1 });
  const waiting = new Map<string, number>();
  const never = new AbortController().signal;

  /** Waits for the turn of a request. Throws if the turn does not come in time. */
  async function waitShortly(tenantId: string, signal: AbortSignal): Promise<void> {
    const others = waiting.get(tenantId) ?? 0;
    if (others >= maxWaiting) throw tooMany();
    waiting.set(tenantId, others + 1);
    const ending = new AbortController();
    const end = () => ending.abort();
    const timer = setTimeout(end, maxWaitMs);
    signal.addEventListener("abort", end);
    if (signal.aborted) end();
    try {
      if (!(await slots.acquire(tenantId, ending.signal))) throw appError("unavailable");
    } finally {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      const left = waiting.get(tenantId)! - 1;
      if (left === 0) waiting.delete(tenantId);
      else waiting.set(tenantId, left);
    }
  }

  return async (tenantId, work, signal) => {
    if (signal === undefined) await slots.acquire(tenantId, never);
    else await waitShortly(tenantId, signal);
    try {
      return await work();
    } finally {
      slots.release(tenantId);
    }
  };
}

function tooMany() {
  return appError("rate_limited", {
    message:
      "Imports of this publisher are taken one after the other, and four wait already. Send this part again later.",
    limit: "imports",
    retryAfterSeconds: 5,
  });
}

type Background = Pick<ImportPool, "withClient"> & { log: Logger; everyMs: number };

function createBackground({ withClient, log, everyMs }: Background) {
  const timers = new Map<string, NodeJS.Timeout>();
  const startedMs = new Map<string, number>();
  let running: Promise<void> = Promise.resolve();
  let client: pg.PoolClient | undefined;
  let isStopped = false;

  async function run(statement: string): Promise<void> {
    if (isStopped) return;
    startedMs.set(statement, performance.now());
    try {
      await withClient((taken) => {
        client = taken;
        return taken.query(statement);
      });
    } catch (error) {
      if (!isStopped) log.warn({ err: error }, "a background statement of imports failed");
    } finally {
      client = undefined;
    }
  }

  function later(statement: string): void {
    if (isStopped || timers.has(statement)) return;
    const waitMs = (startedMs.get(statement) ?? -everyMs) + everyMs - performance.now();
    const start = () => {
      timers.delete(statement);
      running = running.then(() => run(statement));
    };
    timers.set(statement, setTimeout(start, Math.max(0, waitMs)).unref());
  }

  async function stop(): Promise<void> {
    isStopped = true;
    for (const timer of timers.values()) clearTimeout(timer);
    client?.connection.stream.destroy();
    await running;
  }

  return { later, stop };
}
