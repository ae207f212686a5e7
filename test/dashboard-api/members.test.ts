import { sql } from "kysely";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { createUser } from "../../src/access/accounts/create-user.ts";
import { countOwnersLocked, deleteMemberRow } from "../../src/access/members/queries.ts";
import type { App } from "../../src/app.ts";
import { type Api, openTestApp, serve } from "../fixtures/app.ts";
import { eventually } from "../fixtures/eventually.ts";
import { holdOpen } from "../fixtures/hold-open.ts";
import { countLockWaits } from "../fixtures/lock-waits.ts";
import { createPublisher, type Publisher } from "../fixtures/publisher.ts";
import { ago } from "../fixtures/rows/change.ts";
import { changeRateLimits } from "../fixtures/rows/people.ts";
import { ownerEmail, ownerPassword, postSignIn, signIn, signInAs } from "../fixtures/sign-in.ts";

let app: App;
let api: Api;
let publisher: Publisher;
let cookie: string;

beforeAll(async () => {
  app = await openTestApp({ RATE_LIMIT_PER_MINUTE: "1000000" });
  api = await serve(app);
  publisher = await createPublisher(app);
  cookie = await signIn(api, ownerEmail(publisher.tenantId));
});

// All sign-ins come from one address, for which they are limited.
beforeEach(() => changeRateLimits(app, {}, { resetsAt: ago("1 second") }));

const root = () => `/dashboard/api/tenants/${publisher.tenantId}`;
const invite = (email: string, role = "editor") =>
  api.call("POST", `${root()}/invitations`, { headers: { cookie }, body: { email, role } });
/** Returns a function that invites viewers as the owner of a publisher. */
async function inviter({ tenantId }: Publisher) {
  const headers = { cookie: await signIn(api, ownerEmail(tenantId)) };
  return (email: string) =>
    api.call("POST", `/dashboard/api/tenants/${tenantId}/invitations`, { headers, body: { email, role: "viewer" } });
}
const accept = (token: string, password: string) =>
  api.call("POST", "/dashboard/api/invitations/accept", { body: { token, password } });
const look = (token: string) => api.call("POST", "/dashboard/api/invitations/look", { body: { token } });
const list = async () => (await api.call("GET", `${root()}/members`, { headers: { cookie } })).body;

test("an invitation is accepted once, creates an account and signs in; its token stays secret", async () => {
  const { status, body } = await invite("New@Example.org");
  expect(status).toBe(201);
  expect((await look(body.token)).body).toMatchObject({ email: "new@example.org", role: "editor", hasAccount: false });
  expect(JSON.stringify(await list())).not.toContain(body.token);
  const stored = await sql`select * from invitations`.execute(app.db);
  expect(JSON.stringify(stored.rows)).not.toContain(body.token);

  expect((await accept(body.token, "short")).status).toBe(400);
  const joined = await accept(body.token, "long enough");
  expect(joined.status).toBe(200);
  expect(joined.headers.getSetCookie().join()).toContain("session_token");
  expect((await list()).members).toContainEqual(expect.objectContaining({ email: "new@example.org", role: "editor" }));
  expect((await list()).invitations).toEqual([]);
  expect(await accept(body.token, "long enough")).toMatchObject({ status: 404 });
  expect((await postSignIn(api, { email: "new@example.org", password: "long enough" })).status).toBe(200);
});

test("a user joins another tenant with their password; a wrong one keeps the invitation", async () => {
  const other = await createPublisher(app);
  const { token } = (await invite(ownerEmail(other.tenantId), "viewer")).body;
  expect((await look(token)).body.hasAccount).toBe(true);
  expect((await accept(token, "not the password")).status).toBe(401);
  expect((await accept(token, ownerPassword)).status).toBe(200);
  const session = await signIn(api, ownerEmail(other.tenantId));
  const { tenants } = (await api.call("GET", "/dashboard/api/start", { headers: { cookie: session } })).body;
  expect(tenants.map(({ role }: { role: string }) => role)).toEqual(["owner", "viewer"]);
});

