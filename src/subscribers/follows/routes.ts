import { readersRoutes, routes } from "../../route.ts";
import { changeFollows } from "./change-follows.ts";
import { endFollowedKey, listFollowedKeys } from "./followed-keys.ts";

const path = "/v1/tenants/:tenantId/sites/:siteId/follows";

/** The routes of what readers follow, for editors and keys. */
export const followRoutes = routes([
  {
    method: "GET",
    path,
    access: "key",
    needsRecentSignIn: false,
    scope: "read",
    body: "none",
    async answer(app, { actor, params, query }) {
      return { status: 200, body: await listFollowedKeys(app, actor, { siteId: params.siteId, query }) };
    },
  },
  {
    method: "DELETE",
    path,
    access: "key",
    needsRecentSignIn: false,
    scope: "send",
    body: "none",
    async answer(app, { actor, params, query }) {
      return { status: 200, body: await endFollowedKey(app, actor, { siteId: params.siteId, query }) };
    },
  },
]);

/** The route by which readers' browsers follow. A reader of a removed site can still end a follow. */
export const followReaderRoutes = readersRoutes([
  {
    method: "POST",
    path: "/sdk/sites/:siteId/follows",
    access: "public",
    limit: "write",
    ofRemovedSite: true,
    async answer(app, { params, body, address }) {
      return { status: 200, body: await changeFollows(app, { siteId: params.siteId, address, body }) };
    },
  },
]);
