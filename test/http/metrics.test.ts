import { beforeAll, expect, test } from "vitest";
import { newId } from "../../src/ids.ts";
import { type Api, openTestApp, serve } from "../fixtures/app.ts";
import { createPublisher } from "../fixtures/publisher.ts";

let api: Api;
let key: string;

beforeAll(async () => {
  const app = await openTestApp();
  api = await serve(app);
  key = (await createPublisher(app)).apiKey;
});

test("GET /metrics has metrics of the process, and of each route by its pattern, never by its ids", async () => {
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
