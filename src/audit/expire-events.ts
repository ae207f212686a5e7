import type { MaintenanceTask } from "../maintenance.ts";
import { deleteOldAuditEvents } from "./queries.ts";

const entriesPerPiece = 1_000;

/** Removes what the audit log has kept for `days` (AUDIT_DAYS). */
export function expireAuditEvents(days: number): MaintenanceTask {
  return {
    name: "old entries of the audit log",
    async sweep(tx) {
      const removed = await deleteOldAuditEvents(tx, days, entriesPerPiece);
      return { removed, at: removed === entriesPerPiece ? "on" : null };
    },
  };
}
