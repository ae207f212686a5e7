import type { PromptReport } from "../../../src/dashboard-api/reports/prompt-report.ts";
import { tenantPath } from "./address.ts";
import { call } from "./client.ts";

export const promptReport = (tenantId: string, siteId: string) =>
  call<PromptReport>("GET", `${tenantPath(tenantId)}/sites/${siteId}/prompts`);
