import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { checkProviderSessions } from "../../src/access/provider/check-sessions.ts";
import { createProvider } from "../../src/access/provider/provider.ts";
import { changeProviderRole } from "../../src/access/provider/roles.ts";
import type { App } from "../../src/app.ts";
import { runHere } from "../cli/run-here.ts";
import { type Api, openTestApp, serve, settingsOf } from "../fixtures/app.ts";
import { type IdentityProvider, startIdentityProvider } from "../fixtures/identity-provider.ts";
import { openProviderBrowser } from "../fixtures/provider-browser.ts";
import { createPublisher, operatorOf } from "../fixtures/publisher.ts";
import { ago } from "../fixtures/rows/change.ts";
import { changeMembers, changeProviderSessions, changeSessions } from "../fixtures/rows/people.ts";
import { insertPerson, ownerEmail, ownerPassword, signIn } from "../fixtures/sign-in.ts";

const publicUrl = "https://push.example/desk";

let provider: IdentityProvider;
let app: App;
let api: Api;

beforeAll(async () => {
  provider = await startIdentityProvider(publicUrl);
  app = await openTestApp({ ...provider.settings, PUBLIC_URL: publicUrl, TRUST_PROXY: "1" });
  api = await serve(app);
});

beforeEach(async () => {
  Object.assign(provider, { forge: null, fails: null, givesRefreshTokens: true });
  await sql`truncate provider_roles, provider_sessions`.execute(app.db);
});

const browser = () => openProviderBrowser(api, provider, publicUrl);
const unknownTo = "/sign-in#provider=unknown";

/** Creates a publisher with roles from groups: members of "desk" are editors, and members of "chiefs" are owners. */
async function newsroom() {
  const { tenantId, siteId } = await createPublisher(app);
  const rule = (group: string | null, role: string | null) =>
    changeProviderRole(app, operatorOf(tenantId), { rule: { group, role } });
  await rule("desk", "editor");
  await rule("chiefs", "owner");
  const members = async () => {
    const found = await sql<{ email: string; role: string }>`select email, role from members m
      join users u on u.id = m.user_id where tenant_id = ${tenantId} and from_provider order by email`.execute(app.db);
    return found.rows.map(({ role }) => role);
  };
  const events = async () => {
    const found = await sql<{ event: string; actor: string }>`select event, actor from audit_events
      where tenant_id = ${tenantId} and event ~ '^member|session.ended' order by id`.execute(app.db);
    return found.rows.map(({ event, actor }) => `${event} by ${actor.split(":")[0]}`);
  };
  return { tenantId, siteId, rule, members, events };
}

/** Sets the person who signs in next at the provider. */
function person(groups: string[], more: object = {}) {
  provider.person = {
    subject: randomUUID(),
    email: `${randomUUID()}@example.org`,
    emailVerified: true,
    groups,
    ...more,
  };
  return provider.person;
}

/** Returns the status of reading a tenant's members in this browser. */
const statusIn = async (here: ReturnType<typeof browser>, tenantId: string) =>
  (await here.request(`${api.url}/dashboard/api/tenants/${tenantId}/members`)).status;

/** Checks the sessions as the poller does, eleven minutes later. */
async function checkLater() {
  await changeProviderSessions(app, {}, { checkedAt: ago("11 minutes") });
  await checkProviderSessions(app, createProvider(app)!);
}

test("somebody of a group with a role gets an account and a membership at the first sign-in", async () => {
  const { tenantId, members, events } = await newsroom();
  const { email } = person(["desk", "cyclists"], { name: "Alex Doe" });
  const here = browser();
  expect(await here.signInHere()).toBe("/");
  expect(await here.user()).toMatchObject({ email, name: "Alex Doe" });
  expect(await members()).toEqual(["editor"]);
  expect(await statusIn(here, tenantId)).toBe(200);
  expect(await events()).toEqual(["member.joined by provider"]);
  expect(await browser().signInHere()).toBe("/");
  expect(await members()).toEqual(["editor"]);
});

test("the highest role of the groups counts, and everybody may have one", async () => {
  const { rule, members } = await newsroom();
  person(["desk", "chiefs"]);
  await browser().signInHere();
  expect(await members()).toEqual(["owner"]);
  await rule(null, "viewer");
  person([]);
  await browser().signInHere();
  expect((await members()).toSorted()).toEqual(["owner", "viewer"]);
});

