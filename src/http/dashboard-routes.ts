import { memberRoutes } from "../access/members/routes.ts";
import type { Role } from "../access/roles.ts";
import { auditRoutes } from "../audit/routes.ts";
import { groupUndoRoutes } from "../campaign-groups/routes.ts";
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

/** The site that a body names. A body without one is of the whole tenant. */
function siteOfBody(body: unknown): unknown[] {
  const { siteId } = Object(body) as { siteId?: unknown };
  return siteId === undefined || siteId === null ? [] : [siteId];
}

/** The sites that the body of a group names. */
function sitesOfBody(body: unknown): unknown[] {
  const { sites } = Object(body) as { sites?: unknown };
  return Array.isArray(sites) ? sites.flatMap(siteOfBody) : [];
}

/**
 * The routes of /v1 that the dashboard has too, with the lowest role of a member that may use each. They call the same
 * operations, so every rule exists once. Routes that only the dashboard has name their role as `access` in their own
 * folder's routes.ts.
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
  groupUndoRoutes,
  dashboardOnlyRoutes,
  autosavedDraftRoutes,
  editorDeviceRoutes,
  segmentRoutes,
];

/**
 * The dashboard's routes for members of a tenant: those of `v1` in the table above, and the dashboard's own. Each path
 * contains the tenant, so that `actorOn` can check the member's roles there. `changes`: the streams of this process.
 */
export function dashboardRoutes(v1: Route[], changes: SiteChanges = createSiteChanges()): Route[] {
  const all = [
    ...Object.entries(rolesOfV1Routes).map(([name, role]) => asDashboardRoute(v1, name, role)),
    ...dashboardRoutesByFolder.flat(),
    ...eventRoutes({ changes, snapshots: createRunSnapshots() }),
  ];
  return [...all, joinedReads(root, all)];
}

/** `/v1/campaigns/:campaignId` becomes `/dashboard/api/tenants/:tenantId/campaigns/:campaignId`. */
function asDashboardRoute(v1: Route[], name: string, given: Role | Pick<Route, "access" | "sites">): Route {
  const route = v1.find(({ method, path }) => `${method} ${path}` === name)!;
  const access = typeof given === "string" ? { access: given } : given;
  return { ...route, ...access, path: root + route.path.replace(/^\/v1(\/tenants\/:tenantId)?/, "") };
}
