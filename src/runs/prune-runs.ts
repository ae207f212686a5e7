import type { Chore } from "../housekeeping.ts";
import { removeRecipients, runToPrune } from "./queries.ts";

/** Long enough for a browser that was off for a week to report; then nobody needs to know who stood where. */
export const keptDays = 7;

const batchesPerPiece = 200;

/**
 * Forgets, days after a run's end, which subscriber had which place in it, and with that the bit of each of them that
 * says what its reader did. What the run counts stays.
 */
export const pruneRuns: Chore = {
  name: "recipients of old runs",
  async sweep(tx) {
    const run = await runToPrune(tx, keptDays);
    if (run === undefined) return { removed: 0, at: null };
    return { removed: await removeRecipients(tx, run, batchesPerPiece), at: "on" };
  },
};
