import { routes } from "../route.ts";
import { addRecurringSend, changeRecurringSend, removeRecurringSend } from "./change-recurring-sends.ts";
import { readRecurringSends } from "./read-recurring-sends.ts";

const root = "/dashboard/api/tenants/:tenantId/sites/:siteId/recurring-sends";

/**
 * The routes of recurring sends. Only the dashboard has them, as with feeds. A viewer reads recurring sends, an editor
 * changes them.
 */
export const recurringSendRoutes = routes([
  {
    method: "GET",
    path: root,
    access: "viewer",
    needsRecentSignIn: false,
    body: "none",
    async answer(app, { actor, params, query }) {
      return { status: 200, body: await readRecurringSends(app, actor, { siteId: params.siteId, query }) };
    },
  },
  {
    method: "POST",
    path: root,
    access: "editor",
    needsRecentSignIn: true,
    body: "json",
    async answer(app, { actor, params, body }) {
      return { status: 201, body: await addRecurringSend(app, actor, { siteId: params.siteId, body }) };
    },
  },
  {
    method: "PATCH",
    path: `${root}/:recurringSendId`,
    access: "editor",
    needsRecentSignIn: doesMoreThanStop,
    body: "json",
    async answer(app, { actor, params, body }) {
      const { siteId, recurringSendId } = params;
      return { status: 200, body: await changeRecurringSend(app, actor, { siteId, recurringSendId, body }) };
    },
  },
  {
    method: "DELETE",
    path: `${root}/:recurringSendId`,
    access: "editor",
    needsRecentSignIn: false,
    body: "none",
    async answer(app, { actor, params }) {
      const { siteId, recurringSendId } = params;
      await removeRecurringSend(app, actor, { siteId, recurringSendId });
      return { status: 204 };
    },
  },
]);

/** Returns whether a change does more than switch it off, and so can let it send after its editor's session. */
function doesMoreThanStop(body: unknown): boolean {
  const { enabled, ...rest } = Object(body) as Record<string, unknown>;
  return enabled !== false || Object.keys(rest).length > 0;
}
