import type { MaintenanceTask } from "../../maintenance.ts";
import { deleteOldFollows } from "./queries.ts";

const pageSize = 5_000;

/** Expires a follow if nothing was sent to the followers of its id for `followDays`. */
export const expireFollows: MaintenanceTask = {
  name: "follows",
  sweep: (tx, at) => deleteOldFollows(tx, at, pageSize),
};
