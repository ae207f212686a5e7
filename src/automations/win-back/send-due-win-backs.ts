import type { App } from "../../app.ts";
import type { Tx } from "../../db/pool.ts";
import { type PollLoop, startPollLoop } from "../../poll-loop.ts";
import { countAudienceOf } from "../../runs/audience.ts";
import { capOf, countAtMost, countBelowCap } from "../../sends/cap-count.ts";
import { lockOpenSite } from "../../sends/gate-queries.ts";
import { siteById } from "../../tenants/sites/queries.ts";
import { startAutomation } from "../start-automation.ts";
import { type DueWinBack, dueWinBacks, lockDueWinBack, lostReaders, noteSent } from "./queries.ts";
import { readEndedRuns, removeLost } from "./remove-lost.ts";

const lookEveryMs = 60_000;

/** A week, because absent readers seldom open their browser. */
const ttlSeconds = 7 * 24 * 60 * 60;

/**
 * Starts the poll loop that sends win-backs and removes readers who do not come back. Any number of processes may run
 * one.
 */
export function startWinBackPoller(app: App): PollLoop {
  return startPollLoop({
    async round() {
      await readEndedRuns(app);
      await removeLost(app);
      await sendDueWinBacks(app);
    },
    everyMs: lookEveryMs,
    onFault: (error) => app.log.warn({ err: error }, "a round of win-backs has failed; will retry"),
  });
}

/**
 * Starts the due win-backs: one run for each site. If a gate is shut, they wait. If one site fails, the others go on.
 */
export async function sendDueWinBacks(app: App): Promise<void> {
  for (const due of await dueWinBacks(app.db, plansOf(app))) {
    try {
      // Readers are counted before the lock, because counting millions takes seconds.
      const readers = await countWithinCap(app, due);
      if (readers !== undefined) await app.db.transaction().execute((tx) => sendWinBack(app, tx, due, readers));
    } catch (error) {
      app.log.warn({ err: error, siteId: due.siteId }, "the win-back of a site could not be sent; will retry");
    }
  }
}

/** Returns how many readers are due, up to `countAtMost`. Returns undefined if there are more than the plan allows. */
async function countWithinCap(app: App, due: DueWinBack): Promise<number | undefined> {
  const [readers, cap] = [lostReaders(due), capOf(app, due.plan)];
  if (cap !== undefined && (await countBelowCap(app.db, readers, cap)) > cap) return undefined;
  return countAudienceOf(app.db, readers, countAtMost);
}

/**
 * Starts the win-back of a site. The transaction that starts the run also records the last day that it covers, so that
 * no reader gets two win-backs in one absence.
 */
async function sendWinBack(app: App, tx: Tx, due: DueWinBack, expectedAudience: number): Promise<void> {
  const plan = await lockOpenSite(tx, due.siteId, plansOf(app));
  const site = plan && (await siteById(tx, due.siteId));
  const nudge = site && (await lockDueWinBack(tx, due));
  if (!nudge) return;
  if (expectedAudience === 0) return noteSent(tx, due, null);
  const { siteId: _, ...audience } = lostReaders(due);
  const { runId } = await startAutomation(app, tx, site, {
    kind: "win_back",
    nudge,
    audience,
    ttlSeconds,
    expectedAudience,
  });
  await noteSent(tx, due, runId);
  app.log.info({ siteId: site.id, runId, readers: expectedAudience }, "a win-back was sent");
}

const plansOf = ({ config: { PLANS } }: App) => Object.keys(PLANS);
