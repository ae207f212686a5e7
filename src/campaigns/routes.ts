import type { Route } from "../route.ts";
import { createCampaign } from "./create-campaign.ts";
import { readIdempotencyKey } from "./idempotency-key.ts";
import { readCampaign } from "./read-campaign.ts";
import { sendCampaign } from "./send-campaign.ts";

const replayed = { "idempotent-replayed": "true" };

export const campaignRoutes: Route[] = [
  {
    method: "POST",
    path: "/v1/tenants/:tenantId/campaigns",
    access: "key",
    body: "json",
    async answer(app, { actor, body, headerLines }) {
      const idempotencyKey = readIdempotencyKey(headerLines("idempotency-key"));
      const campaign = await createCampaign(app, actor, { body, idempotencyKey });
      const location = `/v1/campaigns/${campaign.campaignId}`;
      return { status: 201, body: campaign, headers: { location, ...(campaign.duplicate ? replayed : {}) } };
    },
  },
  {
    method: "GET",
    path: "/v1/campaigns/:campaignId",
    access: "key",
    body: "none",
    async answer(app, { actor, params }) {
      return { status: 200, body: await readCampaign(app, actor, { campaignId: params.campaignId! }) };
    },
  },
  {
    method: "POST",
    path: "/v1/campaigns/:campaignId/send",
    access: "key",
    body: "none",
    async answer(app, { actor, params, headerLines }) {
      const idempotencyKey = readIdempotencyKey(headerLines("idempotency-key"));
      const sent = await sendCampaign(app, actor, { campaignId: params.campaignId!, idempotencyKey });
      return { status: 202, body: sent, headers: sent.duplicate ? replayed : {} };
    },
  },
];
