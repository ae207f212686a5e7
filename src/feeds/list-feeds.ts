import type { Actor } from "../actor.ts";
import type { App } from "../app.ts";
import { appError } from "../errors.ts";
import { siteOfTenant } from "../tenants/queries.ts";
import type { FeedView } from "./feed.ts";
import { viewFeeds } from "./feed-rules.ts";
import { feedsOfTenant } from "./queries.ts";

/**
 * The feeds of the actor's tenant, or of one of its sites: how each is polled and pushed, what became of its items, and
 * what its owner is asked. Throws `not_found` for a site that is not the tenant's.
 */
export async function listFeeds(app: App, actor: Actor, input: { siteId?: string | undefined }): Promise<FeedView[]> {
  const { siteId } = input;
  if (siteId !== undefined && (await siteOfTenant(app.db, actor.tenantId, siteId)) === undefined) {
    throw appError("not_found", { message: `There is no site ${siteId}.` });
  }
  return viewFeeds(app, app.db, await feedsOfTenant(app.db, actor.tenantId, siteId));
}
