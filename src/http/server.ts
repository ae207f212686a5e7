import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { createSessions } from "../access/accounts/sessions.ts";
import { apiKeyRoutes } from "../access/api-keys/routes.ts";
import { deleteEnded } from "../access/expire-ended.ts";
import type { App } from "../app.ts";
import { campaignGroupRoutes } from "../campaign-groups/routes.ts";
import { campaignRoutes } from "../campaigns/routes.ts";
import { reportRoutes } from "../dashboard-api/reports/routes.ts";
import { createSiteChanges } from "../dashboard-api/site-changes.ts";
import { updateRoutes } from "../follow-ups/routes.ts";
import { deleteEndedBuckets } from "../rate-limits/queries.ts";
import { readerRoutes } from "../readers/routes.ts";
import { receiptReaderRoutes } from "../receipts/reader-routes.ts";
import { createReceiptBuffer, type ReceiptBuffer } from "../receipts/receipt-buffer.ts";
import { createSiteCounter, type SiteCounter } from "../receipts/site-counts.ts";
import type { PublicRoute, Route } from "../route.ts";
import { runRoutes } from "../runs/routes.ts";
import { sendRoutes } from "../sends/routes.ts";
import { followReaderRoutes, followRoutes } from "../subscribers/follows/routes.ts";
import { subscriberReaderRoutes } from "../subscribers/reader-routes.ts";
import { tenantReaderRoutes } from "../tenants/reader-routes.ts";
import { tenantRoutes } from "../tenants/routes.ts";
import { mountAccountRoutes } from "./account-routes.ts";
import { builtFolder, mountDashboardPage } from "./dashboard-page.ts";
import { dashboardRoutes } from "./dashboard-routes.ts";
import { sendError } from "./errors.ts";
import { refuseHosts } from "./hosts.ts";
import { readBodiesAsJson } from "./json-body.ts";
import { type Delivering, mountHealth, mountMetrics } from "./monitoring-routes.ts";
import { mount } from "./mount.ts";
import { mountPublic } from "./mount-public.ts";
import {
  endConnectionsOnClose,
  limitAnswerTime,
  limitDatabaseWait,
  nameRequestsInLog,
  openServer,
} from "./open-server.ts";
import { sdkRoutes } from "./sdk-routes.ts";
import { loadSdkScripts, type SdkScripts } from "./sdk-scripts.ts";
import { setCommonHeaders } from "./security-headers.ts";
import { endStreamsOnClose } from "./streams.ts";
import { traceRequests } from "./trace-requests.ts";
import { answerUnknownRoutes } from "./unknown-routes.ts";
import { mountWebsub } from "./websub-routes.ts";

/** Every route under /v1. */
export const v1Routes: Route[] = [
  ...apiKeyRoutes,
  ...campaignRoutes,
  ...sendRoutes,
  ...campaignGroupRoutes,
  ...updateRoutes,
  ...runRoutes,
  ...tenantRoutes,
  ...reportRoutes,
  ...followRoutes,
];

/** Every route under /sdk, for readers' browsers. */
export function publicRoutes(receipts: ReceiptBuffer, counter: SiteCounter, scripts: () => SdkScripts): PublicRoute[] {
  return [
    ...sdkRoutes(scripts),
    ...tenantReaderRoutes(() => scripts().prompt),
    ...subscriberReaderRoutes,
    ...readerRoutes,
    ...followReaderRoutes,
    ...receiptReaderRoutes(receipts, counter),
  ];
}

const deleteEndedEveryMs = 60_000;

export type ServerOptions = Delivering & {
  /** A request that has not fully arrived after this time is answered 408. Default 15 s. */
  requestTimeoutMs?: number;
  /**
   * A request whose answer has not begun after this time is answered 503. Default 20 s, because the longest
   * operation, a test send, takes up to 15 s.
   */
  answerWithinMs?: number;
  /** The folder of the built dashboard, with a slash at its end. Default dashboard/dist/. */
  dashboardFolder?: string;
  /** Loads the scripts for readers' browsers. Default `loadSdkScripts`. */
  loadScripts?: () => Promise<SdkScripts>;
};

