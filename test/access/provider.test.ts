import { generateKeyPairSync, randomUUID } from "node:crypto";
import { connect } from "node:net";
import { sql } from "kysely";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { createPasswordLinkFor } from "../../src/access/accounts/password-links.ts";
import type { App } from "../../src/app.ts";
import { createPageFetcher } from "../../src/egress/page/fetch-page.ts";
import { startPageServer, trust } from "../egress/page-fixture.ts";
import { type Api, openTestApp, serve } from "../fixtures/app.ts";
import { createCertificate } from "../fixtures/certificate.ts";
import { afterFile } from "../fixtures/cleanup.ts";
import { eventually } from "../fixtures/eventually.ts";
import { type IdentityProvider, startIdentityProvider } from "../fixtures/identity-provider.ts";
import { openProviderBrowser } from "../fixtures/provider-browser.ts";
import { createPublisher } from "../fixtures/publisher.ts";
import { ago } from "../fixtures/rows/change.ts";
import { changeSessions } from "../fixtures/rows/people.ts";
import { ownerEmail, signIn } from "../fixtures/sign-in.ts";

const publicUrl = "https://push.example/desk";
const root = "/dashboard/api/auth";

let provider: IdentityProvider;
let app: App;
let api: Api;

beforeAll(async () => {
  provider = await startIdentityProvider(publicUrl);
  app = await openTestApp({ ...provider.settings, PUBLIC_URL: publicUrl, TRUST_PROXY: "1" });
  api = await serve(app);
});

beforeEach(() => {
  Object.assign(provider, { forge: null, fails: null });
});

const browser = () => openProviderBrowser(api, provider, publicUrl);

/** Creates an owner's account, and a person at the provider with the same e-mail address who signs in there next. */
async function publisher(emailVerified = true) {
  const { tenantId } = await createPublisher(app);
  const email = ownerEmail(tenantId);
  provider.person = { subject: randomUUID(), email: email.toUpperCase(), emailVerified };
  const events = async () => {
    const found = await sql<{ event: string; details: unknown }>`select event, details from audit_events
      where tenant_id = ${tenantId} and event ~ '^(session|provider)' order by id`.execute(app.db);
    return found.rows;
  };
  return { email, events, person: provider.person };
}

const count = async (table: string) =>
  (await sql<{ n: number }>`select count(*)::integer as n from ${sql.table(table)}`.execute(app.db)).rows[0]!.n;
const refusal = (code: string) => `/sign-in#provider=${code}`;

test("a person signs in by the address that the provider asserts, and gets to their page", async () => {
  const { email, events } = await publisher();
  const here = browser();
  expect(await here.signInHere({ next: "/account?a=1" })).toBe("/account?a=1");
  expect(await here.user()).toMatchObject({ email });
  expect(await here.recent()).toBe(200);
  expect(await events()).toEqual([
    { event: "provider.linked", details: {} },
    { event: "session.started", details: { by: "single sign-on" } },
  ]);
});

test("the request to the provider has PKCE, state and nonce; the cookie is the callback's", async () => {
  await publisher();
  const answer = await api.call("POST", `${root}/provider/begin`, { body: {} });
  const { origin, searchParams } = new URL(answer.body.url);
  expect(origin).toBe(provider.issuer);
  expect(Object.fromEntries(searchParams)).toMatchObject({
    response_type: "code",
    code_challenge_method: "S256",
    client_id: "pressbell",
    redirect_uri: `${publicUrl}${root}/provider/callback`,
  });
  for (const name of ["state", "nonce", "code_challenge"]) expect(searchParams.get(name)?.length).toBeGreaterThan(40);
  expect(answer.headers.getSetCookie()).toEqual([
    expect.stringMatching(
      /^pressbell\.provider=[\w-]{43}; Path=\/desk\/dashboard\/api\/auth\/provider\/callback; Max-Age=600; HttpOnly; SameSite=Lax; Secure$/,
    ),
  ]);
  const { rows } = await sql`select v::text as line from verifications v where identifier like 'provider %'`.execute(
    app.db,
  );
  expect(rows.length).toBeGreaterThan(0);
  expect(JSON.stringify(rows)).not.toContain(searchParams.get("state")!);
});

