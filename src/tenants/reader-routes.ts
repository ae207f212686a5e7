import { readersRoutes } from "../route.ts";
import { readReaderConfig } from "./sites/read-reader-config.ts";

export const tenantReaderRoutes = readersRoutes([
  {
    method: "GET",
    path: "/sdk/sites/:siteId/config",
    access: "public",
    limit: "read",
    async answer(app, { params, query }) {
      const body = await readReaderConfig(app, { siteId: params.siteId, tenantId: query.tenant, language: query.lang });
      return { status: 200, body, headers: { "cache-control": "public, max-age=60" } };
    },
  },
]);
