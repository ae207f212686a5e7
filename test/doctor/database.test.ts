import { createServer } from "node:net";
import { sql } from "kysely";
import { beforeAll, describe, expect, test } from "vitest";
import type { App } from "../../src/app.ts";
import { openDatabase } from "../../src/db/pool.ts";
import { assessClock, readClock } from "../../src/doctor/clock.ts";
import { assessConnections, connectionsOfProcess, readConnectionFacts } from "../../src/doctor/connections.ts";
import { assessServer, readServerFacts } from "../../src/doctor/database.ts";
import { checkPooler } from "../../src/doctor/pooler.ts";
import { checkMigrations } from "../../src/doctor/schema.ts";
import { assessServerSettings, readServerSettings, type ServerSettings } from "../../src/doctor/server-settings.ts";
import { openTestApp } from "../fixtures/app.ts";
import { afterFile } from "../fixtures/cleanup.ts";
import { urlOf } from "../fixtures/postgres.ts";

let app: App;

beforeAll(async () => {
  app = await openTestApp();
});

/** Opens a connection whose session begins with these settings of PostgreSQL. */
function openWith(options: string) {
  const url = new URL(urlOf(app.connection));
  url.searchParams.set("options", options);
  const db = openDatabase({ connection: { url: url.href }, poolMax: 1, applicationName: "test", log: app.log });
  afterFile(() => db.destroy());
  return db;
}

async function assess(options: string) {
  return Object.fromEntries(assessServer(await readServerFacts(openWith(options))).map((each) => [each.check, each]));
}

describe("the server", () => {
  test("is ok as it is: version, writes and durability", async () => {
    const findings = assessServer({ ...(await readServerFacts(app.db)), fsync: "on" });
    expect(findings.map(({ level }) => level)).toEqual(["ok", "ok", "ok"]);
  });

  test("fails before PostgreSQL 15, and says to upgrade", async () => {
    const facts = { ...(await readServerFacts(app.db)), versionNumber: 140_011, version: "14.11" };
    expect(assessServer(facts)[0]).toMatchObject({
      level: "failed",
      message: expect.stringMatching(/14\.11.*upgrade it to 15/),
    });
  });

  test("fails if it is read-only, and says which setting makes it so", async () => {
    const { "database writes": writes } = await assess("-c default_transaction_read_only=on");
    expect(writes).toMatchObject({
      level: "failed",
      message: expect.stringContaining("default_transaction_read_only to off"),
    });
  });

  test("is warned about if sessions begin with synchronous_commit off, which ours turn on", async () => {
    const facts = await readServerFacts(openWith("-c synchronous_commit=off"));
    expect(facts.synchronousCommit).toBe("off");
    expect(assessServer({ ...facts, fsync: "on" })[2]).toMatchObject({
      level: "warning",
      message: expect.stringContaining("synchronous_commit = on"),
    });
  });

  test("fails without fsync", async () => {
    expect(assessServer({ ...(await readServerFacts(app.db)), fsync: "off" })[2]).toMatchObject({ level: "failed" });
  });
});

describe("settings of the server", () => {
  test("are ok as PostgreSQL has them by default", async () => {
    const settings = { ...(await readServerSettings(app.db)), fullPageWrites: true };
    expect(assessServerSettings(settings)).toMatchObject({ level: "ok" });
  });

  test.each<[string, Partial<ServerSettings>]>([
    ["autovacuum = on", { autovacuum: false }],
    ["track_counts = on", { trackCounts: false }],
    ["full_page_writes = on", { fullPageWrites: false }],
    ["shared_buffers is 16 MB: set it to 256 MB", { sharedBuffersMb: 16 }],
    ["max_wal_size is 80 MB: each send causes checkpoints", { maxWalSizeMb: 80 }],
    ["log_statement = none", { logStatement: "all" }],
  ])("that hurt are a warning that says what to do: %s", async (advice, changed) => {
    const settings = { ...(await readServerSettings(app.db)), fullPageWrites: true, ...changed };
    expect(assessServerSettings(settings)).toMatchObject({
      level: "warning",
      message: expect.stringContaining(advice),
    });
  });
});

