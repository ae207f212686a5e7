import { routes } from "../route.ts";
import { readAuditLog, readPeopleOfLog } from "./read-log.ts";

/** The audit log, for owners in the dashboard. */
export const auditRoutes = routes([
  {
    method: "GET",
    path: "/dashboard/api/tenants/:tenantId/audit-log",
    access: "owner",
    needsRecentSignIn: false,
    body: "none",
    async answer(app, { actor, query }) {
      return { status: 200, body: await readAuditLog(app, actor, { query }) };
    },
  },
  {
    method: "GET",
    path: "/dashboard/api/tenants/:tenantId/audit-log/people",
    access: "owner",
    needsRecentSignIn: false,
    body: "none",
    async answer(app, { actor }) {
      return { status: 200, body: await readPeopleOfLog(app, actor) };
    },
  },
]);
