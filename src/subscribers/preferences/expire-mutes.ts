import type { MaintenanceTask } from "../../maintenance.ts";
import { deleteOldMutes } from "./queries.ts";

const pageSize = 5_000;

/** Expires muted stories after `muteDays`. */
export const expireMutes: MaintenanceTask = {
  name: "muted stories",
  async sweep(tx) {
    const removed = await deleteOldMutes(tx, pageSize);
    return { removed, at: removed === pageSize ? "on" : null };
  },
};
