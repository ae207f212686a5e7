import type { MaintenanceTask } from "../maintenance.ts";
import { deleteOldAuditEvents } from "./queries.ts";

const eventsPerPiece = 1_000;

/** The maintenance task that deletes audit events older than `days` (AUDIT_DAYS). */
export function expireAuditEvents(days: number): MaintenanceTask {
  return {
    name: "old audit events",
    async sweep(tx) {
      const removed = await deleteOldAuditEvents(tx, days, eventsPerPiece);
      return { removed, at: removed === eventsPerPiece ? "on" : null };
    },
  };
}
