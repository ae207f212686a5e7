import type { MaintenanceTask } from "../maintenance.ts";
import { deleteDormantPage } from "./dormant-queries.ts";

/** Subscribers that one statement checks: it takes about 10 ms. */
const pageSize = 5_000;

/**
 * Expires subscribers that no browser has confirmed for as long as their site allows (`dormantMonths`). Their readers
 * have not come back, and the service keeps no data that it does not need. All subscribers of a removed site expire.
 * The task pages by primary key, because an index by time would make every confirmation more expensive.
 */
export const expireDormant: MaintenanceTask = {
  name: "dormant subscribers",
  async sweep(tx, at) {
    const [siteId, id] = at?.split(" ") ?? [null, "0"];
    const page = await deleteDormantPage(tx, { siteId: siteId!, id: Number(id) }, pageSize);
    return { removed: page.removed, at: page.siteId === null ? null : `${page.siteId} ${page.lastId}` };
  },
};
