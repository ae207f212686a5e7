import { z } from "zod";
import type { Actor } from "../actor.ts";
import type { App } from "../app.ts";
import { faults, zodText } from "../faults.ts";
import { cutPage, day, numberCursor, oneOfMany, pageLimit, parseInput, timeZone, uuid } from "../input.ts";
import { type AuditEventKind, type AuditEventName, auditEventsOfKind } from "./events.ts";
import { type AuditEventRecord, auditEventsOfTenant, type Person, peopleOfLog } from "./queries.ts";

const kinds = Object.keys(auditEventsOfKind) as AuditEventKind[];

const logQuery = z
  .strictObject({
    kind: oneOfMany(kinds).optional(),
    userId: uuid.optional(),
    from: day.optional(),
    to: day.optional(),
    timeZone: timeZone.default("UTC"),
    limit: pageLimit,
    cursor: numberCursor,
  })
  .refine(({ from, to }) => from === undefined || to === undefined || from <= to, {
    path: ["to"],
    error: zodText(faults.before_from()),
  });

/**
 * An audit event as owners see it. `by`: the actor with its present name. The name is null if the actor is gone or has
 * none.
 */
export type AuditEventView = {
  eventId: number;
  at: string;
  by: { kind: Actor["kind"]; name: string | null };
  event: AuditEventName;
  siteName: string | null;
  subjectId: string | null;
  subjectName: string | null;
  details: Record<string, unknown>;
};

/**
 * Returns a page of the audit events of the actor's tenant, newest first. `query`: `kind`, `userId` (who did it),
 * `from` and `to` (days in `timeZone`, by default UTC), `limit` (1 to 100, default 50) and `cursor`, all optional.
 * Throws `validation_failed`.
 */
export async function readAuditLog(
  app: App,
  actor: Actor,
  input: { query: unknown },
): Promise<{ data: AuditEventView[]; nextCursor: string | null }> {
  const { kind, limit, cursor, ...rest } = parseInput(logQuery, input.query);
  const filter = { ...rest, names: kind === undefined ? undefined : auditEventsOfKind[kind] };
  const found = await auditEventsOfTenant(app.db, actor.tenantId, filter, { before: cursor, limit: limit + 1 });
  const { page, nextCursor } = cutPage(found, limit, ({ id }) => String(id));
  return { data: page.map(viewAuditEvent), nextCursor };
}

const peopleAtMost = 200;

/** Returns the people in the audit log of the actor's tenant, at most 200. They are the choices of the log's filter. */
export async function readPeopleOfLog(app: App, actor: Actor): Promise<{ data: Person[] }> {
  return { data: await peopleOfLog(app.db, actor.tenantId, peopleAtMost) };
}

function viewAuditEvent(record: AuditEventRecord): AuditEventView {
  const { id, at, actor, actorLabel, event, siteName, subjectId, subjectLabel, details } = record;
  const kind = actor.split(":")[0] as Actor["kind"];
  const by = { kind, name: actorLabel };
  return { eventId: id, at: at.toISOString(), by, event, siteName, subjectId, subjectName: subjectLabel, details };
}
