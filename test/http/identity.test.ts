import { sql } from "kysely";
import { beforeAll, describe, expect, test } from "vitest";
import { generateApiKeySecret } from "../../src/access/api-keys/key-secret.ts";
import { deleteApiKeyRow } from "../../src/access/api-keys/queries.ts";
import type { App } from "../../src/app.ts";
import { newId } from "../../src/ids.ts";
import { type Api, openTestApp, serve } from "../fixtures/app.ts";
import { createPublisher, type Publisher } from "../fixtures/publisher.ts";
import { readRaw, sendRaw } from "./raw.ts";

let app: App;
let api: Api;
let publisher: Publisher;
let path: string;
let address = 0;

/** Returns a new client address for each call, so that failures of one test do not count in another. */
const fromElsewhere = () => ({ "x-forwarded-for": `192.0.2.${++address}` });

beforeAll(async () => {
  app = await openTestApp({ TRUST_PROXY: "1" });
  api = await serve(app);
  publisher = await createPublisher(app);
  path = `/v1/runs/${newId()}`;
});

const withAuthorization = (authorization: string) =>
  api.call("GET", path, { headers: { authorization, ...fromElsewhere() } });

describe("a request without a valid key is 401", () => {
  test("without a key, without an error in the header", async () => {
    const answer = await api.call("GET", path);
    expect(answer.status).toBe(401);
    expect(answer.body).toEqual({ message: expect.stringContaining("API key"), requestId: expect.any(String) });
    expect(answer.headers.get("www-authenticate")).toBe('Bearer realm="pressbell"');
  });

  test.each([
    ["Basic", () => "Basic dTpw"],
    ["no token", () => "Bearer"],
    ["two spaces", () => `Bearer  ${publisher.apiKey}`],
    ["quotes", () => `Bearer "${publisher.apiKey}"`],
    ["something after it", () => `Bearer ${publisher.apiKey}, x`],
    ["one character", () => "Bearer x"],
    ["10 KB", () => `Bearer ${"x".repeat(10_000)}`],
    ["a wrong checksum", () => `Bearer ${publisher.apiKey.slice(0, -1)}_`],
    ["another case", () => `Bearer ${publisher.apiKey.toLowerCase()}`],
    ["an unknown key", () => `Bearer ${generateApiKeySecret()}`],
    ["a latin letter with an accent", () => `Bearer ${publisher.apiKey}é`],
  ])("%s", async (_, authorization) => {
    const answer = await withAuthorization(authorization());
    expect(answer.status).toBe(401);
    expect(answer.body.code).toBeUndefined();
    expect(answer.headers.get("www-authenticate")).toBe('Bearer realm="pressbell", error="invalid_token"');
  });

  test("two Authorization headers, even with the same key", async () => {
    const line = `Authorization: Bearer ${publisher.apiKey}\r\n`;
    const text = `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${line}${line}\r\n`;
    expect(readRaw(await sendRaw(api.url, text)).status).toBe(401);
  });

  test.each([
    ["in the query", (key: string) => [`${path}?api_key=${key}`, {}] as const],
    ["in X-API-Key", (key: string) => [path, { "x-api-key": key }] as const],
    ["in a cookie", (key: string) => [path, { cookie: `key=${key}` }] as const],
  ])("a key %s", async (_, place) => {
    const [at, headers] = place(publisher.apiKey);
    expect((await api.call("GET", at, { headers: headers as Record<string, string> })).status).toBe(401);
  });

  test("a deleted key", async () => {
    const { apiKey: key, actor, tenantId } = await createPublisher(app);
    expect((await api.call("GET", path, { key })).status).toBe(404);
    await deleteApiKeyRow(app.db, tenantId, (actor as { keyId: string }).keyId);
    expect((await api.call("GET", path, { key })).status).toBe(401);
  });
});

test.each(["bearer", "BEARER"])("the scheme may be written %s", async (scheme) => {
  expect((await withAuthorization(`${scheme} ${publisher.apiKey}`)).status).toBe(404);
});

describe("a valid key with an Origin header", () => {
  const seen = async (tenantId: string) => {
    const { rows } = await sql`select seen_in_browser_at from api_keys where tenant_id = ${tenantId}`.execute(app.db);
    return (rows as { seen_in_browser_at: Date | null }[])[0]!.seen_in_browser_at;
  };

  test("is 403 browser_forbidden and recorded for the owner", async () => {
    const { apiKey: key, tenantId } = await createPublisher(app);
    expect(await seen(tenantId)).toBeNull();
    const answer = await api.call("GET", path, { key, headers: { origin: "https://news.example" } });
    expect(answer).toMatchObject({ status: 403, body: { code: "browser_forbidden" } });
    expect(answer.headers.get("access-control-allow-origin")).toBeNull();
    expect(await seen(tenantId)).toBeInstanceOf(Date);
  });

  test("is not recorded for Sec-Fetch-Mode alone, which Node's own fetch sends", async () => {
    const { apiKey: key, tenantId } = await createPublisher(app);
    const answer = await api.call("GET", path, { key, headers: { "sec-fetch-mode": "cors" } });
    expect(answer.status).toBe(404);
    expect(await seen(tenantId)).toBeNull();
  });

  test("is 401 when the key is invalid", async () => {
    const headers = { origin: "https://news.example", ...fromElsewhere() };
    expect((await api.call("GET", path, { key: generateApiKeySecret(), headers })).status).toBe(401);
  });
});

describe("the tenant in the path", () => {
  const list = (tenantId: string) =>
    api.call("POST", `/v1/tenants/${tenantId}/campaigns`, { key: publisher.apiKey, body: {} });

  test("is 403 tenant_mismatch, the same whether that tenant exists or not", async () => {
    const other = await createPublisher(app);
    const answers = await Promise.all([other.tenantId, newId(), "not-a-uuid", "%00"].map(list));
    for (const { status, body } of answers) {
      expect(status).toBe(403);
      expect({ ...body, requestId: "" }).toEqual({
        code: "tenant_mismatch",
        message: answers[0]!.body.message,
        requestId: "",
      });
    }
  });

  test("is accepted in upper case", async () => {
    expect((await list(publisher.tenantId.toUpperCase())).status).toBe(400);
  });

  test("is checked after identity and body, and before the fields", async () => {
    const at = `/v1/tenants/${newId()}/campaigns`;
    const { apiKey: key } = publisher;
    expect((await api.call("POST", at, { body: "{" })).status).toBe(401);
    expect((await api.call("POST", at, { key, body: "{", headers: { "content-type": "text/plain" } })).status).toBe(
      415,
    );
    expect((await api.call("POST", at, { key, body: "{" })).body.code).toBe("malformed_json");
    expect((await api.call("POST", at, { key, body: { unknown: 1 } })).body.code).toBe("tenant_mismatch");
    const own = `/v1/tenants/${publisher.tenantId}/campaigns`;
    expect((await api.call("POST", own, { key, body: { unknown: 1 } })).body.code).toBe("validation_failed");
  });
});

test("the existence of a campaign is checked before the fields of the body", async () => {
  const { apiKey: key } = publisher;
  for (const [method, at] of [
    ["POST", `/v1/campaigns/${newId()}/schedule`],
    ["PATCH", `/v1/campaigns/${newId()}`],
  ] as const) {
    expect((await api.call(method, at, { key, body: { unknown: 1 } })).body.code).toBe("not_found");
    expect((await api.call(method, at, { key, body: "{" })).body.code).toBe("malformed_json");
  }
});
