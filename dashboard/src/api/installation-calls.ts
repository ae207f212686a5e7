import type { InstallationReport } from "../../../src/dashboard-api/check-installation.ts";
import type {
  InstallationCheck,
  InstallationFinding,
  InstallationProblem,
} from "../../../src/tenants/sites/installation.ts";
import { tenantPath } from "./address.ts";
import { call } from "./client.ts";

export type { InstallationCheck, InstallationFinding, InstallationProblem };

export const checkInstallation = (tenantId: string, siteId: string) =>
  call<InstallationReport>("POST", `${tenantPath(tenantId)}/sites/${siteId}/installation`);
