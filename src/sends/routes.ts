import { readIdempotencyKey, replayed } from "../campaigns/idempotency-key.ts";
import { routes } from "../route.ts";
import { cancelCampaign } from "./cancel-campaign.ts";
import { scheduleCampaign } from "./schedule-campaign.ts";
import { sendCampaign } from "./send-campaign.ts";

export const sendRoutes = routes([
  {
    method: "POST",
    path: "/v1/campaigns/:campaignId/send",
    access: "key",
    needsRecentSignIn: false,
    scope: "send",
    body: "none",
    keepsConnection: true,
    async answer(app, { actor, params, headerLines }) {
      const idempotencyKey = readIdempotencyKey(headerLines("idempotency-key"));
      const sent = await sendCampaign(app, actor, { campaignId: params.campaignId, idempotencyKey });
      return { status: 202, body: sent, headers: sent.duplicate ? replayed : {} };
    },
  },
  {
    method: "POST",
    path: "/v1/campaigns/:campaignId/schedule",
    access: "key",
    needsRecentSignIn: false,
    scope: "send",
    body: "json",
    async answer(app, { actor, params, body }) {
      return { status: 200, body: await scheduleCampaign(app, actor, { campaignId: params.campaignId, body }) };
    },
  },
  {
    method: "POST",
    path: "/v1/campaigns/:campaignId/cancel",
    access: "key",
    needsRecentSignIn: false,
    scope: "send",
    body: "none",
    async answer(app, { actor, params }) {
      return { status: 200, body: await cancelCampaign(app, actor, { campaignId: params.campaignId }) };
    },
  },
]);