test.each([
  ["without a group that has a role", ["cyclists"]],
  ["without groups", undefined],
])("somebody %s gets no account", async (_who, groups) => {
  const { members } = await newsroom();
  const { email } = person([], { groups });
  expect(await browser().signInHere()).toBe(unknownTo);
  expect(await members()).toEqual([]);
  expect((await sql`select from users where email = ${email}`.execute(app.db)).rows).toEqual([]);
});

test("an address that the provider does not assert gets no account", async () => {
  const { members } = await newsroom();
  person(["desk"], { emailVerified: false });
  expect(await browser().signInHere()).toBe("/sign-in#provider=unverified");
  expect(await members()).toEqual([]);
});

test("two first sign-ins at once make one account", async () => {
  const { members } = await newsroom();
  person(["desk"]);
  const two = [browser(), browser()];
  const answers = await Promise.all(two.map(async (one) => one.atProvider(await one.begin())));
  const pages = await Promise.all(two.map((one, i) => one.comeBack(answers[i]!)));
  expect(pages).toEqual(["/", "/"]);
  expect(await members()).toEqual(["editor"]);
});

test("a membership by an invitation stays as it is", async () => {
  const { tenantId, members } = await newsroom();
  const { email } = person(["chiefs"]);
  const userId = await insertPerson(app.db, tenantId, email!, "viewer");
  await browser().signInHere();
  expect(await members()).toEqual([]);
  const role = await sql<{ role: string }>`select role from members where user_id = ${userId}`.execute(app.db);
  expect(role.rows).toEqual([{ role: "viewer" }]);
});

test("changed groups change the role within 15 minutes, and none end membership and session", async () => {
  const { tenantId, members, events } = await newsroom();
  const here = browser();
  const someone = person(["desk"]);
  await here.signInHere();
  someone.groups = ["chiefs"];
  await checkLater();
  expect(await members()).toEqual(["owner"]);
  someone.groups = [];
  await checkLater();
  expect(await members()).toEqual([]);
  expect(await statusIn(here, tenantId)).toBe(401);
  expect(await events()).toEqual([
    "member.joined by provider",
    "member.role_changed by provider",
    "member.removed by provider",
  ]);
});

test("roles on sites beside a role of the groups stay until the membership ends", async () => {
  const { tenantId, siteId, rule, members } = await newsroom();
  await rule("interns", "viewer");
  const here = browser();
  const someone = person(["interns"]);
  await here.signInHere();
  const { userId } = (await here.user())!;
  const owner = { cookie: await signIn(api, ownerEmail(tenantId)) };
  const path = `/dashboard/api/tenants/${tenantId}/members/${userId}`;
  const give = (body: object) => api.call("PATCH", path, { headers: owner, body });
  const siteRoles = [{ siteId, role: "editor" }];
  expect(await give({ siteRoles })).toMatchObject({ status: 409, body: { code: "provider_decides" } });
  expect(await give({ role: "viewer", siteRoles })).toMatchObject({ status: 204 });
  const stored = async () => (await sql`select from site_roles where user_id = ${userId}`.execute(app.db)).rows.length;
  someone.groups = ["chiefs"];
  await checkLater();
  expect([await members(), await stored()]).toEqual([["owner"], 1]);
  someone.groups = [];
  await checkLater();
  expect([await members(), await stored()]).toEqual([[], 0]);
});

test("a person who is removed at the provider is signed out within 15 minutes", async () => {
  const { tenantId, events } = await newsroom();
  const here = browser();
  const someone = person(["desk"]);
  await here.signInHere();
  await checkLater();
  expect(await statusIn(here, tenantId)).toBe(200);
  someone.isRemoved = true;
  await checkLater();
  expect(await statusIn(here, tenantId)).toBe(401);
  expect(await events()).toContain("session.ended by provider");
});

test("while the provider is away, sessions go on, and end once it refuses", async () => {
  const { tenantId } = await newsroom();
  const here = browser();
  const someone = person(["desk"]);
  await here.signInHere();
  Object.assign(provider, { fails: 503 });
  await checkLater();
  expect(await statusIn(here, tenantId)).toBe(200);
  Object.assign(provider, { fails: null });
  await checkLater();
  expect(await statusIn(here, tenantId)).toBe(200);
  someone.isRemoved = true;
  await checkLater();
  expect(await statusIn(here, tenantId)).toBe(401);
});

test("without a refresh token a session ends after twelve hours", async () => {
  const { tenantId } = await newsroom();
  provider.givesRefreshTokens = false;
  const here = browser();
  person(["desk"]);
  await here.signInHere();
  const { userId } = (await here.user())!;
  await changeSessions(app, { userId }, { createdAt: ago("11 hours 50 minutes") });
  await checkLater();
  expect(await statusIn(here, tenantId)).toBe(200);
  await changeSessions(app, { userId }, { createdAt: ago("12 hours 10 minutes") });
  await checkLater();
  expect(await statusIn(here, tenantId)).toBe(401);
});

