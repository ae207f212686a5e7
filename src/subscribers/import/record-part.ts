import type { Actor } from "../../actor.ts";
import { importEventOf, updateAuditDetails } from "../../audit/queries.ts";
import { recordAuditEvent } from "../../audit/record-event.ts";
import { type Database, inTenant } from "../../db/pool.ts";

/** Counts of the lines of a file, or of a part of one, by what became of them. */
export type ImportReport = { lines: number; added: number; changed: number; unchanged: number; wrong: number };

/** A part of an import: `importId` is the same for all of its parts, which are numbered from 1. */
export type PartOfImport = { importId: string; part: number };

/**
 * Adds the counts of a part to the audit event of its import, or records that event with the first part. Until the
 * last part (`hasMore` false) the event says that the import ended early, so that an import that breaks off is
 * recorded too. A part that is repeated because its answer was lost does not count again.
 */
export async function recordPart(
  db: Database,
  actor: Actor,
  input: PartOfImport & { siteId: string; hasMore: boolean; bringBack: boolean },
  report: ImportReport,
): Promise<void> {
  const { importId, part, siteId, hasMore } = input;
  const ending = { ...(hasMore ? { endedEarly: true } : {}), ...(input.bringBack ? { bringBack: true } : {}) };
  await inTenant(db, actor.tenantId, async (tx) => {
    const event = await importEventOf(tx, actor.tenantId, importId);
    if (event === undefined) {
      const details = { ...report, ...ending, importId, part };
      return recordAuditEvent(tx, actor, "subscribers.imported", { siteId, details });
    }
    if (Number(event.details.part) >= part) return;
    const sums = Object.entries(report).map(([name, n]) => [name, Number(event.details[name] ?? 0) + n]);
    const details = { ...Object.fromEntries(sums), ...ending, importId, part };
    await updateAuditDetails(tx, { tenantId: actor.tenantId, id: event.id, details });
  });
}
