import type { App } from "../../app.ts";
import type { Tx } from "../../db/pool.ts";
import { type PollLoop, startPollLoop } from "../../poll-loop.ts";
import { deleteEndedRun } from "../../runs/queries.ts";
import { siteById } from "../../tenants/sites/queries.ts";
import { startAutomation } from "../start-automation.ts";
import { checkDrill } from "./check-drill.ts";
import { drillSeconds } from "./drill.ts";
import { notifyOfFailure } from "./notify-owners.ts";
import {
  type BeginningDrill,
  canaryOfSite,
  lockBeginning,
  lockOpenDrill,
  noteBegun,
  noteChecked,
  noteWithoutCanary,
  sitesWithDrills,
} from "./queries.ts";

const lookEveryMs = 1_000;

/** Longer than a drill, so that the drill ends before its message expires. */
const ttlSeconds = drillSeconds + 60;

/**
 * Starts the poll loop of fire drills. Any number of processes may run one: each step of a drill is one transaction
 * that locks the row. Processes that do not deliver run it too, because a drill has to fail if nothing delivers.
 */
export function startDrillPoller(app: App): PollLoop {
  return startPollLoop({
    round: () => runDrills(app),
    everyMs: lookEveryMs,
    onFault: (error) => app.log.warn({ err: error }, "a round of fire drills has failed; will retry"),
  });
}

/**
 * Begins the due drills, and checks the running ones. If the drill of one site fails with an error, the others go on.
 */
export async function runDrills(app: App): Promise<void> {
  for (const { siteId, isOpen } of await sitesWithDrills(app.db)) {
    try {
      if (isOpen) await checkDrillOfSite(app, siteId);
      else await app.db.transaction().execute((tx) => beginDrill(app, tx, siteId));
    } catch (error) {
      app.log.warn({ err: error, siteId }, "the fire drill of a site has failed here; will retry");
    }
  }
}

/** Checks the drill of a site, if it runs. If it has failed, the owners are notified in the same transaction. */
export async function checkDrillOfSite(app: App, siteId: string): Promise<void> {
  await app.db.transaction().execute(async (tx) => {
    const open = await lockOpenDrill(tx, siteId);
    if (open === undefined) return;
    const checked = checkDrill(open);
    const isNews = (["plannedAt", "sentAt", "acceptedAt", "displayedAt"] as const).some(
      (step) => checked[step] !== null && open[step] === null,
    );
    if (isNews || checked.end !== null) await noteChecked(tx, siteId, checked);
    if (checked.end !== null && checked.end.failedStep !== null) await notifyOfFailure(app, tx, siteId);
  });
}

/**
 * Begins the drill of a site in the caller's transaction: a test run to its canary. Deletes the run of the last drill,
 * so that a site never has more than one. Returns false if no drill may begin. `now`: before its time.
 */
export async function beginDrill(app: App, tx: Tx, siteId: string, now = false): Promise<boolean> {
  const beginning = await lockBeginning(tx, siteId, now);
  if (beginning === undefined) return false;
  if (beginning.lastRunId !== null) await deleteEndedRun(tx, { siteId, runId: beginning.lastRunId });
  const canary = await canaryOfSite(tx, siteId, beginning.canaryId);
  if (canary === undefined) {
    await noteWithoutCanary(tx, siteId);
    await notifyOfFailure(app, tx, siteId);
    return true;
  }
  const { runId } = await startDrillRun(app, tx, siteId, canary.id, beginning);
  await noteBegun(tx, siteId, runId, canary);
  return true;
}

async function startDrillRun(app: App, tx: Tx, siteId: string, canaryId: number, beginning: BeginningDrill) {
  const site = (await siteById(tx, siteId))!;
  const nudge = {
    title: "Fire drill",
    body: "Pressbell checks that notifications arrive.",
    url: site.url,
    imageUrl: null,
    extras: { silent: true },
  };
  // The canary is a device of the site's own. It reports displays, even if the site does not count those of its
  // readers.
  return startAutomation(
    app,
    tx,
    { ...site, receipts: "full" },
    {
      kind: "test",
      nudge,
      ttlSeconds,
      urgency: "high",
      expectedAudience: 1,
      audience: { of: "testDevices", from: canaryId, upTo: canaryId },
      thread: { threadId: beginning.threadId, sequence: beginning.sequence + 1 },
    },
  );
}
