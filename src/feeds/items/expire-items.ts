import type { MaintenanceTask } from "../../maintenance.ts";
import { deleteItemKeys, deleteItemsPage } from "./queries.ts";

const itemsKeptDays = 90;
/** Much longer: what is forgotten and stands in a feed again would be new. */
const keysKeptDays = 400;
const rowsPerPiece = 2_000;

/** Forgets items that came 90 days ago and have ended; one that still waits for its owner's answer stays. */
export const expireItems: MaintenanceTask = {
  name: "old items of feeds",
  async sweep(tx, at) {
    const { lastId, removed } = await deleteItemsPage(tx, { after: at, days: itemsKeptDays, pageSize: rowsPerPiece });
    return { removed, at: lastId };
  },
};

/** Forgets that a site knows a story which no feed of it has brought for 400 days. */
export const expireItemKeys: MaintenanceTask = {
  name: "known stories of feeds",
  async sweep(tx) {
    const removed = await deleteItemKeys(tx, keysKeptDays, rowsPerPiece);
    return { removed, at: removed === rowsPerPiece ? "on" : null };
  },
};
