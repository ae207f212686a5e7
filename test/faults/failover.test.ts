import { sql } from "kysely";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { exportCampaigns, exportSubscribers } from "../../src/dashboard-api/exports.ts";
import { openDatabase, row, rows } from "../../src/db/pool.ts";
import { openReplica, type Replica } from "../../src/db/replica.ts";
import { assessServer, readServerFacts } from "../../src/doctor/database.ts";
import { checkHosts, checkReplica } from "../../src/doctor/hosts.ts";
import { createLogger } from "../../src/log.ts";
import { eventually } from "../fixtures/eventually.ts";
import { urlOf } from "../fixtures/postgres.ts";
import { operatorOf } from "../fixtures/publisher.ts";
import type { FaultFixture } from "./fixture.ts";
import { type OwnPostgres, startOwnPostgres } from "./own-postgres.ts";
import { withFixture } from "./suite.ts";

/** The server that is the primary of the next pair. */
let current: OwnPostgres;

beforeAll(async () => {
  current = await startOwnPostgres();
});

/** A primary and a standby with one URL for both. After a failover only the standby is left, as the primary. */
type Pair = { primary: OwnPostgres; standby: OwnPostgres; both: OwnPostgres };

async function startPair(): Promise<Pair> {
  const primary = current;
  const standby = await primary.addStandby();
  onTestFinished(async () => {
    if (current !== standby) await standby.close();
  });
  await eventually(() => isStreaming(primary), 60_000, "the standby does not follow");
  const hosts = [standby, primary].map((each) => new URL(urlOf(each.connectionTo("any"))).searchParams.get("host"));
  const query = new URLSearchParams({ host: hosts.join(",") });
  const url = (database: string) => `postgres://pressbell@localhost/${database}?${query}`;
  return { primary, standby, both: { ...primary, connectionTo: (database) => ({ url: url(database) }) } };
}

async function ask<Row>(postgres: OwnPostgres, text: string): Promise<Row[]> {
  const connection = postgres.connectionTo("pressbell");
  const db = openDatabase({ connection, poolMax: 1, applicationName: "test", log: createLogger("silent") });
  return rows(sql.raw<Row>(text), db).finally(() => db.destroy());
}

async function isStreaming(primary: OwnPostgres): Promise<boolean> {
  return (await ask(primary, "select pid from pg_stat_replication")).length === 1;
}

async function failOver({ primary, standby }: Pair): Promise<void> {
  await primary.kill();
  await ask(standby, "select pg_promote()");
  current = standby;
}

async function set(postgres: OwnPostgres, name: string, value: string): Promise<void> {
  await ask(postgres, `alter system set ${name} = '${value}'`);
  await ask(postgres, "select pg_reload_conf()");
}

async function hasDatabase(postgres: OwnPostgres, name: string): Promise<boolean> {
  return (await ask(postgres, `select from pg_database where datname = '${name}'`)).length === 1;
}

/** Creates campaigns until `stop`, which returns the ids of the campaigns whose creation was answered. */
function createMany(fixture: FaultFixture): { stop(): Promise<string[]> } {
  const ids: string[] = [];
  let isOver = false;
  const loop = (async () => {
    while (!isOver)
      await fixture.create().then(
        (id) => ids.push(id),
        () => {},
      );
  })();
  return {
    async stop() {
      isOver = true;
      await loop;
      return ids;
    },
  };
}

test("a failover to a synchronous standby loses and repeats nothing, without a restart", async () => {
  const pair = await startPair();
  await set(pair.primary, "synchronous_standby_names", "*");
  await withFixture({ postgres: pair.both, recipients: 4_000, answerDelayMs: 300 }, async (fixture) => {
    const [api, worker] = await Promise.all([fixture.start("api"), fixture.start("worker")]);
    const { runId } = await fixture.send();
    const creating = createMany(fixture);
    await fixture.push.received(1_000);
    await fixture.withoutDatabase(() => failOver(pair));
    expect(await fixture.ended(runId)).toBe("completed");
    const created = await creating.stop();
    const kept = await rows(sql<{ id: string }>`select id from campaigns`, fixture.app.db);
    const ids = new Set(kept.map(({ id }) => id));
    expect(created.filter((id) => !ids.has(id))).toEqual([]);
    expect(created.length).toBeGreaterThan(0);
    expect((await fixture.push.stats()).repeated).toBe(0);
    // The notice of a new run goes through the promoted server as well.
    expect(await fixture.ended((await fixture.send()).runId)).toBe("completed");
    expect([api, worker].map(({ isAlive }) => isAlive())).toEqual([true, true]);
    expect(await fixture.violations()).toEqual([]);
  });
});

