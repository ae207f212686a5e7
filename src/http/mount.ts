import { Readable } from "node:stream";
import type { FastifyInstance } from "fastify";
import type { Sessions } from "../access/accounts/sessions.ts";
import type { App } from "../app.ts";
import { appError } from "../errors.ts";
import type { Route } from "../route.ts";
import { actorOn, type Identity, identify } from "./identity.ts";
import { judgeBodyHeaders, refuseUnstorableText } from "./json-body.ts";
import { countFetch } from "./rate-limit.ts";
import { sendStream } from "./streams.ts";

declare module "fastify" {
  interface FastifyRequest {
    identity: Identity | null;
  }
}

/** What comes in parts comes in small ones: each has to be here within the time that a request may take. */
const linesLimitBytes = 1024 * 1024;

/**
 * Mounts an operation. The order of checks is the interface's: identity, `browser_forbidden`, the rate limit, then the
 * body, then the path's tenant; the operation judges existence, fields and state.
 */
export function mount(server: FastifyInstance, app: App, sessions: Sessions, route: Route): void {
  server.route({
    method: route.method,
    url: route.path,
    exposeHeadRoute: false,
    ...(route.body === "lines" ? { bodyLimit: linesLimitBytes, config: { takesLines: true } } : {}),
    onRequest: async (request, reply) => {
      request.identity = await identify(app, sessions, route, request, reply);
      judgeBodyHeaders(request);
    },
    handler: async (request, reply) => {
      const identity = request.identity!;
      const params = request.params as Record<string, string>;
      judgeBody(route, request.body);
      if (route.readsPage?.(request.body)) await countFetch(app, reply, identity);
      const actor = await actorOn(app, identity, route.access, params.tenantId);
      const { status, body, headers } = await route.answer(app, {
        actor,
        params,
        body: route.body === "lines" ? (request.body ?? Buffer.alloc(0)) : request.body,
        get query() {
          refuseUnstorableText(request.query);
          return request.query;
        },
        headerLines: (name) => request.raw.headersDistinct[name] ?? [],
      });
      reply.code(status).headers(headers ?? {});
      return body instanceof Readable ? sendStream(server, reply, body) : reply.send(body);
    },
  });
}

function judgeBody(route: Route, body: unknown): void {
  if (route.body === "lines") return;
  if (route.body === "json") {
    if (body === undefined) throw appError("malformed_json");
    return;
  }
  const isEmpty = body === undefined || (typeof body === "object" && body !== null && Object.keys(body).length === 0);
  if (isEmpty && !Array.isArray(body)) return;
  throw appError("validation_failed", { errors: [{ path: "", message: "this request takes no body, or {}" }] });
}
