import type { Drill, DrillSettings } from "../../../src/automations/drill/drill.ts";
import { tenantPath } from "./address.ts";
import { call } from "./client.ts";

/** The settings that an owner has typed. `everyMinutes` null: the field is empty, which the service refuses. */
export type DrillInput = Omit<DrillSettings, "everyMinutes"> & { everyMinutes: number | null };

const path = (tenantId: string, siteId: string) => `${tenantPath(tenantId)}/sites/${siteId}/drill`;

export const drill = (tenantId: string, siteId: string) => call<Drill>("GET", path(tenantId, siteId));
export const changeDrill = (tenantId: string, siteId: string, body: DrillInput) =>
  call<Drill>("PATCH", path(tenantId, siteId), { body });
export const runDrill = (tenantId: string, siteId: string) => call<Drill>("POST", `${path(tenantId, siteId)}/run`);
