import type { Actor } from "../actor.ts";
import type { App } from "../app.ts";
import { recordAuditEvent } from "../audit/record-event.ts";
import { inTenant } from "../db/pool.ts";
import { appError } from "../errors.ts";
import { isId } from "../ids.ts";
import { siteOfTenant } from "../tenants/sites/queries.ts";
import { deleteLeftOut, type RefusedCount, refusedOfSite } from "./refused-queries.ts";

/** Deleted in one call, at most: it takes less than a second. */
const deletedAtOnce = 10_000;

export type Refused = { lanes: RefusedCount[] };

/**
 * Counts the subscribers of a site that their push services refuse (401, 403) while they take the site's key, by lane.
 * Throws `not_found`.
 */
export async function readRefused(app: App, actor: Actor, { siteId }: { siteId: string }): Promise<Refused> {
  await findSite(app, actor, siteId);
  return { lanes: await refusedOfSite(app.db, siteId) };
}

/**
 * Deletes subscribers of a site that were refused so often that they get no live sends, 10,000 in one call. `hasMore`:
 * call again. Throws `not_found`.
 */
export async function deleteRefused(
  app: App,
  actor: Actor,
  { siteId }: { siteId: string },
): Promise<{ deleted: number; hasMore: boolean }> {
  await findSite(app, actor, siteId);
  return inTenant(app.db, actor.tenantId, async (tx) => {
    const deleted = await deleteLeftOut(tx, siteId, deletedAtOnce);
    if (deleted > 0) await recordAuditEvent(tx, actor, "subscribers.deleted", { siteId, details: { deleted } });
    return { deleted, hasMore: deleted === deletedAtOnce };
  });
}

async function findSite(app: App, actor: Actor, siteId: string): Promise<void> {
  const site = isId(siteId) ? await siteOfTenant(app.db, actor.tenantId, siteId) : undefined;
  if (site === undefined) throw appError("not_found", { message: `There is no site ${siteId}.` });
}
