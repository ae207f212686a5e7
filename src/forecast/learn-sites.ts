import type { Executor } from "../db/pool.ts";
import type { MaintenanceTask } from "../maintenance.ts";
import { type Learnt, learn } from "./forecast.ts";
import { drawPriors } from "./priors.ts";
import { historyOfSite, learntElsewhere, saveLearnt, siteToLearn } from "./queries.ts";

/** The maintenance task that learns from the nudges of each site that sends, once a day, and keeps what was learnt. */
export const learnSites: MaintenanceTask = {
  name: "sites to learn from",
  async sweep(tx) {
    const site = await siteToLearn(tx);
    if (site === undefined) return { removed: 0, at: null };
    await saveLearnt(tx, site.siteId, await learnSite(tx, site));
    return { removed: 0, at: "on" };
  },
};

/** Learns from the nudges of a site, drawn towards those of other tenants; undefined if there are too few of both. */
export async function learnSite(
  on: Executor,
  { siteId, tenantId, timeZone }: { siteId: string; tenantId: string; timeZone: string },
): Promise<Learnt | undefined> {
  const history = await historyOfSite(on, siteId, timeZone);
  return learn(history, drawPriors(await learntElsewhere(on, tenantId)));
}
