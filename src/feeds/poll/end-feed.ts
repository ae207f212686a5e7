import type { App } from "../../app.ts";
import { recordAuditEvent } from "../../audit/record-event.ts";
import type { Tx } from "../../db/pool.ts";
import type { FeedRecord } from "../feed.ts";
import { blocks } from "../items/check-item.ts";
import { skipOpenItems } from "../items/queries.ts";
import { feedMessages as messages } from "../messages.ts";
import { nameOf, notifyOwners } from "../notify-owners.ts";
import { updateFeed } from "../queries.ts";

const goneReason = blocks("feed_off", messages.item_feed_gone());

/**
 * Switches off a feed whose server says that it is gone for good (410, RFC 9110 section 15.5.11). As when a member
 * does it, its open items are skipped. The feed is the actor of the audit event. Queues an e-mail to the owners.
 */
export async function endFeed(app: App, tx: Tx, feed: FeedRecord): Promise<void> {
  const { id, tenantId, siteId, url } = feed;
  await updateFeed(tx, id, { enabled: false });
  await skipOpenItems(tx, { feedId: id }, goneReason);
  const details = { url, change: { enabled: false }, status: 410 };
  await recordAuditEvent(tx, { kind: "feed", tenantId, feedId: id }, "feed.changed", {
    siteId,
    subjectId: id,
    details,
  });
  await notifyOwners(app, tx, feed, {
    subject: "A feed is gone, and was switched off",
    what: `The server of the feed ${nameOf(feed)} says that it is gone for good (410), so it is not read any more, and nothing of it is sent:`,
    advice: "Give it its new address and switch it on again, or remove it:",
  });
}
