import type { Actor } from "../actor.ts";
import type { App } from "../app.ts";
import { noteDeed } from "../audit/note-deed.ts";
import { inTenant } from "../db/database.ts";
import { knownFeed } from "./feed-rules.ts";
import { deleteFeed } from "./queries.ts";

/**
 * Removes a feed of the actor's tenant with the list of its items; its campaigns and runs stay. What it has brought
 * stays known to the site. Throws `not_found`.
 */
export async function removeFeed(app: App, actor: Actor, input: { feedId: string }): Promise<void> {
  const feed = await knownFeed(app.db, actor.tenantId, input.feedId);
  await inTenant(app.db, actor.tenantId, async (tx) => {
    await deleteFeed(tx, actor.tenantId, feed.id);
    await noteDeed(tx, actor, "feed.removed", { siteId: feed.siteId, subjectId: feed.id, details: { url: feed.url } });
  });
}
