import type { MaintenanceTask } from "../../maintenance.ts";
import { deleteUsersWhoLeft } from "./queries.ts";

const accountsPerPiece = 1_000;

/** Returns the maintenance task that deletes accounts whose last membership ended over `days` (ACCOUNT_DAYS) ago. */
export function expireAccounts(days: number): MaintenanceTask {
  return {
    name: "accounts of people who have left",
    async sweep(tx) {
      const removed = await deleteUsersWhoLeft(tx, days, accountsPerPiece);
      return { removed, at: removed === accountsPerPiece ? "on" : null };
    },
  };
}
