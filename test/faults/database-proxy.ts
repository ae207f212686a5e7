import { once } from "node:events";
import { type AddressInfo, connect, createServer, type NetConnectOpts, type Socket } from "node:net";
import type { Connection } from "../../src/db/pool.ts";
import { closeAfterFile } from "../fixtures/cleanup.ts";
import { urlOf } from "../fixtures/postgres.ts";
import type { Postgres } from "./own-postgres.ts";
import { completedOf, createMessageReader, createSqlReader, type PostgresMessage } from "./postgres-messages.ts";
import { createStatementHolder, type Hold } from "./statement-hold.ts";

/**
 * The moment at which the proxy stops a transaction: before its COMMIT reaches the database, or before the answer
 * reaches the service.
 */
export type Moment = "before commit" | "after commit";

/** A proxy between a process of the service and PostgreSQL. It forwards whole messages of the protocol. */
export type DatabaseProxy = {
  /** Returns the value for DATABASE_URL. */
  url(database: string): string;
  /** Closes every connection, and accepts new ones. */
  cut(): void;
  /** Forwards nothing in either direction until `resume`, like an unplugged cable. New connections get no answer. */
  hang(): void;
  resume(): void;
  /** Never forwards anything on the present connections again, but leaves them open. New connections work. */
  abandon(): void;
  /** Delays every answer of the database by `ms` from now on. */
  delay(ms: number): void;
  /**
   * Resolves at the COMMIT of the next transaction that ran SQL matching `pattern`, or of the `nth` such transaction.
   * The proxy forwards neither that message nor any later one on the connection. So the test has to kill the process
   * that waits for it.
   */
  reached(moment: Moment, pattern: RegExp, nth?: number): Promise<void>;
  /**
   * Holds the next statement outside of a transaction that matches `pattern`, and resets its connection to the service.
   * Resolves when the statement is held, with a function that forwards it. That function resolves when the database has
   * answered.
   */
  hold(pattern: RegExp): Promise<() => Promise<void>>;
  close(): Promise<void>;
};

type Trap = { moment: Moment; pattern: RegExp; left: number; spring: () => void };

/** Starts a proxy in front of `postgres` on a free port of loopback. */
export async function startDatabaseProxy({ connectionTo }: Postgres): Promise<DatabaseProxy> {
  const address = addressOf(connectionTo("any"));
  const traps = new Set<Trap>();
  const holds = new Set<Hold>();
  const pairs = new Set<Pair>();
  const state = { hanging: false, delayMs: 0 };
  const server = createServer((service) => {
    const database = connect(address);
    const pair = joinPair(service, database, { traps, holds }, state);
    pairs.add(pair);
    database.once("close", () => pairs.delete(pair));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const cut = () => {
    for (const pair of pairs) pair.end();
  };
  return {
    url(database) {
      const url = new URL(urlOf(connectionTo(database)));
      url.host = `127.0.0.1:${port}`;
      url.searchParams.delete("host");
      return url.href;
    },
    cut,
    hang() {
      state.hanging = true;
    },
    resume() {
      state.hanging = false;
      for (const pair of pairs) pair.resume();
    },
    abandon() {
      for (const pair of pairs) pair.abandon();
    },
    delay(ms) {
      state.delayMs = ms;
    },
    reached: (moment, pattern, nth = 1) =>
      new Promise((resolve) => {
        traps.add({ moment, pattern, left: nth, spring: resolve });
      }),
    hold: (pattern) =>
      new Promise((resolve) => {
        holds.add({ pattern, onHeld: resolve });
      }),
    close: closeAfterFile(async () => {
      cut();
      server.close();
      await once(server, "close");
    }),
  };
}

/** Returns the address on which the server of a connection listens. */
function addressOf(connection: Connection): NetConnectOpts {
  const { hostname, port, searchParams } = new URL(urlOf(connection));
  const folder = searchParams.get("host");
  if (folder === null) return { host: hostname, port: Number(port || 5432) };
  return { path: `${folder}/.s.PGSQL.${port || 5432}` };
}

type Pair = { resume(): void; abandon(): void; end(): void };

function joinPair(
  service: Socket,
  database: Socket,
  { traps, holds }: { traps: Set<Trap>; holds: Set<Hold> },
  state: { hanging: boolean; delayMs: number },
): Pair {
  const statements: string[] = [];
  const sqlOf = createSqlReader();
  const flow = { trapped: false };
  const holder = createStatementHolder(service, database, holds);
  const sprung = (moment: Moment): boolean => {
    for (const trap of traps) {
      if (trap.moment !== moment || !statements.some((text) => trap.pattern.test(text))) continue;
      if (--trap.left > 0) continue;
      traps.delete(trap);
      flow.trapped = true;
      trap.spring();
      return true;
    }
    return false;
  };
  const up = createDirection(service, database, createMessageReader(true), flow, state, (message) => {
    const text = sqlOf(message);
    if (holder.holds(message, text)) return false;
    if (text === undefined) return true;
    if (/^begin|^start transaction/i.test(text)) statements.length = 0;
    if (/^commit/i.test(text) && sprung("before commit")) return false;
    statements.push(text);
    return true;
  });
  const down = createDirection(database, service, createMessageReader(false), flow, state, (message) => {
    holder.see(message);
    return completedOf(message) !== "COMMIT" || !sprung("after commit");
  });
  const end = () => {
    service.destroy();
    database.destroy();
  };
  const endUnlessHeld = () => {
    if (!holder.isHolding()) end();
  };
  service.on("error", endUnlessHeld).on("close", endUnlessHeld);
  database.on("error", end).on("close", end);
  return {
    end,
    abandon() {
      flow.trapped = true;
    },
    resume() {
      up();
      down();
    },
  };
}

/**
 * Forwards whole messages for which `passes` returns true. Returns a function that forwards the messages held so far.
 */
function createDirection(
  from: Socket,
  to: Socket,
  reader: { push(bytes: Buffer): PostgresMessage[] },
  flow: { trapped: boolean },
  state: { hanging: boolean; delayMs: number },
  passes: (message: PostgresMessage) => boolean,
): () => void {
  const held: PostgresMessage[] = [];
  let lastDueMs = 0;
  const flush = () => {
    while (held.length > 0 && !state.hanging && !flow.trapped) {
      const message = held.shift()!;
      if (passes(message)) to.write(message.bytes);
    }
  };
  from.on("data", (bytes: Buffer) => {
    const messages = reader.push(bytes);
    const forward = () => {
      held.push(...messages);
      flush();
    };
    // The later moment keeps the order of the messages, even after the delay was shortened.
    const nowMs = performance.now();
    lastDueMs = Math.max(lastDueMs, nowMs + state.delayMs);
    if (lastDueMs > nowMs) setTimeout(forward, Math.ceil(lastDueMs - nowMs));
    else forward();
  });
  return flush;
}
