import { sql } from "kysely";
import { beforeAll, expect, test } from "vitest";
import type { App } from "../../src/app.ts";
import { newId } from "../../src/ids.ts";
import { type Api, openTestApp, serve } from "../fixtures/app.ts";
import { createPublisher, type Publisher } from "../fixtures/publisher.ts";
import { ownerEmail, signIn, signInAs } from "../fixtures/sign-in.ts";

let app: App;
let api: Api;
let publisher: Publisher;
let cookie: string;
let path: string;

beforeAll(async () => {
  app = await openTestApp();
  api = await serve(app);
  publisher = await createPublisher(app);
  cookie = await signIn(api, ownerEmail(publisher.tenantId));
  path = `/v1/tenants/${publisher.tenantId}/api-keys`;
});

const asOwner = (method: string, at: string, body?: unknown) => api.call(method, at, { body, headers: { cookie } });
const add = (name: unknown) => asOwner("POST", path, { name });

test("an owner creates a key, sees its secret once, and the key works immediately", async () => {
  const made = await add("  CMS <script> 🗞  ");
  expect(made.status).toBe(201);
  expect(made.body).toEqual({
    keyId: expect.stringMatching(/^[\da-f]{8}-[\da-f]{4}-7/),
    name: "CMS <script> 🗞",
    prefix: made.body.secret.slice(0, 8),
    createdAt: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/),
    lastUsedAt: null,
    createdBy: ownerEmail(publisher.tenantId),
    secret: expect.stringMatching(/^pbk_[\dA-Za-z]{38}$/),
  });
  expect(made.headers.get("cache-control")).toBe("no-store");
  expect((await api.call("GET", `/v1/runs/${newId()}`, { key: made.body.secret })).status).toBe(404);
  const list = await asOwner("GET", path);
  const { secret, ...record } = made.body;
  expect(list.body.data[0]).toEqual({ ...record, lastUsedAt: expect.any(String) });
  expect(JSON.stringify(list.body)).not.toContain(secret);
  expect(list.headers.get("cache-control")).toBe("no-store");
});

test("the database holds no secret", async () => {
  const { secret } = (await add("hashed")).body;
  const { rows } = await sql<{ t: string }>`select k::text as t from api_keys k`.execute(app.db);
  expect(rows.some(({ t }) => t.includes(secret.slice(8)))).toBe(false);
});

test("the next request with a deleted key is refused, and deleting it again is 404", async () => {
  const { keyId, secret: key } = (await add("short-lived")).body;
  expect((await asOwner("DELETE", `${path}/${keyId}`)).status).toBe(204);
  expect((await api.call("GET", `/v1/runs/${newId()}`, { key })).status).toBe(401);
  expect((await asOwner("DELETE", `${path}/${keyId}`)).status).toBe(404);
});

test("of two concurrent deletions of a key one is 204 and one 404", async () => {
  const { keyId } = (await add("twice")).body;
  const answers = await Promise.all([1, 2].map(() => asOwner("DELETE", `${path}/${keyId}`)));
  expect(answers.map(({ status }) => status).sort()).toEqual([204, 404]);
});

test.each([
  ["missing", undefined],
  ["empty", ""],
  ["spaces", "   "],
  ["81 characters", "x".repeat(81)],
  ["a number", 5],
  ["a list", ["x"]],
  ["null", null],
  ["a NUL", "a\0b"],
  ["a line break", "a\nb"],
])("a name that is %s is refused", async (_, name) => {
  expect(await add(name)).toMatchObject({ status: 400, body: { code: "validation_failed" } });
});

test("a name may have 80 characters, counted as code points", async () => {
  expect((await add("🗞".repeat(80))).status).toBe(201);
});

test("secret and scopes are not fields of the body", async () => {
  const answer = await asOwner("POST", path, { name: "x", secret: "y", scopes: [] });
  expect(answer).toMatchObject({ status: 400, body: { errors: [{ path: "/secret" }, { path: "/scopes" }] } });
});

test.each([
  ["malformed", "abc"],
  ["unknown", newId()],
  ["a secret", "pbk_"],
])("a keyId that is %s is 404", async (_, keyId) => {
  expect((await asOwner("DELETE", `${path}/${keyId}`)).status).toBe(404);
});

