import type { App } from "../../app.ts";
import type { PageFetcher } from "../../egress/page/fetch-page.ts";
import { errorRegistry } from "../../errors.ts";
import { allEnded } from "../../poll-loop.ts";
import type { FeedRecord } from "../feed.ts";
import { feedById } from "../queries.ts";
import type { DueItem, ItemOutcome } from "./item.ts";
import { blocks } from "./judge-item.ts";
import { moveItem, nextDueItem, postponeItem } from "./queries.ts";
import { keyOfItem, sendItem } from "./send-item.ts";
import { claimSite, releaseSiteClaim, renewSiteClaim, type SiteClaim } from "./site-queries.ts";

/** Sites that one process works on at once. */
const maxSitesAtOnce = 3;
/** Longer than it takes to read the page of one story and send it. */
const siteLeaseMs = 30_000;
const retryAfterFaultMs = 60_000;

/**
 * Judges and sends every due item, the items of one site one after the other. Returns when none is left. Any number of
 * processes may call it at once. `signal` aborts the reading of a story's page: its item stays due, and nothing is
 * recorded.
 */
export async function sendDueItems(app: App, signal?: AbortSignal): Promise<void> {
  const abortable = signal === undefined ? app : { ...app, pages: abortPages(app.pages, signal) };
  const sendNextSite = async () => {
    while (!signal?.aborted) {
      const claim = await claimSite(app.db, siteLeaseMs);
      if (claim === undefined) return;
      try {
        await sendItemsOfSite(abortable, claim, signal);
      } catch (error) {
        // Not claimed again before its lease ends; other sites are.
        app.log.error({ err: error, siteId: claim.siteId }, "the items of a site could not be sent; will retry");
      }
    }
  };
  await allEnded(Array.from({ length: maxSitesAtOnce }, sendNextSite));
}

/**
 * A page fetcher whose fetches end with `signal`. They reject then: an aborted fetch must not be judged as a page that
 * does not answer.
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

/** Judges and sends the items of a claimed site until none is due, or another process has claimed the site. */
async function sendItemsOfSite(app: App, claim: SiteClaim, signal: AbortSignal | undefined): Promise<void> {
  while (!signal?.aborted) {
    const item = await nextDueItem(app.db, claim.siteId);
    if (item === undefined || !(await renewSiteClaim(app.db, claim, siteLeaseMs))) break;
    const feed = await feedById(app.db, item.feedId);
    if (feed === undefined) continue; // deleted since nextDueItem, together with its items
    const outcome = await sendOrWait(app, item, feed, signal);
    if (outcome === undefined) break;
    if (!(await moveOrPostpone(app, item, outcome))) continue;
    const logged = { feedId: feed.id, itemId: item.id, key: keyOfItem(item) };
    if (outcome.to === "sent") app.log.info({ ...logged, runId: outcome.runId }, "an item of a feed was sent");
    else {
      const codes = outcome.reasons.map(({ code }) => code);
      app.log.info({ ...logged, codes }, `an item of a feed is ${outcome.to}`);
    }
  }
  await releaseSiteClaim(app.db, claim);
}

/** Writes the outcome of an item. One that cannot be written must not block the others: the item is due again later. */
async function moveOrPostpone(app: App, item: DueItem, outcome: ItemOutcome): Promise<boolean> {
  try {
    await moveItem(app.db, item, outcome);
    return true;
  } catch (error) {
    app.log.error({ err: error, itemId: item.id }, "the outcome of an item could not be written; will retry");
    await postponeItem(app.db, item, retryAfterFaultMs);
    return false;
  }
}

/**
 * Sends an item, and returns its outcome. An unexpected error must not block the site's other items: the item waits and
 * is tried again as long as it is fresh. Returns undefined if `signal` aborted the work: the next claim starts it
 * again.
 */
async function sendOrWait(
  app: App,
  item: DueItem,
  feed: FeedRecord,
  signal: AbortSignal | undefined,
): Promise<ItemOutcome | undefined> {
  try {
    return await sendItem(app, item, feed);
  } catch (error) {
    if (signal?.aborted) return undefined;
    app.log.error({ err: error, itemId: item.id }, "an item of a feed could not be judged; will retry");
    const reasons = [blocks("internal", errorRegistry.internal.message)];
    return { to: "waiting", reasons, campaignId: item.campaignId, afterMs: retryAfterFaultMs };
  }
}
