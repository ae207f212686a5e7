import { readdirSync, readFileSync } from "node:fs";
import { sql } from "kysely";
import { beforeAll, beforeEach, expect, test, vi } from "vitest";
import type { App } from "../../src/app.ts";
import { row, rows } from "../../src/db/pool.ts";
import { ownNames } from "../../src/db/schema.ts";
import { openTestApp, settingsOf } from "../fixtures/app.ts";
import { spawnProcess } from "../fixtures/spawn-process.ts";
import { runCommand } from "./run-command.ts";
import { runHere } from "./run-here.ts";

vi.setConfig({ testTimeout: 60_000 });

const folder = new URL("../../src/db/migrations/", import.meta.url);
const entries = readdirSync(folder).sort();
const [first, newest] = await ownNames().then((names) => [names[0]!, names.at(-1)!]);

let app: App;
beforeAll(async () => {
  app = await openTestApp();
});
beforeEach(async () => {
  await sql`delete from kysely_migration where name <> ${newest}`.execute(app.db);
  await sql`insert into kysely_migration values (${newest}, now()::text) on conflict do nothing`.execute(app.db);
});

/** Makes the database look as if an older version had left it: its newest migration is not recorded as applied. */
async function forgetNewest(): Promise<void> {
  await sql`delete from kysely_migration where name = ${newest}`.execute(app.db);
}

/** Makes the database look as if a newer version had migrated it. */
async function addMigration(name: string): Promise<void> {
  await sql`insert into kysely_migration values (${name}, now()::text)`.execute(app.db);
}

const applied = () => rows(sql<{ name: string }>`select name from kysely_migration order by name`, app.db);

test("a command never migrates an older schema: it says what is missing and how to fix it", async () => {
  await forgetNewest();
  const before = await applied();
  const { code, out, err } = await runHere(["runs", "list"], settingsOf(app));
  expect({ code, out }).toEqual({ code: 1, out: "" });
  expect(err).toBe(
    `Nothing was done: migrations that this version needs are missing in the database (1, from ${newest} on). ` +
      "Upgrade the service, or run: pressbell migrate\n",
  );
  const provision = ["provision", "--tenant", "N", "--owner", "o@n.example", "--site", "S", "--site-url"];
  expect(await runHere([...provision, "https://n.example"], settingsOf(app))).toMatchObject({ code: 1, err });
  expect(await applied()).toEqual(before);
});

test("migrate --check says what is to be applied, and changes nothing", async () => {
  const check = async () => {
    const { code, out, err } = await runHere(["migrate", "--check", "--json"], settingsOf(app));
    expect(err).toBe("");
    return { code, printed: JSON.parse(out) };
  };
  expect(await check()).toEqual({ code: 0, printed: { schema: "up to date", pending: [] } });
  await forgetNewest();
  const before = await applied();
  const behind = { schema: "behind", pending: [newest], formerVersionMayRunOn: true };
  expect(await check()).toEqual({ code: 1, printed: behind });
  expect(await applied()).toEqual(before);
});

test("migrate --check of an empty database creates nothing in it", async () => {
  const empty = await openTestApp();
  await sql`drop schema public cascade`.execute(empty.db);
  await sql`create schema public`.execute(empty.db);
  const { code, out } = await runHere(["migrate", "--check", "--json"], settingsOf(empty));
  expect(code).toBe(1);
  expect(JSON.parse(out)).toMatchObject({ schema: "empty", pending: expect.arrayContaining([first, newest]) });
  expect(await rows(sql`select 1 from pg_tables where schemaname = 'public'`, empty.db)).toEqual([]);
});

test("migrate --check without a database in DATA_DIR creates none", async () => {
  const { code, err } = await runHere(["migrate", "--check"], { DATA_DIR: "/nonexistent/pressbell" });
  expect(code).toBe(1);
  expect(err).toMatch(/^There is no Pressbell data in /);
});