test("two who accept an invitation at once create one account", async () => {
  const { token } = (await invite("race@example.org")).body;
  const answers = await Promise.all([accept(token, "first password"), accept(token, "other password")]);
  expect(answers.map(({ status }) => status).toSorted()[0]).toBe(200);
  const { members } = await list();
  expect(members.filter(({ email }: { email: string }) => email === "race@example.org")).toHaveLength(1);
});

test("who accepts while a stranger makes the account does not join it, and the invitation stays", async () => {
  const email = "squatted@example.org";
  const { token } = (await invite(email)).body;
  let accepted: ReturnType<typeof accept> | undefined;
  await holdOpen(app, async (tx) => {
    await createUser(tx, { email, password: "the stranger's own", emailVerified: false });
    accepted = accept(token, "long enough");
    await Promise.race([accepted, eventually(async () => (await countLockWaits(app.db)) > 0)]);
  });
  expect(await accepted).toMatchObject({ status: 401, body: { code: "sign_in_failed" } });
  expect((await list()).members).not.toContainEqual(expect.objectContaining({ email }));
  expect((await look(token)).body).toMatchObject({ email, hasAccount: true });
});

test("of two who accept invitations to two tenants at once, the one without the password fails", async () => {
  const elsewhere = await inviter(await createPublisher(app));
  for (let i = 0; i < 5; i++) {
    const email = `twice-${i}@example.org`;
    const tokens = [(await invite(email)).body.token, (await elsewhere(email)).body.token];
    const passwords = ["first password", "other password"];
    const answers = await Promise.all(tokens.map((token, at) => accept(token, passwords[at]!)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 401]);
    const won = passwords[answers.findIndex(({ status }) => status === 200)]!;
    const { tenants } = (
      await api.call("GET", "/dashboard/api/start", { headers: { cookie: await signIn(api, email, won) } })
    ).body;
    expect(tenants).toHaveLength(1);
  }
});

/** Adds another owner to the tenant. */
async function addOwner() {
  const session = await signInAs(app, api, publisher.tenantId, "owner");
  const { user } = (await api.call("GET", "/dashboard/api/start", { headers: { cookie: session } })).body;
  return { headers: { cookie: session }, ...(user as { userId: string; email: string }) };
}

const departures: [how: string, method: string, body?: object][] = [
  ["is removed", "DELETE"],
  ["becomes an editor", "PATCH", { role: "editor" }],
  ["becomes a viewer", "PATCH", { role: "viewer" }],
];

test.each(departures)("what an owner gave out ends when they are no owner: %s", async (_, method, body) => {
  const owner = await addOwner();
  const { userId: lockedId } = await addOwner();
  const kept = (await invite(`kept-${owner.userId}@example.org`)).body;
  const given = await api.call("POST", `${root()}/invitations`, {
    headers: owner.headers,
    body: { email: `again-${owner.userId}@example.org`, role: "owner" },
  });
  const link = await api.call("POST", `${root()}/members/${lockedId}/password-link`, { headers: owner.headers });
  expect([given.status, link.status]).toEqual([201, 201]);

  const change = { headers: { cookie }, ...(body && { body }) };
  expect((await api.call(method, `${root()}/members/${owner.userId}`, change)).status).toBe(204);
  expect((await accept(given.body.token, "long enough")).status).toBe(404);
  const set = { body: { token: link.body.token, password: "long enough" } };
  expect((await api.call("POST", "/dashboard/api/password/new", set)).status).toBe(404);
  expect((await look(kept.token)).status).toBe(200);
  const log = (await api.call("GET", `${root()}/audit-log?kind=members&limit=1`, { headers: { cookie } })).body;
  expect(log.data).toMatchObject([{ event: "invitation.withdrawn" }]);
});

