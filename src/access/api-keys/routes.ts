import { appError } from "../../errors.ts";
import { routes } from "../../route.ts";
import { addApiKey, deleteApiKey, listApiKeys } from "./api-keys.ts";

/** Routes for the API keys of a tenant, for its signed-in owners. */
export const apiKeyRoutes = routes([
  {
    method: "GET",
    path: "/v1/tenants/:tenantId/api-keys",
    access: "ownerSession",
    needsRecentSignIn: false,
    body: "none",
    async answer(app, { actor }) {
      return { status: 200, body: await listApiKeys(app, actor) };
    },
  },
  {
    method: "POST",
    path: "/v1/tenants/:tenantId/api-keys",
    access: "ownerSession",
    needsRecentSignIn: true,
    body: "json",
    async answer(app, { actor, body }) {
      if (actor.kind !== "user") throw appError("owner_session_required");
      return { status: 201, body: await addApiKey(app, actor, { body }) };
    },
  },
  {
    method: "DELETE",
    path: "/v1/tenants/:tenantId/api-keys/:keyId",
    access: "ownerSession",
    needsRecentSignIn: false,
    body: "none",
    async answer(app, { actor, params }) {
      await deleteApiKey(app, actor, { keyId: params.keyId });
      return { status: 204 };
    },
  },
]);
