import type { Actor } from "../actor.ts";
import type { App } from "../app.ts";
import { recordAuditEvent } from "../audit/record-event.ts";
import { inTenant } from "../db/pool.ts";
import { knownFeed } from "./feed-rules.ts";
import { deleteFeedRow } from "./queries.ts";

/**
 * Removes a feed of the actor's tenant with the list of its items; its campaigns and runs stay. What it has brought
 * stays known to the site. Throws `not_found`.
 */
export async function deleteFeed(app: App, actor: Actor, input: { feedId: string }): Promise<void> {
  const feed = await knownFeed(app.db, actor.tenantId, input.feedId);
  await inTenant(app.db, actor.tenantId, async (tx) => {
    await deleteFeedRow(tx, actor.tenantId, feed.id);
    await recordAuditEvent(tx, actor, "feed.removed", {
      siteId: feed.siteId,
      subjectId: feed.id,
      details: { url: feed.url },
    });
  });
}