describe("connections", () => {
  test("are counted: what the server gives, without those of this machine's Pressbell", async () => {
    const facts = await readConnectionFacts(app.db);
    const { rows } = await sql<{ most: number }>`select current_setting('max_connections')::int as most`.execute(
      app.db,
    );
    expect(facts.usable).toBeLessThan(rows[0]!.most);
    expect(facts.ofOthers).toBeGreaterThan(0);
    const ours = openDatabase({ connection: app.connection, poolMax: 1, applicationName: "pressbell", log: app.log });
    afterFile(() => ours.destroy());
    await sql`select 1`.execute(ours);
    expect((await readConnectionFacts(app.db)).ofOtherMachines).toBe(0);
  });

  test("follow the limit of the database where it is lower", async () => {
    await sql
      .raw(`do $$ begin execute format('alter database %I connection limit 40', current_database()); end $$`)
      .execute(app.db);
    expect((await readConnectionFacts(app.db)).usable).toBe(40);
  });

  test("fail if one process needs more than the server gives, and warn if all together do", () => {
    const own = connectionsOfProcess(2);
    // Four machines of 16 threads fit into a server of 210 connections.
    expect(connectionsOfProcess(16) * 4).toBeLessThan(210);
    expect(own).toBe(32);
    const levelOf = (usable: number) => assessConnections({ usable, ofOtherMachines: 10, ofOthers: 2 }, 2).level;
    expect([own - 1, own, own + 11, own + 12].map(levelOf)).toEqual(["failed", "warning", "warning", "ok"]);
  });
});

describe("the clock", () => {
  test("is compared with the database's", async () => {
    const { aheadMs, latencyMs } = await readClock(app.db, Date.now);
    expect(Math.abs(aheadMs)).toBeLessThan(1_000 + latencyMs);
    expect(assessClock({ aheadMs, latencyMs: 1 })).toMatchObject([{ level: "ok" }, { level: "ok" }]);
  });

  test.each([
    ["90 s behind is a warning", -90_000, "warning", /90 s behind/],
    ["13 hours ahead fails", 13 * 3_600_000, "failed", /46800 s ahead of.*push services refuse/],
  ])("%s, and how to fix it is said", async (_name, shiftMs, level, says) => {
    const facts = await readClock(app.db, () => Date.now() + shiftMs);
    expect(assessClock({ aheadMs: Math.round(facts.aheadMs / 10_000) * 10_000, latencyMs: 1 })[1]).toMatchObject({
      level,
      message: expect.stringMatching(says),
    });
  });

  test("of a database that answers slowly is a warning", () => {
    expect(assessClock({ aheadMs: 0, latencyMs: 35 })[0]).toMatchObject({
      check: "database latency",
      level: "warning",
    });
  });
});

describe("the pooler", () => {
  test("is none where the database answers itself, also at DATABASE_URL_DIRECT", async () => {
    expect(await checkPooler(app.connection, app.connection)).toMatchObject({ level: "ok" });
  });

  test("that does not answer ends in an error, not in a wrong finding", async () => {
    const silent = createServer((socket) => socket.destroy());
    await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
    afterFile(() => new Promise<void>((resolve) => silent.close(() => resolve())));
    const { port } = silent.address() as { port: number };
    await expect(checkPooler({ url: `postgres://x@127.0.0.1:${port}/x` }, undefined)).rejects.toThrow();
  });
});

describe("the schema", () => {
  test("is up to date after the migrations", async () => {
    expect(await checkMigrations(app.db)).toMatchObject({ level: "ok" });
  });

  test("with pending migrations is a warning, and stays as it is", async () => {
    const old = await openTestApp();
    await sql`delete from kysely_migration where name = (select max(name) from kysely_migration)`.execute(old.db);
    for (const _ of [1, 2]) {
      expect(await checkMigrations(old.db)).toMatchObject({
        level: "warning",
        message: expect.stringMatching(/^migrations pending: 1; /),
      });
    }
  });

  test("from before the first release fails", async () => {
    const old = await openTestApp();
    await sql`update kysely_migration set name = '0001-schema-0123456789ab'`.execute(old.db);
    expect(await checkMigrations(old.db)).toMatchObject({
      level: "failed",
      message: "it is from before the first release: start with an empty database",
    });
  });

  test("of a newer program fails", async () => {
    const newer = await openTestApp();
    await sql`insert into kysely_migration (name, timestamp) values ('9999-of-tomorrow', '')`.execute(newer.db);
    expect(await checkMigrations(newer.db)).toMatchObject({
      level: "failed",
      message: expect.stringContaining("9999-of-tomorrow"),
    });
  });
});
