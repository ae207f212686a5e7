import { createHash } from "node:crypto";
import { sql } from "kysely";
import { beforeAll, expect, test, vi } from "vitest";
import { replacePasswordLink, userByEmail } from "../../src/access/accounts/queries.ts";
import { insertMember } from "../../src/access/members/queries.ts";
import type { App } from "../../src/app.ts";
import type { Tx } from "../../src/db/pool.ts";
import { newId } from "../../src/ids.ts";
import { runHere } from "../cli/run-here.ts";
import { type Api, openTestApp, serve, settingsOf } from "../fixtures/app.ts";
import { eventually } from "../fixtures/eventually.ts";
import { holdOpen } from "../fixtures/hold-open.ts";
import { countLockWaits } from "../fixtures/lock-waits.ts";
import { createPublisher, type Publisher } from "../fixtures/publisher.ts";
import { ownerEmail, ownerPassword, postSignIn, signIn, signInAs } from "../fixtures/sign-in.ts";

vi.setConfig({ testTimeout: 60_000 });

let app: App;
let api: Api;
let publisher: Publisher;
let cookie: string;
const root = () => `/dashboard/api/tenants/${publisher.tenantId}`;
const setNew = (token: string, password: string) =>
  api.call("POST", "/dashboard/api/password/new", { body: { token, password } });

/** Adds an editor to the tenant. Returns their session and account. */
async function addEditor() {
  const session = await signInAs(app, api, publisher.tenantId, "editor");
  const { user } = (await api.call("GET", "/dashboard/api/start", { headers: { cookie: session } })).body;
  return { session, ...(user as { userId: string; email: string }) };
}

beforeAll(async () => {
  app = await openTestApp({ RATE_LIMIT_PER_MINUTE: "1000000" });
  api = await serve(app);
  publisher = await createPublisher(app);
  cookie = await signIn(api, ownerEmail(publisher.tenantId));
});

const createLink = (userId: string, as = cookie) =>
  api.call("POST", `${root()}/members/${userId}/password-link`, { headers: { cookie: as } });

test("a member's link sets a password once, and a second link ends the first", async () => {
  const { userId, email, session } = await addEditor();
  const first = (await createLink(userId)).body;
  const second = (await createLink(userId)).body;
  expect(second).toEqual({ token: expect.stringMatching(/^[\w-]{43}$/), validHours: 24 });
  const stored = await sql`select * from password_links`.execute(app.db);
  expect(JSON.stringify(stored.rows)).not.toContain(second.token);
  expect((await setNew(first.token, "long enough")).status).toBe(404);
  const taken = await Promise.all([setNew(second.token, "long enough"), setNew(second.token, "other password")]);
  expect(taken.map(({ status }) => status).toSorted()).toEqual([200, 404]);
  expect((await api.call("GET", root(), { headers: { cookie: session } })).status).toBe(401);
  expect((await postSignIn(api, { email, password: ownerPassword })).status).toBe(401);
  const log = (await api.call("GET", `${root()}/audit-log?kind=members&limit=1`, { headers: { cookie } })).body;
  expect(log.data).toMatchObject([{ event: "password.link_made", subjectName: email, by: { kind: "user" } }]);
});

test("of two links created concurrently one stays valid", async () => {
  const { userId } = await addEditor();
  let second: Promise<void> | undefined;
  await holdOpen(app, async (tx) => {
    await storeLink(tx, userId, "first");
    second = app.db.transaction().execute((other) => storeLink(other, userId, "second"));
    await Promise.race([second, eventually(async () => (await countLockWaits(app.db)) > 0)]);
  });
  await second;
  expect(await linksOf(userId)).toBe(1);
});

function storeLink(tx: Tx, userId: string, name: string): Promise<void> {
  const tokenHash = createHash("sha256").update(name).digest();
  return replacePasswordLink(tx, { id: newId(), userId, madeBy: null, tokenHash, validHours: 1 });
}

async function linksOf(userId: string): Promise<number> {
  return (await sql`select from password_links where user_id = ${userId}`.execute(app.db)).rows.length;
}

