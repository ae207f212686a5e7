import { beforeAll, describe, expect, test } from "vitest";
import { v1Routes } from "../../src/http/server.ts";
import { type ConformanceFixture, openConformanceFixture } from "./fixture.ts";

let fixture: ConformanceFixture;
beforeAll(async () => {
  fixture = await openConformanceFixture();
});

async function expectNothingAt(method: string, path: string): Promise<void> {
  const answer = await fixture.call(method, path, method === "GET" ? {} : { body: {} });
  expect({ method, path, status: answer.status }).toEqual({ method, path, status: 404 });
}

/** The section "Versioning" of the specification. */
describe("versioning", () => {
  test("the version is part of the path: every operation starts with /v1/", () => {
    expect(v1Routes.filter(({ path }) => !path.startsWith("/v1/"))).toEqual([]);
  });

  test("paths with another version, or without one, do not exist", async () => {
    const campaignId = await fixture.draft();
    expect((await fixture.call("GET", `/v1/campaigns/${campaignId}`)).status).toBe(200);
    for (const prefix of ["", "/v0", "/v2", "/V1", "/api/v1"]) {
      await expectNothingAt("GET", `${prefix}/campaigns/${campaignId}`);
    }
  });

  test.each([
    "/openapi.json",
    "/openapi.yaml",
    "/v1/openapi.json",
    "/v1/openapi",
    "/v1",
    "/v1/",
    "/swagger.json",
    "/swagger",
    "/docs",
    "/v1/docs",
    "/documentation",
    "/documentation/json",
    "/api-docs",
    "/.well-known/openapi.json",
    "/v1/schema",
  ])("no machine-readable description of the API is published: %s does not exist", async (path) => {
    await expectNothingAt("GET", path);
  });
});

/** The sections "Events" and "Unavailable in the interface" of the specification. */
describe("unavailable features", () => {
  const inTenant = (rest: string) => `/v1/tenants/${fixture.publisher.tenantId}/${rest}`;
  const inSite = (rest: string) => `/v1/sites/${fixture.publisher.siteId}/${rest}`;

  test("outbound webhooks: none can be registered or listed", async () => {
    for (const method of ["GET", "POST"]) {
      for (const path of ["/v1/webhooks", inTenant("webhooks"), inSite("webhooks"), "/v1/events", inTenant("events")]) {
        await expectNothingAt(method, path);
      }
    }
  });

  test("outbound webhooks: no creation accepts a callback URL", async () => {
    for (const field of ["webhookUrl", "callbackUrl", "notifyUrl"]) {
      const refused = await fixture.create({ [field]: "https://cms.example/hook" });
      expect(refused).toMatchObject({ status: 400, body: { errors: [{ path: `/${field}` }] } });
    }
  });

  test("CMS ingestion signed with an HMAC: no route accepts it", async () => {
    for (const path of ["/v1/ingest", "/v1/cms/ingest", inTenant("ingest"), inSite("ingest"), "/v1/hooks/cms"]) {
      await expectNothingAt("POST", path);
    }
  });

  test("CMS ingestion signed with an HMAC: a signature does not authenticate", async () => {
    const headers = { "x-signature": `sha256=${"0".repeat(64)}`, "x-hub-signature-256": `sha256=${"0".repeat(64)}` };
    const body = { siteId: fixture.publisher.siteId, url: fixture.story() };
    const answer = await fixture.api.call("POST", inTenant("campaigns"), { headers, body });
    expect(answer.status).toBe(401);
  });

  test("subscribers: none can be created, read, updated or deleted", async () => {
    const someone = "0190d5f0-0000-7000-8000-000000000000";
    for (const base of ["/v1/subscribers", inTenant("subscribers"), inSite("subscribers"), "/v1/test-subscribers"]) {
      for (const method of ["GET", "POST"]) await expectNothingAt(method, base);
      for (const method of ["GET", "PUT", "PATCH", "DELETE"]) await expectNothingAt(method, `${base}/${someone}`);
    }
  });

  test("no route under /v1 is for any of them", () => {
    // Sums of a site's readers. They name no subscriber.
    const sums = "/v1/tenants/:tenantId/sites/:siteId/subscribers/summary";
    const paths = v1Routes.map(({ path }) => path).filter((path) => path !== sums);
    expect(paths.filter((path) => /webhook|event|ingest|hmac|subscri|openapi|swagger/i.test(path))).toEqual([]);
  });
});
