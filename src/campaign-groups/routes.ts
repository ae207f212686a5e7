import { memberOf } from "../actor.ts";
import { readIdempotencyKey, replayed } from "../campaigns/idempotency-key.ts";
import { routes } from "../route.ts";
import { createGroup } from "./create-group.ts";
import { countSites } from "./group-input.ts";
import { readGroup } from "./read-group.ts";
import { sendGroup, stopGroup } from "./send-group.ts";
import { beginGroupSend, undoGroupSend } from "./undo-group.ts";

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

const undoWindow = "/dashboard/api/tenants/:tenantId/campaign-groups/:groupId/undo-window";

/** The routes for sends of a group that can still be undone. Only the dashboard has them. */
export const groupUndoRoutes = routes([
  {
    method: "POST",
    path: undoWindow,
    access: "editor",
    needsRecentSignIn: false,
    body: "json",
    async answer(app, call) {
      const input = { groupId: call.params.groupId, body: call.body };
      return { status: 201, body: await beginGroupSend(app, memberOf(call), input) };
    },
  },
  {
    method: "POST",
    path: `${undoWindow}/undo`,
    access: "editor",
    needsRecentSignIn: false,
    body: "none",
    keepsConnection: true,
    async answer(app, call) {
      return { status: 200, body: await undoGroupSend(app, memberOf(call), { groupId: call.params.groupId }) };
    },
  },
]);
