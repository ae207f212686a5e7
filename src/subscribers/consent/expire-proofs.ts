import type { MaintenanceTask } from "../../maintenance.ts";
import { deleteOldProofs } from "./queries.ts";

const proofsPerPiece = 5_000;

/** The maintenance task that deletes the records of consents that ended more than `days` (CONSENT_PROOF_DAYS) ago. */
export function expireConsentProofs(days: number): MaintenanceTask {
  return {
    name: "old proofs of consent",
    async sweep(tx) {
      const removed = await deleteOldProofs(tx, days, proofsPerPiece);
      return { removed, at: removed === proofsPerPiece ? "on" : null };
    },
  };
}
