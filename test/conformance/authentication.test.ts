import { request } from "node:http";
import { Writable } from "node:stream";
import { pino } from "pino";
import { beforeAll, describe, expect, test } from "vitest";
import { v1Routes } from "../../src/http/server.ts";
import { serve } from "../fixtures/app.ts";
import { type ConformanceFixture, openConformanceFixture } from "./fixture.ts";

/** Every route that a key may call, with a valid UUID for each id in its path. */
const keyRoutes = v1Routes
  .filter(({ access }) => access === "key")
  .map(({ method, path }) => ({ method, path, at: path.replace(/:\w+/g, "0190d5f0-0000-7000-8000-000000000000") }));

/** The section "Authentication" of the specification, with one group for each row. */
let fixture: ConformanceFixture;
let sites: string;
let cookie: string;

beforeAll(async () => {
  fixture = await openConformanceFixture();
  cookie = await fixture.ownerCookie();
  sites = `/v1/tenants/${fixture.publisher.tenantId}/sites`;
});

const callWith = (headers: Record<string, string>, path = sites) => fixture.api.call("GET", path, { headers });

describe("authentication scheme and key source", () => {
  test("scheme: Authorization: Bearer <API_KEY> identifies the caller", async () => {
    expect((await callWith({ authorization: `Bearer ${fixture.publisher.apiKey}` })).status).toBe(200);
  });

  test("scheme: the key in any other place or form is refused", async () => {
    const { apiKey } = fixture.publisher;
    const basic = Buffer.from(`${apiKey}:`).toString("base64");
    for (const authorization of [apiKey, `Basic ${basic}`, `Token ${apiKey}`]) {
      expect((await callWith({ authorization })).status).toBe(401);
    }
    expect((await callWith({ "x-api-key": apiKey })).status).toBe(401);
    expect((await callWith({}, `${sites}?api_key=${apiKey}`)).status).toBe(401);
  });

  test("scheme: two Authorization headers are refused", async () => {
    const bearer = `Bearer ${fixture.publisher.apiKey}`;
    const status = await new Promise((resolve) => {
      request(fixture.api.url + sites, { headers: { authorization: [bearer, bearer] as never } }, (response) => {
        response.resume();
        resolve(response.statusCode);
      }).end();
    });
    expect(status).toBe(401);
  });

  test("key source: a key created by a signed-in owner is accepted by the API", async () => {
    const path = `/v1/tenants/${fixture.publisher.tenantId}/api-keys`;
    const made = await fixture.api.call("POST", path, { headers: { cookie }, body: { name: "REST API" } });
    expect((await callWith({ authorization: `Bearer ${made.body.secret}` })).status).toBe(200);
  });
});

describe("tenant binding", () => {
  test("tenant binding: with another tenant's key the campaign does not exist, for any action", async () => {
    const campaignId = await fixture.draft();
    const key = fixture.stranger.apiKey;
    const body = { scheduleAt: "2098-01-31T18:00:00Z" };
    const answers = [
      await fixture.api.call("GET", `/v1/campaigns/${campaignId}`, { key }),
      await fixture.api.call("PATCH", `/v1/campaigns/${campaignId}`, { key, body: { title: "Mine" } }),
      await fixture.api.call("POST", `/v1/campaigns/${campaignId}/test`, { key }),
      await fixture.api.call("POST", `/v1/campaigns/${campaignId}/send`, { key }),
      await fixture.api.call("POST", `/v1/campaigns/${campaignId}/schedule`, { key, body }),
      await fixture.api.call("POST", `/v1/campaigns/${campaignId}/cancel`, { key }),
    ];
    for (const answer of answers) expect(answer).toMatchObject({ status: 404, body: { code: "not_found" } });
    expect(await fixture.read(campaignId)).toMatchObject({ status: "draft", title: "Bridge opens" });
  });

  test("tenant binding: another tenant's id in the path is refused like one that does not exist", async () => {
    for (const id of [fixture.stranger.tenantId, "0190d5f0-0000-7000-8000-000000000000", "someone"]) {
      const answer = await fixture.call("POST", `/v1/tenants/${id}/campaigns`, { body: {} });
      expect(answer).toMatchObject({ status: 403, body: { code: "tenant_mismatch" } });
    }
  });

  test("tenant binding: another tenant's run cannot be read or stopped", async () => {
    const { runId } = await fixture.campaignThatIs("sending");
    const key = fixture.stranger.apiKey;
    expect((await fixture.api.call("GET", `/v1/runs/${runId}`, { key })).status).toBe(404);
    expect((await fixture.api.call("POST", `/v1/runs/${runId}/stop`, { key })).status).toBe(404);
  });
});

