import { Readable } from "node:stream";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { requireRecentSignIn } from "../access/accounts/reauthenticate.ts";
import type { Sessions } from "../access/accounts/sessions.ts";
import { memberOf } from "../actor.ts";
import type { App } from "../app.ts";
import { appError } from "../errors.ts";
import { fault, faults } from "../faults.ts";
import { countMore, countRequest } from "../rate-limits/count-requests.ts";
import { fetchLimit } from "../rate-limits/limits.ts";
import type { Route } from "../route.ts";
import { actorOn, type Identity, identify } from "./identity.ts";
import { checkBodyHeaders, refuseUnstorableText, requireBody } from "./json-body.ts";
import { applyAllowances } from "./rate-limit-headers.ts";
import { sendStream, takeStreamPlace } from "./streams.ts";

declare module "fastify" {
  interface FastifyRequest {
    identity: Identity | null;
  }
}

/** The largest part of an import. Parts are small, because each must arrive within the time limit of a request. */
export const linesLimitBytes = 1024 * 1024;

/**
 * Mounts an operation. The order of checks is part of the API: identity (401), a key in a browser (403), the rate
 * limit (429), the body (415, 413, 400), the tenant in the path (403). The operation then checks existence, fields
 * and state.
 */
export function mount(server: FastifyInstance, app: App, sessions: Sessions, route: Route): void {
  server.route<{ Params: Record<string, string> }>({
    method: route.method,
    url: route.path,
    exposeHeadRoute: false,
    ...(route.body === "lines" ? { bodyLimit: linesLimitBytes } : {}),
    config: { takesLines: route.body === "lines", share: route.keepsConnection ? "reserved" : "general" },
    onRequest: async (request, reply) => {
      request.identity = await identify(app, sessions, route, request, reply);
      request.waitBudget.party = partyOf(request.identity);
      checkBodyHeaders(request);
    },
    handler: async (request, reply) => {
      const identity = request.identity!;
      checkBody(route, request.body);
      await countParts(app, reply, route, request);
      const actor = await actorOn(app, identity, route, request);
      request.waitBudget.party = actor.tenantId;
      if (identity.kind === "session" && asksForSignIn(route, request.body)) requireRecentSignIn(app, identity);
      if (route.isStream)
        takeStreamPlace(server, reply, route.isStream === "of member" ? memberOf({ actor }).userId : undefined);
      const { status, body, headers } = await route.answer(app, {
        actor,
        params: request.params,
        body: route.body === "lines" ? (request.body ?? Buffer.alloc(0)) : request.body,
        get query() {
          refuseUnstorableText(request.query);
          return request.query;
        },
        headerLines: (name) => request.raw.headersDistinct[name] ?? [],
        get signal() {
          return signalOf(reply);
        },
      });
      reply.code(status).headers(headers ?? {});
      return body instanceof Readable ? sendStream(server, app, reply, body) : reply.send(body);
    },
  });
}

function signalOf({ raw }: FastifyReply): AbortSignal {
  const ending = new AbortController();
  raw.once("close", () => ending.abort());
  if (raw.destroyed) ending.abort();
  return ending.signal;
}

function asksForSignIn({ needsRecentSignIn: needs }: Route, body: unknown): boolean {
  return typeof needs === "function" ? needs(body) : needs;
}

/**
 * Returns the party of a request. A person counts alone until they are known to be a member of the tenant in the
 * path.
 */
function partyOf(identity: Identity): string {
  return identity.kind === "key" ? identity.actor.tenantId : `user ${identity.userId}`;
}

function checkBody(route: Route, body: unknown): void {
  if (route.body === "lines") return;
  if (route.body === "json") {
    requireBody(body);
    return;
  }
  const isEmpty = body === undefined || (typeof body === "object" && body !== null && Object.keys(body).length === 0);
  if (isEmpty && !Array.isArray(body)) return;
  throw appError("validation_failed", { errors: [fault("", faults.no_body_expected({ body: "{}" }))] });
}

/**
 * Counts what only the body shows: how many further requests this one counts as and, by key or person, how many pages
 * it fetches. The answer shows each limit that the request counts for.
 */
async function countParts(
  app: App,
  reply: FastifyReply,
  route: Route,
  { identity, body }: FastifyRequest,
): Promise<void> {
  const parts = route.countsAs?.(body) ?? 1;
  const { allowance } = identity!;
  const allowances = [parts === 1 ? allowance : await countMore(app, allowance, parts - 1)];
  if (route.readsPage?.(body)) {
    const whose = identity!.kind === "key" ? identity!.actor.keyId : identity!.userId;
    allowances.push(await countRequest(app, fetchLimit(app), whose, parts));
  }
  if (parts > 1 || allowances.length > 1) applyAllowances(reply, allowances);
}
