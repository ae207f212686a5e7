import { sql } from "kysely";
import type pg from "pg";
import { beforeAll, beforeEach, expect, test } from "vitest";
import type { App } from "../../src/app.ts";
import { createClient, type Database, openDatabase, row, rows } from "../../src/db/pool.ts";
import { keepsPrepared } from "../../src/db/pooled-client.ts";
import { openTestApp } from "../fixtures/app.ts";

let app: App;
let db: Database;
let warnings: string[];

beforeAll(async () => {
  app = await openTestApp();
});

beforeEach(() => {
  warnings = [];
  const log = Object.assign(Object.create(app.log), { warn: (_: object, text: string) => void warnings.push(text) });
  db = openDatabase({ connection: app.connection, poolMax: 1, applicationName: "test", log, prepared: "or warn" });
  return () => db.destroy();
});

function preparedTexts(): Promise<{ statement: string }[]> {
  return rows(sql<{ statement: string }>`select statement from pg_prepared_statements order by prepare_time`, db);
}

async function plus(a: number, b: number): Promise<number> {
  return (await row(sql<{ sum: number }>`select ${a}::int + ${b}::int as sum`, db))!.sum;
}

test("a statement with parameters is prepared when it comes again, once for all values", async () => {
  expect(await plus(1, 2)).toBe(3);
  expect(await preparedTexts()).toEqual([]);
  expect(await plus(3, 4)).toBe(7);
  expect(await plus(5, 6)).toBe(11);
  for (let i = 0; i < 2; i++) await sql`select 1`.execute(db);
  expect(await preparedTexts()).toEqual([{ statement: "select $1::int + $2::int as sum" }]);
});

test("a statement that fails stays prepared, and throws its own error", async () => {
  const divide = (by: number) => row(sql<{ n: number }>`select 6 / ${by}::int as n`, db);
  for (let i = 0; i < 2; i++) await expect(divide(0)).rejects.toThrow("division by zero");
  expect(await preparedTexts()).toHaveLength(1);
  expect(await divide(3)).toEqual({ n: 2 });
  expect(warnings).toEqual([]);
});

test("a connection that loses its prepared statements goes on without them, with one warning", async () => {
  for (let i = 0; i < 2; i++) expect(await plus(1, 2)).toBe(3);
  await sql`deallocate all`.execute(db);
  expect(await plus(2, 2)).toBe(4);
  expect(await plus(2, 3)).toBe(5);
  expect(await preparedTexts()).toEqual([]);
  expect(warnings).toEqual([expect.stringContaining("DATABASE_URL_DIRECT")]);
});

test("statements whose text varies do not fill the server's memory: 300 of 1,000 are prepared", async () => {
  await db.connection().execute(async (connection) => {
    const vary = (i: number) => sql`select ${i}::int as ${sql.id(`column_${i}`)}`.execute(connection);
    for (let i = 0; i < 1_000; i++) await vary(i).then(() => vary(i));
  });
  expect(await preparedTexts()).toHaveLength(300);
});

test.for([
  ["a pooler that prepares under names of its own, as PgBouncer from 1.21 on, keeps prepared statements", true],
  ["a pooler that passes names on keeps none, and nothing is left on its connection", false],
] as const)("%s", async ([_, isKept]) => {
  const name = isKept ? "PGBOUNCER_7" : "pressbell_probe";
  const client = createClient(app.connection, "test");
  await client.connect();
  const query = client.query.bind(client) as (asked: string | pg.QueryConfig) => Promise<pg.QueryResult>;
  const renaming = {
    query: (asked: string | pg.QueryConfig) => query(typeof asked === "string" ? asked : { ...asked, name }),
  };
  expect(await keepsPrepared(renaming as pg.ClientBase)).toBe(isKept);
  const left = await client.query("select name from pg_prepared_statements");
  expect(left.rows).toEqual(isKept ? [{ name }] : []);
  await client.end();
});

test("a connection with another client's probe keeps no prepared statements, and can be used", async () => {
  const client = createClient(app.connection, "test");
  await client.connect();
  await client.query("prepare pressbell_probe as select 1");
  expect(await keepsPrepared(client)).toBe(false);
  expect((await client.query("select 1 as n")).rows).toEqual([{ n: 1 }]);
  await client.end();
});
