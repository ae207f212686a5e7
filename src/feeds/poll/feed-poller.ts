import type { App } from "../../app.ts";
import type { PollLoop } from "../../poll-loop.ts";
import { traced } from "../../tracing.ts";
import { claimLeaseMs, createFairWork } from "../fair-work.ts";
import { itemWork } from "../items/send-due-items.ts";
import { hubWork } from "../websub/subscribe-hub.ts";
import { pollFeed, recordFault } from "./poll-feed.ts";
import { claimPoll, type PollClaim, renewPoll } from "./queries.ts";

const lookEveryMs = 500;
/** The most polls that one process does at once. Polls of one tenant also share four fetch slots (src/slots.ts). */
const limits = { inAll: 10, ofTenant: 4, ofHost: 3, slow: 4 };

/**
 * Creates the work that polls every due feed. Any number of processes may do it at once. Its signal aborts the running
 * fetches. Their feeds are released, and nothing is recorded of them.
 */
export const pollWork = (app: App) =>
  createFairWork({
    limits,
    claim: (full) => claimPoll(app.db, claimLeaseMs, full),
    renew: (claim) => renewPoll(app.db, claimLeaseMs, claim),
    work: (claim, signal) => pollClaimed(app, claim, signal),
  });

/** Polls a claimed feed. A fault in Pressbell delays only this feed, as a failed poll does. */
async function pollClaimed(app: App, claim: PollClaim, signal: AbortSignal): Promise<void> {
  const feedId = claim.id;
  try {
    const polled = await traced("poll a feed", { "pressbell.feed_id": feedId }, async (span) => {
      const result = await pollFeed(app, claim, signal);
      span.setAttribute("pressbell.outcome", result.outcome);
      return result;
    });
    if (polled.outcome === "failed") app.log.warn({ feedId, code: polled.code }, "a feed could not be read");
    if (polled.outcome === "read" && polled.newItems > 0) {
      app.log.info({ feedId, newItems: polled.newItems }, "a feed has new items");
    }
  } catch (error) {
    app.log.error({ err: error, feedId }, "what a feed brought could not be stored; will retry");
    const unrecorded = (err: unknown) => app.log.error({ err, feedId }, "the claim of a feed lapses by itself");
    await recordFault(app, claim).catch(unrecorded);
  }
}

/**
 * Starts the three kinds of work for feeds: polls, items, and subscriptions to hubs. Any number of processes may do
 * them, because each feed and each site is claimed by the database's clock.
 */
export function startFeedPoller(app: App): PollLoop {
  const onFault = (error: unknown) => app.log.error({ err: error }, "a look of the feed poller failed; will retry");
  const loops = [pollWork, itemWork, hubWork].map((createWork) => createWork(app).start(lookEveryMs, onFault));
  return {
    async stop() {
      await Promise.all(loops.map((loop) => loop.stop()));
    },
  };
}
