import { writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import pg from "pg";
import { beforeAll, describe, expect, test } from "vitest";
import { row, rows } from "../../src/db/pool.ts";
import { checkPooler } from "../../src/doctor/pooler.ts";
import { createSubscriptions } from "../fixtures/publisher.ts";
import { spawnProcess } from "../fixtures/spawn-process.ts";
import { startDatabaseProxy } from "./database-proxy.ts";
import type { FaultFixture } from "./fixture.ts";
import { type OwnPostgres, startOwnPostgres } from "./own-postgres.ts";
import { type Pgbouncer, startPgbouncer } from "./pgbouncer.ts";
import { withFixture } from "./suite.ts";

let postgres: OwnPostgres;
let pgbouncer: Pgbouncer;

beforeAll(async () => {
  postgres = await startOwnPostgres();
  // Connects through a proxy, because the server's own socket is open to its user and root only.
  const proxy = await startDatabaseProxy(postgres);
  pgbouncer = await startPgbouncer(Number(new URL(proxy.url("x")).port));
});

/** Returns the settings of processes behind PgBouncer. With `isDirect` they have DATABASE_URL_DIRECT. */
async function settingsBehind({ app }: FaultFixture, isDirect: boolean): Promise<Record<string, string>> {
  const { name } = (await row(sql<{ name: string }>`select current_database() as name`, app.db))!;
  const direct: Record<string, string> = isDirect ? { DATABASE_URL_DIRECT: app.config.DATABASE_URL! } : {};
  return { DATABASE_URL: pgbouncer.url(name), SECRET_KEY: app.config.SECRET_KEY!, ...direct };
}

/**
 * Sets the database's defaults to synchronous_commit off and jit on. From then on it notes both settings, as they are
 * in effect, for each write of sends and delivery. Returns a function that returns the notes.
 */
async function noteCommits({ app }: FaultFixture): Promise<() => Promise<{ commits: string }[]>> {
  await sql
    .raw(`do $$ begin execute format('alter database %I set synchronous_commit = off', current_database());
      execute format('alter database %I set jit = on', current_database()); end $$;
    create table noted (tab text, commits text);
    create function note_commit() returns trigger language plpgsql as $$ begin
      insert into noted values (tg_table_name, current_setting('synchronous_commit') || ', jit ' || current_setting('jit'));
      return null; end $$`)
    .execute(app.db);
  for (const table of ["campaigns", "runs", "run_batches", "rate_limits", "subscribers", "audit_events"]) {
    await sql`create trigger note_commit after insert or update or delete on ${sql.id(table)}
      for each statement execute function note_commit()`.execute(app.db);
  }
  return () => rows(sql<{ commits: string }>`select distinct commits from noted order by 1`, app.db);
}

async function runCommand(words: string[], settings: Record<string, string>): Promise<string> {
  const command = spawnProcess(words, settings);
  expect({ code: await command.ended, output: command.output() }).toMatchObject({ code: 0 });
  return command.output();
}

describe.each([
  ["with DATABASE_URL_DIRECT", true],
  ["without DATABASE_URL_DIRECT", false],
])("PgBouncer in transaction mode, %s", (_, isDirect) => {
  test("import, send and stop work, commits are waited for, and no setting stays behind", () =>
    withFixture({ postgres, recipients: 3_000, answerDelayMs: 300 }, async (fixture) => {
      const { publisher, push } = fixture;
      const settings = await settingsBehind(fixture, isDirect);
      const noted = await noteCommits(fixture);
      const [, worker] = await Promise.all([
        fixture.start("api", { settings }),
        fixture.start("worker", { settings }),
        fixture.start("worker", { settings }),
      ]);
      const first = await fixture.send();
      expect(await fixture.ended(first.runId)).toBe("completed");
      const second = await fixture.send();
      await push.received(3_500);
      expect((await fixture.call("POST", `/v1/runs/${second.runId}/stop`)).outcome).toBe("ok");
      expect(await fixture.ended(second.runId)).toBe("stopped");
      expect(await fixture.violations()).toEqual([]);

      const file = join(tmpdir(), `pressbell-import-${publisher.siteId}.ndjson`);
      const lines = createSubscriptions(50).map((subscription) => `${JSON.stringify(subscription)}\n`);
      await writeFile(file, lines.join(""));
      const imported = await runCommand(["subscribers", "import", "--site", publisher.siteId, file], settings);
      expect(imported).toMatch(/50/);

      expect(await noted()).toEqual([{ commits: "on, jit off" }]);
      expect(await settingsLeft(settings.DATABASE_URL!)).toEqual(new Set(["off on 0 0"]));
      expect(worker!.service.output()).not.toMatch(/"level":[56]0/);
      expect(worker!.service.output().includes("set DATABASE_URL_DIRECT")).toBe(!isDirect);
    }));

  test("parallel migrations end, and leave no lock behind", () =>
    withFixture({ postgres, recipients: 0 }, async (fixture) => {
      const settings = await settingsBehind(fixture, isDirect);
      // Brings the database into the state before the first start.
      await sql`drop schema public cascade`.execute(fixture.app.db);
      await sql`create schema public`.execute(fixture.app.db);
      await Promise.all(Array.from({ length: 3 }, () => runCommand(["migrate"], settings)));
      await runCommand(["migrate"], settings);
      expect(await rows(sql`select pid from pg_locks where locktype = 'advisory'`, fixture.app.db)).toEqual([]);
    }));

  test("doctor names it", () =>
    withFixture({ postgres, recipients: 0 }, async (fixture) => {
      const settings = await settingsBehind(fixture, isDirect);
      const pooled = { url: settings.DATABASE_URL! };
      expect(await checkPooler(pooled, pooled)).toMatchObject({ level: "failed" });
      const printed = await runCommand(["doctor"], settings);
      if (isDirect) expect(printed).toMatch(/^ok +database pooler: in front of DATABASE_URL;/m);
      else expect(printed).toMatch(/^warning +database pooler: .*set DATABASE_URL_DIRECT to PostgreSQL itself$/m);
    }));
});

/**
 * Returns the settings that other programs find on the connections of PgBouncer. It reads all connections, because
 * PgBouncer takes each in turn.
 */
async function settingsLeft(url: string): Promise<Set<string>> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const found = new Set<string>();
  for (let i = 0; i < 24; i++) {
    const { rows: settings } = await client.query<{ all: string }>(
      `select concat_ws(' ', current_setting('synchronous_commit'), current_setting('jit'), current_setting('lock_timeout'),
        (select count(*) from pg_prepared_statements)) as all`,
    );
    found.add(settings[0]!.all);
  }
  await client.end();
  return found;
}
