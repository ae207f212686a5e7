import { createServer, type Server } from "node:net";
import { sql } from "kysely";
import { beforeAll, expect, test } from "vitest";
import type { App } from "../../src/app.ts";
import { isDatabaseAway, openDatabase, row } from "../../src/db/pool.ts";
import { askHosts } from "../../src/db/primary.ts";
import { assessHosts } from "../../src/doctor/hosts.ts";
import { openTestApp } from "../fixtures/app.ts";
import { eventually } from "../fixtures/eventually.ts";
import { urlOf } from "../fixtures/postgres.ts";

let app: App;
let silent: Server;
/**
 * A URL with three hosts. Nothing listens at the first. The second accepts connections, but never answers. The third is
 * the database's own host.
 */
let url: string;

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
  return () => void silent.close();
});

test("the server that takes writes is found without waiting for those that do not", async () => {
  // A silent server is given up after 2 s. On a busy machine any other server may take as long, but not every time.
  await eventually(async () => {
    const db = openDatabase({ connection: { url }, poolMax: 4, applicationName: "of three", log: app.log });
    const startedMs = performance.now();
    const found = await Promise.all(
      Array.from({ length: 4 }, () => row(sql<{ n: number }>`select 1 as n`, db).catch(() => undefined)),
    );
    const tookMs = performance.now() - startedMs;
    await db.destroy();
    return found.every((one) => one?.n === 1) && tookMs < 1_500;
  });
});

test("a server that takes no writes is refused as one that is away, until it takes writes", async () => {
  const { name } = (await row(sql<{ name: string }>`select current_database() as name`, app.db))!;
  await sql.raw(`alter database "${name}" set default_transaction_read_only = on`).execute(app.db);
  const other = openDatabase({ connection: { url }, poolMax: 1, applicationName: "of three", log: app.log });
  // On a busy machine the third server may also take longer than 2 s.
  const refused = await eventually(async () => {
    const failure = await row(sql`select 1`, other).catch((error: Error) => error);
    return failure instanceof Error && failure.message.includes("2 cannot be used") && failure;
  });
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
  const states = await eventually(async () => {
    const asked = await askHosts(url);
    return "timeline" in asked[2]! && asked;
  });
  const found = assessHosts("DATABASE_URL", states);
  expect(found).toMatchObject({ check: "database hosts", level: "warning" });
  expect(found.message).toMatch(
    /^DATABASE_URL: 127\.0\.0\.1:1 cannot be used \(.*ECONNREFUSED.*\); .* takes writes: fix/,
  );
  const [refusing, , primary] = states;
  const standby = { place: { host: "b", port: 5432 }, timeline: undefined };
  expect(assessHosts("DATABASE_URL", [primary!, standby])).toMatchObject({ level: "ok" });
  expect(assessHosts("DATABASE_URL", [primary!, primary!]).message).toMatch(/stop all but the one/);
  expect(assessHosts("DATABASE_URL", [refusing!, standby])).toMatchObject({ level: "failed" });
});

test("a server that accepts a connection and says nothing counts as a database that is away", async () => {
  const { port } = silent.address() as { port: number };
  const db = openDatabase({
    connection: { url: `postgres://nobody@127.0.0.1:${port}/none` },
    poolMax: 1,
    applicationName: "of none",
    log: app.log,
  });
  const refused = await row(sql`select 1`, db).catch((error: Error) => error);
  await db.destroy();
  expect(isDatabaseAway(refused)).toBe(true);
  expect(refused).toMatchObject({ message: expect.stringMatching(/timeout/) });
});
