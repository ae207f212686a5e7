import { memberRoutes } from "../access/members/routes.ts";
import type { Role } from "../access/roles.ts";
import { auditRoutes } from "../audit/routes.ts";
import { sendRequestRoutes } from "../campaigns/send-requests/routes.ts";
import { dashboardOnlyRoutes, runEventsRoute } from "../dashboard-api/routes.ts";
import { createRunSnapshots } from "../dashboard-api/run-snapshots.ts";
import { feedRoutes } from "../feeds/routes.ts";
import type { Route } from "../route.ts";
import { subscriberMemberRoutes } from "../subscribers/member-routes.ts";

const root = "/dashboard/api/tenants/:tenantId";

/** What of /v1 the dashboard has too, and the role that may do it. The same operations, so each rule stands once. */
const shared: Record<string, Role> = {
  "POST /v1/content/preview": "editor",
  "POST /v1/tenants/:tenantId/campaigns": "editor",
  "GET /v1/campaigns/:campaignId": "viewer",
  "PATCH /v1/campaigns/:campaignId": "editor",
  "POST /v1/campaigns/:campaignId/send": "editor",
  "POST /v1/campaigns/:campaignId/test": "editor",
  "POST /v1/campaigns/:campaignId/schedule": "editor",
  "POST /v1/campaigns/:campaignId/cancel": "editor",
  "GET /v1/runs/:runId": "viewer",
  "POST /v1/runs/:runId/stop": "editor",
  "GET /v1/tenants/:tenantId/sites": "viewer",
};

/**
 * Everything under /dashboard/api that a member of a tenant asks for: `v1` as far as `shared` names it, and what the
 * dashboard has alone. Each path names its tenant, so each request is judged by the role there.
 */
export function dashboardRoutes(v1: Route[]): Route[] {
  const taken = Object.entries(shared).map(([name, access]): Route => {
    const route = v1.find(({ method, path }) => `${method} ${path}` === name)!;
    return { ...route, path: root + route.path.replace(/^\/v1(\/tenants\/:tenantId)?/, ""), access };
  });
  const further = [
    memberRoutes,
    subscriberMemberRoutes,
    feedRoutes,
    auditRoutes,
    sendRequestRoutes,
    dashboardOnlyRoutes,
    [runEventsRoute(createRunSnapshots())],
  ];
  return [...taken, ...further.flat()];
}
