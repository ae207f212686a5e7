import { sql } from "kysely";
import { beforeAll, expect, test } from "vitest";
import type { App } from "../../src/app.ts";
import { type Database, openDatabase, row, type Tx } from "../../src/db/pool.ts";
import { openTestApp } from "../fixtures/app.ts";
import { eventually } from "../fixtures/eventually.ts";

let app: App;
let db: Database;
let onWarning = () => {};

beforeAll(async () => {
  app = await openTestApp();
  const log = Object.assign(Object.create(app.log), { warn: () => onWarning() });
  db = openDatabase({ connection: app.connection, poolMax: 2, applicationName: "test", log });
  return () => db.destroy();
});

async function processIdOf(tx: Tx): Promise<number> {
  return (await row(sql<{ pid: number }>`select pg_backend_pid() as pid`, tx))!.pid;
}

test("a connection lost between two statements of a transaction fails only that transaction", async () => {
  const isLogged = new Promise<void>((resolve) => {
    onWarning = resolve;
  });
  const lost = db.transaction().execute(async (tx) => {
    const pid = await processIdOf(tx);
    await sql`select pg_terminate_backend(${pid})`.execute(app.db);
    await isLogged;
    await sql`select 1`.execute(tx);
  });
  await expect(lost).rejects.toThrow();
  expect(await row(sql<{ n: number }>`select 1 as n`, db)).toEqual({ n: 1 });
});

test("a closed pool logs no lost connection, also if PostgreSQL ends at the same moment", async () => {
  const warnings: unknown[] = [];
  const log = Object.assign(Object.create(app.log), { warn: (...args: unknown[]) => warnings.push(args) });
  const closing = openDatabase({ connection: app.connection, poolMax: 1, applicationName: "closing", log });
  const pid = await closing.transaction().execute(processIdOf);
  // When it continues, it finds both events at once: that it must end, and that its client has disconnected.
  process.kill(pid, "SIGSTOP");
  await closing.destroy();
  await sql`select pg_terminate_backend(${pid})`.execute(app.db);
  process.kill(pid, "SIGCONT");
  const isGone = async () => (await row(sql`select 1 from pg_stat_activity where pid = ${pid}`, app.db)) === undefined;
  await eventually(isGone);
  expect(warnings).toEqual([]);
});

test("commits survive a crash, also if the database sets synchronous_commit to off", async () => {
  const name = await row(sql<{ name: string }>`select current_database() as name`, app.db);
  const commitsOf = async (setting: string) => {
    await sql`alter database ${sql.id(name!.name)} set synchronous_commit = ${sql.lit(setting)}`.execute(app.db);
    const fresh = openDatabase({ connection: app.connection, poolMax: 1, applicationName: "test", log: app.log });
    const found = await row(sql<{ commits: string }>`select current_setting('synchronous_commit') as commits`, fresh);
    await fresh.destroy();
    return found!.commits;
  };
  expect(await commitsOf("off")).toBe("on");
  expect(await commitsOf("remote_apply")).toBe("remote_apply");
});
