import { type Actor, actorName } from "../actor.ts";
import type { Executor } from "../db/pool.ts";
import type { AuditEventName } from "./events.ts";
import { insertAuditEvent } from "./queries.ts";

/**
 * The site, subject and details of an event. `details`: a few plain facts, such as a name or a number, but never a
 * secret or personal data. `subjectId` names a person, so that deleting their account removes them from the log.
 */
export type AuditEventFacts = { siteId?: string; subjectId?: string; details?: Record<string, unknown> };

/**
 * Records an audit event in the actor's tenant. `on`: the transaction of the action itself, if it has one, so that an
 * action that is rolled back leaves no event.
 */
export async function recordAuditEvent(
  on: Executor,
  actor: Actor,
  event: AuditEventName,
  facts: AuditEventFacts = {},
): Promise<void> {
  const { siteId = null, subjectId = null, details = {} } = facts;
  await insertAuditEvent(on, { tenantId: actor.tenantId, actor: actorName(actor), event, siteId, subjectId, details });
}
