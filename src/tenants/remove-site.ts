import type { Actor } from "../actor.ts";
import type { App } from "../app.ts";
import { recordAuditEvent } from "../audit/record-event.ts";
import { inTenant } from "../db/pool.ts";
import { appError } from "../errors.ts";
import { markSiteRemoved } from "./queries.ts";

/**
 * Gives up a site of the actor's tenant, for good. What is being sent for it halts within a second and ends as failed,
 * what is scheduled fails when it is due, and its readers are deleted in small pieces; the history of what was sent
 * stays. Throws `not_found`.
 */
export async function removeSite(app: App, actor: Actor, input: { siteId: string }): Promise<void> {
  const { siteId } = input;
  await inTenant(app.db, actor.tenantId, async (tx) => {
    if (!(await markSiteRemoved(tx, actor.tenantId, siteId))) {
      throw appError("not_found", { message: `There is no site ${siteId}.` });
    }
    await recordAuditEvent(tx, actor, "site.removed", { siteId });
  });
}
