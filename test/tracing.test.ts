import { randomBytes } from "node:crypto";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { beforeAll, expect, test, vi } from "vitest";
import type { App } from "../src/app.ts";
import { rootOfRun } from "../src/tracing.ts";
import { subscribeBrowsers } from "./delivery/fixture.ts";
import { type Api, createApi, openTestApp, settingsOf } from "./fixtures/app.ts";
import { afterFile } from "./fixtures/cleanup.ts";
import { eventually } from "./fixtures/eventually.ts";
import { freePort } from "./fixtures/free-port.ts";
import { createPublisher, type Publisher } from "./fixtures/publisher.ts";
import { type PushService, startPushService } from "./fixtures/push-service/push-service.ts";
import { type ServiceProcess, startProcess, startService } from "./fixtures/service-process.ts";

// Each starts several processes, which beside another suite and with nice takes a minute.
vi.setConfig({ testTimeout: 180_000 });

type Attribute = { key: string; value: { stringValue?: string; intValue?: number } };
type Exported = { name: string; traceId: string; spanId: string; parentSpanId?: string; attributes: Attribute[] };
type Span = Exported & { links: { traceId: string; spanId: string }[]; pid: number; service: string };

/** An OTLP collector. It records what it got so far, and with which headers. */
type Collector = { url: string; spans(): Span[]; text(): string; headers(): IncomingHttpHeaders[] };

let pushService: PushService;
let app: App;
let publisher: Publisher;
let endpoints: string[];

beforeAll(async () => {
  pushService = await startPushService();
  app = await openTestApp({ PUSH_SERVICES: pushService.origin });
  publisher = await createPublisher(app);
  endpoints = await subscribeBrowsers(app, publisher, pushService, 30);
});

