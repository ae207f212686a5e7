import type { Chore } from "../housekeeping.ts";
import { removeOldEntries } from "./queries.ts";

const entriesPerPiece = 1_000;

/** Removes what the audit log has kept for `days` (AUDIT_DAYS). */
export function forgetDeeds(days: number): Chore {
  return {
    name: "old entries of the audit log",
    async sweep(tx) {
      const removed = await removeOldEntries(tx, days, entriesPerPiece);
      return { removed, at: removed === entriesPerPiece ? "on" : null };
    },
  };
}
