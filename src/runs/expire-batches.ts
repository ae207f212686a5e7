import type { MaintenanceTask } from "../maintenance.ts";
import { deleteBatches, runToExpire } from "./queries.ts";

/** Long enough for a browser that was off for a week to send its receipts. */
export const batchRetentionDays = 7;

const batchesPerPiece = 200;

/**
 * Deletes the batches of a run days after its end: which subscriber had which position, its code, and its receipt bits. The
 * figures of the run stay, in its totals and hours.
 */
export const expireBatches: MaintenanceTask = {
  name: "batches of old runs",
  async sweep(tx) {
    const run = await runToExpire(tx, batchRetentionDays);
    if (run === undefined) return { removed: 0, at: null };
    return { removed: await deleteBatches(tx, run, batchesPerPiece), at: "on" };
  },
};
