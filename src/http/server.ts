import { randomUUID } from "node:crypto";
import { type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from "fastify";
import { createSessions } from "../access/accounts/sessions.ts";
import { accessRoutes } from "../access/api-keys/routes.ts";
import { deleteEnded } from "../access/expire-ended.ts";
import type { App } from "../app.ts";
import { campaignRoutes } from "../campaigns/routes.ts";
import { newWaitBudget, type WaitBudget, withWaitBudget } from "../db/wait-budget.ts";
import { decisionRoutes } from "../decision/routes.ts";
import type { Encryption } from "../delivery/crypto/encryption.ts";
import { appError } from "../errors.ts";
import { receiptReaderRoutes } from "../receipts/reader-routes.ts";
import { createReceiptBuffer, type ReceiptBuffer } from "../receipts/receipt-buffer.ts";
import type { PublicRoute, Route } from "../route.ts";
import { runRoutes } from "../runs/routes.ts";
import { subscriberReaderRoutes } from "../subscribers/reader-routes.ts";
import { tenantReaderRoutes } from "../tenants/reader-routes.ts";
import { tenantRoutes } from "../tenants/routes.ts";
import { authRoutes } from "./auth-routes.ts";
import { refuseBrokenRequest, refuseUnknownExpectations } from "./broken-requests.ts";
import { builtFolder, dashboardPage } from "./dashboard-page.ts";
import { dashboardRoutes } from "./dashboard-routes.ts";
import { errorBody, loggableError, statusOf, toAppError } from "./errors.ts";
import { healthRoutes } from "./health.ts";
import { readBodiesAsJson } from "./json-body.ts";
import { metricsRoute } from "./metrics.ts";
import { mount } from "./mount.ts";
import { mountPublic } from "./mount-public.ts";
import { passwordRoutes } from "./password-routes.ts";
import { sdkRoutes } from "./sdk-routes.ts";
import { buildSdkScripts, type SdkScripts } from "./sdk-scripts.ts";
import { setCommonHeaders } from "./security-headers.ts";
import { sessionRoutes } from "./session-routes.ts";
import { prepareStreams } from "./streams.ts";
import { answerUnknownRoutes } from "./unknown-routes.ts";
import { websubRoutes } from "./websub.ts";

declare module "fastify" {
  interface FastifyRequest {
    patience: WaitBudget;
  }
}

/** Everything under /v1. A route that is not here does not exist. */
export const v1Routes: Route[] = [...accessRoutes, ...decisionRoutes, ...campaignRoutes, ...runRoutes, ...tenantRoutes];

/** Everything for readers' browsers, under /sdk. */
export function publicRoutes(receipts: ReceiptBuffer, scripts: () => SdkScripts): PublicRoute[] {
  return [...sdkRoutes(scripts), ...tenantReaderRoutes, ...subscriberReaderRoutes, ...receiptReaderRoutes(receipts)];
}

const bodyLimitBytes = 64 * 1024;
const removeEndedEveryMs = 60_000;

/** A database that hangs without a word hangs no caller: the answer is 503 then. A test send takes up to 15 s. */
const answerWithinMs = 20_000;

export type ServerOptions = {
  /** A request that has not come whole after this is answered 408. 15 s, unless a test has no time for that. */
  requestTimeoutMs?: number;
  /** What encrypts in this process, for its metrics. Nothing where it does not deliver. */
  encryption?: Promise<Encryption> | undefined;
  /** Where the built dashboard lies, with a slash at its end. dashboard/dist, unless a test brings its own. */
  dashboardFolder?: string;
};

/** The HTTP server over `app`, not yet listening. */
export function createServer(app: App, options: ServerOptions = {}): FastifyInstance {
  const server = openServer(app, options.requestTimeoutMs ?? 15_000);
  const sessions = createSessions(app);
  refuseUnknownExpectations(server.server);
  readBodiesAsJson(server);
  server.decorateRequest("identity", null);
  limitPatience(server);
  endConnectionsOnClose(server);
  setCommonHeaders(server, app);
  server.addHook("onResponse", async (request, reply) => logRequest(app, request, reply));
  server.setErrorHandler((error: FastifyError, request, reply) => sendError(app, error, request, reply));
  answerUnknownRoutes(server, (error, request, reply) => sendError(app, error, request, reply));
  server.addHook("onRequest", async (request) => judgeHost(request));
  prepareStreams(server);
  for (const route of [...v1Routes, ...dashboardRoutes(v1Routes)]) mount(server, app, sessions, route);
  authRoutes(server, app, sessions);
  const receipts = mountReaders(server, app);
  sessionRoutes(server, app, sessions);
  passwordRoutes(server, app, sessions);
  dashboardPage(server, app, options.dashboardFolder ?? builtFolder);
  healthRoutes(server, app);
  metricsRoute(server, receipts, options.encryption);
  websubRoutes(server, app);
  removeEndedNowAndThen(server, app);
  return server;
}

/** The reader's side: its scripts are built before the server listens, and the last receipts written when it closes. */
function mountReaders(server: FastifyInstance, app: App): ReceiptBuffer {
  let scripts: SdkScripts;
  server.addHook("onReady", async () => {
    scripts = await buildSdkScripts();
  });
  const receipts = createReceiptBuffer(app);
  server.addHook("onClose", () => receipts.stop());
  mountPublic(
    server,
    app,
    publicRoutes(receipts, () => scripts),
  );
  return receipts;
}

/**
 * Gives each request its patience with the database. Twice: what follows a body is called by the socket's events, which
 * know nothing of who has called before.
 */
function limitPatience(server: FastifyInstance): void {
  server.decorateRequest("patience");
  server.addHook("onRequest", (request, _reply, done) => {
    request.patience = newWaitBudget();
    withWaitBudget(request.patience, done);
  });
  server.addHook("preValidation", (request, _reply, done) => withWaitBudget(request.patience, done));
}

/**
 * Once the server closes, each answer ends its connection: Node ends those that are idle at that moment and waits for the
 * others, so a caller who keeps his open after his answer would hold up the drain until it is forced.
 */
function endConnectionsOnClose(server: FastifyInstance): void {
  let isClosing = false;
  server.addHook("preClose", async () => {
    isClosing = true;
  });
  server.addHook("onSend", async (_request, reply) => {
    if (isClosing) reply.header("connection", "close");
  });
}

/** One Host, and a possible one (RFC 9112 section 3.2). Node's own refusal would not have our form; HTTP/1.0 needs none. */
function judgeHost({ raw }: FastifyRequest): void {
  const hosts = raw.headersDistinct.host ?? [];
  if (hosts.length === 0 && raw.httpVersion === "1.0") return;
  if (hosts.length !== 1 || !/^[\w.~%!$&'()*+,;=:[\]-]*$/.test(hosts[0]!)) throw appError("bad_request");
}

function openServer(app: App, requestTimeoutMs: number): FastifyInstance {
  return fastify({
    // One line a request, from `logRequest`, is all that is logged.
    logger: false,
    genReqId: () => randomUUID(),
    trustProxy: trustedProxies(app.config.TRUST_PROXY),
    bodyLimit: bodyLimitBytes,
    // Fastify's own default is none: a body that stops half-way would hold its socket for ever. Node looks after its
    // requests at an interval: its default of 30 s would be added.
    requestTimeout: requestTimeoutMs,
    handlerTimeout: answerWithinMs,
    http: {
      headersTimeout: Math.min(10_000, requestTimeoutMs),
      connectionsCheckingInterval: Math.min(500, requestTimeoutMs / 4),
      requireHostHeader: false,
    },
    connectionTimeout: 60_000,
    keepAliveTimeout: 65_000,
    forceCloseConnections: "idle",
    exposeHeadRoutes: false,
    routerOptions: { maxParamLength: 512, caseSensitive: true, ignoreTrailingSlash: false },
    frameworkErrors: (error, request, reply) => sendError(app, error, request, reply),
    clientErrorHandler: (error, socket) => refuseBrokenRequest(error, socket),
  });
}

/** A count means: so many proxies stand in front, and the address before them is the caller's. */
function trustedProxies(setting: boolean | number): boolean | ((address: string, hop: number) => boolean) {
  return typeof setting === "number" ? (_address, hop) => hop < setting : setting;
}

function sendError(app: App, error: Error, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const shown = toAppError(error);
  const status = statusOf(shown.code);
  if (shown.code === "internal") {
    app.log.error({ err: loggableError(error), requestId: request.id }, "a request failed");
  }
  if (shown.code === "unavailable") reply.header("retry-after", "1");
  if (shown.code === "rate_limited") reply.header("retry-after", String(shown.details.retryAfterSeconds));
  // A body that is too large was not read to its end, so the connection cannot go on.
  if (status === 413) reply.header("connection", "close");
  return reply.header("x-request-id", request.id).code(status).send(errorBody(shown, request.id));
}

/** Ended sessions and windows are only rows that nobody reads: a failed sweep is made good by the next. */
function removeEndedNowAndThen(server: FastifyInstance, app: App): void {
  const timer = setInterval(() => {
    deleteEnded(app.db).catch((error: unknown) => app.log.debug({ err: loggableError(error) }, "a sweep failed"));
  }, removeEndedEveryMs);
  timer.unref();
  server.addHook("onClose", async () => clearInterval(timer));
}

function logRequest(app: App, request: FastifyRequest, reply: FastifyReply): void {
  const { method, url, id: requestId } = request;
  const line = {
    requestId,
    method,
    path: loggablePath(url),
    status: reply.statusCode,
    ms: Math.round(reply.elapsedTime),
  };
  app.log.debug(line, "request");
}

/** Without its query, and without what looks like a key: people paste them into the wrong place. */
function loggablePath(url: string): string {
  return url
    .split("?")[0]!
    .slice(0, 200)
    .replaceAll(/pbk_\w+/gi, "[redacted]");
}
