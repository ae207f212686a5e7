import { sql } from "kysely";
import { beforeAll, expect, test } from "vitest";
import type { App } from "../../src/app.ts";
import { type Api, openTestApp, serve } from "../fixtures/app.ts";
import { eventually } from "../fixtures/eventually.ts";
import { createPublisher, type Publisher } from "../fixtures/publisher.ts";
import { ago, ahead } from "../fixtures/rows/change.ts";
import { changeSessions } from "../fixtures/rows/people.ts";
import { ownerEmail, ownerPassword, postSignIn, signIn } from "../fixtures/sign-in.ts";

const session = "/dashboard/api/auth/get-session";

let app: App;
let api: Api;
let publisher: Publisher;
let email: string;
let address = 0;

/** Returns a new client address for each call, so that failures of one test do not count in another. */
const fromElsewhere = () => ({ "x-forwarded-for": `192.0.2.${++address}` });

beforeAll(async () => {
  app = await openTestApp({ TRUST_PROXY: "1" });
  api = await serve(app);
  publisher = await createPublisher(app);
  email = ownerEmail(publisher.tenantId);
});

test("a provisioned owner signs in, and the body contains no token", async () => {
  const answer = await postSignIn(api, { email: email.toUpperCase(), password: ownerPassword }, fromElsewhere());
  expect(answer).toMatchObject({
    status: 200,
    body: { user: { email }, tenants: [{ tenantId: publisher.tenantId, role: "owner" }] },
  });
  const [line] = answer.headers.getSetCookie();
  expect(line).toMatch(/^pressbell\.session_token=/);
  expect(line).toMatch(/; HttpOnly/);
  expect(line).toMatch(/; SameSite=Lax/);
  expect(line).not.toMatch(/Secure/);
  const token = decodeURIComponent(line!.split(/[=;]/)[1]!).split(".")[0]!;
  expect(JSON.stringify(answer.body)).not.toContain(token);
  expect(answer.headers.get("cache-control")).toBe("no-store");
});

test("the cookie is Secure when PUBLIC_URL is https", async () => {
  const https = await serve({ ...app, config: { ...app.config, PUBLIC_URL: "https://push.example" } });
  const answer = await postSignIn(https, { email, password: ownerPassword }, fromElsewhere());
  expect(answer.headers.getSetCookie()[0]).toMatch(/^__Secure-pressbell\.session_token=.*; Secure/);
  expect(answer.headers.get("strict-transport-security")).toBe("max-age=31536000");
});

test("a session ends after SESSION_DAYS without use", async () => {
  const brief = await serve({ ...app, config: { ...app.config, SESSION_DAYS: 2 } });
  await postSignIn(brief, { email, password: ownerPassword }, { "x-forwarded-for": "198.51.100.2" });
  const { rows } = await sql`select round(extract(epoch from expires_at - created_at) / 3600) as hours
    from sessions where ip_address = '198.51.100.2'`.execute(app.db);
  expect(rows).toEqual([{ hours: "48" }]);
});

test("ids of sessions are UUIDs, and address and user agent are stored", async () => {
  await postSignIn(api, { email, password: ownerPassword }, { "x-forwarded-for": "198.51.100.7", "user-agent": "t" });
  const { rows } = await sql`select id::text, user_agent from sessions where ip_address = '198.51.100.7'`.execute(
    app.db,
  );
  expect(rows).toEqual([{ id: expect.stringMatching(/^[\da-f]{8}-[\da-f]{4}-7/), user_agent: "t" }]);
});

test("get-session returns the signed-in user, and null without a cookie", async () => {
  const cookie = await signIn(api, email);
  expect((await api.call("GET", session, { headers: { cookie } })).body).toMatchObject({ user: { email } });
  expect((await api.call("GET", session)).body).toEqual({ user: null, tenants: [] });
});

test("after signing out the same cookie does not work", async () => {
  const cookie = await signIn(api, email);
  const out = await api.call("POST", "/dashboard/api/auth/sign-out", { headers: { cookie } });
  expect(out.status).toBe(200);
  expect(out.headers.getSetCookie()[0]).toMatch(/Max-Age=0/);
  expect((await api.call("GET", session, { headers: { cookie } })).body.user).toBeNull();
});

test("a forged cookie and an ended session are not signed in", async () => {
  const cookie = await signIn(api, email);
  const forged = cookie.replace(/=(.)/, (_, first) => `=${first === "a" ? "b" : "a"}`);
  expect((await api.call("GET", session, { headers: { cookie: forged } })).body.user).toBeNull();
  await changeSessions(app, {}, { expiresAt: ago("1 second") });
  expect((await api.call("GET", session, { headers: { cookie } })).body.user).toBeNull();
});

test("the dashboard renews a session in use once a day, and calls of /v1 do not", async () => {
  const cookie = await signIn(api, email);
  const daysLeft = async () => {
    const { rows } = await sql<{ days: number }>`
      select extract(epoch from max(expires_at) - now())::float / 86400 as days from sessions`.execute(app.db);
    return rows[0]!.days;
  };
  await changeSessions(app, {}, { expiresAt: ahead("5 days") });
  await api.call("GET", `/v1/tenants/${publisher.tenantId}/api-keys`, { headers: { cookie } });
  expect(await daysLeft()).toBeCloseTo(5, 1);
  const shown = await api.call("GET", session, { headers: { cookie } });
  expect(shown.headers.getSetCookie()[0]).toMatch(/Max-Age=604800/);
  expect(await daysLeft()).toBeCloseTo(7, 1);
});

