import { randomUUID } from "node:crypto";
import type { Socket } from "node:net";
import { type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from "fastify";
import { recogniseKey } from "../access/recognise.ts";
import type { Actor } from "../actor.ts";
import type { App } from "../app.ts";
import { campaignRoutes } from "../campaigns/routes.ts";
import { decisionRoutes } from "../decision/routes.ts";
import { appError } from "../errors.ts";
import type { Route } from "../route.ts";
import { runRoutes } from "../runs/routes.ts";
import { errorBody, statusOf, toAppError } from "./errors.ts";
import { healthRoutes } from "./health.ts";
import { parseJsonBody } from "./json-body.ts";

/** Everything under /v1. A route that is not here does not exist. */
export const v1Routes: Route[] = [...decisionRoutes, ...campaignRoutes, ...runRoutes];

const bodyLimitBytes = 64 * 1024;

declare module "fastify" {
  interface FastifyRequest {
    actor: Actor | null;
  }
}

/** The HTTP server over `app`, not yet listening. */
export function createServer(app: App): FastifyInstance {
  const server: FastifyInstance = fastify({
    // One line a request, from `logRequest`, is all that is logged.
    logger: false,
    genReqId: () => randomUUID(),
    trustProxy: trustedProxies(app.config.TRUST_PROXY),
    bodyLimit: bodyLimitBytes,
    // Fastify's own default is none: a body that stops half-way would hold its socket for ever.
    requestTimeout: 15_000,
    connectionTimeout: 60_000,
    keepAliveTimeout: 65_000,
    forceCloseConnections: "idle",
    routerOptions: { maxParamLength: 512, caseSensitive: true, ignoreTrailingSlash: false },
    frameworkErrors: (error, request, reply) => sendError(app, error, request, reply),
    clientErrorHandler: (error, socket) => refuseBrokenRequest(error, socket),
  });
  readBodiesAsJson(server);
  server.decorateRequest("actor", null);
  server.addHook("onRequest", async (request, reply) => void reply.header("x-request-id", request.id));
  server.addHook("onResponse", async (request, reply) => logRequest(app, request, reply));
  server.setErrorHandler((error: FastifyError, request, reply) => sendError(app, error, request, reply));
  server.setNotFoundHandler((request, reply) => answerUnknown(app, request, reply));
  for (const route of v1Routes) mount(server, app, route);
  healthRoutes(server, app);
  return server;
}

/** A count means: so many proxies stand in front, and the address before them is the caller's. */
function trustedProxies(setting: boolean | number): boolean | ((address: string, hop: number) => boolean) {
  return typeof setting === "number" ? (_address, hop) => hop < setting : setting;
}

function readBodiesAsJson(server: FastifyInstance): void {
  server.removeAllContentTypeParsers();
  server.addContentTypeParser(
    "application/json",
    { parseAs: "buffer" },
    async (request: FastifyRequest, body: Buffer) => {
      const charset = /;\s*charset\s*=\s*"?([^";]*)/i.exec(request.headers["content-type"] ?? "")?.[1];
      if (charset !== undefined && charset.trim().toLowerCase() !== "utf-8") throw appError("unsupported_media_type");
      if (request.headers["content-encoding"] !== undefined) throw appError("unsupported_media_type");
      return parseJsonBody(body);
    },
  );
}

/**
 * The order of checks is the interface's: identity before the body is read, then the path's tenant, and the operation
 * judges existence, fields and state.
 */
function mount(server: FastifyInstance, app: App, route: Route): void {
  server.route({
    method: route.method,
    url: route.path,
    onRequest: async (request, reply) => {
      request.actor = await identify(app, request, reply);
    },
    handler: async (request, reply) => {
      const actor = request.actor!;
      const params = request.params as Record<string, string>;
      if (params.tenantId !== undefined && params.tenantId.toLowerCase() !== actor.tenantId)
        throw appError("tenant_mismatch");
      if (route.body === "none") refuseBody(request.body);
      const headerLines = (name: string) => request.raw.headersDistinct[name] ?? [];
      const { status, body, headers } = await route.answer(app, { actor, params, body: request.body, headerLines });
      return reply
        .code(status)
        .headers(headers ?? {})
        .send(body);
    },
  });
}

async function identify(app: App, request: FastifyRequest, reply: FastifyReply): Promise<Actor> {
  const recognition = await recogniseKey(app, request.raw.headersDistinct.authorization ?? []);
  if ("actor" in recognition) return recognition.actor;
  const error = recognition.refused === "invalid" ? ', error="invalid_token"' : "";
  reply.header("www-authenticate", `Bearer realm="pressbell"${error}`);
  throw appError("unauthenticated");
}

function refuseBody(body: unknown): void {
  const isEmpty = body === undefined || (typeof body === "object" && body !== null && Object.keys(body).length === 0);
  if (isEmpty && !Array.isArray(body)) return;
  throw appError("validation_failed", { errors: [{ path: "", message: "this request takes no body, or {}" }] });
}

function sendError(app: App, error: Error, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const shown = toAppError(error);
  const status = statusOf(shown.code);
  if (shown.code === "internal") app.log.error({ err: error, requestId: request.id }, "a request failed");
  if (shown.code === "unavailable") reply.header("retry-after", "1");
  // A body that is too large was not read to its end, so the connection cannot go on.
  if (status === 413) reply.header("connection", "close");
  return reply.header("x-request-id", request.id).code(status).send(errorBody(shown, request.id));
}

/** A path that exists with another method is 405; anything else is 404. */
function answerUnknown(app: App, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const path = request.url.split("?")[0]!.split("/");
  const allowed = v1Routes.filter((route) => matches(route.path.split("/"), path)).map((route) => route.method);
  if (allowed.length === 0) return sendError(app, appError("not_found"), request, reply);
  reply.header("allow", [...new Set(allowed)].join(", "));
  return sendError(app, appError("method_not_allowed"), request, reply);
}

function matches(pattern: string[], path: string[]): boolean {
  return (
    pattern.length === path.length &&
    pattern.every((part, i) => (part.startsWith(":") ? path[i] !== "" : part === path[i]))
  );
}

/** What is no HTTP at all never becomes a request; it still gets an answer in our form. */
function refuseBrokenRequest(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  const requestId = randomUUID();
  const [status, code] =
    error.code === "HPE_HEADER_OVERFLOW"
      ? ["431 Request Header Fields Too Large", "bad_request" as const]
      : error.code === "ERR_HTTP_REQUEST_TIMEOUT"
        ? ["408 Request Timeout", "request_timeout" as const]
        : ["400 Bad Request", "bad_request" as const];
  const body = JSON.stringify(errorBody(appError(code), requestId));
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\n` +
      `X-Request-Id: ${requestId}\r\nConnection: close\r\n\r\n${body}`,
  );
}

function logRequest(app: App, request: FastifyRequest, reply: FastifyReply): void {
  const { method, url, id: requestId } = request;
  const line = {
    requestId,
    method,
    path: url.split("?")[0],
    status: reply.statusCode,
    ms: Math.round(reply.elapsedTime),
  };
  app.log.debug(line, "request");
}
