import { type Actor, actorName } from "../actor.ts";
import type { Executor } from "../db/database.ts";
import type { Deed } from "./deeds.ts";
import { insertEntry } from "./queries.ts";

/** What a deed was done to. `details`: a few plain facts; never a secret, and of people nothing but what an id leads to. */
export type DeedFacts = { siteId?: string; subjectId?: string; details?: Record<string, unknown> };

/** Writes a deed into the audit log of the actor's tenant. `on`: the transaction of the deed itself, where it has one. */
export async function noteDeed(on: Executor, actor: Actor, deed: Deed, facts: DeedFacts = {}): Promise<void> {
  const { siteId = null, subjectId = null, details = {} } = facts;
  await insertEntry(on, { tenantId: actor.tenantId, actor: actorName(actor), deed, siteId, subjectId, details });
}
