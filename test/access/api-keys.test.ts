import { sql } from "kysely";
import { beforeAll, expect, test } from "vitest";
import type { App } from "../../src/app.ts";
import { v1Routes } from "../../src/http/server.ts";
import { newId } from "../../src/ids.ts";
import type { Route } from "../../src/route.ts";
import { type Scope, scopes } from "../../src/scope.ts";
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

test("secret and prefix are not fields of the body", async () => {
  const answer = await asOwner("POST", path, { name: "x", secret: "y", prefix: [] });
  expect(answer).toMatchObject({ status: 400, body: { errors: [{ path: "/secret" }, { path: "/prefix" }] } });
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

/** Every route of /v1 that takes a key, with an id that no campaign or run has. */
const keyRoutes = v1Routes.filter(({ access }) => access === "key");
const pathOf = (route: Route) =>
  route.path.replace(":tenantId", publisher.tenantId).replaceAll(/:(campaignId|runId)/g, newId());
const call = (route: Route, key: string) =>
  api.call(route.method, pathOf(route), { key, body: route.body === "json" ? {} : undefined });

test("each route of /v1 is open to a key with its scope, and 403 to a key with all the others", async () => {
  const keys = new Map<Scope, { with: string; without: string }>();
  for (const scope of scopes) {
    const others = scopes.filter((other) => other !== scope);
    const [only, rest] = [
      { name: "one", scopes: [scope] },
      { name: "rest", scopes: others },
    ];
    const made = [(await asOwner("POST", path, only)).body, (await asOwner("POST", path, rest)).body];
    expect(made.map((key) => key.scopes)).toEqual([[scope], others]);
    keys.set(scope, { with: made[0].secret, without: made[1].secret });
  }
  for (const route of keyRoutes) {
    const name = `${route.method} ${route.path}`;
    expect(scopes, name).toContain(route.scope);
    const { with: allowed, without } = keys.get(route.scope!)!;
    expect((await call(route, allowed)).body.code, name).not.toBe("scope_missing");
    expect(await call(route, without), name).toMatchObject({
      status: 403,
      body: { code: "scope_missing", scope: route.scope },
    });
  }
});

test("a key that has expired is 401, as an unknown one, and its end stays in the list", async () => {
  const expiresAt = "2099-01-01T01:00:00+01:00";
  const made = (await asOwner("POST", path, { name: "for a while", expiresAt, scopes: null })).body;
  expect(made).toMatchObject({ expiresAt: "2099-01-01T00:00:00.000Z" });
  expect(made).not.toHaveProperty("scopes");
  const read = () => api.call("GET", `/v1/runs/${newId()}`, { key: made.secret });
  expect((await read()).status).toBe(404);
  await sql`update api_keys set expires_at = now() where id = ${made.keyId}`.execute(app.db);
  const refused = await read();
  expect(refused.status).toBe(401);
  expect(refused.headers.get("www-authenticate")).toContain('error="invalid_token"');
  const { data } = (await asOwner("GET", path)).body;
  expect(data.find(({ keyId }: { keyId: string }) => keyId === made.keyId).expiresAt).toEqual(expect.any(String));
});

test.each([
  [{ scopes: [] }, "/scopes", "must name at least one scope, or be absent for all"],
  [{ scopes: "send" }, "/scopes", "must be an array"],
  [{ scopes: ["send", "admin"] }, "/scopes/1", "must be one of preview, draft, send, read, report"],
  [{ expiresAt: "2020-01-01T00:00:00Z" }, "/expiresAt", "must be in the future"],
  [{ expiresAt: "2099-02-30T00:00:00Z" }, "/expiresAt", "must be an RFC 3339 time such as 2027-03-01T10:00:00Z"],
  [{ expiresAt: "2099-01-01" }, "/expiresAt", "must be an RFC 3339 time such as 2027-03-01T10:00:00Z"],
  [{ expiresAt: 4_070_908_800 }, "/expiresAt", "must be an RFC 3339 time such as 2027-03-01T10:00:00Z"],
])("a key with %j is refused by its field", async (fields, at, message) => {
  const refused = await asOwner("POST", path, { name: "wrong", ...fields });
  expect(refused).toMatchObject({ status: 400, body: { errors: [{ path: at, message }] } });
});