async function startCollector(): Promise<Collector> {
  const bodies: string[] = [];
  const headers: IncomingHttpHeaders[] = [];
  const server = createServer(async (request, response) => {
    if (request.url !== "/otlp/v1/traces") return response.writeHead(404).end();
    bodies.push(await text(request));
    headers.push(request.headers);
    response.writeHead(200, { "content-type": "application/json" }).end("{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  afterFile(() => server.close());
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/otlp/`,
    spans: () => bodies.flatMap(spansOf),
    text: () => bodies.join("\n"),
    headers: () => headers,
  };
}

/** Returns the spans of one export (OTLP, ExportTraceServiceRequest as JSON). */
function spansOf(body: string): Span[] {
  const { resourceSpans } = JSON.parse(body) as {
    resourceSpans: { resource: { attributes: Attribute[] }; scopeSpans: { spans: Span[] }[] }[];
  };
  return resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) =>
      spans.map((span) => ({
        ...span,
        links: span.links ?? [],
        pid: Number(attributeOf(resource, "process.pid")),
        service: String(attributeOf(resource, "service.name")),
      })),
    ),
  );
}

function attributeOf({ attributes }: { attributes: Attribute[] }, name: string): string | number | undefined {
  const value = attributes.find(({ key }) => key === name)?.value;
  return value?.stringValue ?? value?.intValue;
}

const settings = (more: Record<string, string>) => ({
  ...settingsOf(app),
  PUSH_SERVICES: pushService.origin,
  NODE_EXTRA_CA_CERTS: pushService.caFile,
  LOG_LEVEL: "debug",
  WORKERS: "1",
  ...more,
});

/** Sends a campaign to all readers. Returns the answer of the send. */
async function send(api: Api, headers: Record<string, string> = {}) {
  const { tenantId, siteId, apiKey: key } = publisher;
  const draft = { siteId, mode: "manual", url: "https://news.example/bridge", title: "Bridge opens", body: "Now." };
  const created = await api.call("POST", `/v1/tenants/${tenantId}/campaigns`, { key, body: draft });
  return api.call("POST", `/v1/campaigns/${created.body.campaignId}/send`, { key, headers });
}

async function completed(api: Api, runId: string): Promise<void> {
  await eventually(async () => {
    const { body } = await api.call("GET", `/v1/runs/${runId}`, { key: publisher.apiKey });
    return body.status === "completed" && body.accepted === 30;
  });
}

async function end(...services: ServiceProcess[]): Promise<void> {
  for (const service of services) service.process.kill("SIGTERM");
  expect(await Promise.all(services.map((service) => service.ended))).toEqual(services.map(() => 0));
}

test("a run is one trace over all processes, linked with the request that started it", async () => {
  const collector = await startCollector();
  const exporting = settings({
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_HEADERS: "x-collector-key=a%20key",
    OTEL_SERVICE_NAME: "newsroom",
  });
  const api = await startService("api", exporting);
  const worker = startProcess(["worker"], exporting);
  await worker.printed(/delivering with/);
  const caller = { traceId: randomBytes(16).toString("hex"), spanId: randomBytes(8).toString("hex") };
  const sent = await send(createApi(api.url), { traceparent: `00-${caller.traceId}-${caller.spanId}-01` });
  await completed(createApi(api.url), sent.body.runId);
  await end(api, worker);

  const { runId } = sent.body;
  const root = rootOfRun(runId);
  const requestId = sent.headers.get("x-request-id")!;
  const spans = collector.spans();
  const request = spans.find((span) => attributeOf(span, "pressbell.request_id") === requestId)!;
  expect(request).toMatchObject({ ...caller, spanId: expect.anything(), parentSpanId: caller.spanId });
  expect(request).toMatchObject({ name: "POST /v1/campaigns/:campaignId/send", links: [root], service: "newsroom" });
  expect([attributeOf(request, "http.response.status_code"), request.pid]).toEqual([202, api.process.pid]);

  const ofRun = spans.filter(({ traceId }) => traceId === root.traceId);
  expect(new Set(ofRun.map(({ name }) => name))).toEqual(new Set(["run", "plan a page", "deliver a batch", "flush"]));
  expect(new Set(ofRun.map(({ pid }) => pid))).toEqual(new Set([worker.process.pid]));
  const [run, ...others] = ofRun.filter(({ name }) => name === "run");
  expect(others).toEqual([]);
  expect([run!.spanId, run!.parentSpanId || undefined, attributeOf(run!, "pressbell.run_status")]).toEqual([
    ...[root.spanId, undefined, "completed"],
  ]);
  const batch = ofRun.find(({ name }) => name === "deliver a batch")!;
  expect([batch.parentSpanId, attributeOf(batch, "pressbell.accepted")]).toEqual([root.spanId, 30]);
  const flushes = ofRun.filter(({ name }) => name === "flush");
  expect(new Set(flushes.map(({ parentSpanId }) => parentSpanId))).toEqual(new Set([batch.spanId]));

  const logged = api
    .output()
    .split("\n")
    .find((line) => line.includes(requestId));
  expect(JSON.parse(logged!)).toMatchObject({ requestId, traceId: caller.traceId, status: 202 });
  expect(new Set(collector.headers().map((headers) => headers["x-collector-key"]))).toEqual(new Set(["a key"]));
  const secrets = [...endpoints, publisher.apiKey, "Bridge opens", "news.example", "a key", "example.org"];
  for (const secret of secrets) expect(collector.text().includes(secret), secret).toBe(false);
});

test("a missing collector is one warning; neither a send nor the process's end waits", async () => {
  const service = await startService(
    "start",
    settings({ OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9", OTEL_BSP_SCHEDULE_DELAY: "100" }),
  );
  const sent = await send(createApi(service.url));
  await completed(createApi(service.url), sent.body.runId);
  await service.printed(/traces are dropped/);
  const endedMs = performance.now();
  await end(service);
  expect(performance.now() - endedMs).toBeLessThan(15_000);
  // The process may print the line once, and its delivery thread once more.
  expect(service.output().match(/traces are dropped/g)!.length).toBeLessThanOrEqual(2);
});

test("each log line of a request has its id, and of a run the run's, without traces too", async () => {
  const unreachable = "https://127.0.0.1:9";
  const provider = { OIDC_ISSUER: unreachable, OIDC_CLIENT_ID: "pressbell", OIDC_CLIENT_SECRET: "a secret" };
  const PORT = String(await freePort());
  const service = await startService("start", settings({ ...provider, PORT, PUBLIC_URL: `http://localhost:${PORT}` }));
  const api = createApi(`http://127.0.0.1:${PORT}`);
  pushService.answerWith({ behaviour: "unavailable", times: 30 });
  const { body } = await send(api);
  await service.printed(/a batch waits for its retries/);
  const asked = await api.call("POST", "/dashboard/api/auth/provider/begin", { body: {} });
  await end(service);
  const lines = service
    .output()
    .split("\n")
    .filter((line) => line.startsWith("{"));
  const lineOf = (message: string) => JSON.parse(lines.find((line) => line.includes(message))!);
  expect(lineOf("a batch waits for its retries")).toMatchObject({ runId: body.runId, siteId: publisher.siteId });
  expect(lineOf("a sign-in by the provider failed").requestId).toBe(asked.headers.get("x-request-id"));
  expect(service.output()).not.toContain("traceId");
});
