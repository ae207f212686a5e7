import { routes } from "../../route.ts";
import { addSegment, changeSegment, countSegment, listSegments } from "./segments.ts";

const root = "/dashboard/api/tenants/:tenantId/sites/:siteId/segments";

/** The routes of segments. Only the dashboard has them. */
export const segmentRoutes = routes([
  {
    method: "GET",
    path: root,
    access: "viewer",
    needsRecentSignIn: false,
    body: "none",
    async answer(app, { actor, params }) {
      return { status: 200, body: await listSegments(app, actor, { siteId: params.siteId }) };
    },
  },
  {
    method: "POST",
    path: root,
    access: "editor",
    needsRecentSignIn: false,
    body: "json",
    async answer(app, { actor, params, body }) {
      return { status: 201, body: await addSegment(app, actor, { siteId: params.siteId, body }) };
    },
  },
  {
    method: "POST",
    path: `${root}/count`,
    access: "editor",
    needsRecentSignIn: false,
    body: "json",
    async answer(app, { actor, params, body }) {
      return { status: 200, body: await countSegment(app, actor, { siteId: params.siteId, body }) };
    },
  },
  {
    method: "PATCH",
    path: `${root}/:segmentId`,
    access: "editor",
    needsRecentSignIn: false,
    body: "json",
    async answer(app, { actor, params, body }) {
      const input = { siteId: params.siteId, segmentId: params.segmentId, body };
      await changeSegment(app, actor, input);
      return { status: 204 };
    },
  },
]);