test("only an owner creates a link, only for a member of no other tenant; joining one ends it", async () => {
  const { userId, email, session } = await addEditor();
  expect(await createLink(userId, session)).toMatchObject({ status: 403, body: { code: "forbidden" } });
  const other = await createPublisher(app);
  await insertMember(app.db, { id: newId(), tenantId: other.tenantId, userId, role: "viewer" });
  expect(await createLink(userId)).toMatchObject({ status: 409, body: { code: "other_tenants" } });
  const stranger = (await userByEmail(app.db, ownerEmail(other.tenantId)))!;
  expect((await createLink(stranger.id)).status).toBe(404);
  expect((await postSignIn(api, { email, password: ownerPassword })).status).toBe(200);

  const next = await addEditor();
  const { token } = (await createLink(next.userId)).body;
  await insertMember(app.db, { id: newId(), tenantId: other.tenantId, userId: next.userId, role: "owner" });
  expect((await setNew(token, "long enough")).status).toBe(404);
});

test("no link is created for a person whom a concurrent transaction adds to another tenant", async () => {
  const { userId } = await addEditor();
  const other = await createPublisher(app);
  let created: ReturnType<typeof createLink> | undefined;
  await holdOpen(app, async (tx) => {
    await insertMember(tx, { id: newId(), tenantId: other.tenantId, userId, role: "viewer" });
    created = createLink(userId);
    await Promise.race([created, eventually(async () => (await countLockWaits(app.db)) > 0)]);
  });
  expect(await created).toMatchObject({ status: 409, body: { code: "other_tenants" } });
  expect(await linksOf(userId)).toBe(0);
});

test("a link that a concurrent transaction creates ends when its person joins another tenant", async () => {
  const { userId } = await addEditor();
  const other = await createPublisher(app);
  let joined: Promise<void> | undefined;
  await holdOpen(app, async (tx) => {
    await storeLink(tx, userId, "concurrent");
    joined = app.db
      .transaction()
      .execute((joining) => insertMember(joining, { id: newId(), tenantId: other.tenantId, userId, role: "viewer" }));
    await Promise.race([joined, eventually(async () => (await countLockWaits(app.db)) > 0)]);
  });
  await joined;
  expect(await linksOf(userId)).toBe(0);
});

test("the command line prints a link for any person, and each tenant's audit log has it", async () => {
  const { email } = await addEditor();
  const settings = { ...settingsOf(app), PUBLIC_URL: "https://push.example.org/bell" };
  const { code, out } = await runHere(["password", "link", "--email", email.toUpperCase(), "--json"], settings);
  expect(code).toBe(0);
  const { link, ...rest } = JSON.parse(out);
  expect(rest).toEqual({ email, validHours: 24 });
  expect(link).toMatch(/^https:\/\/push\.example\.org\/bell\/new-password#[\w-]{43}$/);
  expect((await setNew(link.split("#")[1], "long enough")).status).toBe(200);
  const log = (await api.call("GET", `${root()}/audit-log?kind=members&limit=1`, { headers: { cookie } })).body;
  expect(log.data).toMatchObject([{ event: "password.link_made", by: { kind: "operator" } }]);
  const unknown = await runHere(["password", "link", "--email", "nobody@example.org"], settings);
  expect(unknown).toMatchObject({ code: 1, out: "", err: "Nobody has the address nobody@example.org.\n" });
});

test("a link that has ended does not work", async () => {
  const { userId } = await addEditor();
  const { token } = (await createLink(userId)).body;
  await sql`update password_links set expires_at = now() - interval '1 second'`.execute(app.db);
  expect((await api.call("POST", "/dashboard/api/password/look", { body: { token } })).status).toBe(404);
  expect((await setNew(token, "long enough")).status).toBe(404);
});

test("without SMTP_URL a request for a password link is 409 no_mail", async () => {
  const answer = await api.call("POST", "/dashboard/api/password/forgotten", { body: { email: "a@example.org" } });
  expect(answer).toMatchObject({ status: 409, body: { code: "no_mail" } });
  expect((await api.call("GET", "/dashboard/api/start")).body.sendsMail).toBe(false);
});

// Keep this test last, because the address is over its limit afterwards.
test("an address that guesses links is rate limited", async () => {
  // Earlier tests have begun the minute of this address. It must not end during the guesses.
  await sql`truncate rate_limits`.execute(app.db);
  const statuses: number[] = [];
  for (let i = 0; i < 25; i++) statuses.push((await setNew(`guess-${i}`, "long enough")).status);
  expect(statuses.at(-1)).toBe(429);
});