test("the 51st key is refused, also among ten concurrent requests", async () => {
  const { tenantId } = await createPublisher(app);
  const owner = await signIn(api, ownerEmail(tenantId));
  await sql`insert into api_keys (id, tenant_id, name, prefix, secret_hash)
    select gen_random_uuid(), ${tenantId}, 'filler', 'pbk_', sha256(n::text::bytea) from generate_series(1, 46) n`.execute(
    app.db,
  );
  const answers = await Promise.all(
    Array.from({ length: 10 }, () =>
      api.call("POST", `/v1/tenants/${tenantId}/api-keys`, { body: { name: "x" }, headers: { cookie: owner } }),
    ),
  );
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(3);
  expect(answers.find(({ status }) => status === 409)?.body).toMatchObject({ code: "key_limit" });
});

test("without a session it is 401, whatever the tenant", async () => {
  for (const at of [path, `/v1/tenants/${newId()}/api-keys`, "/v1/tenants/x/api-keys"]) {
    const answer = await api.call("GET", at);
    expect(answer.status).toBe(401);
    expect(answer.body.code).toBeUndefined();
    expect(answer.headers.get("www-authenticate")).toBe('Bearer realm="pressbell"');
  }
});

test("an API key instead of a session is 403 owner_session_required, beside a session too", async () => {
  const refusal = { status: 403, body: { code: "owner_session_required" } };
  const { apiKey: key } = publisher;
  expect(await api.call("GET", path, { key })).toMatchObject(refusal);
  expect(await api.call("POST", path, { key, body: { name: "x" }, headers: { cookie } })).toMatchObject(refusal);
});

test.each(["editor", "viewer"] as const)("the session of an %s is 403 forbidden", async (role) => {
  const session = await signInAs(app, api, publisher.tenantId, role);
  const refusal = { status: 403, body: { code: "forbidden" } };
  expect(await api.call("GET", path, { headers: { cookie: session } })).toMatchObject(refusal);
  const body = { name: "x" };
  expect(await api.call("POST", path, { body, headers: { cookie: session } })).toMatchObject(refusal);
});

test("a removed owner is forbidden from the next request on", async () => {
  const { tenantId } = await createPublisher(app);
  const session = await signInAs(app, api, tenantId, "owner");
  const list = () => api.call("GET", `/v1/tenants/${tenantId}/api-keys`, { headers: { cookie: session } });
  expect((await list()).status).toBe(200);
  await sql`delete from members where tenant_id = ${tenantId}`.execute(app.db);
  expect(await list()).toMatchObject({ status: 403, body: { code: "forbidden" } });
});

test("the session of another tenant's owner gets the same 403 as for a tenant that does not exist", async () => {
  const other = await createPublisher(app);
  const session = await signIn(api, ownerEmail(other.tenantId));
  const answers = await Promise.all(
    [publisher.tenantId, newId(), "x"].map((id) =>
      api.call("GET", `/v1/tenants/${id}/api-keys`, { headers: { cookie: session } }),
    ),
  );
  for (const { status, body } of answers) {
    expect({ status, ...body, requestId: "" }).toEqual({ ...answers[0]!.body, status: 403, requestId: "" });
  }
  const { keyId } = (await add("not theirs")).body;
  const at = `/v1/tenants/${other.tenantId}/api-keys/${keyId}`;
  expect((await api.call("DELETE", at, { headers: { cookie: session } })).status).toBe(404);
});

test.each([
  ["a foreign Origin", { origin: "https://evil.example" }],
  ["an Origin of null", { origin: "null" }],
  ["a foreign Sec-Fetch-Site", { "sec-fetch-site": "cross-site" }],
])("%s is 403 csrf_failed on POST and DELETE, and changes nothing", async (_, headers) => {
  const { keyId } = (await add("stays")).body;
  const refusal = { status: 403, body: { code: "csrf_failed" } };
  const from = { cookie, ...headers } as Record<string, string>;
  expect(await api.call("POST", path, { body: { name: "x" }, headers: from })).toMatchObject(refusal);
  expect(await api.call("DELETE", `${path}/${keyId}`, { headers: from })).toMatchObject(refusal);
  expect((await api.call("GET", path, { headers: from })).body.data[0]).toMatchObject({ keyId });
});

test("requests from the dashboard's own origin pass", async () => {
  const headers = { cookie, origin: api.url, "sec-fetch-site": "same-origin" };
  expect((await api.call("POST", path, { body: { name: "mine" }, headers })).status).toBe(201);
});

test("a session gives access to nothing else under /v1: its cookie alone is 401", async () => {
  const answer = await api.call("POST", "/v1/content/preview", { body: {}, headers: { cookie } });
  expect(answer.status).toBe(401);
});
