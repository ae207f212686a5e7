import { sql } from "kysely";
import type { App } from "../app.ts";
import { type Database, type Executor, row } from "../db/pool.ts";
import { connectionShare, hasWaitBudget, newWaitBudget, partyOfCaller, withWaitBudget } from "../db/wait-budget.ts";

/** How long a count of a large site is kept: whoever asks again meanwhile costs the database nothing. */
export const countKeptMs = 5_000;
/** A site with more subscribers is large. Counts of others take milliseconds, and are always of this moment. */
export const smallSiteAtMost = 10_000;
/** Counts of one process that are kept or under way. */
const keptAtMost = 1_000;

type Kept = { answer: Promise<unknown>; endsMs: number };

/** Of each database, by the question. */
const keptCounts = new WeakMap<Database, Map<string, Kept>>();

/**
 * Counts for all who ask at once: a question about a site that is being answered is not asked a second time. The answer
 * for a site with more than 10,000 subscribers is kept for five seconds. `question`: says all that the answer depends
 * on, beside the site; its parts become JSON. Not for a count by which a send is allowed or refused: that is of its
 * moment.
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

/** With a wait budget of its own: that of the request which happens to count may be used up. */
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