test("an older program runs on a schema to which a newer one has only added", async () => {
  await addMigration("9000-more");
  expect(await runHere(["runs", "list"], settingsOf(app))).toMatchObject({ code: 0 });
  expect(await runHere(["migrate"], settingsOf(app))).toMatchObject({ code: 0 });
  const worker = spawnProcess(["worker"], settingsOf(app));
  await worker.printed(/delivering with/);
  worker.process.kill("SIGTERM");
  expect(await worker.ended).toBe(0);
});

test("an older program refuses in one line a schema that has lost something", async () => {
  await addMigration("9000-contract-less");
  await addMigration("9001-more");
  const refusal =
    "Nothing was done: the database's schema is that of another version of Pressbell (9000-contract-less), and this " +
    `program knows migrations up to ${newest}. Start that version or a newer one.\n`;
  for (const words of [["runs", "list"], ["migrate"], ["worker"]])
    expect(await runHere(words, settingsOf(app))).toEqual({ code: 1, out: "", err: refusal });
});

test("a program refuses in one line a schema with migrations of a sister version", async () => {
  await forgetNewest();
  await addMigration("9000-more");
  const { code, err } = await runHere(["migrate"], settingsOf(app));
  expect(code).toBe(1);
  expect(err).toMatch(/^Nothing was done: .* another version of Pressbell \(9000-more\), .*\n$/);
});

test("a start that waits for another that migrates says who holds the lock, and ends at SIGTERM", async () => {
  await forgetNewest();
  await app.db.transaction().execute(async (tx) => {
    const holder = await row(
      sql<{ pid: number }>`select pg_backend_pid() as pid from pg_advisory_xact_lock(3853314)`,
      tx,
    );
    const worker = spawnProcess(["worker"], settingsOf(app));
    const [, pid] = await worker.printed(/waiting to migrate the schema: PostgreSQL's process (\d+) .* holds the lock/);
    expect(Number(pid)).toBe(holder!.pid);
    worker.process.kill("SIGTERM");
    expect(await worker.ended).toBe(0);
    const command = spawnProcess(["migrate"], settingsOf(app));
    await command.printed(/holds the lock/);
    command.process.kill("SIGTERM");
    expect(await command.ended).toBe(1);
    expect(command.output()).not.toContain("up to date");
  });
});

test("a database from before the first release is refused in one line", async () => {
  await forgetNewest();
  for (const name of ["0001-schema-0123456789ab", "0002-campaign-lists"]) await addMigration(name);
  const before = await applied();
  const refusal =
    "Nothing was done: the database is from before the first release of Pressbell, and this program cannot read it. " +
    "Start with an empty one: a new DATA_DIR, or createdb.\n";
  for (const words of [["runs", "list"], ["migrate"], ["worker"]])
    expect(await runCommand(words, settingsOf(app))).toEqual({ code: 1, out: "", err: refusal });
  expect(await applied()).toEqual(before);
});

/** Returns whether a migration removes something that an earlier program uses. */
const takesAway = (statements: string) =>
  /\bdrop (table|column)\b|\brename\b|\balter (column )?\w+ (set data )?type\b|\bset not null\b/i.test(statements);

test.each([
  ["drop table topics", true],
  ["alter table topics drop column name", true],
  ["alter table topics rename name to title", true],
  ["alter table topics alter name type varchar(80)", true],
  ["alter table topics alter column name set not null", true],
  ["alter table topics add column note text", false],
  ["create table notes (id uuid primary key)", false],
])("%s takes something away: %j", (statement, isSo) => {
  expect(takesAway(statement)).toBe(isSo);
});

test("a migration that takes something away has `contract` in its name", () => {
  const files = entries.filter((name) => name.endsWith(".sql"));
  const unnamed = files.filter((name) => takesAway(readFileSync(new URL(name, folder), "utf8")));
  expect(unnamed.filter((name) => !/^\d+-contract-/.test(name))).toEqual([]);
});
