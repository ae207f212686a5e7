import { invalidFields } from "../errors.ts";
import type { Route } from "../route.ts";
import { cancelCampaign } from "./cancel-campaign.ts";
import { changeCampaign } from "./change-campaign.ts";
import { createCampaign } from "./create-campaign.ts";
import { listCampaigns, readCampaign } from "./read-campaigns.ts";
import { scheduleCampaign } from "./schedule-campaign.ts";
import { sendCampaign } from "./send-campaign.ts";
import { testCampaign } from "./test-campaign.ts";

const visibleAscii = /^[!-~]{1,255}$/;

/**
 * Returns the Idempotency-Key of a request from all its header lines of that name; null if there is none. Throws
 * `validation_failed` for two lines, and for a key that is not 1 to 255 visible ASCII characters.
 */
export function readIdempotencyKey(lines: string[]): string | null {
  const [only, ...more] = lines;
  if (only === undefined) return null;
  if (more.length > 0 || !visibleAscii.test(only)) {
    throw invalidFields([
      { path: "/headers/idempotency-key", message: "must be one header of 1 to 255 visible ASCII characters" },
    ]);
  }
  return only;
}

const replayed = { "idempotent-replayed": "true" };

export const campaignRoutes: Route[] = [
  {
    method: "POST",
    path: "/v1/tenants/:tenantId/campaigns",
    access: "key",
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
    scope: "read",
    body: "none",
    async answer(app, { actor, params }) {
      return { status: 200, body: await readCampaign(app, actor, { campaignId: params.campaignId! }) };
    },
  },
  {
    method: "POST",
    path: "/v1/campaigns/:campaignId/send",
    access: "key",
    scope: "send",
    body: "none",
    keepsConnection: true,
    async answer(app, { actor, params, headerLines }) {
      const idempotencyKey = readIdempotencyKey(headerLines("idempotency-key"));
      const sent = await sendCampaign(app, actor, { campaignId: params.campaignId!, idempotencyKey });
      return { status: 202, body: sent, headers: sent.duplicate ? replayed : {} };
    },
  },
  {
    method: "PATCH",
    path: "/v1/campaigns/:campaignId",
    access: "key",
    scope: "draft",
    body: "json",
    async answer(app, { actor, params, body }) {
      return { status: 200, body: await changeCampaign(app, actor, { campaignId: params.campaignId!, body }) };
    },
  },
  {
    method: "POST",
    path: "/v1/campaigns/:campaignId/test",
    access: "key",
    scope: "send",
    body: "none",
    async answer(app, { actor, params }) {
      return { status: 200, body: await testCampaign(app, actor, { campaignId: params.campaignId! }) };
    },
  },
  {
    method: "POST",
    path: "/v1/campaigns/:campaignId/schedule",
    access: "key",
    scope: "send",
    body: "json",
    async answer(app, { actor, params, body }) {
      return { status: 200, body: await scheduleCampaign(app, actor, { campaignId: params.campaignId!, body }) };
    },
  },
  {
    method: "POST",
    path: "/v1/campaigns/:campaignId/cancel",
    access: "key",
    scope: "send",
    body: "none",
    async answer(app, { actor, params }) {
      return { status: 200, body: await cancelCampaign(app, actor, { campaignId: params.campaignId! }) };
    },
  },
];