test("no refresh token is stored in clear", async () => {
  await newsroom();
  person(["desk"]);
  await browser().signInHere();
  const { rows } = await sql<{ sealed: Buffer }>`select refresh_token_sealed as sealed from provider_sessions
    where refresh_token_sealed is not null`.execute(app.db);
  expect(rows.length).toBeGreaterThan(0);
  // A token of the provider is text, but a sealed token is not.
  for (const { sealed } of rows) expect(sealed.toString("latin1")).not.toMatch(/[\w-]{20}/);
});

test("a membership from the groups counts only in a session by single sign-on", async () => {
  const { tenantId } = await newsroom();
  person(["desk"]);
  await browser().signInHere();
  // Another tenant has invited this person before, so they have a password.
  const other = await createPublisher(app);
  const invited = await insertPerson(app.db, other.tenantId, `invited-${randomUUID()}@example.org`, "editor");
  await sql`update members set user_id = ${invited} where tenant_id = ${tenantId} and from_provider`.execute(app.db);
  const { rows } = await sql<{ email: string }>`select email from users where id = ${invited}`.execute(app.db);
  const cookie = await signIn(api, rows[0]!.email, ownerPassword);
  const here = await api.call("GET", `/dashboard/api/tenants/${tenantId}/members`, { headers: { cookie } });
  expect([here.status, here.body.code]).toEqual([403, "provider_required"]);
  const start = await api.call("GET", "/dashboard/api/start", { headers: { cookie } });
  expect(start.body.tenants).toMatchObject([
    { tenantId, missing: "provider", sites: [] },
    { tenantId: other.tenantId, missing: null, sites: [{ siteId: other.siteId }] },
  ]);
});

test("an owner cannot change a role that the groups give, and may remove the member", async () => {
  const { tenantId, members } = await newsroom();
  person(["desk"]);
  const here = browser();
  await here.signInHere();
  const { userId } = (await here.user())!;
  const cookie = await signIn(api, ownerEmail(tenantId));
  const path = `/dashboard/api/tenants/${tenantId}/members/${userId}`;
  const change = await api.call("PATCH", path, { headers: { cookie }, body: { role: "viewer" } });
  expect([change.status, change.body.code]).toEqual([409, "provider_decides"]);
  expect((await api.call("DELETE", path, { headers: { cookie } })).status).toBe(204);
  expect(await members()).toEqual([]);
});

test("the last owner stays an owner without a group, and the log says so", async () => {
  const { tenantId, members } = await newsroom();
  const here = browser();
  const someone = person(["chiefs"]);
  await here.signInHere();
  const { userId } = (await here.user())!;
  const others = await sql<{ id: string }>`select user_id as id from members
    where tenant_id = ${tenantId} and user_id <> ${userId}`.execute(app.db);
  for (const { id } of others.rows) await changeMembers(app, { tenantId, userId: id }, { role: "editor" });
  someone.groups = ["desk"];
  await checkLater();
  expect(await members()).toEqual(["owner"]);
  expect(await statusIn(here, tenantId)).toBe(200);
});

test("the command line shows and sets the roles of groups", async () => {
  const { tenantId } = await createPublisher(app);
  const run = (...words: string[]) =>
    runHere(["tenant", "sign-in", "--tenant", tenantId, ...words, "--json"], settingsOf(app));
  const roles = async (...words: string[]) => JSON.parse((await run(...words)).out).roles;
  expect(await roles("--group", "cn=desk,ou=news", "--role", "editor")).toEqual([
    { group: "cn=desk,ou=news", role: "editor" },
  ]);
  expect(await roles("--everybody", "--role", "viewer")).toEqual([
    { group: null, role: "viewer" },
    { group: "cn=desk,ou=news", role: "editor" },
  ]);
  expect(await roles("--everybody", "--role", "none")).toEqual([{ group: "cn=desk,ou=news", role: "editor" }]);
  expect(await roles()).toHaveLength(1);
  for (const wrong of [
    ["--role", "editor"],
    ["--group", "a"],
    ["--group", "a", "--everybody", "--role", "editor"],
    ["--group", "", "--role", "editor"],
    ["--group", "a", "--role", "king"],
  ]) {
    expect((await run(...wrong)).code).not.toBe(0);
  }
});
