import type { App } from "../../app.ts";
import type { Tx } from "../../db/pool.ts";
import type { FeedRecord } from "../feed.ts";
import { nameOf, notifyOwners } from "../notify-owners.ts";
import type { Entry } from "../parse/entry.ts";
import { recordQuestion } from "../queries.ts";

/**
 * The owner is asked if more new items come at once. They are rarely news: the site has a new address scheme, has
 * moved its archive, or has a fault.
 */
const askAbove = 50;
/**
 * The owner is asked from this number of new entries on, if they replace nearly all entries of the last poll. The
 * causes are the same.
 */
const askWhenReplaced = 10;
/** If at most one in this number is an exception, it does not change what the others show. */
const few = 10;
/** How much later than its date an item may reach the feed, because a publisher's own systems take time. */
const delayMs = 10 * 60_000;
/** More than one item in this time is not news. */
const perItemMs = 60_000;

/**
 * What a poll brought. `kept`: the number of entries that the feed already listed at its last poll. `sinceMs`: the
 * time of the last poll that succeeded, or null if none is known. Times: ms since 1970.
 */
export type Brought = { kept: number; sinceMs: number | null; nowMs: number };

/**
 * Returns whether new entries are more likely an accident than news. That is so if there are very many. It is also so
 * if nearly all that the feed listed at its last poll is gone, and the dates do not say that the new ones were written
 * since. `brought`: null for a push, which may hold only new entries.
 */
export function areTooMany(fresh: Pick<Entry, "publishedMs">[], brought: Brought | null): boolean {
  if (fresh.length > askAbove) return true;
  if (brought === null || fresh.length < askWhenReplaced || brought.kept * few > fresh.length) return false;
  const { sinceMs, nowMs } = brought;
  if (sinceMs === null || nowMs - sinceMs < fresh.length * perItemMs) return true;
  const isOfGap = ({ publishedMs }: Pick<Entry, "publishedMs">) =>
    publishedMs !== null && publishedMs >= sinceMs - delayMs && publishedMs <= nowMs + delayMs;
  return fresh.filter((entry) => !isOfGap(entry)).length * few > fresh.length;
}

/**
 * Asks the owners what to do with a feed's many new items: on its page, by e-mail and in the log, once per question.
 */
export async function askOwners(app: App, tx: Tx, feed: FeedRecord, items: number): Promise<void> {
  await recordQuestion(tx, { feedId: feed.id }, true);
  if (feed.askedAt !== null) return;
  app.log.warn({ feedId: feed.id, items }, "a feed has very many new items, and sends none until its owner answers");
  await notifyOwners(app, tx, feed, {
    subject: "A feed waits for your answer",
    what: `${items} new items of the feed ${nameOf(feed)} came at once, and none was sent. Until you answer, nothing of it is sent:`,
    advice: "Say what becomes of them: skip them, or send them as far as the limits allow:",
  });
}
