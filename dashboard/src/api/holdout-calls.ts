import type { HoldoutsView } from "../../../src/holdouts/read-holdouts.ts";
import { tenantPath } from "./address.ts";
import { call } from "./client.ts";

export const holdouts = (tenantId: string, siteId: string) =>
  call<HoldoutsView>("GET", `${tenantPath(tenantId)}/sites/${siteId}/holdouts`);
