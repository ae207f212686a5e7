import { memberOf } from "../actor.ts";
import { type Call, routes } from "../route.ts";
import { beginSend, listUndoWindows, undoSend } from "./undo-window.ts";

const tenant = "/dashboard/api/tenants/:tenantId";
const root = `${tenant}/campaigns/:campaignId/undo-window`;

const inputOf = ({ params, body }: Call<{ campaignId: string }>) => ({ campaignId: params.campaignId, body });

/** The routes of sends that can still be undone. Only the dashboard has them. */
export const undoWindowRoutes = routes([
  {
    method: "GET",
    path: `${tenant}/undo-windows`,
    access: "viewer",
    sites: "own",
    needsRecentSignIn: false,
    body: "none",
    async answer(app, call) {
      return { status: 200, body: await listUndoWindows(app, memberOf(call)) };
    },
  },
  {
    method: "POST",
    path: root,
    access: "editor",
    needsRecentSignIn: false,
    body: "json",
    async answer(app, call) {
      return { status: 201, body: await beginSend(app, memberOf(call), inputOf(call)) };
    },
  },
  {
    method: "POST",
    path: `${root}/undo`,
    access: "editor",
    needsRecentSignIn: false,
    body: "none",
    keepsConnection: true,
    async answer(app, call) {
      return { status: 200, body: await undoSend(app, memberOf(call), inputOf(call)) };
    },
  },
]);
