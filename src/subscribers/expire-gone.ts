import type { MaintenanceTask } from "../maintenance.ts";
import { deleteOldGone } from "./gone-queries.ts";

const pageSize = 5_000;

/** Deletes what is kept of readers who are gone, after the days that their site allows (`returnDays`). */
export const expireGone: MaintenanceTask = {
  name: "gone readers",
  async sweep(tx) {
    const removed = await deleteOldGone(tx, pageSize);
    return { removed, at: removed === pageSize ? "on" : null };
  },
};
