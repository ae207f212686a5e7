import type { MaintenanceTask } from "../maintenance.ts";
import { deleteDormantPage } from "./queries.ts";

/** Subscribers that are looked at in one piece: some 10 ms. */
const pageSize = 5_000;

/**
 * Removes subscriptions that no browser has confirmed for as long as their site says: their readers have not come back,
 * and what is not needed is not kept. Of a site that was removed all go. Walks by key; an index by time would make each confirmation dearer.
 */
export const expireDormant: MaintenanceTask = {
  name: "dormant subscribers",
  async sweep(tx, at) {
    const [siteId, id] = at?.split(" ") ?? [null, "0"];
    const page = await deleteDormantPage(tx, { siteId: siteId!, id: Number(id) }, pageSize);
    return { removed: page.removed, at: page.siteId === null ? null : `${page.siteId} ${page.lastId}` };
  },
};
