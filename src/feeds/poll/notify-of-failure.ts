import { sql } from "kysely";
import type { App } from "../../app.ts";
import { type Executor, row, type Tx } from "../../db/pool.ts";
import type { FeedRecord } from "../feed.ts";
import { nameOf, notifyOwners } from "../notify-owners.ts";

/**
 * Tells the owners of a feed whose polls have all failed for a day, by e-mail and in the log. Tells them once, and
 * again only after a poll has succeeded. Call it after a poll that failed. `message`: the reason of the failure.
 */
export async function notifyOfFailure(app: App, tx: Tx, feed: FeedRecord, message: string): Promise<void> {
  if (!(await recordNotified(tx, feed.id))) return;
  app.log.warn({ feedId: feed.id }, "a feed has failed for a day");
  await notifyOwners(app, tx, feed, {
    subject: "A feed has failed for a day",
    what: `The feed ${nameOf(feed)} could not be read for a day, so nothing new of it is sent. ${message}`,
    advice: "It is tried again about every hour. Correct it, or give it another address:",
  });
}

/** Records that the owners are told. Returns false if the feed has not failed for a day, or the owners already know. */
async function recordNotified(on: Executor, id: string): Promise<boolean> {
  const told = await row(
    sql`update feeds set failing_notified_at = now() where id = ${id} and enabled and failing_notified_at is null
      and failing_since <= now() - interval '1 day' returning id`,
    on,
  );
  return told !== undefined;
}
