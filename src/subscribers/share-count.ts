import { sql } from "kysely";
import type { App } from "../app.ts";
import { type Database, type Executor, row } from "../db/pool.ts";
import { connectionShare, hasWaitBudget, newWaitBudget, partyOfCaller, withWaitBudget } from "../db/wait-budget.ts";

/** How long the count of a large site is kept. Asking again within this time costs the database nothing. */
export const countKeptMs = 5_000;
/** A site with more subscribers is large. Smaller sites are counted anew each time, within milliseconds. */
export const smallSiteAtMost = 10_000;
/** The most counts of one process that are kept or under way. */
const keptAtMost = 1_000;

type Kept = { answer: Promise<unknown>; endsMs: number };

/** The kept counts of each database, by question. */
const keptCounts = new WeakMap<Database, Map<string, Kept>>();

/**
 * Counts once for all who ask the same question at the same time. The answer for a site with more than 10,000
 * subscribers is kept for five seconds. `question`: all that the answer depends on, except for the site. Its parts
 * become JSON. Do not use it for a count that allows or refuses a send: that count must be current.
 */
export function shareCount<T>(
  app: Pick<App, "db" | "now">,
  siteId: string,
  question: unknown[],
  count: () => Promise<T>,
): Promise<T> {
  const kept = keptCounts.get(app.db) ?? new Map<string, Kept>();
  keptCounts.set(app.db, kept);
  const key = JSON.stringify([siteId, ...question]);
  const found = kept.get(key);
  if (found !== undefined && app.now() < found.endsMs) return found.answer as Promise<T>;
  const mine: Kept = { answer: Promise.resolve(), endsMs: Number.POSITIVE_INFINITY };
  const forget = () => {
    if (kept.get(key) === mine) kept.delete(key);
  };
  const answer = inOwnBudget(async () => {
    const isKept = kept.size <= keptAtMost && (await isLarge(app.db, siteId));
    const counted = await count();
    if (isKept) mine.endsMs = app.now() + countKeptMs;
    else forget();
    return counted;
  }).catch((error: unknown) => {
    forget();
    throw error;
  });
  mine.answer = answer;
  if (kept.size > keptAtMost) dropEnded(kept, app.now());
  kept.set(key, mine);
  return answer;
}

/** Counts with a wait budget of its own, because the budget of the request that happens to count may be used up. */
function inOwnBudget<T>(work: () => Promise<T>): Promise<T> {
  if (!hasWaitBudget()) return work();
  return withWaitBudget(newWaitBudget(connectionShare(), partyOfCaller()), work);
}

function dropEnded(kept: Map<string, Kept>, nowMs: number): void {
  for (const [key, { endsMs }] of kept) if (endsMs <= nowMs) kept.delete(key);
}

async function isLarge(on: Executor, siteId: string): Promise<boolean> {
  const found = await row(sql`select from subscribers where site_id = ${siteId} offset ${smallSiteAtMost} limit 1`, on);
  return found !== undefined;
}
