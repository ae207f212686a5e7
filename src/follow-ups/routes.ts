import { routes } from "../route.ts";
import { listUpdates, updateNudge } from "./update-notification.ts";

export const updateRoutes = routes([
  {
    method: "POST",
    path: "/v1/campaigns/:campaignId/updates",
    access: "key",
    needsRecentSignIn: false,
    scope: "send",
    body: "json",
    async answer(app, { actor, params, body }) {
      return { status: 202, body: await updateNudge(app, actor, { campaignId: params.campaignId, body }) };
    },
  },
  {
    method: "GET",
    path: "/v1/campaigns/:campaignId/updates",
    access: "key",
    needsRecentSignIn: false,
    scope: "read",
    body: "none",
    async answer(app, { actor, params }) {
      return { status: 200, body: { updates: await listUpdates(app, actor, { campaignId: params.campaignId }) } };
    },
  },
]);
