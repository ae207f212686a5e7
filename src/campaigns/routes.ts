import { routes } from "../route.ts";
import { changeCampaign } from "./change-campaign.ts";
import { createCampaign } from "./create-campaign.ts";
import { readIdempotencyKey, replayed } from "./idempotency-key.ts";
import { previewContent } from "./preview-content.ts";
import { listCampaigns, readCampaign } from "./read-campaigns.ts";
import { testCampaign } from "./test-campaign.ts";

export const campaignRoutes = routes([
  {
    method: "POST",
    path: "/v1/content/preview",
    access: "key",
    needsRecentSignIn: false,
    scope: "preview",
    body: "json",
    readsPage: () => true,
    async answer(app, { actor, body }) {
      return { status: 200, body: await previewContent(app, actor, { body }) };
    },
  },
  {
    method: "POST",
    path: "/v1/tenants/:tenantId/campaigns",
    access: "key",
    needsRecentSignIn: false,
    scope: "draft",
    body: "json",
    readsPage: (body) => (body as { mode?: unknown } | null)?.mode !== "manual",
    async answer(app, { actor, body, headerLines }) {
      const idempotencyKey = readIdempotencyKey(headerLines("idempotency-key"));
      const campaign = await createCampaign(app, actor, { body, idempotencyKey });
      const location = `/v1/campaigns/${campaign.campaignId}`;
      return { status: 201, body: campaign, headers: { location, ...(campaign.duplicate ? replayed : {}) } };
    },
  },
  {
    method: "GET",
    path: "/v1/tenants/:tenantId/campaigns",
    access: "key",
    needsRecentSignIn: false,
    scope: "read",
    body: "none",
    async answer(app, { actor, query }) {
      return { status: 200, body: await listCampaigns(app, actor, { query }) };
    },
  },
  {
    method: "GET",
    path: "/v1/campaigns/:campaignId",
    access: "key",
    needsRecentSignIn: false,
    scope: "read",
    body: "none",
    async answer(app, { actor, params }) {
      return { status: 200, body: await readCampaign(app, actor, { campaignId: params.campaignId }) };
    },
  },
  {
    method: "PATCH",
    path: "/v1/campaigns/:campaignId",
    access: "key",
    needsRecentSignIn: false,
    scope: "draft",
    body: "json",
    async answer(app, { actor, params, body }) {
      return { status: 200, body: await changeCampaign(app, actor, { campaignId: params.campaignId, body }) };
    },
  },
  {
    method: "POST",
    path: "/v1/campaigns/:campaignId/test",
    access: "key",
    needsRecentSignIn: false,
    scope: "send",
    body: "none",
    async answer(app, { actor, params }) {
      return { status: 200, body: await testCampaign(app, actor, { campaignId: params.campaignId }) };
    },
  },
]);
