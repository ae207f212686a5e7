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

test("a connection that is lost between two statements of a transaction fails that transaction and nothing else", async () => {
  const isNoted = new Promise<void>((resolve) => {
    onWarning = resolve;
  });
  const lost = db.transaction().execute(async (tx) => {
    const pid = await processIdOf(tx);
    await sql`select pg_terminate_backend(${pid})`.execute(app.db);
    await isNoted;
    await sql`select 1`.execute(tx);
  });
  await expect(lost).rejects.toThrow();
  expect(await row(sql<{ n: number }>`select 1 as n`, db)).toEqual({ n: 1 });
});

test("who closes his connections hears no more of them, also where PostgreSQL ends before it has read that they close", async () => {
  const warnings: unknown[] = [];
  const log = Object.assign(Object.create(app.log), { warn: (...words: unknown[]) => warnings.push(words) });
  const leaving = openDatabase({ connection: app.connection, poolMax: 1, applicationName: "leaving", log });
  const pid = await leaving.transaction().execute(processIdOf);
  // It wakes with both to read: that it must end, and that its client has gone.
  process.kill(pid, "SIGSTOP");
  await leaving.destroy();
  await sql`select pg_terminate_backend(${pid})`.execute(app.db);
  process.kill(pid, "SIGCONT");
  const isGone = async () => (await row(sql`select 1 from pg_stat_activity where pid = ${pid}`, app.db)) === undefined;
  await eventually(isGone);
  expect(warnings).toEqual([]);
});

test("what PostgreSQL has answered to is there after its crash, also where the database is set up to be faster than that", async () => {
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
