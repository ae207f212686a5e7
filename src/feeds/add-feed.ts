import { type Actor, actorName } from "../actor.ts";
import type { App } from "../app.ts";
import { recordAuditEvent } from "../audit/record-event.ts";
import { inTenant } from "../db/pool.ts";
import { appError, invalidFields } from "../errors.ts";
import { newId } from "../ids.ts";
import { parseInput } from "../input.ts";
import { siteOfTenant } from "../tenants/sites/queries.ts";
import { type FeedView, maxFeeds, newFeed } from "./feed.ts";
import { faultsOfFeed, viewFeeds } from "./feed-rules.ts";
import { countFeeds, feedById, insertFeed, lockSiteForFeeds, updateFeed } from "./queries.ts";

/**
 * Adds a feed to a site of the actor's tenant; it is polled at once, and what stands in it then is never sent. `input`:
 * siteId, url, and what `newFeed` takes beside. Returns it, with a warning where its override is on. Throws
 * `validation_failed` with all faults at once, and `feed_limit`.
 */
export async function addFeed(app: App, actor: Actor, input: unknown): Promise<FeedView> {
  const { siteId, url, ...rest } = parseInput(newFeed, input);
  if ((await siteOfTenant(app.db, actor.tenantId, siteId)) === undefined) {
    throw invalidFields([{ path: "/siteId", message: "is no site of this tenant" }]);
  }
  return inTenant(app.db, actor.tenantId, async (tx) => {
    const faults = await faultsOfFeed(app, tx, { siteId, url, topics: rest.topics });
    if (faults.length > 0) throw invalidFields(faults);
    await lockSiteForFeeds(tx, siteId);
    if ((await countFeeds(tx, siteId)) >= maxFeeds) throw appError("feed_limit");
    const id = newId();
    const isNew = await insertFeed(tx, { id, tenantId: actor.tenantId, siteId, url, createdBy: actorName(actor) });
    if (!isNew) throw invalidFields([{ path: "/url", message: "is a feed of this site already" }]);
    await updateFeed(tx, id, rest);
    await recordAuditEvent(tx, actor, "feed.added", { siteId, subjectId: id, details: { url } });
    return (await viewFeeds(app, tx, [(await feedById(tx, id))!]))[0]!;
  });
}
