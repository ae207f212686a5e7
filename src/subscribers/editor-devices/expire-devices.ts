import type { MaintenanceTask } from "../../maintenance.ts";
import { deleteForeignDevices } from "./queries.ts";

const atOnce = 1_000;

/** Deletes the devices of members who may no longer send at the site, and those of removed sites. */
export const expireEditorDevices: MaintenanceTask = {
  name: "devices of former editors",
  async sweep(tx) {
    const removed = await deleteForeignDevices(tx, atOnce);
    return { removed, at: removed === atOnce ? "on" : null };
  },
};