test.each([
  ["invitation", () => `${root()}/invitations`, { email: "late-gift@example.org", role: "owner" }],
  ["password link", (userId: string) => `${root()}/members/${userId}/password-link`, undefined],
] as const)("an owner who is removed at the same moment gives out no %s", async (_, pathOf, body) => {
  const owner = await addOwner();
  const { userId: otherId } = await addOwner();
  let given: ReturnType<typeof api.call> | undefined;
  await holdOpen(app, async (tx) => {
    await countOwnersLocked(tx, publisher.tenantId);
    given = api.call("POST", pathOf(otherId), { headers: owner.headers, ...(body && { body }) });
    await Promise.race([given, eventually(async () => (await countLockWaits(app.db)) > 0)]);
    await deleteMemberRow(tx, { tenantId: publisher.tenantId, userId: owner.userId });
  });
  expect(await given).toMatchObject({ status: 403, body: { code: "forbidden" } });
  expect((await list()).invitations).not.toContainEqual(expect.objectContaining({ email: "late-gift@example.org" }));
});

test("a second invitation replaces the first; a withdrawn or expired one is refused", async () => {
  const first = (await invite("again@example.org")).body;
  const second = (await invite("again@example.org", "viewer")).body;
  expect((await look(first.token)).status).toBe(404);
  expect((await look(second.token)).body.role).toBe("viewer");
  const withdrawn = await api.call("DELETE", `${root()}/invitations/${second.invitationId}`, { headers: { cookie } });
  expect(withdrawn.status).toBe(204);
  expect((await look(second.token)).status).toBe(404);

  const late = (await invite("late@example.org")).body;
  await sql`update invitations set expires_at = now() - interval '1 second'`.execute(app.db);
  expect((await accept(late.token, "long enough")).status).toBe(404);
  expect((await list()).invitations).toEqual([]);
});

test("a member is not invited again, and a bad address or role is refused by its field", async () => {
  const member = await invite(ownerEmail(publisher.tenantId));
  expect(member).toMatchObject({ status: 400, body: { errors: [{ path: "/email", message: "is a member already" }] } });
  const bad = await invite("nobody", "admin");
  expect(bad.body.errors.map(({ path }: { path: string }) => path).toSorted()).toEqual(["/email", "/role"]);
});

test("a tenant can invite an address three times an hour, and another tenant is not affected", async () => {
  const [one, other] = [await createPublisher(app), await createPublisher(app)];
  const [again, elsewhere] = [await inviter(one), await inviter(other)];
  const answers = [];
  for (const email of ["eve@example.org", "EVE@example.org", "eve@example.org"]) answers.push(await again(email));
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
  const last = answers.at(-1)!.body.token;
  const refused = await again("Eve@example.org");
  expect(refused).toMatchObject({ status: 429, body: { code: "rate_limited", limit: "invitation" } });
  expect(refused.body.message).toBe("This address was invited 3 times within an hour. Invite it again later.");
  expect(Number(refused.headers.get("retry-after"))).toBe(refused.body.retryAfterSeconds);
  expect(refused.body.retryAfterSeconds).toBeGreaterThan(3_500);
  expect((await look(last)).status).toBe(200);
  expect((await again("adam@example.org")).status).toBe(201);
  expect((await elsewhere("eve@example.org")).status).toBe(201);
});

test("fifty invitations are created within a day, also where more come at once", async () => {
  const [one, other] = [await createPublisher(app), await createPublisher(app)];
  const [inviteOne, elsewhere] = [await inviter(one), await inviter(other)];
  for (let i = 0; i < 40; i++) expect((await inviteOne(`burst-${i}@example.org`)).status).toBe(201);
  const answers = await Promise.all(Array.from({ length: 20 }, (_, i) => inviteOne(`burst-${40 + i}@example.org`)));
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(10);
  const refused = answers.find(({ status }) => status !== 201)!;
  expect(refused).toMatchObject({ status: 429, body: { code: "rate_limited", limit: "invitations" } });
  expect(refused.body.message).toBe("50 people were invited within a day. Invite the others later.");
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(86_000);
  expect((await elsewhere("burst-0@example.org")).status).toBe(201);
  await changeRateLimits(app, {}, { resetsAt: ago("1 second") });
  expect((await inviteOne("next-day@example.org")).status).toBe(201);
});

