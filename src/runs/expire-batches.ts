import type { MaintenanceTask } from "../maintenance.ts";
import { deleteBatches, runToExpire } from "./queries.ts";

/** Long enough for a browser that was off for a week to report; then nobody needs to know who stood where. */
export const batchRetentionDays = 7;

const batchesPerPiece = 200;

/**
 * Forgets, days after a run's end, its batches: which subscriber had which place in it and what became of it, and with that
 * the bit of each of them that says what its reader did. What the run counts stays, in its totals and hours.
 */
export const expireBatches: MaintenanceTask = {
  name: "batches of old runs",
  async sweep(tx) {
    const run = await runToExpire(tx, batchRetentionDays);
    if (run === undefined) return { removed: 0, at: null };
    return { removed: await deleteBatches(tx, run, batchesPerPiece), at: "on" };
  },
};
