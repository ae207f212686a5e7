import { sql } from "kysely";
import { beforeAll, expect, test } from "vitest";
import { type Database, inTenant, isDatabaseAway, openDatabase, type Tx } from "../../src/db/pool.ts";
import {
  newWaitBudget,
  type WaitBudget,
  waitBudgetLeftMs,
  waitBudgetMs,
  withWaitBudget,
} from "../../src/db/wait-budget.ts";
import { newId } from "../../src/ids.ts";
import { openTestApp } from "../fixtures/app.ts";

let db: Database;

beforeAll(async () => {
  const app = await openTestApp();
  db = openDatabase({ connection: app.connection, poolMax: 1, applicationName: "test", log: app.log });
  return () => db.destroy();
});

const patienceOf = (leftMs: number): WaitBudget => ({ leftMs, asOfMs: performance.now() });
const ask = () => sql`select 1`.execute(db);

/** Holds the one connection of the pool while `work` is done. */
async function whileTaken(work: (tx: Tx) => Promise<void>): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await sql`select 1`.execute(tx);
    await work(tx);
  });
}

test("a request that gets no connection is given up when its patience ends, and the connection is not lost for it", async () => {
  await whileTaken(async () => {
    const refused = await withWaitBudget(patienceOf(50), ask).catch((error: unknown) => error);
    expect(isDatabaseAway(refused)).toBe(true);
  });
  await withWaitBudget(newWaitBudget(), ask);
});

test("waiting uses patience up, and what a request does meanwhile pays it back", async () => {
  const patience = patienceOf(2_000);
  await withWaitBudget(patience, async () => {
    let waiting: Promise<unknown> = Promise.resolve();
    await whileTaken(async (tx) => {
      waiting = ask();
      await sql`select pg_sleep(0.1)`.execute(tx);
    });
    await waiting;
    expect(patience.leftMs).toBeLessThan(1_950);
    patience.asOfMs -= 10 * waitBudgetMs;
    expect(waitBudgetLeftMs()).toBe(waitBudgetMs);
  });
});

test("work that nobody waits for has all the patience there is", async () => {
  let waiting: Promise<unknown> = Promise.resolve();
  await whileTaken(async (tx) => {
    waiting = ask();
    await sql`select pg_sleep(0.1)`.execute(tx);
  });
  await waiting;
  expect(waitBudgetLeftMs()).toBe(waitBudgetMs);
});

test("a request waits for a lock no longer than the patience that waiting for a connection has left it", async () => {
  const lockMs = () =>
    inTenant(db, newId(), async (tx) => {
      const { rows } = await sql<{ ms: number }>`select setting::int as ms from pg_settings
        where name = 'lock_timeout'`.execute(tx);
      return rows[0]!.ms;
    });
  expect(await lockMs()).toBe(waitBudgetMs);
  const left = await withWaitBudget(patienceOf(1_000), lockMs);
  expect(left).toBeGreaterThanOrEqual(1_000);
  expect(left).toBeLessThan(waitBudgetMs);
  // Used up, it is not "no limit".
  expect(await withWaitBudget({ leftMs: 0, asOfMs: performance.now() + 60_000 }, lockMs)).toBe(1);
});

test("outside of a transaction, too: in steps of half a second, and whoever has the connection next waits as long as he may", async () => {
  const lockMs = async () => {
    const { rows } = await sql<{ ms: number }>`select setting::int as ms from pg_settings
      where name = 'lock_timeout'`.execute(db);
    return rows[0]!.ms;
  };
  const all = await lockMs();
  expect(all).toBe(10_000);
  const left = (leftMs: number): WaitBudget => ({ leftMs, asOfMs: performance.now() + 60_000 });
  expect(await withWaitBudget(left(61_400), lockMs)).toBe(1_500);
  expect(await withWaitBudget(left(0), lockMs)).toBe(500);
  expect(await withWaitBudget(newWaitBudget(), lockMs)).toBe(waitBudgetMs);
  expect(await lockMs()).toBe(all);
});
