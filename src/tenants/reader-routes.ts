import { type PublicRoute, readersRoutes } from "../route.ts";
import { createPromptVersions } from "./sites/prompt-versions.ts";
import { readReaderConfig } from "./sites/read-reader-config.ts";

/**
 * Returns the route GET /sdk/sites/:siteId/config. `promptScript`: returns the script of the prompt, which is built
 * after the routes are mounted.
 */
export function tenantReaderRoutes(promptScript: () => string): PublicRoute[] {
  const versions = createPromptVersions(promptScript);
  return readersRoutes([
    {
      method: "GET",
      path: "/sdk/sites/:siteId/config",
      access: "public",
      limit: "read",
      async answer(app, { params, query }) {
        const input = { siteId: params.siteId, tenantId: query.tenant, language: query.lang };
        const body = await readReaderConfig(app, input, versions);
        return { status: 200, body, headers: { "cache-control": "public, max-age=60" } };
      },
    },
  ]);
}
