import { createServer, type Server } from "node:net";
import { sql } from "kysely";
import { beforeAll, expect, test } from "vitest";
import type { App } from "../../src/app.ts";
import { type Database, isDatabaseAway, openDatabase, row } from "../../src/db/pool.ts";
import { askHosts } from "../../src/db/primary.ts";
import { judgeHosts } from "../../src/doctor/hosts.ts";
import { openTestApp } from "../fixtures/app.ts";
import { eventually } from "../fixtures/eventually.ts";
import { urlOf } from "../fixtures/postgres.ts";

let app: App;
let silent: Server;
/** The database's own host as the last of three: nothing listens at the first, and the second accepts and says nothing. */
let url: string;
let db: Database;

beforeAll(async () => {
  app = await openTestApp();
  silent = createServer(() => {});
  await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
  const { port: silentPort } = silent.address() as { port: number };
  const own = new URL(urlOf(app.connection));
  const host = own.searchParams.get("host") ?? own.hostname;
  own.searchParams.set("host", `127.0.0.1,127.0.0.1,${host}`);
  own.searchParams.set("port", `1,${silentPort},${own.port}`);
  url = own.href;
  db = openDatabase({ connection: { url }, poolMax: 4, applicationName: "of three", log: app.log });
  return async () => {
    await db.destroy();
    silent.close();
  };
});

test("the server that takes writes is found among those that refuse or say nothing, without waiting for them", async () => {
  const startedMs = performance.now();
  const found = await Promise.all(
    Array.from({ length: 4 }, () =>
      row(sql<{ n: number }>`select count(*)::int as n from pg_stat_activity where application_name = 'of three'`, db),
    ),
  );
  expect(found.length).toBe(4);
  // A server that says nothing is given up after 2 s.
  expect(performance.now() - startedMs).toBeLessThan(1_500);
});

test("a server that takes no writes is refused as one that is away, until it takes writes", async () => {
  const { name } = (await row(sql<{ name: string }>`select current_database() as name`, app.db))!;
  await sql.raw(`alter database "${name}" set default_transaction_read_only = on`).execute(app.db);
  const other = openDatabase({ connection: { url }, poolMax: 1, applicationName: "of three", log: app.log });
  const refused = await row(sql`select 1`, other).catch((error: Error) => error);
  expect(refused).toMatchObject({
    code: "25006",
    message: "none of the 3 hosts takes writes: 2 cannot be used, the others are standbys",
  });
  expect(isDatabaseAway(refused)).toBe(true);
  await sql.raw(`alter database "${name}" set default_transaction_read_only = off`).execute(app.db);
  expect(await eventually(() => row(sql<{ n: number }>`select 1 as n`, other).catch(() => undefined))).toEqual({
    n: 1,
  });
  await other.destroy();
});

test("doctor names each server with its state, and what to do about it", async () => {
  const states = await askHosts(url);
  const found = judgeHosts("DATABASE_URL", states);
  expect(found).toMatchObject({ check: "database hosts", level: "warning" });
  expect(found.message).toMatch(
    /^DATABASE_URL: 127\.0\.0\.1:1 cannot be used \(.*ECONNREFUSED.*\); .* takes writes: mend/,
  );
  const [refusing, , primary] = states;
  const standby = { place: { host: "b", port: 5432 }, timeline: undefined };
  expect(judgeHosts("DATABASE_URL", [primary!, standby])).toMatchObject({ level: "ok" });
  expect(judgeHosts("DATABASE_URL", [primary!, primary!]).message).toMatch(/stop all but the one/);
  expect(judgeHosts("DATABASE_URL", [refusing!, standby])).toMatchObject({ level: "failed" });
});