test("an invitation that is refused for another reason does not count", async () => {
  const mine = await inviter(await createPublisher(app));
  for (let i = 0; i < 55; i++) expect((await mine("nobody")).status).toBe(400);
  expect((await mine("somebody@example.org")).status).toBe(201);
});

test("a tenant has 500 members and open invitations at most", async () => {
  const one = await createPublisher(app);
  const inviteOne = await inviter(one);
  await sql`insert into invitations (id, tenant_id, email, role, token_hash, invited_by, expires_at)
    select gen_random_uuid(), tenant_id, n || '@example.org', 'viewer', sha256(n::text::bytea), user_id, now() + interval '1 day'
    from members, generate_series(1, 498) n where tenant_id = ${one.tenantId}`.execute(app.db);
  expect((await inviteOne("last@example.org")).status).toBe(201);
  expect(await inviteOne("more@example.org")).toMatchObject({ status: 409, body: { code: "member_limit" } });
  // Another invitation of the same person takes no further place.
  expect((await inviteOne("last@example.org")).status).toBe(201);
  await sql`update invitations set expires_at = now() where email = '1@example.org'`.execute(app.db);
  expect((await inviteOne("more@example.org")).status).toBe(201);
});

test("a tenant keeps one owner, also when two leave at once", async () => {
  const fresh = await createPublisher(app);
  const tenant = `/dashboard/api/tenants/${fresh.tenantId}`;
  const headers = { cookie: await signIn(api, ownerEmail(fresh.tenantId)) };
  const { members } = (await api.call("GET", `${tenant}/members`, { headers })).body;
  const [{ userId }] = members;
  const less = await api.call("PATCH", `${tenant}/members/${userId}`, { headers, body: { role: "editor" } });
  expect(less).toMatchObject({ status: 409, body: { code: "last_owner" } });
  expect(await api.call("DELETE", `${tenant}/members/${userId}`, { headers })).toMatchObject({ status: 409 });

  const second = await signInAs(app, api, fresh.tenantId, "owner");
  const all = (await api.call("GET", `${tenant}/members`, { headers })).body.members;
  const leave = (id: string, as: string) => api.call("DELETE", `${tenant}/members/${id}`, { headers: { cookie: as } });
  const left = await Promise.all([leave(all[0].userId, second), leave(all[1].userId, headers.cookie)]);
  expect(left.map(({ status }) => status).toSorted()).not.toEqual([204, 204]);
  const owners = await sql`select 1 from members where tenant_id = ${fresh.tenantId} and role = 'owner'`.execute(
    app.db,
  );
  expect(owners.rows).toHaveLength(1);
});

test("changing a password needs the current one and ends all other sessions", async () => {
  const someone = await createPublisher(app);
  const email = ownerEmail(someone.tenantId);
  const [here, elsewhere] = [await signIn(api, email), await signIn(api, email)];
  const change = (currentPassword: string) =>
    api.call("POST", "/dashboard/api/auth/change-password", {
      headers: { cookie: here },
      body: { currentPassword, newPassword: "another horse battery" },
    });
  expect(await change("not it at all")).toMatchObject({
    status: 400,
    body: { errors: [{ path: "/currentPassword" }] },
  });
  const changed = await change(ownerPassword);
  expect(changed.status).toBe(200);
  const start = async (as: string) => (await api.call("GET", "/dashboard/api/start", { headers: { cookie: as } })).body;
  expect((await start(elsewhere)).user).toBeNull();
  const now = changed.headers
    .getSetCookie()
    .map((line) => line.split(";")[0])
    .join("; ");
  expect((await start(now || here)).user).toMatchObject({ email });
  expect((await postSignIn(api, { email, password: ownerPassword })).status).toBe(401);
});

// Keep this test last, because requests of this address are rate limited afterwards.
test("tokens cannot be guessed for long: an address that tries is rate limited", async () => {
  // Begins a new minute. That of the earlier tests could end in the middle of this one.
  await sql`delete from rate_limits`.execute(app.db);
  const statuses: number[] = [];
  for (let i = 0; i < 25; i++) statuses.push((await look(`guess-${i}`)).status);
  expect(statuses.at(-1)).toBe(429);
});
