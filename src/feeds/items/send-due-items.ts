import type { App } from "../../app.ts";
import type { PageFetcher } from "../../egress/page/fetch-page.ts";
import { appError } from "../../errors.ts";
import { traced } from "../../tracing.ts";
import { claimLeaseMs, createFairWork } from "../fair-work.ts";
import type { FeedRecord } from "../feed.ts";
import { feedById } from "../queries.ts";
import type { DueItem, ItemOutcome } from "./item.ts";
import { dueItem, moveItem, postponeItem, suggestItem } from "./queries.ts";
import { refusalReason } from "./refusal-reason.ts";
import { keyOfItem, sendItem } from "./send-item.ts";
import { claimSite, releaseSiteClaim, renewSiteClaim, type SiteClaim } from "./site-queries.ts";

/** The most items that one process sends at once. */
const limits = { inAll: 5, ofTenant: 2, ofHost: 2, slow: 2 };
const retryAfterFaultMs = 60_000;

/**
 * Creates the work that checks and sends every due item. The items of one site come one after the other. Any number of
 * processes may do it at once. Its signal aborts the reading of a story's page: the item stays due, and nothing is
 * recorded.
 */
export const itemWork = (app: App) =>
  createFairWork({
    limits,
    claim: (full) => claimSite(app.db, claimLeaseMs, full),
    renew: (claim) => renewSiteClaim(app.db, claimLeaseMs, claim),
    async work(claim, signal) {
      try {
        await sendClaimed({ ...app, pages: abortPages(app.pages, signal) }, claim, signal);
      } catch (error) {
        // This site is not claimed again before its lease ends. Other sites are.
        app.log.error({ err: error, siteId: claim.siteId }, "an item of a site could not be sent; will retry");
      }
    },
  });

/**
 * Returns a page fetcher whose fetches end with `signal`. They then reject, so that an aborted fetch is not checked
 * like a page that does not answer.
 */
function abortPages(pages: PageFetcher, signal: AbortSignal): PageFetcher {
  return {
    ...pages,
    async fetchPage(url, who) {
      const page = await pages.fetchPage(url, who, signal);
      signal.throwIfAborted();
      return page;
    },
  };
}

/** Checks and sends the item of a claim, and releases the site for the next item. */
async function sendClaimed(app: App, claim: SiteClaim, signal: AbortSignal): Promise<void> {
  const item = await dueItem(app.db, claim);
  const feed = item && (await feedById(app.db, item.feedId));
  // Otherwise the item was deleted or sent by hand since the claim.
  if (item !== undefined && feed !== undefined) {
    const ids = { "pressbell.feed_id": feed.id, "pressbell.item_id": item.id };
    const outcome = await traced("send a feed's item", ids, () => sendOrWait(app, item, feed, signal));
    if (outcome !== undefined && (await moveOrPostpone(app, item, outcome))) logOutcome(app, item, outcome);
  }
  await releaseSiteClaim(app.db, claim);
}

function logOutcome(app: App, item: DueItem, outcome: ItemOutcome): void {
  const logged = { feedId: item.feedId, itemId: item.id, key: keyOfItem(item) };
  if (outcome.to === "sent") app.log.info({ ...logged, runId: outcome.runId }, "an item of a feed was sent");
  else {
    const codes = outcome.reasons.map(({ code }) => code);
    app.log.info({ ...logged, codes }, `an item of a feed is ${outcome.to}`);
  }
}

/** Writes the outcome of an item. If that fails, the item is due again later, so that it does not block the others. */
async function moveOrPostpone(app: App, item: DueItem, outcome: ItemOutcome): Promise<boolean> {
  try {
    if (outcome.to === "suggested") await suggestItem(app.db, item, outcome);
    else await moveItem(app.db, item, outcome);
    return true;
  } catch (error) {
    app.log.error({ err: error, itemId: item.id }, "the outcome of an item could not be written; will retry");
    await postponeItem(app.db, item, retryAfterFaultMs);
    return false;
  }
}

/**
 * Sends an item and returns its outcome. After an unexpected error the item waits and is tried again as long as it is
 * fresh, so that it does not block the site's other items. Returns undefined if `signal` aborted the work. The next
 * claim then starts it again.
 */
async function sendOrWait(
  app: App,
  item: DueItem,
  feed: FeedRecord,
  signal: AbortSignal,
): Promise<ItemOutcome | undefined> {
  try {
    return await sendItem(app, item, feed);
  } catch (error) {
    if (signal.aborted) return undefined;
    app.log.error({ err: error, itemId: item.id }, "an item of a feed could not be checked; will retry");
    const reasons = [refusalReason(appError("internal"))];
    return { to: "waiting", reasons, campaignId: item.campaignId, afterMs: retryAfterFaultMs, isTry: false };
  }
}
