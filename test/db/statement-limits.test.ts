import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { App } from "../../src/app.ts";
import { type Database, type Executor, isDatabaseAway, openDatabase, row } from "../../src/db/pool.ts";
import { openTestApp } from "../fixtures/app.ts";

let app: App;

beforeAll(async () => {
  app = await openTestApp();
  await sql`create table notes (text text)`.execute(app.db);
});

/** Ends the remaining statements, because PostgreSQL continues a statement after its client has left. */
afterAll(async () => {
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and query like '%pg_sleep(%' and pid <> pg_backend_pid()`.execute(app.db);
});

type Opening = Pick<Parameters<typeof openDatabase>[0], "limits" | "prepared">;

/** Runs `work` with a database of one connection. */
async function withDatabase(opening: Opening, work: (db: Database) => Promise<void>): Promise<void> {
  const { connection, log } = app;
  const db = openDatabase({ connection, log, poolMax: 1, applicationName: "test", ...opening });
  try {
    await work(db);
  } finally {
    await db.destroy();
  }
}

/** The shortest limits that work on a busy machine, where a process may stall for two seconds. */
const shortLimits = { statementMs: 4_000, lockMs: 100 };

async function processId(on: Executor): Promise<number> {
  return (await row(sql<{ pid: number }>`select pg_backend_pid() as pid`, on))!.pid;
}

const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );

test("a statement without an answer in time fails, and its connection is replaced", () =>
  withDatabase({ limits: shortLimits }, async (db) => {
    const before = await processId(db);
    expect(isDatabaseAway(await failureOf(sql`select pg_sleep(60)`.execute(db)))).toBe(true);
    expect(await processId(db)).not.toBe(before);
  }));

test("a transaction with such a statement fails as a whole, and its connection is replaced", () =>
  withDatabase({ limits: shortLimits }, async (db) => {
    let before = 0;
    const lost = db.transaction().execute(async (tx) => {
      before = await processId(tx);
      await sql`insert into notes values ('lost')`.execute(tx);
      await sql`select pg_sleep(60)`.execute(tx);
    });
    expect(isDatabaseAway(await failureOf(lost))).toBe(true);
    expect((await sql`select from notes`.execute(db)).rows).toEqual([]);
    expect(await processId(db)).not.toBe(before);
  }));

test("a prepared statement is limited too", () =>
  withDatabase({ limits: shortLimits, prepared: "or warn" }, async (db) => {
    const sleep = (seconds: number) => sql`select pg_sleep(${seconds})`.execute(db);
    for (let i = 0; i < 2; i++) await sleep(0);
    expect(isDatabaseAway(await failureOf(sleep(60)))).toBe(true);
  }));

test("PostgreSQL ends a statement that waits too long for a lock; the connection stays", () =>
  withDatabase({ limits: { statementMs: 15_000, lockMs: 100 } }, async (db) => {
    const before = await processId(db);
    await app.db.transaction().execute(async (tx) => {
      await sql`lock table tenants in access exclusive mode`.execute(tx);
      const refused = await failureOf(sql`select from tenants`.execute(db));
      expect(refused).toMatchObject({ code: "55P03" });
      expect(isDatabaseAway(refused)).toBe(true);
    });
    expect(await processId(db)).toBe(before);
  }));

test("without limits, a statement waits for a lock without a timeout", () =>
  withDatabase({ limits: "none" }, async (db) => {
    expect((await sql`show lock_timeout`.execute(db)).rows).toEqual([{ lock_timeout: "0" }]);
  }));
