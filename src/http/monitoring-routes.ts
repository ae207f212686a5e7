import type { FastifyInstance } from "fastify";
import { sql } from "kysely";
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type { App } from "../app.ts";
import type { Counters } from "../delivery/counters.ts";
import { agreementStateOf, type Encryption } from "../delivery/crypto/encryption.ts";
import { appError } from "../errors.ts";
import type { ReceiptBuffer } from "../receipts/receipt-buffer.ts";
import { version } from "../version.ts";
import { addDeliveryMetrics } from "./delivery-metrics.ts";
import { addDrillMetrics } from "./drill-metrics.ts";
import { addFeedMetrics } from "./feed-metrics.ts";
import { checkMetricsRequest } from "./metrics-access.ts";
import { addCountersMetrics, addPoolMetrics } from "./process-metrics.ts";

/** The names of our metrics. Operators' dashboards and alerts use them, so a name never changes. */
const metricNames = {
  /** Seconds from the request line to the last byte of the answer. Labels: method, route (its pattern), status. */
  requestSeconds: "pressbell_http_request_duration_seconds",
  /** Receipts that were not counted, because this process had no room for them. */
  receiptsDropped: "pressbell_receipts_dropped_total",
  /** Always 1, with the label `version`. */
  build: "pressbell_build_info",
  /**
   * Always 1. Label `by`: "native" or "node". Label `agreement`, with "native": "avx512" or "openssl". Only in a
   * process that delivers.
   */
  encryption: "pressbell_encryption_info",
  /** Faults of AVX-512 that were found and fixed. Only in a process that delivers. */
  agreementFaults: "pressbell_agreement_faults_total",
} as const;

/**
 * The facts that a process that delivers shows of itself: how it encrypts messages, and the counters of its threads.
 */
export type Delivering = { encryption?: Promise<Encryption> | undefined; counters?: Counters | undefined };

const lookSharedMs = 3_000;

const bucketsSeconds = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

/**
 * Mounts GET /healthz (the process runs) and GET /readyz (the database answers and can be written, so the process can
 * do its work). Both take HEAD. Anybody may call them, so concurrent callers share one look at the database.
 */
export function mountHealth(server: FastifyInstance, app: App): void {
  let look = { atMs: Number.NEGATIVE_INFINITY, isOver: true, answer: Promise.resolve() };
  server.get("/healthz", { exposeHeadRoute: true }, async () => ({ status: "ok", version }));
  server.get("/readyz", { exposeHeadRoute: true }, async () => {
    // Later callers do not wait for a look that hangs, because its connection may be broken.
    if (look.isOver || performance.now() - look.atMs > lookSharedMs) {
      const mine = { atMs: performance.now(), isOver: false, answer: requireWritable(app) };
      const end = () => (mine.isOver = true);
      mine.answer.then(end, end);
      look = mine;
    }
    await look.answer;
    return { status: "ready" };
  });
}

async function requireWritable(app: App): Promise<void> {
  // The setting is "on" in a standby too. A read-only database can neither store a send nor count a request.
  const { rows } = await sql<{ isReadOnly: boolean }>`
    select current_setting('transaction_read_only')::boolean as "isReadOnly"`.execute(app.db);
  if (rows[0]?.isReadOnly) throw appError("unavailable", { message: "The database is read-only just now." });
}

/**
 * Mounts GET /metrics in Prometheus's text format, about the process and the requests of `server`. `on`: the server
 * that answers it: `server` itself, or one with a port of its own. metrics-access.ts decides who gets them.
 */
export function mountMetrics(
  server: FastifyInstance,
  on: FastifyInstance,
  app: App,
  receipts: Pick<ReceiptBuffer, "dropped">,
  { encryption, counters }: Delivering,
): void {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const requestSeconds = new Histogram({
    name: metricNames.requestSeconds,
    help: "Seconds that requests took, by method, route and status.",
    labelNames: ["method", "route", "status"],
    buckets: bucketsSeconds,
    registers: [registry],
  });
  new Counter({
    name: metricNames.receiptsDropped,
    help: "Receipts of readers that were not counted for lack of room.",
    registers: [registry],
    collect() {
      this.reset();
      this.inc(receipts.dropped());
    },
  });
  new Gauge({
    name: metricNames.build,
    help: "The version of this process.",
    labelNames: ["version"],
    registers: [registry],
  }).set({ version }, 1);
  if (encryption !== undefined) addEncryptionMetrics(registry, encryption);
  if (counters !== undefined) addCountersMetrics(registry, () => counters.read());
  addPoolMetrics(registry, app.pools);
  addDeliveryMetrics(registry, app);
  addFeedMetrics(registry, app);
  addDrillMetrics(registry, app);
  server.addHook("onResponse", async (request, reply) => {
    const labels = {
      method: request.is404 ? "other" : request.method,
      // The label is the pattern, never the path. Each new value is a new time series, and any caller can invent
      // paths.
      route: (!request.is404 && request.routeOptions.url) || "unknown",
      status: reply.statusCode,
    };
    requestSeconds.observe(labels, reply.elapsedTime / 1_000);
  });
  on.route({
    method: "GET",
    url: "/metrics",
    exposeHeadRoute: false,
    onRequest: (request, reply) => checkMetricsRequest(app, request, reply),
    handler: async (_request, reply) => {
      reply.type(registry.contentType);
      return registry.metrics();
    },
  });
}

function addEncryptionMetrics(registry: Registry, encryption: Promise<Encryption>): void {
  new Gauge({
    name: metricNames.encryption,
    help: "What encrypts messages in this process: a native helper, and what computes its key agreements; or Node.js.",
    labelNames: ["by", "agreement"],
    registers: [registry],
    async collect() {
      const chosen = await encryption;
      this.reset();
      if (chosen.by === "node") return this.set({ by: "node" }, 1);
      this.set({ by: "native", agreement: agreementStateOf(chosen)?.isOff ? "openssl" : chosen.agreement }, 1);
    },
  });
  new Counter({
    name: metricNames.agreementFaults,
    help: "Key agreements of AVX-512 that were found to be wrong, and computed again by OpenSSL.",
    registers: [registry],
    async collect() {
      const state = agreementStateOf(await encryption);
      this.reset();
      this.inc(state === undefined ? 0 : state.failedLanes + state.differences);
    },
  });
}
