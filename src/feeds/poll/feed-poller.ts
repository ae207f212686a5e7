import type { App } from "../../app.ts";
import { allEnded, type PollLoop, startPollLoop } from "../../poll-loop.ts";
import { sendDueItems } from "../items/send-due-items.ts";
import { subscribeDueHubs } from "../websub/subscribe-hub.ts";
import { pollFeed, recordFault } from "./poll-feed.ts";
import { claimPoll, type PollClaim } from "./queries.ts";

const lookEveryMs = 500;
/** Polls at once in one process. Those of one tenant share four fetch slots (egress/page/fetch-slots.ts). */
const maxPollsAtOnce = 6;
/** Longer than a fetch and a parse may take. A poll that takes longer all the same is fenced. */
const pollLeaseMs = 45_000;

/**
 * Polls every feed that is due. Returns when none is left. Any number of processes may call it at once. `signal` aborts
 * the fetches under way: those feeds are released, and nothing is recorded of them.
 */
export async function pollDueFeeds(app: App, signal?: AbortSignal): Promise<void> {
  const pollNext = async () => {
    while (!signal?.aborted) {
      const claim = await claimPoll(app.db, pollLeaseMs);
      if (claim === undefined) return;
      await pollClaimed(app, claim, signal);
    }
  };
  await allEnded(Array.from({ length: maxPollsAtOnce }, pollNext));
}

/** Polls a claimed feed. A fault of ours delays this feed, as a failed poll does, and no other. */
async function pollClaimed(app: App, claim: PollClaim, signal: AbortSignal | undefined): Promise<void> {
  const feedId = claim.id;
  try {
    const polled = await pollFeed(app, claim, signal);
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
 * Starts the three poll loops of feeds: polls, items, and subscriptions to hubs. Any number of processes may run them:
 * each feed and each site is claimed, by the database's clock.
 */
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
