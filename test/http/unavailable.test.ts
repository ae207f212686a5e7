import { beforeAll, describe, expect, test } from "vitest";
import { newId } from "../../src/ids.ts";
import { type Api, openTestApp, serve } from "../fixtures/app.ts";
import { createPublisher, type Publisher } from "../fixtures/publisher.ts";

let api: Api;
let publisher: Publisher;

beforeAll(async () => {
  const app = await openTestApp();
  api = await serve(app);
  publisher = await createPublisher(app);
});

const id = newId();

describe("what the specification calls unavailable is 404 with a valid key", () => {
  test.each([
    ...["/v1/openapi.json", "/v1/openapi.yaml", "/v1/docs", "/v1/swagger.json", "/v1/schema"],
    ...["/openapi.json", "/openapi.yaml", "/docs", "/swagger", "/swagger.json", "/api-docs", "/documentation/json"],
  ])("no API description at %s", async (path) => {
    expect((await api.call("GET", path, { key: publisher.apiKey })).status).toBe(404);
  });

  test.each(["/v1/webhooks", "/v1/tenants/TENANT/webhooks", "/v1/events", "/v1/tenants/TENANT/webhook-endpoints"])(
    "no webhooks at %s",
    async (path) => {
      for (const method of ["GET", "POST", "PUT", "DELETE"]) {
        const body = method === "GET" ? undefined : { url: "https://cms.example/hook" };
        const at = path.replace("TENANT", publisher.tenantId);
        expect((await api.call(method, at, { key: publisher.apiKey, body })).status).toBe(404);
      }
    },
  );

  test.each(["/v1/ingest", "/v1/cms/ingest", "/v1/tenants/TENANT/ingest", "/v1/sites/SITE/ingest", "/v1/hooks/cms"])(
    "no signed CMS ingest at %s",
    async (path) => {
      const at = path.replace("TENANT", publisher.tenantId).replace("SITE", publisher.siteId);
      const headers = { "x-signature": "sha256=00", "x-hub-signature-256": "sha256=00" };
      expect((await api.call("POST", at, { body: { url: "https://news.example/a" }, headers })).status).toBe(404);
    },
  );

  test.each([
    "/v1/subscribers",
    `/v1/subscribers/${id}`,
    "/v1/tenants/TENANT/subscribers",
    "/v1/tenants/TENANT/test-subscribers",
    "/v1/sites/SITE/subscribers",
    `/v1/sites/SITE/subscribers/${id}`,
  ])("no subscribers at %s", async (path) => {
    const at = path.replace("TENANT", publisher.tenantId).replace("SITE", publisher.siteId);
    for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE"]) {
      const body = method === "GET" ? undefined : {};
      expect((await api.call(method, at, { key: publisher.apiKey, body })).status).toBe(404);
    }
  });
});
