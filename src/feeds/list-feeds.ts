import type { Actor } from "../actor.ts";
import type { App } from "../app.ts";
import type { FeedView } from "./feed.ts";
import { knownSite, viewFeeds } from "./feed-rules.ts";
import { feedsOfTenant } from "./queries.ts";

/**
 * The feeds of the actor's tenant, or of one of its sites: how each is polled and pushed, what became of its items, and
 * what its owner is asked. Throws `not_found` for a site that is not the tenant's.
 */
export async function listFeeds(app: App, actor: Actor, input: { siteId?: string | undefined }): Promise<FeedView[]> {
  const { siteId } = input;
  if (siteId !== undefined) await knownSite(app.db, actor.tenantId, siteId);
  return viewFeeds(app, app.db, await feedsOfTenant(app.db, actor.tenantId, siteId));
}
