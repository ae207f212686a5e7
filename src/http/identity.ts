import type { FastifyReply, FastifyRequest } from "fastify";
import type { Caller, Sessions } from "../access/accounts/sessions.ts";
import { authenticateKey } from "../access/api-keys/authenticate-key.ts";
import { recordApiKeyInBrowser } from "../access/api-keys/queries.ts";
import { roleInTenant } from "../access/members/queries.ts";
import { isRole, type Role, roleReaches } from "../access/roles.ts";
import type { Actor } from "../actor.ts";
import type { App } from "../app.ts";
import { appError } from "../errors.ts";
import { isId } from "../ids.ts";
import { type Allowance, countRequest, sessionLimit } from "../rate-limits/limits.ts";
import type { Route } from "../route.ts";
import { refuseForeignOrigin } from "./own-origin.ts";
import { applyAllowances, countFailure } from "./rate-limit.ts";

type KeyActor = Extract<Actor, { kind: "key" }>;

/** Who sent a request, before the tenant of its path is looked at. */
export type Identity =
  | { kind: "key"; actor: KeyActor; allowance: Allowance }
  | { kind: "session"; userId: string; allowance: Allowance };

/**
 * The first checks of every request under /v1, in the interface's order: identity (401), a key in a browser (403), the
 * rate limit (429). Throws each refusal.
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
  const recognition = await authenticateKey(app, authorization);
  if ("refused" in recognition) return refuseKey(app, request, reply, recognition.refused);
  const { actor, allowance } = recognition;
  if (request.headers.origin !== undefined) {
    await recordApiKeyInBrowser(app.db, actor.keyId);
    throw appError("browser_forbidden");
  }
  if (route.access === "ownerSession") throw appError("owner_session_required");
  applyAllowances(reply, [allowance]);
  return { kind: "key", actor, allowance };
}

async function refuseKey(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  why: "missing" | "invalid",
): Promise<never> {
  if (why === "invalid") await countFailure(app, request, reply);
  const error = why === "invalid" ? ', error="invalid_token"' : "";
  reply.header("www-authenticate", `Bearer realm="pressbell"${error}`);
  throw appError("unauthenticated");
}

async function identifySession(
  app: App,
  sessions: Sessions,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Identity> {
  const session = await sessions.read(callerOf(request));
  if (session === null) {
    reply.header("www-authenticate", 'Bearer realm="pressbell"');
    throw appError("unauthenticated", { message: "Sign in to the dashboard as a member of this tenant." });
  }
  refuseForeignOrigin(app, request);
  const allowance = await countRequest(app, sessionLimit(app), session.userId);
  applyAllowances(reply, [allowance]);
  return { kind: "session", userId: session.userId, allowance };
}

const forbiddenTo: Record<Role, string | undefined> = {
  owner: undefined,
  editor: "Only an owner or an editor of this tenant may do this. Ask an owner for that role.",
  viewer: "You are no member of this tenant. Ask one of its owners for an invitation.",
};

/**
 * The actor of a request on `tenantId`, the tenant in its path if there is one. Throws `tenant_mismatch` for a key of
 * another tenant and `forbidden` for a session without the route's role, both the same whether that tenant exists or not.
 */
export async function actorOn(
  app: App,
  identity: Identity,
  access: Route["access"],
  tenantId: string | undefined,
): Promise<Actor> {
  if (identity.kind === "key") {
    if (tenantId !== undefined && tenantId.toLowerCase() !== identity.actor.tenantId) throw appError("tenant_mismatch");
    return identity.actor;
  }
  const { userId } = identity;
  const needed = isRole(access) ? access : "owner";
  const role =
    tenantId !== undefined && isId(tenantId) ? await roleInTenant(app.db, userId, tenantId.toLowerCase()) : undefined;
  if (role === undefined || !roleReaches(role, needed)) {
    const message = forbiddenTo[needed];
    throw appError("forbidden", message === undefined ? {} : { message });
  }
  return { kind: "user", tenantId: tenantId!.toLowerCase(), userId };
}

export function callerOf(request: FastifyRequest): Caller {
  const { cookie, "user-agent": userAgent } = request.headers;
  return { cookie, address: request.ip, userAgent };
}
