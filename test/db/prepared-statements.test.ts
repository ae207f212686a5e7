import { sql } from "kysely";
import { beforeAll, beforeEach, expect, test } from "vitest";
import type { App } from "../../src/app.ts";
import { type Database, openDatabase, row, rows } from "../../src/db/pool.ts";
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
  db = openDatabase({ connection: app.connection, poolMax: 1, applicationName: "test", log, prepared: true });
  return () => db.destroy();
});

function preparedTexts(): Promise<{ statement: string }[]> {
  return rows(sql<{ statement: string }>`select statement from pg_prepared_statements order by prepare_time`, db);
}

async function plus(a: number, b: number): Promise<number> {
  return (await row(sql<{ sum: number }>`select ${a}::int + ${b}::int as sum`, db))!.sum;
}

test("a statement with parameters is prepared once for all values; one without parameters is not prepared", async () => {
  expect(await plus(1, 2)).toBe(3);
  expect(await plus(3, 4)).toBe(7);
  await sql`select 1`.execute(db);
  expect(await preparedTexts()).toEqual([{ statement: "select $1::int + $2::int as sum" }]);
});

test("a statement that fails stays prepared, and throws its own error", async () => {
  const divide = (by: number) => row(sql<{ n: number }>`select 6 / ${by}::int as n`, db);
  await expect(divide(0)).rejects.toThrow("division by zero");
  expect(await divide(3)).toEqual({ n: 2 });
  expect(warnings).toEqual([]);
});

test("a connection that loses its prepared statements continues without them, and logs one warning", async () => {
  expect(await plus(1, 2)).toBe(3);
  await sql`deallocate all`.execute(db);
  expect(await plus(2, 2)).toBe(4);
  expect(await plus(2, 3)).toBe(5);
  expect(await preparedTexts()).toEqual([]);
  expect(warnings).toEqual([expect.stringContaining("DATABASE_URL_DIRECT")]);
});
