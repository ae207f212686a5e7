import type { Chore } from "../housekeeping.ts";
import { removeBatches, runToPrune } from "./queries.ts";

/** Long enough for a browser that was off for a week to report; then nobody needs to know who stood where. */
export const keptDays = 7;

const batchesPerPiece = 200;

/**
 * Forgets, days after a run's end, its batches: which subscriber had which place in it and what became of it, and with that
 * the bit of each of them that says what its reader did. What the run counts stays, in its totals and hours.
 */
export const pruneRuns: Chore = {
  name: "batches of old runs",
  async sweep(tx) {
    const run = await runToPrune(tx, keptDays);
    if (run === undefined) return { removed: 0, at: null };
    return { removed: await removeBatches(tx, run, batchesPerPiece), at: "on" };
  },
};
