import { z } from "zod";
import type { Actor } from "../actor.ts";
import type { App } from "../app.ts";
import { cutPage, numberCursor, pageLimit, parseInput } from "../input.ts";
import { type AuditEvent, type AuditEventKind, auditEventsOfKind } from "./events.ts";
import { type AuditEventRecord, auditEventsOfTenant } from "./queries.ts";

const kinds = Object.keys(auditEventsOfKind) as AuditEventKind[];

const logQuery = z.strictObject({
  kind: z.enum(kinds, `must be one of ${kinds.join(", ")}`).optional(),
  limit: pageLimit,
  cursor: numberCursor,
});

/** An entry of the audit log. `by`: what did it, and its name of today; null: it is gone, or has none. */
export type AuditEventView = {
  entryId: number;
  at: string;
  by: { kind: Actor["kind"]; name: string | null };
  deed: AuditEvent;
  siteName: string | null;
  subjectId: string | null;
  subjectName: string | null;
  details: Record<string, unknown>;
};

/** Who did what in the actor's tenant, the newest first, by kind and in pages. Throws `validation_failed`. */
export async function readAuditLog(
  app: App,
  actor: Actor,
  input: { query: unknown },
): Promise<{ data: AuditEventView[]; nextCursor: string | null }> {
  const { kind, limit, cursor } = parseInput(logQuery, input.query);
  const deeds = kind === undefined ? undefined : auditEventsOfKind[kind];
  const found = await auditEventsOfTenant(app.db, actor.tenantId, { deeds, before: cursor, limit: limit + 1 });
  const { page, nextCursor } = cutPage(found, limit, ({ id }) => String(id));
  return { data: page.map(viewEntry), nextCursor };
}

function viewEntry(record: AuditEventRecord): AuditEventView {
  const { id, at, actor, actorLabel, deed, siteName, subjectId, subjectLabel, details } = record;
  const kind = actor.split(":")[0] as Actor["kind"];
  const by = { kind, name: actorLabel };
  return { entryId: id, at: at.toISOString(), by, deed, siteName, subjectId, subjectName: subjectLabel, details };
}
