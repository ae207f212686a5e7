import type { Actor } from "../actor.ts";
import type { App } from "../app.ts";
import { recordAuditEvent } from "../audit/record-event.ts";
import { inTenant } from "../db/pool.ts";
import { findSiteId } from "./delete-registered.ts";
import { deleteExcluded, type RefusedCount, refusedOfSite } from "./refused-queries.ts";
import { shareCount } from "./share-count.ts";

/** The most subscribers that one call deletes: it takes less than a second. */
const deletedAtOnce = 10_000;

export type Refused = { pushServices: RefusedCount[] };
export type DeletedRefused = { deleted: number; hasMore: boolean };

/**
 * Counts the subscribers of a site whose push service refuses them (401, 403) but accepts the site's key, by push
 * service. Throws `not_found`.
 */
export async function readRefused(app: App, actor: Actor, input: { siteId: string }): Promise<Refused> {
  const siteId = await findSiteId(app, actor, input.siteId);
  return { pushServices: await shareCount(app, siteId, ["refused"], () => refusedOfSite(app.db, siteId)) };
}

/**
 * Deletes subscribers of a site that were refused so often that they get no live sends, at most 10,000 in one call.
 * `hasMore`: there are more, so call again. Throws `not_found`.
 */
export async function deleteRefused(app: App, actor: Actor, input: { siteId: string }): Promise<DeletedRefused> {
  const siteId = await findSiteId(app, actor, input.siteId);
  return inTenant(app.db, actor.tenantId, async (tx) => {
    const deleted = await deleteExcluded(tx, siteId, deletedAtOnce);
    const details = { subscribers: deleted, excluded: true };
    if (deleted > 0) await recordAuditEvent(tx, actor, "subscribers.deleted", { siteId, details });
    return { deleted, hasMore: deleted === deletedAtOnce };
  });
}