test("with rememberMe: false the session ends with the browser", async () => {
  const answer = await postSignIn(api, { email, password: ownerPassword, rememberMe: false }, fromElsewhere());
  const line = answer.headers.getSetCookie().find((cookie) => cookie.startsWith("pressbell.session_token="));
  expect(line).not.toMatch(/Max-Age|Expires/i);
});

test("a wrong password and an unknown address get the same answer in the same time", async () => {
  const timed = async (address: string) => {
    const start = performance.now();
    const answer = await postSignIn(api, { email: address, password: "not the one" }, fromElsewhere());
    return { ms: performance.now() - start, answer };
  };
  const [wrong, unknown] = [await timed(email), await timed("nobody@example.org")];
  expect(wrong.answer).toMatchObject({ status: 401, body: { code: "sign_in_failed" } });
  expect({ ...unknown.answer.body, requestId: "" }).toEqual({ ...wrong.answer.body, requestId: "" });
  // Compares the fastest answers of both kinds, because a busy machine only makes answers slower. If one kind of answer
  // needed no password hash, it would stay faster.
  let [wrongMs, unknownMs] = [wrong.ms, unknown.ms];
  const isAlike = async () => {
    wrongMs = Math.min(wrongMs, (await timed(email)).ms);
    unknownMs = Math.min(unknownMs, (await timed("nobody@example.org")).ms);
    return unknownMs > wrongMs * 0.4 && wrongMs > unknownMs * 0.4;
  };
  await eventually(isAlike);
});

test("ten wrong passwords from an address lock the right one out there, and nowhere else", async () => {
  const { tenantId } = await createPublisher(app);
  const account = ownerEmail(tenantId);
  const here = fromElsewhere();
  for (let i = 0; i < 10; i++) {
    expect((await postSignIn(api, { email: account, password: "wrong" }, here)).status).toBe(401);
  }
  const refused = await postSignIn(api, { email: account, password: ownerPassword }, here);
  expect(refused).toMatchObject({ status: 429, body: { code: "rate_limited" } });
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(800);
  expect((await postSignIn(api, { email: account, password: ownerPassword }, fromElsewhere())).status).toBe(200);
});

test("of thirty concurrent wrong passwords from one address at most twenty are tried", async () => {
  const here = fromElsewhere();
  const answers = await Promise.all(
    Array.from({ length: 30 }, (_, i) => postSignIn(api, { email: `guess${i}@example.org`, password: "wrong" }, here)),
  );
  expect(answers.filter(({ status }) => status === 401)).toHaveLength(20);
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(10);
});

test("successful sign-ins are not counted", async () => {
  const here = fromElsewhere();
  for (let i = 0; i < 22; i++)
    expect((await postSignIn(api, { email, password: ownerPassword }, here)).status).toBe(200);
});

test.each([
  ["another website", { origin: "https://evil.example" }],
  ["an origin of null", { origin: "null" }],
  ["a cross-site request", { "sec-fetch-site": "cross-site" }],
  ["a neighbour's subdomain", { "sec-fetch-site": "same-site" }],
])("%s cannot sign anyone in or out", async (_, headers) => {
  const refusal = { status: 403, body: { code: "csrf_failed" } };
  expect(await postSignIn(api, { email, password: ownerPassword }, headers as Record<string, string>)).toMatchObject(
    refusal,
  );
  const cookie = await signIn(api, email);
  const out = await api.call("POST", "/dashboard/api/auth/sign-out", {
    headers: { cookie, ...headers } as Record<string, string>,
  });
  expect(out).toMatchObject(refusal);
  expect((await api.call("GET", session, { headers: { cookie } })).body.user).not.toBeNull();
});

test("a request whose Origin is its own Host signs in", async () => {
  const headers = { origin: api.url, "sec-fetch-site": "same-origin" };
  expect((await postSignIn(api, { email, password: ownerPassword }, headers)).status).toBe(200);
});

test.each([
  ["no body", undefined, "malformed_json"],
  ["no password", { email: "a@example.org" }, "validation_failed"],
  ["a password that is a list", { email: "a@example.org", password: ["x"] }, "validation_failed"],
  ["a password of 129 characters", { email: "a@example.org", password: "x".repeat(129) }, "validation_failed"],
  ["an invalid e-mail address", { email: "me", password: "x" }, "validation_failed"],
  [
    "another field",
    { email: "a@example.org", password: "x", callbackURL: "https://evil.example" },
    "validation_failed",
  ],
])("%s is refused", async (_, body, code) => {
  expect(await postSignIn(api, body)).toMatchObject({ status: 400, body: { code } });
});

test.each([
  "/dashboard/api/auth/sign-up/email",
  "/dashboard/api/auth/organization/create",
  "/dashboard/api/auth/update-user",
  "/dashboard/api/auth/request-password-reset",
])("%s does not exist", async (path) => {
  expect((await api.call("POST", path, { body: {} })).status).toBe(404);
});
