import type { App } from "../../app.ts";
import type { Tx } from "../../db/pool.ts";
import { newId } from "../../ids.ts";
import { type PollLoop, startPollLoop } from "../../poll-loop.ts";
import { capOf } from "../../sends/cap-count.ts";
import { lockOpenSite } from "../../sends/gate-queries.ts";
import { siteById } from "../../tenants/sites/queries.ts";
import type { Site } from "../../tenants/sites/site.ts";
import { startAutomation } from "../start-automation.ts";
import {
  type DueReaders,
  deleteWaiting,
  lockDueReaders,
  sitesWithDueReaders,
  takeReaders,
  welcomeOfSite,
} from "./queries.ts";
import type { WelcomeStep } from "./welcome.ts";

const lookEveryMs = 1_000;

/** A welcome is worth showing for a day, because it reports no news. */
const ttlSeconds = 24 * 60 * 60;

/** Starts the poll loop that sends the steps of welcomes; any number of processes may run one. */
export function startWelcomePoller(app: App): PollLoop {
  return startPollLoop({
    round: async () => {
      while ((await sendDueWelcomes(app)) > 0);
    },
    everyMs: lookEveryMs,
    onFault: (error) => app.log.warn({ err: error }, "welcomes could not be sent; will retry"),
  });
}

/**
 * Starts the steps of welcomes that are due by the database's clock: one run for all readers of a site who are due for
 * the same step. If a gate is shut, they wait. If one site fails, the others go on. Returns the number of readers with
 * a due step.
 */
export async function sendDueWelcomes(app: App): Promise<number> {
  let readers = 0;
  for (const siteId of await sitesWithDueReaders(app.db, plansOf(app))) {
    try {
      readers += await app.db.transaction().execute((tx) => sendDueOfSite(app, tx, siteId));
    } catch (error) {
      app.log.warn({ err: error, siteId }, "the welcome of a site could not be sent; will retry");
    }
  }
  return readers;
}

/**
 * Starts the due steps of a site. The transaction that starts a run also writes its readers and their next step, so
 * that no reader gets a step twice. Returns the number of readers with a due step.
 */
async function sendDueOfSite(app: App, tx: Tx, siteId: string): Promise<number> {
  const plan = await lockOpenSite(tx, siteId, plansOf(app));
  const site = plan === undefined ? undefined : await siteById(tx, siteId);
  if (site === undefined) return 0;
  const due = await lockDueReaders(tx, siteId, capOf(app, plan!));
  // The welcome is read after the lock: a change that has removed a step has also ended the wait for it.
  const { enabled, steps } = (await welcomeOfSite(tx, siteId))!;
  for (const readers of due) await startStep(app, tx, site, readers, enabled ? steps : []);
  return due.reduce((sum, { ids }) => sum + ids.length, 0);
}

async function startStep(app: App, tx: Tx, site: Site, { step, ids }: DueReaders, steps: WelcomeStep[]): Promise<void> {
  const [now, next] = [steps[step - 1], steps[step]];
  if (now === undefined) return deleteWaiting(tx, site.id, ids);
  const runId = newId();
  const readers = await takeReaders(tx, { siteId: site.id, runId, ids }, now, next);
  if (readers.length === 0) return;
  await startAutomation(app, tx, site, {
    runId,
    kind: "welcome",
    nudge: now,
    audience: { of: "list", subscriberIds: readers },
    ttlSeconds,
    label: String(step),
    expectedAudience: readers.length,
  });
  app.log.info({ siteId: site.id, runId, step, readers: readers.length }, "a step of a welcome was sent");
}

const plansOf = ({ config: { PLANS } }: App) => Object.keys(PLANS);