test("address and groups may come in the ID token instead of the user info", async () => {
  const { email } = await publisher();
  provider.person = { subject: randomUUID() };
  provider.forge = { claims: (claims) => ({ ...claims, email, email_verified: true, groups: [] }) };
  provider.paths.length = 0;
  const here = browser();
  expect(await here.signInHere()).toBe("/");
  expect(await here.user()).toMatchObject({ email });
  expect(provider.paths).not.toContain("/me");
});

test("an address that the provider does not assert is refused, and recorded for its account", async () => {
  const { events } = await publisher(false);
  const here = browser();
  expect(await here.signInHere()).toBe(refusal("unverified"));
  expect(await here.user()).toBeNull();
  await eventually(async () => (await events()).length > 0);
  expect(await events()).toEqual([{ event: "session.refused", details: { wrong: "single sign-on" } }]);
});

test.each([undefined, "true", 1, null])("email_verified %j is not an assertion", async (verified) => {
  const { email } = await publisher();
  provider.forge = { claims: (claims) => ({ ...claims, email, email_verified: verified }) };
  provider.person = { subject: provider.person.subject };
  expect(await browser().signInHere()).toBe(refusal("unverified"));
});

test("a stranger is refused, and gets neither account nor link", async () => {
  provider.person = { subject: randomUUID(), email: "stranger@example.org", emailVerified: true };
  const before = [await count("users"), await count("accounts"), await count("sessions")];
  const here = browser();
  expect(await here.signInHere()).toBe(refusal("unknown"));
  expect(await here.user()).toBeNull();
  expect([await count("users"), await count("accounts"), await count("sessions")]).toEqual(before);
});

test("the link outlives a change of address, which leads to no other account", async () => {
  const [one, other] = [await publisher(), await publisher()];
  provider.person = one.person;
  expect(await browser().signInHere()).toBe("/");
  // The first person now has the address of the second account. It may be verified or not.
  for (const emailVerified of [true, false]) {
    provider.person = { ...one.person, email: other.email, emailVerified };
    const here = browser();
    expect(await here.signInHere()).toBe("/");
    expect(await here.user()).toMatchObject({ email: one.email });
  }
});

test("the next holder of an address gets the account only after a password link", async () => {
  const { email, person, events } = await publisher();
  expect(await browser().signInHere()).toBe("/");
  provider.person = { ...person, subject: randomUUID() };
  expect(await browser().signInHere()).toBe(refusal("linked"));
  await eventually(async () => (await events()).some(({ event }) => event === "session.refused"));
  const { token } = await createPasswordLinkFor(app, email);
  const reset = await api.call("POST", "/dashboard/api/password/new", { body: { token, password: "long enough one" } });
  expect(reset.status).toBe(200);
  expect(await browser().signInHere()).toBe("/");
});

test("two first sign-ins at once make one link", async () => {
  const { email } = await publisher();
  const [a, b] = [browser(), browser()];
  const searches = [await a.atProvider(await a.begin()), await b.atProvider(await b.begin())];
  expect(await Promise.all([a.comeBack(searches[0]!), b.comeBack(searches[1]!)])).toEqual(["/", "/"]);
  const { rows } = await sql`select from accounts a join users u on u.id = a.user_id
    where u.email = ${email} and provider_id = ${provider.issuer}`.execute(app.db);
  expect(rows).toHaveLength(1);
});

test("an answer to another browser, with another state, or a second time is refused", async () => {
  await publisher();
  const here = browser();
  const search = await here.atProvider(await here.begin());
  expect(await browser().comeBack(search)).toBe(refusal("expired"));
  // Another browser has begun its own sign-in. It must not be signed in with this answer.
  const victim = browser();
  await victim.begin();
  expect(await victim.comeBack(search)).toBe(refusal("failed"));
  expect(await victim.user()).toBeNull();
  const before = await count("sessions");
  const again = browser();
  const own = await again.atProvider(await again.begin());
  expect(await again.comeBack(own.replace(/state=[^&]+/, "state=forged"))).toBe(refusal("failed"));
  expect(await again.comeBack(own)).toBe(refusal("expired"));
  expect(await count("sessions")).toBe(before);
  expect(await here.comeBack(search)).toBe("/");
  expect(await here.comeBack(search)).toBe(refusal("expired"));
});

