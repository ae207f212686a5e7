import { sql } from "kysely";
import { beforeAll, expect, test } from "vitest";
import type { App } from "../../src/app.ts";
import { inCopyTx } from "../../src/backup/copy-session.ts";
import { type Database, isDatabaseAway, openClients, openDatabase, row, type Tx } from "../../src/db/pool.ts";
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
  // When it continues, it finds both events at once: it must end, and its client has disconnected.
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

/** Settings of a server, a database or a role that would harm the service. */
const hurtful = {
  jit: "on",
  plan_cache_mode: "force_generic_plan",
  statement_timeout: "9s",
  lock_timeout: "9s",
  idle_in_transaction_session_timeout: "9s",
  idle_session_timeout: "9s",
  default_transaction_isolation: "serializable",
  timezone: "Pacific/Apia",
  datestyle: "German, DMY",
};

const readSettings = `select json_object_agg(lower(name), setting) as found from pg_settings
  where lower(name) in (${Object.keys(hurtful).map((name) => `'${name}'`)})`;

type Found = { found: Record<string, string> };

const ofEachTransaction = { jit: "off", plan_cache_mode: "auto", timezone: "UTC", datestyle: "ISO, YMD" };
const ofEachSession = {
  ...ofEachTransaction,
  default_transaction_isolation: "read committed",
  idle_session_timeout: "0",
};

function limited(statementMs: number, lockMs: number) {
  const [statement, lock] = [String(statementMs), String(lockMs)];
  return { statement_timeout: statement, idle_in_transaction_session_timeout: statement, lock_timeout: lock };
}

/** Opens the app on a database whose sessions begin with harmful settings. */
async function openHurtful(): Promise<App> {
  const other = await openTestApp();
  const name = await row(sql<{ name: string }>`select current_database() as name`, other.db);
  for (const [setting, value] of Object.entries(hurtful))
    await sql`alter database ${sql.id(name!.name)} set ${sql.id(setting)} = ${sql.lit(value)}`.execute(other.db);
  return other;
}

test("sessions set what they depend on, whatever the database begins them with", async () => {
  const { connection, log } = await openHurtful();
  const settingsWith = async (limits: "none" | undefined) => {
    const fresh = openDatabase({ connection, poolMax: 1, applicationName: "test", log, ...(limits && { limits }) });
    const { found } = (await row(sql.raw<Found>(readSettings), fresh))!;
    await fresh.destroy();
    return found;
  };
  expect(await settingsWith(undefined)).toEqual({ ...ofEachSession, ...limited(20_000, 10_000) });
  expect(await settingsWith("none")).toEqual({ ...ofEachSession, ...limited(0, 0) });
});

test("so do the connections of imports and backups", async () => {
  const { connection, log } = await openHurtful();
  const clients = openClients({ connection, log, applicationName: "test" }, 1);
  const ofImports = await clients.query<Found>(readSettings);
  await clients.end();
  expect(ofImports.rows[0]!.found).toEqual({ ...ofEachSession, ...limited(0, 0) });
  const ofBackups = await inCopyTx(connection, "reading", ({ client }) => client.query<Found>(readSettings));
  expect(ofBackups.rows[0]!.found).toMatchObject({ ...ofEachTransaction, ...limited(0, 0) });
});

test("a transaction that pauses too long fails as one whose database is away", async () => {
  const { connection, log } = app;
  const limits = { statementMs: 15_000, lockMs: 100 };
  const frozen = openDatabase({ connection, poolMax: 1, applicationName: "test", log, limits });
  const failure = await frozen
    .transaction()
    .execute(async (tx) => {
      await sql`set local idle_in_transaction_session_timeout = '1ms'`.execute(tx);
      await eventually(async () => {
        const left = sql`select from pg_stat_activity where datname = current_database() and state = 'idle in transaction'`;
        return (await left.execute(app.db)).rows.length === 0;
      });
      await sql`select 1`.execute(tx);
    })
    .catch((error: unknown) => error);
  await frozen.destroy();
  expect(isDatabaseAway(failure)).toBe(true);
});
