import type { Database } from "../../db/pool.ts";
import type { RunRef } from "../queries.ts";
import { findWinner, leaderOf } from "./check-test.ts";
import { moveClock } from "./clock.ts";
import type { TestOutcome, VariantFigures } from "./headline-test.ts";
import { endTest, figuresOfVariants, type RunningTest, runningTests } from "./queries.ts";

/**
 * The fewest recipients of each variant. With fewer, a test only delays the other readers, because it needs about 30
 * clicks to distinguish two variants.
 */
export const recipientsNeeded = 100;

/** A run whose headline test has ended. */
export type EndedTest = RunRef & { outcome: TestOutcome };

/**
 * Moves the clocks of headline tests, and ends tests that have a winner, are due, or lost their run. Runs each
 * second. One transaction ends a test and releases the waiting readers, so that a process that dies leaves both or
 * neither. Returns the runs whose tests it ended, and the errors of tests that it could not end. Such an error does
 * not delay other tests.
 */
export async function endHeadlineTests(db: Database): Promise<{ ended: EndedTest[]; errors: unknown[] }> {
  const ended: EndedTest[] = [];
  const errors: unknown[] = [];
  for (const test of await runningTests(db)) {
    const outcome = await endIfDecided(db, test).catch((error) => void errors.push(error));
    if (outcome === undefined) continue;
    const { siteId, runId } = test;
    ended.push({ siteId, runId, outcome });
  }
  return { ended, errors };
}

/** Returns how the test ended; undefined if it continues or another process has ended it. */
async function endIfDecided(db: Database, test: RunningTest): Promise<TestOutcome | undefined> {
  if (test.waitsFor !== test.clock) await moveClock(db, test);
  const figures = await figuresOfVariants(db, test, test.variants);
  const end = check(test, figures);
  if (end === undefined) return undefined;
  const isOurs = await db.transaction().execute((tx) => endTest(tx, test, { ...end, figures }));
  return isOurs ? end.outcome : undefined;
}

function check(
  { isPlanned, reachesNobody, waitsFor, isDue, isRunOver }: RunningTest,
  figures: VariantFigures[],
): { outcome: TestOutcome; chosen: number | null } | undefined {
  if (isRunOver) return { outcome: "stopped", chosen: null };
  // A page that is planned later would add readers to the waiting ones after their release.
  if (!isPlanned) return undefined;
  if (figures.some(({ recipients }) => recipients < recipientsNeeded)) return { outcome: "too_few", chosen: 0 };
  if (reachesNobody) return { outcome: "not_measured", chosen: 0 };
  const winner = findWinner(figures);
  if (winner !== undefined) return { outcome: "winner", chosen: winner };
  if (waitsFor !== null || !isDue) return undefined;
  const isMeasured = figures.some(({ clicked }) => clicked > 0);
  return isMeasured ? { outcome: "no_difference", chosen: leaderOf(figures) } : { outcome: "not_measured", chosen: 0 };
}
