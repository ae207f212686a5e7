import { type Actor, actorName } from "../actor.ts";
import type { Executor } from "../db/pool.ts";
import type { AuditEvent } from "./events.ts";
import { insertAuditEvent } from "./queries.ts";

/** What a deed was done to. `details`: a few plain facts; never a secret, and of people nothing but what an id leads to. */
export type AuditEventFacts = { siteId?: string; subjectId?: string; details?: Record<string, unknown> };

/** Writes a deed into the audit log of the actor's tenant. `on`: the transaction of the deed itself, where it has one. */
export async function recordAuditEvent(
  on: Executor,
  actor: Actor,
  deed: AuditEvent,
  facts: AuditEventFacts = {},
): Promise<void> {
  const { siteId = null, subjectId = null, details = {} } = facts;
  await insertAuditEvent(on, { tenantId: actor.tenantId, actor: actorName(actor), deed, siteId, subjectId, details });
}
