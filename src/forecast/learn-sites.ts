import type { Executor } from "../db/pool.ts";
import { type MaintenanceTask, PieceFault } from "../maintenance.ts";
import { type Evaluation, evaluate, type Learnt, learn } from "./forecast.ts";
import { drawPriors } from "./priors.ts";
import { historyOfSite, learntElsewhere, saveLearnt, siteToLearn } from "./queries.ts";

/**
 * The maintenance task that learns from the notifications of each sending site once a day, and stores the result. If a
 * site fails, the task skips it until the next round.
 */
export const learnSites: MaintenanceTask = {
  name: "sites to learn from",
  async sweep(tx, at) {
    const site = await siteToLearn(tx, at);
    if (site === undefined) return { removed: 0, at: null };
    const { siteId } = site;
    try {
      await saveLearnt(tx, siteId, await learnSite(tx, site));
    } catch (cause) {
      throw new PieceFault(`cannot learn from the notifications of site ${siteId}`, { nextAt: siteId, cause });
    }
    return { removed: 0, at: siteId };
  },
};

type LearningSite = { siteId: string; tenantId: string; timeZone: string };

/**
 * Learns from the notifications of a site and from the results of other tenants. Returns undefined if there are too
 * few of both.
 */
export async function learnSite(on: Executor, site: LearningSite): Promise<Learnt | undefined> {
  const { history, priors } = await readPast(on, site);
  return learn(history, priors);
}

/** Evaluates how well the notifications of a site are predicted, as `learnSite` does. */
export async function evaluateSite(on: Executor, site: LearningSite): Promise<Evaluation> {
  const { history, priors } = await readPast(on, site);
  return evaluate(history, priors);
}

async function readPast(on: Executor, { siteId, tenantId, timeZone }: LearningSite) {
  const history = await historyOfSite(on, siteId, timeZone);
  return { history, priors: drawPriors(await learntElsewhere(on, tenantId)) };
}
