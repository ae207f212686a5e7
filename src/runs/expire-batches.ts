import type { MaintenanceTask } from "../maintenance.ts";
import { deleteBatches, runToExpire } from "./queries.ts";

const batchesPerPiece = 200;

/**
 * The maintenance task that deletes the batches of a run `days` after its end (RECIPIENT_DAYS): which subscriber had which
 * position, its code, and its receipt bits. The figures of the run stay, in its totals and hours.
 */
export function expireBatches(days: number): MaintenanceTask {
  return {
    name: "batches of old runs",
    async sweep(tx) {
      const run = await runToExpire(tx, days);
      if (run === undefined) return { removed: 0, at: null };
      return { removed: await deleteBatches(tx, run, batchesPerPiece), at: "on" };
    },
  };
}
