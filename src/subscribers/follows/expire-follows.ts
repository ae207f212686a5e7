import type { MaintenanceTask } from "../../maintenance.ts";
import { deleteOldFollows } from "./queries.ts";

const pageSize = 5_000;

/** Expires follows after `followDays` in which nothing was sent to the followers of their id. */
export const expireFollows: MaintenanceTask = {
  name: "follows",
  sweep: (tx, at) => deleteOldFollows(tx, at, pageSize),
};