test("a sign-in that cannot be opened is refused and begun again", async () => {
  const { comeBack, atProvider, begin } = browser();
  const search = await atProvider(await begin());
  await sql`update verifications set value = encode(sha256(value::bytea), 'base64')
    where identifier like 'provider %'`.execute(app.db);
  expect(await comeBack(search)).toBe(refusal("expired"));
});

test("a sign-in that was begun over ten minutes ago is refused", async () => {
  await publisher();
  const here = browser();
  const search = await here.atProvider(await here.begin());
  await sql`update verifications set expires_at = expires_at - interval '10 minutes'`.execute(app.db);
  expect(await here.comeBack(search)).toBe(refusal("expired"));
});

const otherKey = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey;
const past = () => Math.floor(Date.now() / 1000) - 3_600;
test.each([
  ["of another sign-in (nonce)", { nonce: "another" }, undefined],
  ["without a nonce", { nonce: undefined }, undefined],
  ["of another issuer", { iss: "https://accounts.example" }, undefined],
  ["for another client", { aud: "another" }, undefined],
  ["that has expired", { exp: past() }, undefined],
  ["signed with another key", {}, otherKey],
])("an ID token %s is refused", async (_what, changes, key) => {
  await publisher();
  provider.forge = { claims: (claims) => ({ ...claims, ...changes }), ...(key && { key }) };
  const here = browser();
  expect(await here.signInHere()).toBe(refusal("failed"));
  expect(await here.user()).toBeNull();
});

test("a person who goes back, or is refused by the provider, is told so", async () => {
  const here = browser();
  const state = new URL(await here.begin()).searchParams.get("state");
  const search = `?error=access_denied&state=${state}&iss=${encodeURIComponent(provider.issuer)}`;
  expect(await here.comeBack(search)).toBe(refusal("declined"));
  expect(await browser().comeBack("")).toBe(refusal("expired"));
});

test.each([500, 503])(
  "a provider that answers %i, or not at all, is a clear message and no fault of ours",
  async (status) => {
    await publisher();
    const here = browser();
    const search = await here.atProvider(await here.begin());
    provider.fails = status;
    expect(await here.comeBack(search)).toBe(refusal("away"));
    // These processes have not read the discovery document yet.
    for (const OIDC_ISSUER of [provider.issuer, "https://localhost:1"]) {
      const other = await serve({ ...app, config: { ...app.config, OIDC_ISSUER } });
      const answer = await other.call("POST", `${root}/provider/begin`, { body: {} });
      expect(answer).toMatchObject({
        status: 503,
        body: { code: "unavailable", message: expect.stringContaining("password") },
      });
      provider.fails = null;
      expect((await other.call("POST", `${root}/provider/begin`, { body: {} })).status).toBe(
        OIDC_ISSUER === provider.issuer ? 200 : 503,
      );
    }
  },
);

test("only requests to the provider reach its internal host: a story there is not fetched", async () => {
  await browser().begin();
  expect(await app.pages.fetchPage(`${provider.issuer}/.well-known/openid-configuration`)).toMatchObject({
    kind: "refused",
  });
});

test("a provider with the accounts of many issuers is refused", async () => {
  const certificate = await createCertificate("many issuers", ["login.microsoftonline.com"]);
  trust(certificate);
  const origin = "https://login.microsoftonline.com";
  const server = await startPageServer(certificate, (_request, response) => {
    const endpoints = { authorization_endpoint: `${origin}/auth`, token_endpoint: `${origin}/token` };
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ issuer: `${origin}/{tenantid}/v2.0`, ...endpoints }));
  });
  afterFile(server.close);
  const pages = createPageFetcher({
    allowHosts: [],
    lookup: async () => ["127.0.0.1"],
    connectTcp: () => connect(server.port, "127.0.0.1"),
  });
  afterFile(pages.close);
  const config = { ...app.config, OIDC_ISSUER: `${origin}/common/v2.0` };
  const other = await serve({ ...app, pages, config });
  expect((await other.call("POST", `${root}/provider/begin`, { body: {} })).status).toBe(503);
  expect(server.paths).toEqual(["/common/v2.0/.well-known/openid-configuration"]);
});

