import { routes } from "../route.ts";
import { listSites } from "./sites/list-sites.ts";

export const tenantRoutes = routes([
  {
    method: "GET",
    path: "/v1/tenants/:tenantId/sites",
    access: "key",
    needsRecentSignIn: false,
    scope: "read",
    body: "none",
    async answer(app, { actor, query }) {
      return { status: 200, body: await listSites(app, actor, { query }) };
    },
  },
]);
