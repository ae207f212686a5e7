import type { MaintenanceTask } from "../../maintenance.ts";
import { deleteItemsPage } from "./queries.ts";
import { deleteItemKeys } from "./site-queries.ts";

const itemsKeptDays = 90;
/**
 * The days that keys are kept, much longer than the items. A story whose keys are deleted is new again if it is still
 * in a feed.
 */
const keysKeptDays = 400;
const rowsPerPiece = 2_000;

/** Expires items that came more than 90 days ago and have reached an end. An item that waits for its owner stays. */
export const expireItems: MaintenanceTask = {
  name: "old items of feeds",
  async sweep(tx, at) {
    const { lastId, removed } = await deleteItemsPage(tx, { after: at, days: itemsKeptDays, pageSize: rowsPerPiece });
    return { removed, at: lastId };
  },
};

/** Expires the keys of stories that no feed of the site has had for 400 days. */
export const expireItemKeys: MaintenanceTask = {
  name: "known stories of feeds",
  async sweep(tx) {
    const removed = await deleteItemKeys(tx, keysKeptDays, rowsPerPiece);
    return { removed, at: removed === rowsPerPiece ? "on" : null };
  },
};