test("a failover to a late standby: every reader has an outcome, lost commits are sent again", async () => {
  const pair = await startPair();
  await withFixture({ postgres: pair.both, recipients: 4_000, answerDelayMs: 300 }, async (fixture) => {
    await Promise.all([fixture.start("api"), fixture.start("worker")]);
    const { runId } = await fixture.send();
    await fixture.push.received(500);
    await eventually(() => isCaughtUp(pair));
    await set(pair.standby, "primary_conninfo", "");
    await eventually(async () => !(await isStreaming(pair.primary)));
    const lacking = await fixture.create();
    await fixture.push.received((await fixture.push.stats()).received + 2_500);
    await fixture.withoutDatabase(() => failOver(pair));
    // The setting is reset because the next standby is a copy of this server.
    await ask(pair.standby, "alter system reset primary_conninfo");
    expect(await fixture.ended(runId)).toBe("completed");
    const { repeated } = await fixture.push.stats();
    expect(repeated).toBeGreaterThan(0);
    const counts = await row(
      sql`select sum(accepted)::int as accepted, sum(pending)::int as pending
      from run_batches where run_id = ${runId}`,
      fixture.app.db,
    );
    expect(counts).toEqual({ accepted: 4_000, pending: 0 });
    expect(await row(sql`select id from campaigns where id = ${lacking}`, fixture.app.db)).toBeUndefined();
    const kinds = (await fixture.violations()).map((violation) => violation.split(":")[0]);
    expect(new Set(kinds)).toEqual(new Set(["repeat not counted", "repeat not explained"]));
  });
});

async function isCaughtUp({ primary }: Pair): Promise<boolean> {
  const [found] = await ask<{ lag: number }>(
    primary,
    "select (pg_current_wal_lsn() - replay_lsn)::float8 as lag from pg_stat_replication",
  );
  return found!.lag < 1_000_000;
}

test("a replica answers reports with all earlier writes; the primary does while it cannot", async () => {
  const { primary, standby, both } = await startPair();
  await withFixture({ postgres: both, recipients: 50 }, async ({ app, publisher }) => {
    const { name } = (await row(sql<{ name: string }>`select current_database() as name`, app.db))!;
    const open = (postgres: OwnPostgres, database = name) =>
      openReplica(urlOf(postgres.connectionTo(database)), app.log);
    await eventually(() => hasDatabase(standby, name), 60_000, "the standby has not replayed the new database");
    const replica = open(standby);
    const isReplica = (of: Replica) =>
      of.read(app.db, async (db) => (await row(sql<{ is: boolean }>`select pg_is_in_recovery() as is`, db))!.is);
    await sql`create table written (n int)`.execute(app.db);
    for (let n = 1; n <= 30; n++) {
      await sql`insert into written values (${n})`.execute(app.db);
      const seen = await replica.read(app.db, (db) => rows(sql`select n from written`, db));
      expect(seen).toHaveLength(n);
    }
    await eventually(() => isReplica(replica));

    const reader = { ...app, replica };
    const actor = operatorOf(publisher.tenantId);
    const lines = [];
    for await (const line of await exportSubscribers(reader, actor, { siteId: publisher.siteId })) lines.push(line);
    expect(lines.join("").trimEnd().split("\n")).toHaveLength(50);
    for await (const line of await exportCampaigns(reader, actor, { query: {} })) lines.push(line);
    expect(lines.at(-2)).toMatch(/^created,/);
    await eventually(() => isReplica(replica));
    await replica.close();

    await ask(standby, "select pg_wal_replay_pause()");
    await sql`insert into written values (31)`.execute(app.db);
    const late = open(standby);
    const seen = await late.read(app.db, (db) => rows(sql`select n from written`, db));
    expect([seen.length, await isReplica(late)]).toEqual([31, false]);
    await late.close();
    await ask(standby, "select pg_wal_replay_resume()");

    for (const unusable of [open(primary), open(standby, "missing")]) {
      expect(await isReplica(unusable)).toBe(false);
      await unusable.close();
    }
    await standby.stop();
    const away = open(standby);
    expect(await isReplica(away)).toBe(false);
    await away.close();
    await standby.start();
  });
});

test("doctor says which server takes writes, and warns of one that is away", async () => {
  const { primary, standby, both } = await startPair();
  const { url } = both.connectionTo("pressbell") as { url: string };
  expect(await checkHosts("DATABASE_URL", url)).toMatchObject([
    { level: "ok", message: expect.stringMatching(/takes no writes \(a standby\); .* takes writes$/) },
  ]);
  const replicaUrl = urlOf(standby.connectionTo("pressbell"));
  expect(await checkReplica(replicaUrl)).toMatchObject([{ level: "ok" }]);
  expect(await checkReplica(urlOf(primary.connectionTo("pressbell")))).toMatchObject([{ level: "warning" }]);
  await standby.stop();
  expect(await checkHosts("DATABASE_URL", url)).toMatchObject([{ level: "warning" }]);
  expect(await checkReplica(replicaUrl)).toMatchObject([{ level: "warning" }]);
  const log = createLogger("silent");
  const db = openDatabase({ connection: { url }, poolMax: 1, applicationName: "test", log });
  expect(assessServer(await readServerFacts(db)).every(({ level }) => level === "ok")).toBe(true);
  await db.destroy();
  await primary.stop();
});
