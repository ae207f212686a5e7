import { memberRoutes } from "../access/members/routes.ts";
import type { Role } from "../access/roles.ts";
import { auditRoutes } from "../audit/routes.ts";
import { autosavedDraftRoutes } from "../dashboard-api/autosaved-draft-routes.ts";
import { dashboardOnlyRoutes, eventRoutes } from "../dashboard-api/routes.ts";
import { createRunSnapshots } from "../dashboard-api/run-snapshots.ts";
import { createSiteChanges, type SiteChanges } from "../dashboard-api/site-changes.ts";
import { feedRoutes } from "../feeds/routes.ts";
import { recurringSendRoutes } from "../recurring-sends/routes.ts";
import type { Route } from "../route.ts";
import { approvalRequestRoutes } from "../sends/approval-routes.ts";
import { undoWindowRoutes } from "../sends/undo-routes.ts";
import { editorDeviceRoutes } from "../subscribers/editor-devices/routes.ts";
import { subscriberMemberRoutes } from "../subscribers/member-routes.ts";
import { segmentRoutes } from "../subscribers/segments/routes.ts";
import { joinedReads } from "./joined-reads.ts";

const root = "/dashboard/api/tenants/:tenantId";

/** Returns the site that a body names; none if the body is about the whole tenant. */
function siteOfBody(body: unknown): unknown[] {
  const { siteId } = Object(body) as { siteId?: unknown };
  return siteId === undefined || siteId === null ? [] : [siteId];
}

/** Returns the sites that the body of a group names. */
function sitesOfBody(body: unknown): unknown[] {
  const { sites } = Object(body) as { sites?: unknown };
  return Array.isArray(sites) ? sites.flatMap(siteOfBody) : [];
}

/**
 * The routes of /v1 that the dashboard also has, with the lowest role of a member that may use each. They call the
 * same operations as /v1, so every rule exists once. Routes that only the dashboard has name their role as `access`
 * in their own folder's routes.ts.
 */
const rolesOfV1Routes: Record<string, Role | Pick<Route, "access" | "sites">> = {
  "GET /v1/tenants/:tenantId/sites": { access: "viewer", sites: "own" },
  "POST /v1/content/preview": { access: "editor", sites: siteOfBody },
  "POST /v1/tenants/:tenantId/campaigns": { access: "editor", sites: siteOfBody },
  "GET /v1/campaigns/:campaignId": "viewer",
  "PATCH /v1/campaigns/:campaignId": "editor",
  "POST /v1/campaigns/:campaignId/test": "editor",
  "POST /v1/campaigns/:campaignId/send": "editor",
  "GET /v1/campaigns/:campaignId/updates": "viewer",
  "POST /v1/campaigns/:campaignId/updates": "editor",
  "POST /v1/campaigns/:campaignId/schedule": "editor",
  "POST /v1/campaigns/:campaignId/cancel": "editor",
  "POST /v1/tenants/:tenantId/campaign-groups": { access: "editor", sites: sitesOfBody },
  "GET /v1/campaign-groups/:groupId": "viewer",
  "POST /v1/campaign-groups/:groupId/stop": "editor",
  "GET /v1/runs/:runId": "viewer",
  "POST /v1/runs/:runId/stop": "editor",
  "GET /v1/tenants/:tenantId/runs": { access: "viewer", sites: "own" },
  "GET /v1/tenants/:tenantId/sites/:siteId/subscribers/summary": "viewer",
  "GET /v1/tenants/:tenantId/sites/:siteId/figures": "viewer",
  "GET /v1/tenants/:tenantId/sites/:siteId/holdouts": "viewer",
  "GET /v1/tenants/:tenantId/sites/:siteId/follows": "viewer",
  "DELETE /v1/tenants/:tenantId/sites/:siteId/follows": "editor",
};

const dashboardRoutesByFolder: Route[][] = [
  memberRoutes,
  subscriberMemberRoutes,
  feedRoutes,
  recurringSendRoutes,
  auditRoutes,
  approvalRequestRoutes,
  undoWindowRoutes,
  dashboardOnlyRoutes,
  autosavedDraftRoutes,
  editorDeviceRoutes,
  segmentRoutes,
];

/**
 * Returns the dashboard's routes for members of a tenant: the routes of `v1` that are in the table above, and the
 * dashboard's own. Each path contains the tenant, so that `actorOn` can check the member's roles there. `changes`:
 * the streams of this process.
 */
export function dashboardRoutes(v1: Route[], changes: SiteChanges = createSiteChanges()): Route[] {
  const all = [
    ...Object.entries(rolesOfV1Routes).map(([name, role]) => asDashboardRoute(v1, name, role)),
    ...dashboardRoutesByFolder.flat(),
    ...eventRoutes({ changes, snapshots: createRunSnapshots() }),
  ];
  return [...all, joinedReads(root, all)];
}

/** Turns `/v1/campaigns/:campaignId` into `/dashboard/api/tenants/:tenantId/campaigns/:campaignId`. */
function asDashboardRoute(v1: Route[], name: string, given: Role | Pick<Route, "access" | "sites">): Route {
  const route = v1.find(({ method, path }) => `${method} ${path}` === name)!;
  const access = typeof given === "string" ? { access: given } : given;
  return { ...route, ...access, path: root + route.path.replace(/^\/v1(\/tenants\/:tenantId)?/, "") };
}
