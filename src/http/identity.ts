import type { FastifyReply, FastifyRequest } from "fastify";
import type { Caller, Sessions } from "../access/accounts/sessions.ts";
import { authenticateKey } from "../access/api-keys/authenticate-key.ts";
import { recordApiKeyInBrowser } from "../access/api-keys/queries.ts";
import { missingProof, type Proof } from "../access/members/missing-proof.ts";
import { membershipInTenant } from "../access/members/queries.ts";
import { isRole } from "../access/roles.ts";
import type { Actor } from "../actor.ts";
import type { App } from "../app.ts";
import { appError } from "../errors.ts";
import { isId } from "../ids.ts";
import { type Allowance, countFailure, countRequest } from "../rate-limits/count-requests.ts";
import { sessionLimit } from "../rate-limits/limits.ts";
import type { Route } from "../route.ts";
import { refuseForeignOrigin } from "./own-origin.ts";
import { applyAllowances } from "./rate-limit-headers.ts";
import { forbidden, memberOn, type Named } from "./site-access.ts";

type KeyActor = Extract<Actor, { kind: "key" }>;

/** The key or the person that sent a request, before the tenant in its path is checked. */
export type Identity =
  | { kind: "key"; actor: KeyActor; allowance: Allowance }
  | { kind: "session"; userId: string; authenticatedAt: Date; proof: Proof; allowance: Allowance };

/**
 * Runs the first checks of a request under /v1 or of a member's dashboard, in the order that the API documents:
 * identity (401), a key in a browser (403), the rate limit (429), the scope of the key (403). Throws the first refusal.
 */
export async function identify(
  app: App,
  sessions: Sessions,
  route: Route,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Identity> {
  if (isRole(route.access)) return identifySession(app, sessions, request, reply);
  const authorization = request.raw.headersDistinct.authorization ?? [];
  if (route.access === "ownerSession" && authorization.length === 0) {
    return identifySession(app, sessions, request, reply);
  }
  const authentication = await authenticateKey(app, authorization);
  if ("refused" in authentication) return refuseKey(app, request, reply, authentication.refused);
  const { actor, scopes, allowance } = authentication;
  if (request.headers.origin !== undefined) {
    await recordApiKeyInBrowser(app.db, actor.keyId);
    throw appError("browser_forbidden");
  }
  if (route.access === "ownerSession") throw appError("owner_session_required");
  applyAllowances(reply, [allowance]);
  const { scope } = route;
  if (scopes !== null && (scope === undefined || !scopes.includes(scope))) throw appError("scope_missing", { scope });
  return { kind: "key", actor, allowance };
}

async function refuseKey(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  reason: "missing" | "invalid",
): Promise<never> {
  if (reason === "invalid") await countFailure(app, request.ip);
  const error = reason === "invalid" ? ', error="invalid_token"' : "";
  reply.header("www-authenticate", `Bearer realm="pressbell"${error}`);
  throw appError("unauthenticated");
}

async function identifySession(
  app: App,
  sessions: Sessions,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Identity> {
  const session = await sessions.authenticate(callerOf(request));
  if (session === null) {
    reply.header("www-authenticate", 'Bearer realm="pressbell"');
    throw appError("unauthenticated", { message: "Sign in to the dashboard as a member of this tenant." });
  }
  refuseForeignOrigin(app, request);
  const allowance = await countRequest(app, sessionLimit(app), session.userId);
  applyAllowances(reply, [allowance]);
  const { userId, authenticatedAt, proof } = session;
  return { kind: "session", userId, authenticatedAt, proof, allowance };
}

/**
 * Returns the actor of a request. `tenantId`: the tenant in its path, if there is one. Throws `tenant_mismatch` for a
 * key of another tenant, and `forbidden` for a session without the role that the route needs (`memberOn`). Both
 * answers are the same whether that tenant exists or not. Throws `second_factor_required` and `provider_required` for
 * a member whose sign-in does not meet the tenant's demands.
 */
export async function actorOn(app: App, identity: Identity, route: Route, named: Named): Promise<Actor> {
  const tenantId = named.params.tenantId?.toLowerCase();
  if (identity.kind === "key") {
    if (tenantId !== undefined && tenantId !== identity.actor.tenantId) throw appError("tenant_mismatch");
    return identity.actor;
  }
  const { userId, proof } = identity;
  const membership =
    tenantId !== undefined && isId(tenantId) ? await membershipInTenant(app.db, userId, tenantId) : undefined;
  if (membership === undefined) throw forbidden(route);
  const actor = await memberOn(app, userId, membership, route, named);
  const missing = missingProof(membership, proof);
  if (missing !== null) throw appError(missing === "provider" ? "provider_required" : "second_factor_required");
  return actor;
}

/** Returns what the operations of accounts need to know of a request. */
export function callerOf(request: FastifyRequest): Caller {
  const { cookie, "user-agent": userAgent } = request.headers;
  return { cookie, address: request.ip, userAgent };
}
