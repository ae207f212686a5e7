import type { App } from "../../app.ts";
import type { PageFetcher } from "../../egress/page/fetch-page.ts";
import { errorRegistry } from "../../errors.ts";
import { type PollLoop, startPollLoop } from "../../poll-loop.ts";
import type { FeedRecord } from "../feed.ts";
import { blocks } from "../items/judge-item.ts";
import {
  claimSite,
  type ItemOutcome,
  moveItem,
  nextDueItem,
  renewSiteClaim,
  type SiteClaim,
} from "../items/queries.ts";
import { type DueItem, keyOfItem, sendItem } from "../items/send-item.ts";
import { claimPoll, feedById } from "../queries.ts";
import { claimHub } from "../websub/queries.ts";
import { subscribeHub } from "../websub/subscribe-hub.ts";
import { pollFeed } from "./poll-feed.ts";

const lookEveryMs = 500;
/** Polls at once, in each process; those of one tenant share four turns of the guard. */
const pollsSideBySide = 6;
const desksSideBySide = 3;
/** Longer than a fetch and a parse may take; a slower one is fenced. */
const pollLeaseMs = 45_000;
/** Longer than one story takes to be read and sent. */
const deskLeaseMs = 30_000;
const faultAfterMs = 60_000;
/** A hub that does not come back is asked again after this. */
const hubAgainMs = 60 * 60_000;

/**
 * Polls every feed that is due, once, however many processes look; returns when none is left. `signal` ends what is
 * under way: those feeds are given back, and nothing is noted of them.
 */
export async function pollDueFeeds(app: App, signal?: AbortSignal): Promise<void> {
  const pollNext = async () => {
    while (!signal?.aborted) {
      const claim = await claimPoll(app.db, pollLeaseMs);
      if (claim === undefined) return;
      const polled = await pollFeed(app, claim, signal);
      if (polled.outcome === "failed")
        app.log.warn({ feedId: claim.id, code: polled.code }, "a feed could not be read");
      if (polled.outcome === "read" && polled.newItems > 0) {
        app.log.info({ feedId: claim.id, newItems: polled.newItems }, "a feed has new items");
      }
    }
  };
  await Promise.all(Array.from({ length: pollsSideBySide }, pollNext));
}

/**
 * Judges and sends every item that is due, one after the other at each site; returns when none is left. `signal` ends
 * the reading of a story: its item is given back with the desk, and nothing is noted of it.
 */
export async function sendDueItems(app: App, signal?: AbortSignal): Promise<void> {
  const readingEnds = signal === undefined ? app : { ...app, pages: pagesUntil(app.pages, signal) };
  const workNext = async () => {
    while (!signal?.aborted) {
      const desk = await claimSite(app.db, deskLeaseMs);
      if (desk === undefined) return;
      await workAtDesk(readingEnds, desk, signal);
    }
  };
  await Promise.all(Array.from({ length: desksSideBySide }, workNext));
}

/** Pages whose fetch ends with `signal`. It rejects then: a story that was cut off must not be judged by what is missing. */
function pagesUntil(pages: PageFetcher, signal: AbortSignal): PageFetcher {
  return {
    ...pages,
    async fetchPage(url, who) {
      const page = await pages.fetchPage(url, who, signal);
      signal.throwIfAborted();
      return page;
    },
  };
}

/** Works through the items of a site until none is due, or another process has taken the desk over. */
async function workAtDesk(app: App, desk: SiteClaim, signal: AbortSignal | undefined): Promise<void> {
  while (!signal?.aborted) {
    const item = await nextDueItem(app.db, desk.siteId);
    if (item === undefined || !(await renewSiteClaim(app.db, desk, deskLeaseMs))) break;
    const feed = await feedById(app.db, item.feedId);
    if (feed === undefined) continue; // removed a moment ago, and its items with it
    const outcome = await sendOrRest(app, item, feed, signal);
    if (outcome === undefined) break;
    await moveItem(app.db, item, outcome);
    const told = { feedId: feed.id, itemId: item.id, key: keyOfItem(item) };
    if (outcome.to === "sent") app.log.info({ ...told, runId: outcome.runId }, "an item of a feed was sent");
    else
      app.log.info({ ...told, codes: outcome.reasons.map(({ code }) => code) }, `an item of a feed is ${outcome.to}`);
  }
  await renewSiteClaim(app.db, desk, 0);
}

/**
 * A fault of ours must not hold up the site's other items: this one is tried again, as long as it is fresh. undefined: it
 * was ended by `signal`, somewhere on its way, and whoever has the desk next begins it again.
 */
async function sendOrRest(
  app: App,
  item: DueItem,
  feed: FeedRecord,
  signal: AbortSignal | undefined,
): Promise<ItemOutcome | undefined> {
  try {
    return await sendItem(app, item, feed);
  } catch (error) {
    if (signal?.aborted) return undefined;
    app.log.error({ err: error, itemId: item.id }, "an item of a feed could not be judged and will be again");
    const reasons = [blocks("internal", errorRegistry.internal.message)];
    return { to: "waiting", reasons, campaignId: item.campaignId, afterMs: faultAfterMs };
  }
}

/** Asks every hub that is due to tell of what is new, and to go on telling before its lease ends. */
export async function subscribeDueHubs(app: App, signal?: AbortSignal): Promise<void> {
  while (app.config.PUBLIC_URL !== undefined && !signal?.aborted) {
    const claim = await claimHub(app.db, hubAgainMs);
    if (claim === undefined) return;
    await subscribeHub(app, claim, signal);
  }
}

/** Polls feeds, sends their items and subscribes to their hubs, in any number of processes: each row is claimed. */
export function startFeedPoller(app: App): PollLoop {
  const onFault = (error: unknown) => app.log.error({ err: error }, "a round of the feed poller failed; will retry");
  const loops = [pollDueFeeds, sendDueItems, subscribeDueHubs].map((work) =>
    startPollLoop({ round: (stopping) => work(app, stopping), everyMs: lookEveryMs, onFault }),
  );
  return {
    async stop() {
      await Promise.all(loops.map((loop) => loop.stop()));
    },
  };
}
