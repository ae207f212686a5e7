import { randomUUID } from "node:crypto";
import type { Socket } from "node:net";
import { errorCodes, type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from "fastify";
import type { App } from "../app.ts";
import { type ConnectionShare, newWaitBudget, type WaitBudget, withWaitBudget } from "../db/wait-budget.ts";
import { withLogFields } from "../log.ts";
import { refuseBrokenRequest, refuseUnknownExpectations } from "./broken-requests.ts";
import { sendError } from "./errors.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** The connections that the route's statements use. By default the general ones. */
    share?: ConnectionShare;
  }
  interface FastifyRequest {
    waitBudget: WaitBudget;
  }
}

/** The largest body of a route that has no limit of its own. */
export const bodyLimitBytes = 64 * 1024;

/** Creates a Fastify server without routes. Sets its limits, and how it answers broken requests. */
export function openServer(app: App, requestTimeoutMs: number): FastifyInstance {
  const server = fastify({
    // logRequest writes the only line of a request.
    logger: false,
    genReqId: () => randomUUID(),
    trustProxy: trustedProxies(app.config.TRUST_PROXY),
    bodyLimit: bodyLimitBytes,
    // The scripts for browsers are built before the server listens. On a busy machine, this takes longer than
    // Fastify's default of 10 s.
    pluginTimeout: 60_000,
    // Fastify has no timeout by default, so a body that stops halfway would hold its socket for ever. Node checks for
    // late requests at an interval. Its default of 30 s would be added to the timeout.
    requestTimeout: requestTimeoutMs,
    http: {
      headersTimeout: Math.min(10_000, requestTimeoutMs),
      connectionsCheckingInterval: Math.min(500, requestTimeoutMs / 4),
      // hosts.ts checks the header, and answers with our error body.
      requireHostHeader: false,
    },
    // A connection ends if it makes no progress, even in an answer. So a caller that stops reading does not hold it.
    connectionTimeout: 60_000,
    keepAliveTimeout: 65_000,
    forceCloseConnections: "idle",
    exposeHeadRoutes: false,
    routerOptions: { maxParamLength: 512, caseSensitive: true, ignoreTrailingSlash: false },
    frameworkErrors: (error, request, reply) => sendError(app, error, request, reply),
    clientErrorHandler: (error, socket) => refuseBrokenRequest(error, socket),
  });
  refuseUnknownExpectations(server.server);
  endUnusedConnectionsOnClose(server);
  return server;
}

/**
 * Ends the connections that have sent nothing when `server` closes. Browsers open spare connections, and Node counts
 * them as busy. Each would delay the drain by `connectionTimeout`.
 */
function endUnusedConnectionsOnClose(server: FastifyInstance): void {
  const connections = new Set<Socket>();
  let isClosing = false;
  server.server.on("connection", (socket: Socket) => {
    if (isClosing) socket.destroy();
    connections.add(socket);
    socket.once("close", () => connections.delete(socket));
  });
  server.addHook("preClose", async () => {
    isClosing = true;
    for (const socket of connections) if (socket.bytesRead === 0) socket.destroy();
  });
}

/**
 * Returns Fastify's `trustProxy`. A number is the number of proxies in front of us. The address before them is the
 * caller's.
 */
function trustedProxies(setting: boolean | number): boolean | ((address: string, hop: number) => boolean) {
  return typeof setting === "number" ? (_address, hop) => hop < setting : setting;
}

/**
 * Answers 503 to a request whose answer has not begun after `timeoutMs`, because its database may hang. An answer
 * that has begun may take as long as the caller's line needs. Fastify's own `handlerTimeout` would cut off a
 * download.
 */
export function limitAnswerTime(server: FastifyInstance, timeoutMs: number): void {
  const timers = new WeakMap<FastifyRequest, NodeJS.Timeout>();
  server.addHook("onRequest", async (request, reply) => {
    const timer = setTimeout(() => {
      if (!reply.sent) reply.send(new errorCodes.FST_ERR_HANDLER_TIMEOUT(String(timeoutMs), request.routeOptions.url));
    }, timeoutMs);
    timers.set(request, timer);
    reply.raw.once("close", () => clearTimeout(timer));
  });
  server.addHook("onSend", async (request) => clearTimeout(timers.get(request)));
}

/**
 * Adds the request's id to each line that is logged for it. It is entered twice, for the same reason as the wait
 * budget.
 */
export function nameRequestsInLog(server: FastifyInstance): void {
  const enter = (request: FastifyRequest, _reply: FastifyReply, done: () => void) =>
    withLogFields({ requestId: request.id }, done);
  server.addHook("onRequest", enter);
  server.addHook("preValidation", enter);
}

/**
 * Gives each request a database wait budget, with the share of connections of its route. Enters the budget's context
 * twice, because the socket events that deliver a body do not inherit the context of the first hook.
 */
export function limitDatabaseWait(server: FastifyInstance): void {
  server.decorateRequest("waitBudget");
  server.addHook("onRequest", (request, _reply, done) => {
    request.waitBudget = newWaitBudget(request.routeOptions.config?.share);
    withWaitBudget(request.waitBudget, done);
  });
  server.addHook("preValidation", (request, _reply, done) => withWaitBudget(request.waitBudget, done));
}

/**
 * Makes each answer close its connection once the server closes. Node closes the connections that are idle at that
 * moment, and waits for the others. A connection that stays open after its answer would delay the drain until it is
 * forced.
 */
export function endConnectionsOnClose(server: FastifyInstance): void {
  let isClosing = false;
  server.addHook("preClose", async () => {
    isClosing = true;
  });
  server.addHook("onSend", async (_request, reply) => {
    if (isClosing) reply.header("connection", "close");
  });
}
