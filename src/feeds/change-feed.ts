import type { Actor } from "../actor.ts";
import type { App } from "../app.ts";
import { recordAuditEvent } from "../audit/record-event.ts";
import { inTenant, type Tx } from "../db/pool.ts";
import { invalidFields } from "../errors.ts";
import { parseInput } from "../input.ts";
import { type FeedChange, type FeedRecord, type FeedView, feedChange } from "./feed.ts";
import { faultsOfFeed, knownFeed, viewFeeds } from "./feed-rules.ts";
import { blocks } from "./items/judge-item.ts";
import { answerItems, skipOpenItems } from "./items/queries.ts";
import { feedsOfTenant, lockFeed, recordQuestion, startAfresh, updateFeed } from "./queries.ts";

const switchedOff = blocks("feed_off", "The feed was switched off before this went out.");
const answeredNo = blocks("owner_skipped", "It came with very many others, and the owner chose to skip them.");

/**
 * Changes what `change` names of a feed (see feedChange); what is absent stays. A feed that is switched on, or moved to
 * another address, begins afresh: what stands in it then counts as seen. Switching off ends what is still to be judged.
 * `newItems` answers the question about very many new items. Throws `not_found` and `validation_failed`.
 */
export async function changeFeed(
  app: App,
  actor: Actor,
  input: { feedId: string; change: unknown },
): Promise<FeedView> {
  const { newItems, ...change } = parseInput(feedChange, input.change);
  return inTenant(app.db, actor.tenantId, async (tx) => {
    await knownFeed(tx, actor.tenantId, input.feedId);
    const before = (await lockFeed(tx, input.feedId))!;
    await refuseFaults(app, tx, before, change);
    await updateFeed(tx, before.id, change);
    const details = { url: before.url, change: input.change };
    await recordAuditEvent(tx, actor, "feed.changed", { siteId: before.siteId, subjectId: before.id, details });
    const isMoved = change.url !== undefined && change.url !== before.url;
    if (isMoved || (change.enabled === true && !before.enabled)) await startAfresh(tx, before.id);
    if (change.enabled === false) await switchOff(tx, before.id);
    else if (newItems !== undefined) await answer(tx, before.id, newItems);
    return (await viewFeeds(app, tx, [await knownFeed(tx, actor.tenantId, before.id)]))[0]!;
  });
}

async function refuseFaults(app: App, tx: Tx, before: FeedRecord, change: Omit<FeedChange, "newItems">): Promise<void> {
  const { siteId } = before;
  const faults = await faultsOfFeed(app, tx, { siteId, url: change.url, topics: change.topics });
  const others = (await feedsOfTenant(tx, before.tenantId, siteId)).filter(({ id }) => id !== before.id);
  if (others.some(({ url }) => url === change.url)) {
    faults.push({ path: "/url", message: "is a feed of this site already" });
  }
  if (faults.length > 0) throw invalidFields(faults);
}

async function switchOff(tx: Tx, feedId: string): Promise<void> {
  await skipOpenItems(tx, feedId, [switchedOff]);
  await recordQuestion(tx, feedId, false);
}

async function answer(tx: Tx, feedId: string, newItems: "send" | "skip"): Promise<void> {
  await answerItems(tx, feedId, newItems === "send" ? null : [answeredNo]);
  await recordQuestion(tx, feedId, false);
}
