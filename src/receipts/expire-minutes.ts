import type { MaintenanceTask } from "../maintenance.ts";
import { deleteOldMinutes } from "./queries.ts";

const minutesPerPiece = 5_000;

/** The maintenance task that deletes old counts of receipts by minute. The counts by hour stay. */
export const expireMinutes: MaintenanceTask = {
  name: "old minutes of receipts",
  async sweep(tx) {
    const removed = await deleteOldMinutes(tx, minutesPerPiece);
    return { removed, at: removed === minutesPerPiece ? "on" : null };
  },
};