test.each(["https://evil.example/", "/../evil", "/%2e%2e/evil", "javascript:alert(1)", "", 7])(
  "the page to show afterwards must be of the dashboard: %j is refused",
  async (next) => {
    const answer = await api.call("POST", `${root}/provider/begin`, { body: { next } });
    expect(answer).toMatchObject({ status: 400, body: { errors: [{ path: "/next" }] } });
  },
);

test("another website cannot begin a sign-in", async () => {
  const headers = { origin: "https://evil.example", "sec-fetch-site": "cross-site" };
  expect((await api.call("POST", `${root}/provider/begin`, { headers, body: {} })).status).toBe(403);
});

const age = () => changeSessions(app, {}, { authenticatedAt: ago("11 minutes") });

test("a session is confirmed by a new sign-in at the provider, of the same person", async () => {
  const { person } = await publisher();
  const here = browser();
  await here.signInHere();
  await age();
  expect(await here.recent()).toBe(403);
  const { logins } = provider;
  expect(await here.signInHere({ confirm: true })).toBe(refusal("confirmed"));
  // The provider asked for a sign-in, although the browser was already signed in there.
  expect(provider.logins).toBe(logins + 1);
  expect(await here.recent()).toBe(200);
  await age();
  await publisher();
  here.leaveProvider();
  expect(await here.signInHere({ confirm: true })).toBe(refusal("other"));
  provider.person = person;
  here.leaveProvider();
  const hourAgo = Math.floor(Date.now() / 1000) - 3_600;
  for (const time of [undefined, hourAgo]) {
    provider.forge = { claims: (claims) => ({ ...claims, auth_time: time }) };
    expect(await here.signInHere({ confirm: true })).toBe(refusal("old"));
  }
  expect(await here.recent()).toBe(403);
  expect(
    (await browser().request(`${api.url}${root}/provider/begin`, { method: "POST", body: { confirm: true } })).status,
  ).toBe(401);
});

test("a sign-in at the provider of an hour ago, or at no known time, is no recent one here", async () => {
  await publisher();
  for (const time of [undefined, past()]) {
    provider.forge = { claims: (claims) => ({ ...claims, auth_time: time }) };
    const here = browser();
    expect(await here.signInHere()).toBe("/");
    expect(await here.recent()).toBe(403);
  }
});

test("a person with a second factor signs in without a code: the provider decides about factors", async () => {
  const { email } = await publisher();
  const { rows } = await sql<{ id: string }>`select id from users where email = ${email}`.execute(app.db);
  await sql`insert into second_factors (user_id, secret_sealed, confirmed_at)
    values (${rows[0]!.id}, '\\x01', now())`.execute(app.db);
  await expect(signIn(api, email)).resolves.toBe("");
  const here = browser();
  expect(await here.signInHere()).toBe("/");
  expect(await here.user()).toMatchObject({ email });
});

test("tries are limited by address, and told on the sign-in page", async () => {
  const here = browser();
  const pages: string[] = [];
  for (let i = 0; i < 21; i++) pages.push(await here.comeBack("?code=guess&state=guess"));
  expect(pages[0]).toBe(refusal("expired"));
  expect(pages.at(-1)).toBe(refusal("limited"));
  expect((await here.request(`${api.url}${root}/provider/begin`, { method: "POST", body: {} })).status).toBe(429);
});

test("the button has the words of OIDC_NAME; without a provider there is no button or route", async () => {
  const named = await serve({ ...app, config: { ...app.config, OIDC_NAME: "Example Account" } });
  expect((await named.call("GET", "/dashboard/api/start")).body.provider).toBe("Example Account");
  expect((await api.call("GET", "/dashboard/api/start")).body.provider).toBe("single sign-on");
  const { OIDC_ISSUER: _, ...config } = app.config;
  const without = await serve({ ...app, config });
  expect((await without.call("GET", "/dashboard/api/start")).body.provider).toBeNull();
  expect((await without.call("POST", `${root}/provider/begin`, { body: {} })).status).toBe(404);
  expect((await without.call("GET", `${root}/provider/callback`)).status).toBe(404);
});
