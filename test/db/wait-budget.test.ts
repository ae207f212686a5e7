import { sql } from "kysely";
import { afterEach, beforeAll, beforeEach, expect, test } from "vitest";
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
import { startTurnClock } from "../fixtures/turn-clock.ts";

let db: Database;
let clock: ReturnType<typeof startTurnClock>;

// A budget grows with all time that is not spent on waiting, even while this process is stalled.
beforeEach(() => {
  clock = startTurnClock();
});
afterEach(() => clock.stop());

beforeAll(async () => {
  const app = await openTestApp();
  db = openDatabase({ connection: app.connection, poolMax: 1, applicationName: "test", log: app.log });
  return () => db.destroy();
});

const budgetOf = (leftMs: number): WaitBudget => ({ leftMs, asOfMs: performance.now() });
const query = () => sql`select 1`.execute(db);

/** Holds the only connection of the pool while `work` runs. */
async function whileTaken(work: (tx: Tx) => Promise<void>): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await sql`select 1`.execute(tx);
    await work(tx);
  });
}

test("a request without a connection fails when its wait budget ends", async () => {
  await whileTaken(async () => {
    const refused = await withWaitBudget(budgetOf(50), query).catch((error: unknown) => error);
    expect(isDatabaseAway(refused)).toBe(true);
  });
  await withWaitBudget(newWaitBudget(), query);
});

test("waiting uses up the budget, and other work restores it", async () => {
  const budget = budgetOf(waitBudgetMs);
  await withWaitBudget(budget, async () => {
    let waiting: Promise<unknown> = Promise.resolve();
    await whileTaken(async (tx) => {
      waiting = query();
      await sql`select pg_sleep(0.1)`.execute(tx);
    });
    await waiting;
    expect(budget.leftMs).toBeLessThan(waitBudgetMs);
    budget.asOfMs -= 10 * waitBudgetMs;
    expect(waitBudgetLeftMs()).toBe(waitBudgetMs);
  });
});

test("background work always has the whole budget", async () => {
  let waiting: Promise<unknown> = Promise.resolve();
  await whileTaken(async (tx) => {
    waiting = query();
    await sql`select pg_sleep(0.1)`.execute(tx);
  });
  await waiting;
  expect(waitBudgetLeftMs()).toBe(waitBudgetMs);
});

test("a request waits for a lock only as long as its budget lasts", async () => {
  const lockMs = () =>
    inTenant(db, newId(), async (tx) => {
      const { rows } = await sql<{ ms: number }>`select setting::int as ms from pg_settings
        where name = 'lock_timeout'`.execute(tx);
      return rows[0]!.ms;
    });
  expect(await lockMs()).toBe(waitBudgetMs);
  const left = await withWaitBudget(budgetOf(1_000), lockMs);
  expect(left).toBeGreaterThanOrEqual(1_000);
  expect(left).toBeLessThan(waitBudgetMs);
  // A budget that is used up must not become "no limit".
  expect(await withWaitBudget({ leftMs: 0, asOfMs: performance.now() + 60_000 }, lockMs)).toBe(1);
});

test("outside of a transaction the lock limit follows each budget in steps of half a second", async () => {
  const lockMs = async () => {
    const { rows } = await sql<{ ms: number }>`select setting::int as ms from pg_settings
      where name = 'lock_timeout'`.execute(db);
    return rows[0]!.ms;
  };
  const unlimited = await lockMs();
  expect(unlimited).toBe(10_000);
  const left = (leftMs: number): WaitBudget => ({ leftMs, asOfMs: performance.now() + 60_000 });
  expect(await withWaitBudget(left(61_100), lockMs)).toBe(1_500);
  expect(await withWaitBudget(left(0), lockMs)).toBe(500);
  expect(await withWaitBudget(newWaitBudget(), lockMs)).toBe(waitBudgetMs);
  expect(await lockMs()).toBe(unlimited);
});
