import { readIdempotencyKey, replayed } from "../campaigns/idempotency-key.ts";
import { routes } from "../route.ts";
import { createGroup } from "./create-group.ts";
import { countSites } from "./group-input.ts";
import { readGroup } from "./read-group.ts";
import { sendGroup, stopGroup } from "./send-group.ts";

export const campaignGroupRoutes = routes([
  {
    method: "POST",
    path: "/v1/tenants/:tenantId/campaign-groups",
    access: "key",
    needsRecentSignIn: false,
    scope: "draft",
    body: "json",
    readsPage: (body) => (body as { mode?: unknown } | null)?.mode !== "manual",
    countsAs: countSites,
    async answer(app, { actor, body, headerLines }) {
      const idempotencyKey = readIdempotencyKey(headerLines("idempotency-key"));
      const group = await createGroup(app, actor, { body, idempotencyKey });
      const location = `/v1/campaign-groups/${group.groupId}`;
      return { status: 201, body: group, headers: { location, ...(group.duplicate ? replayed : {}) } };
    },
  },
  {
    method: "GET",
    path: "/v1/campaign-groups/:groupId",
    access: "key",
    needsRecentSignIn: false,
    scope: "read",
    body: "none",
    async answer(app, { actor, params }) {
      return { status: 200, body: await readGroup(app, actor, { groupId: params.groupId }) };
    },
  },
  {
    method: "POST",
    path: "/v1/campaign-groups/:groupId/send",
    access: "key",
    needsRecentSignIn: false,
    scope: "send",
    body: "none",
    keepsConnection: true,
    async answer(app, { actor, params, headerLines }) {
      const idempotencyKey = readIdempotencyKey(headerLines("idempotency-key"));
      return { status: 202, body: await sendGroup(app, actor, { groupId: params.groupId, idempotencyKey }) };
    },
  },
  {
    method: "POST",
    path: "/v1/campaign-groups/:groupId/stop",
    access: "key",
    needsRecentSignIn: false,
    scope: "send",
    body: "none",
    keepsConnection: true,
    async answer(app, { actor, params }) {
      return { status: 200, body: await stopGroup(app, actor, { groupId: params.groupId }) };
    },
  },
]);
