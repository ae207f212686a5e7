import type { FastifyReply, FastifyRequest } from "fastify";
import { beforeAll, expect, test } from "vitest";
import type { App } from "../../src/app.ts";
import { chooseEncryption } from "../../src/delivery/crypto/encryption.ts";
import { checkMetricsRequest } from "../../src/http/metrics-access.ts";
import { newId } from "../../src/ids.ts";
import { type Api, openTestApp, serve } from "../fixtures/app.ts";
import { freePort } from "../fixtures/free-port.ts";
import { createPublisher } from "../fixtures/publisher.ts";
import { readRaw, sendRaw } from "./raw.ts";

let app: App;
let api: Api;
let key: string;

beforeAll(async () => {
  app = await openTestApp();
  api = await serve(app);
  key = (await createPublisher(app)).apiKey;
});

test("GET /metrics has the process, and each route by its pattern, never by its ids", async () => {
  const id = newId();
  await api.call("GET", `/v1/runs/${id}`, { key });
  await api.call("GET", `/v1/whatever/${id}`);
  const answer = await fetch(`${api.url}/metrics`);
  const text = await answer.text();
  expect(answer.headers.get("content-type")).toMatch(/^text\/plain/);
  expect(text).toMatch(/^process_cpu_seconds_total /m);
  expect(text).toContain(
    'pressbell_http_request_duration_seconds_count{method="GET",route="/v1/runs/:runId",status="404"} 1',
  );
  expect(text).toContain(
    'pressbell_http_request_duration_seconds_count{method="other",route="unknown",status="404"} 1',
  );
  expect(text).not.toContain(id);
});

test("only a process that delivers has the metric of its encryption", async () => {
  const encryption = Promise.resolve({ by: "node", why: "as ENCRYPTION says" } as const);
  const delivering = await serve(await openTestApp(), { encryption });
  const textOf = async ({ url }: Api) => (await fetch(`${url}/metrics`)).text();
  expect(await textOf(delivering)).toContain('pressbell_encryption_info{by="node"} 1\n');
  expect(await textOf(api)).not.toContain("pressbell_encryption_info");
});

test("the metric of its encryption says what computes the native helper's agreements", async () => {
  const encryption = await chooseEncryption("auto");
  const delivering = await serve(await openTestApp(), { encryption: Promise.resolve(encryption) });
  const text = await (await fetch(`${delivering.url}/metrics`)).text();
  const labels = encryption.by === "node" ? 'by="node"' : `by="native",agreement="${encryption.agreement}"`;
  expect(text).toContain(`pressbell_encryption_info{${labels}} 1\n`);
  expect(text).toContain("pressbell_agreement_faults_total 0\n");
});

test("it is not part of the API: /v1/metrics is 404", async () => {
  expect((await api.call("GET", "/v1/metrics", { key })).status).toBe(404);
});

test("a load balancer can check the health with HEAD", async () => {
  for (const path of ["/healthz", "/readyz"]) {
    expect((await fetch(api.url + path, { method: "HEAD" })).status).toBe(200);
    expect((await api.call("GET", path)).status).toBe(200);
  }
  expect((await api.call("POST", "/healthz")).headers.get("allow")).toBe("GET, HEAD");
});

const read = (url: string, headers: Record<string, string> = {}) => fetch(`${url}/metrics`, { headers });

test.each(["x-forwarded-for", "x-forwarded-host", "x-real-ip", "forwarded", "via"])(
  "a request that a proxy passes on (%s) is refused, although it comes from this machine",
  async (name) => {
    const refused = await read(api.url, { [name]: "127.0.0.1" });
    expect(refused.status).toBe(403);
    expect(await refused.json()).toMatchObject({
      code: "forbidden",
      message: expect.stringContaining("METRICS_TOKEN"),
    });
  },
);

test("a request by the public name is refused: a proxy passes that name on", async () => {
  const { url } = await serve(await openTestApp({ PUBLIC_URL: "https://push.example.org" }));
  const head = "GET /metrics HTTP/1.1\r\nHost: push.example.org\r\nConnection: close\r\n\r\n";
  expect(readRaw(await sendRaw(url, head)).status).toBe(403);
});

test.each([
  ...["127.0.0.1", "127.8.0.1", "::1", "::ffff:127.0.0.1"].map((address) => [address, "answered"]),
  ...["192.0.2.7", "::ffff:192.0.2.7", "10.0.0.7", "fd00::7"].map((address) => [address, "refused"]),
])("a request from %s is %s", async (remoteAddress, outcome) => {
  const request = { socket: { remoteAddress }, hostname: "localhost", headers: {} } as FastifyRequest;
  const checked = checkMetricsRequest(app, request, {} as FastifyReply);
  if (outcome === "answered") await expect(checked).resolves.toBeUndefined();
  else await expect(checked).rejects.toMatchObject({ code: "forbidden" });
});

test("with METRICS_TOKEN it answers the token, also through a proxy, and nobody else", async () => {
  const METRICS_TOKEN = "a-token-for-prometheus";
  const { url } = await serve(await openTestApp({ METRICS_TOKEN }));
  const forwarded = { "x-forwarded-for": "192.0.2.7" };
  expect((await read(url, { ...forwarded, authorization: `Bearer ${METRICS_TOKEN}` })).status).toBe(200);
  for (const authorization of [undefined, "Bearer another-token-altogether", METRICS_TOKEN, `Basic ${METRICS_TOKEN}`]) {
    const refused = await read(url, authorization === undefined ? {} : { authorization });
    expect(refused.status).toBe(401);
    expect(refused.headers.get("www-authenticate")).toBe('Bearer realm="pressbell metrics"');
  }
});

test("METRICS_PORT has the metrics alone, nothing else, and counts the service's requests", async () => {
  const port = await freePort();
  const own = await serve(await openTestApp({ METRICS_PORT: String(port) }));
  await own.call("GET", "/v1/whatever");
  expect((await read(own.url)).status).toBe(404);
  const at = `http://127.0.0.1:${port}`;
  const answer = await read(at, { "x-forwarded-for": "192.0.2.7" });
  expect(answer.status).toBe(200);
  expect(await answer.text()).toContain('{method="other",route="unknown",status="404"} 2');
  expect((await fetch(`${at}/dashboard/api/start`)).status).toBe(404);
});
