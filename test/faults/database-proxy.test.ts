import pg from "pg";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { type DatabaseProxy, startDatabaseProxy } from "./database-proxy.ts";
import { type OwnPostgres, startOwnPostgres } from "./own-postgres.ts";

let postgres: OwnPostgres;
let database: string;
let proxy: DatabaseProxy;
let direct: pg.Client;

beforeAll(async () => {
  postgres = await startOwnPostgres();
});

beforeEach(async () => {
  database = await postgres.freshDatabase();
  proxy = await startDatabaseProxy(postgres);
  direct = new pg.Client(postgres.connectionTo(database) as pg.ClientConfig);
  await direct.connect();
  await direct.query("create table notes (text text)");
  return () => direct.end();
});

async function client(): Promise<pg.Client> {
  const proxied = new pg.Client({ connectionString: proxy.url(database) });
  proxied.on("error", () => {});
  await proxied.connect();
  return proxied;
}

async function notes(): Promise<number> {
  return (await direct.query("select from notes")).rowCount!;
}

test("the database proxy forwards queries and answers of any size, also after a restart", async () => {
  const one = await client();
  const long = "x".repeat(3_000_000);
  expect((await one.query("select $1::text as text", [long])).rows[0].text).toBe(long);
  await direct.end();
  await postgres.crashAndRestart();
  direct = new pg.Client(postgres.connectionTo(database) as pg.ClientConfig);
  await direct.connect();
  const two = await client();
  expect((await two.query("select 1 as n")).rows).toEqual([{ n: 1 }]);
  await two.end();
});

test.each([
  { moment: "before commit" as const, kept: 0 },
  { moment: "after commit" as const, kept: 1 },
])("the database proxy resolves $moment of the matching transaction, and then stops", async ({ moment, kept }) => {
  const one = await client();
  await one.query("begin");
  await one.query("select 1");
  await one.query("commit");
  const reached = proxy.reached(moment, /insert into notes/);
  await one.query("begin");
  await one.query("insert into notes values ($1)", ["a"]);
  const answer = one.query("commit").then(
    () => "answered",
    () => "cut",
  );
  await reached;
  proxy.cut();
  expect(await answer).toBe("cut");
  expect(await notes()).toBe(kept);
});

test("the proxy before the database hangs, continues where it was, and cuts connections", async () => {
  const one = await client();
  proxy.hang();
  let isAnswered = false;
  const answer = one.query("insert into notes values ('held')").then(() => {
    isAnswered = true;
  });
  await direct.query("select pg_sleep(0.2)");
  expect([isAnswered, await notes()]).toEqual([false, 0]);
  proxy.resume();
  await answer;
  expect(await notes()).toBe(1);
  const lost = one.query("select pg_sleep(10)").catch((error: Error) => error.message);
  proxy.cut();
  expect(await lost).toMatch(/terminated|ECONNRESET/);
});

test("the proxy before the database delays answers", async () => {
  const one = await client();
  proxy.delay(100);
  const startedMs = performance.now();
  await one.query("select 1");
  expect(performance.now() - startedMs).toBeGreaterThan(190);
});