describe("missing or invalid key, and key management", () => {
  test.each(keyRoutes)("missing key: $method $path answers 401", async ({ method, at }) => {
    const answer = await fixture.api.call(method, at);
    expect(answer.status).toBe(401);
    expect(answer.headers.get("www-authenticate")).toMatch(/^Bearer\b/);
    expect(answer.headers.get("www-authenticate")).not.toContain("error=");
  });

  test("invalid key: one that was never created, a truncated one and an empty one answer 401", async () => {
    const { apiKey } = fixture.publisher;
    for (const wrong of [`${apiKey.slice(0, -1)}0x`, apiKey.slice(0, -1), apiKey.toUpperCase(), "x"]) {
      const answer = await callWith({ authorization: `Bearer ${wrong}` });
      expect(answer.status).toBe(401);
      expect(answer.headers.get("www-authenticate")).toContain('error="invalid_token"');
    }
    expect((await callWith({ authorization: "Bearer " })).status).toBe(401);
  });

  test.each(keyRoutes)(
    "except for key management, the API accepts no session: $method $path answers 401",
    async (route) => {
      expect((await fixture.api.call(route.method, route.at, { headers: { cookie } })).status).toBe(401);
    },
  );
});

describe("handling, and needed ids", () => {
  test("handling: a valid key from a page in a browser is refused with 403 browser_forbidden", async () => {
    const headers = { authorization: `Bearer ${fixture.publisher.apiKey}`, origin: "https://news.example" };
    expect(await callWith(headers)).toMatchObject({ status: 403, body: { code: "browser_forbidden" } });
  });

  test("handling: no page can read an answer, because there are no CORS headers", async () => {
    const preflight = await fixture.api.call("OPTIONS", sites, {
      headers: { origin: "https://news.example", "access-control-request-method": "GET" },
    });
    expect(preflight.status).toBe(405);
    for (const answer of [preflight, await fixture.call("GET", sites)]) {
      expect([...answer.headers.keys()].filter((name) => name.startsWith("access-control-"))).toEqual([]);
    }
  });

  test("handling: the raw key is not logged, in any part of a request", async () => {
    const { apiKey: key } = fixture.publisher;
    let logged = "";
    const sink = new Writable({
      write(chunk, _encoding, done) {
        logged += chunk;
        done();
      },
    });
    const api = await serve({ ...fixture.app, log: pino({ level: "trace" }, sink) });
    await api.call("GET", sites, { key });
    await api.call("GET", `${sites}?key=${key}`, { key });
    await api.call("GET", `/v1/campaigns/${key}`, { key });
    await api.call("POST", "/v1/content/preview", { key, body: { url: key } });
    expect(logged).toContain('"status":200');
    expect(logged).not.toContain(key);
  });

  test("needed ids: the API accepts the tenant id and site id of the snippet, in any letter case", async () => {
    const { tenantId, siteId } = fixture.publisher;
    const answer = await fixture.call("POST", `/v1/tenants/${tenantId.toUpperCase()}/campaigns`, {
      body: { siteId: siteId.toUpperCase(), mode: "manual", url: "https://news.example/a", title: "A", body: "B" },
    });
    expect(answer).toMatchObject({ status: 201, body: { tenantId, siteId } });
  });
});
