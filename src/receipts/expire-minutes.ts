import type { MaintenanceTask } from "../maintenance.ts";
import { deleteOldMinutes } from "./queries.ts";

const minutesPerPiece = 5_000;

/** The maintenance task that deletes the counts by minute of notifications that are old: their hours stay. */
export const expireMinutes: MaintenanceTask = {
  name: "old minutes of receipts",
  async sweep(tx) {
    const removed = await deleteOldMinutes(tx, minutesPerPiece);
    return { removed, at: removed === minutesPerPiece ? "on" : null };
  },
};
