import type { MaintenanceTask } from "../../maintenance.ts";
import { cutFacts, endCut, nextCutSite } from "./queries.ts";

const pageSize = 5_000;

/**
 * Removes facts that a site no longer declares from its readers. Nothing uses these facts from the moment of the
 * change on. The position is JSON: the site, the time of its change, and the last subscriber that was looked at.
 */
export const cutUndeclaredFacts: MaintenanceTask = {
  name: "undeclared facts",
  async sweep(tx, at) {
    const site = at === null || at === "next" ? await nextCutSite(tx) : JSON.parse(at);
    if (site === undefined) return { removed: 0, at: null };
    const { changed, lastId } = await cutFacts(tx, site.siteId, site.lastId ?? 0, pageSize);
    if (lastId === null) await endCut(tx, site);
    return { removed: changed, at: lastId === null ? "next" : JSON.stringify({ ...site, lastId }) };
  },
};