/** Creates the HTTP server of `app`. It does not listen yet. */
export function createServer(app: App, options: ServerOptions = {}): FastifyInstance {
  const server = openServer(app, options.requestTimeoutMs ?? 15_000);
  const sessions = createSessions(app);
  // Hooks run in the order in which they are added.
  nameRequestsInLog(server);
  if (app.config.OTEL_EXPORTER_OTLP_ENDPOINT !== undefined) traceRequests(server);
  readBodiesAsJson(server);
  server.decorateRequest("identity", null);
  limitAnswerTime(server, options.answerWithinMs ?? 20_000);
  limitDatabaseWait(server);
  endConnectionsOnClose(server);
  setCommonHeaders(server, app);
  server.addHook("onResponse", async (request, reply) => logRequest(app, request, reply));
  server.setErrorHandler((error: FastifyError, request, reply) => sendError(app, error, request, reply));
  refuseHosts(server, app);
  answerUnknownRoutes(server, (error, request, reply) => sendError(app, error, request, reply));
  endStreamsOnClose(server);
  const changes = createSiteChanges();
  server.addHook("onClose", () => changes.stop());
  for (const route of [...v1Routes, ...dashboardRoutes(v1Routes, changes)]) mount(server, app, sessions, route);
  mountAccountRoutes(server, app, sessions);
  const receipts = mountReaderRoutes(server, app, options.loadScripts ?? loadSdkScripts);
  mountDashboardPage(server, app, options.dashboardFolder ?? builtFolder);
  mountHealth(server, app);
  mountMetrics(server, metricsServer(server, app), app, receipts, options);
  mountWebsub(server, app);
  deleteEndedRegularly(server, app);
  return server;
}

/**
 * Creates the server of a process that has no other server. It answers only /healthz, /readyz and /metrics, and does
 * not listen yet.
 */
export function createMonitoringServer(app: App, delivering: Delivering): FastifyInstance {
  const server = bareServer(app);
  mountHealth(server, app);
  mountMetrics(server, server, app, { dropped: () => 0 }, delivering);
  return server;
}

function bareServer(app: App): FastifyInstance {
  const server = openServer(app, 15_000);
  limitAnswerTime(server, 20_000);
  limitDatabaseWait(server);
  setCommonHeaders(server, app);
  server.setErrorHandler((error: FastifyError, request, reply) => sendError(app, error, request, reply));
  refuseHosts(server, app);
  answerUnknownRoutes(server, (error, request, reply) => sendError(app, error, request, reply));
  return server;
}

/**
 * Returns the server of /metrics. With METRICS_PORT, it is a server of its own that listens and closes with `server`.
 */
function metricsServer(server: FastifyInstance, app: App): FastifyInstance {
  const { METRICS_PORT: port, HOST: host } = app.config;
  if (port === undefined) return server;
  const own = bareServer(app);
  // It listens before `server` does, so that a port that is taken stops the start.
  server.addHook("onReady", async () => {
    app.log.info(`metrics on ${await own.listen({ port, host })}/metrics`);
  });
  server.addHook("onClose", () => own.close());
  return own;
}

/**
 * Mounts /sdk. Its scripts are built before the server listens. The last receipts are stored when the server closes.
 */
function mountReaderRoutes(server: FastifyInstance, app: App, loadScripts: () => Promise<SdkScripts>): ReceiptBuffer {
  let scripts: SdkScripts;
  server.addHook("onReady", async () => {
    scripts = await loadScripts();
  });
  const receipts = createReceiptBuffer(app);
  const counter = createSiteCounter(app);
  server.addHook("onClose", async () => void (await Promise.all([receipts.stop(), counter.stop()])));
  mountPublic(
    server,
    app,
    publicRoutes(receipts, counter, () => scripts),
  );
  return receipts;
}

/**
 * Deletes expired sessions, links and rate-limit buckets regularly. A failure only delays this, because nothing reads
 * them.
 */
function deleteEndedRegularly(server: FastifyInstance, app: App): void {
  const deleteAllEnded = async () => {
    await deleteEndedBuckets(app.db);
    await deleteEnded(app.db);
  };
  const timer = setInterval(() => {
    deleteAllEnded().catch((error: unknown) => app.log.debug({ err: error }, "ended rows were not deleted"));
  }, deleteEndedEveryMs);
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

/**
 * Returns the path without its query, and with everything that looks like an API key redacted, because people paste
 * keys into URLs.
 */
function loggablePath(url: string): string {
  return url
    .split("?")[0]!
    .slice(0, 200)
    .replaceAll(/pbk_\w+/gi, "[redacted]");
}
