import { sql } from "kysely";
import { Secret, TOTP } from "otpauth";
import { beforeAll, expect, test, vi } from "vitest";
import { createOwner } from "../../src/access/accounts/create-user.ts";
import { mailedToken } from "../../src/access/accounts/mailed-token.ts";
import { createPasswordLinkFor } from "../../src/access/accounts/password-links.ts";
import { verifyEmail } from "../../src/access/accounts/queries.ts";
import { resealSecondFactors } from "../../src/access/second-factor/reseal-secrets.ts";
import type { App } from "../../src/app.ts";
import { newId } from "../../src/ids.ts";
import { createSecretBox } from "../../src/secret-box.ts";
import { runHere } from "../cli/run-here.ts";
import { type Answer, type Api, openTestApp, serve, settingsOf } from "../fixtures/app.ts";
import { eventually } from "../fixtures/eventually.ts";
import { createPublisher, type Publisher } from "../fixtures/publisher.ts";
import { changeSessions } from "../fixtures/rows/people.ts";
import { ownerEmail, ownerPassword, postSignIn, signIn } from "../fixtures/sign-in.ts";

vi.setConfig({ testTimeout: 60_000 });

const root = "/dashboard/api/auth";

let app: App;
let api: Api;
let publisher: Publisher;
/**
 * How far the clocks of the service and of the authenticator apps are ahead. A code works only once in its 30 seconds.
 */
let aheadMs = 0;
let address = 0;

beforeAll(async () => {
  const opened = await openTestApp({ RATE_LIMIT_PER_MINUTE: "1000000", TRUST_PROXY: "1" });
  app = { ...opened, now: () => Date.now() + aheadMs };
  api = await serve(app);
  publisher = await createPublisher(app);
});

const post = (path: string, cookie: string, body?: unknown) =>
  api.call("POST", `${root}${path}`, { headers: { cookie }, body });
const cookieOf = (answer: Answer) =>
  answer.headers
    .getSetCookie()
    .map((line) => line.split(";")[0])
    .join("; ");

/** Returns the code that an authenticator app shows for a key. Each call first moves the clock to the next step. */
function nextCode(key: string): string {
  aheadMs += 30_000;
  return new TOTP({ secret: Secret.fromBase32(key) }).generate({ timestamp: app.now() });
}

/** Creates an owner with a second factor. */
async function withFactor() {
  const email = `owner-${newId()}@example.org`;
  const { userId } = await createOwner(app.db, { tenantId: publisher.tenantId, email, password: ownerPassword });
  // Makes the session a recent sign-in by the clock of the service too.
  const cookie = await signIn(api, email);
  await changeSessions(app, { userId }, { authenticatedAt: new Date(app.now()) });
  const begun = await post("/second-factor/begin", cookie);
  const { key } = begun.body as { key: string };
  const confirmed = await post("/second-factor/confirm", cookie, { code: nextCode(key) });
  expect(confirmed.status).toBe(200);
  return { userId, email, cookie, key, recoveryCodes: confirmed.body.recoveryCodes as string[] };
}

/** Signs in with the password. Returns a function that sends a code for that sign-in. */
async function halfSignIn(email: string, password = ownerPassword) {
  const answer = await postSignIn(api, { email, password }, { "x-forwarded-for": `192.0.2.${++address % 250}` });
  expect(answer).toMatchObject({ status: 200, body: { challenge: expect.stringMatching(/^[\w-]{43}$/) } });
  expect(answer.headers.getSetCookie()).toEqual([]);
  const { challenge } = answer.body;
  const headers = { "x-forwarded-for": `198.51.100.${++address % 250}` };
  return (code: string) => api.call("POST", `${root}/sign-in/code`, { body: { challenge, code }, headers });
}

const wrongCode = { status: 400, body: { code: "validation_failed", errors: [{ path: "/code" }] } };

test("without a confirmed code nothing changes at the sign-in", async () => {
  const cookie = await signIn(api, ownerEmail(publisher.tenantId));
  const begun = await post("/second-factor/begin", cookie);
  expect(begun.body.uri).toMatch(/^otpauth:\/\/totp\/Pressbell:owner-.*[?&]secret=[A-Z2-7]{32}/);
  expect(begun.body.uri).toContain(begun.body.key);
  expect(await post("/second-factor/confirm", cookie, { code: "000000" })).toMatchObject(wrongCode);
  expect((await api.call("GET", `${root}/second-factor`, { headers: { cookie } })).body.isOn).toBe(false);
  await signIn(api, ownerEmail(publisher.tenantId));
});

test("the sign-in asks for the app's code, which works once and for one sign-in", async () => {
  const { email, key } = await withFactor();
  const send = await halfSignIn(email);
  const code = nextCode(key);
  expect(await send("000000")).toMatchObject(wrongCode);
  const signedIn = await send(code);
  expect(signedIn).toMatchObject({ status: 200, body: { user: { email } } });
  const session = await api.call("GET", `${root}/get-session`, { headers: { cookie: cookieOf(signedIn) } });
  expect(session.body.user.email).toBe(email);
  expect(await send(nextCode(key))).toMatchObject({ status: 401, body: { code: "sign_in_failed" } });
  const again = await halfSignIn(email);
  const fresh = nextCode(key);
  expect((await again(fresh)).status).toBe(200);
  expect(await (await halfSignIn(email))(fresh)).toMatchObject(wrongCode);
});

test("of concurrent uses of one code one signs in", async () => {
  const { email, key } = await withFactor();
  const sends = await Promise.all([1, 2, 3].map(() => halfSignIn(email)));
  const code = nextCode(key);
  const statuses = (await Promise.all(sends.map((send) => send(code)))).map(({ status }) => status);
  expect(statuses.toSorted()).toEqual([200, 400, 400]);
});

test("each of ten recovery codes signs in once, however it is typed", async () => {
  const { email, cookie, recoveryCodes } = await withFactor();
  expect(new Set(recoveryCodes).size).toBe(10);
  const typed = recoveryCodes[3]!.toUpperCase().replaceAll("-", " ");
  expect((await (await halfSignIn(email))(typed)).status).toBe(200);
  expect(await (await halfSignIn(email))(recoveryCodes[3]!)).toMatchObject(wrongCode);
  const state = await api.call("GET", `${root}/second-factor`, { headers: { cookie } });
  expect(state.body).toEqual({ isOn: true, recoveryCodesLeft: 9 });
});

test("a recovery code of another person is refused", async () => {
  const [one, other] = [await withFactor(), await withFactor()];
  expect(await (await halfSignIn(one.email))(other.recoveryCodes[0]!)).toMatchObject(wrongCode);
});

test("guesses are limited for the account, from all addresses and over all its sign-ins", async () => {
  const { email, recoveryCodes } = await withFactor();
  const statuses: number[] = [];
  // The code that confirmed the set-up was the first of ten.
  for (let i = 0; i < 10; i++) statuses.push((await (await halfSignIn(email))(`00000${i}`)).status);
  expect(statuses).toEqual([...Array.from({ length: 9 }, () => 400), 429]);
  expect((await (await halfSignIn(email))(recoveryCodes[0]!)).status).toBe(429);
});

test("no session exists before the code, and a wrong code is one event in the audit log", async () => {
  const { userId, email } = await withFactor();
  const count = async () => (await sql`select from sessions where user_id = ${userId}`.execute(app.db)).rows.length;
  const before = await count();
  const send = await halfSignIn(email);
  expect(await count()).toBe(before);
  await send("123123");
  const refused = await eventually(async () => {
    const { rows } = await sql<{ details: unknown }>`select details from audit_events
      where event = 'session.refused' and subject_id = ${userId}`.execute(app.db);
    return rows.length > 0 && rows;
  });
  expect(refused).toEqual([{ details: { wrong: "code" } }]);
});

test("neither a password link nor an invitation signs in without the code", async () => {
  const { userId, email } = await withFactor();
  const owner = { headers: { cookie: await signIn(api, ownerEmail(publisher.tenantId)) } };
  const members = `/dashboard/api/tenants/${publisher.tenantId}/members`;
  const { token } = (await api.call("POST", `${members}/${userId}/password-link`, owner)).body;
  const reset = await api.call("POST", "/dashboard/api/password/new", { body: { token, password: "long enough" } });
  expect(reset.status).toBe(200);
  expect(reset.headers.getSetCookie()).toEqual([]);
  await halfSignIn(email, "long enough");

  const other = await createPublisher(app);
  const inviter = { headers: { cookie: await signIn(api, ownerEmail(other.tenantId)) } };
  const invitation = await api.call("POST", `/dashboard/api/tenants/${other.tenantId}/invitations`, {
    ...inviter,
    body: { email, role: "viewer" },
  });
  const body = { token: invitation.body.token, password: "long enough" };
  const accepted = await api.call("POST", "/dashboard/api/invitations/accept", { body });
  expect(accepted.status).toBe(200);
  expect(accepted.headers.getSetCookie()).toEqual([]);
});

test("a changed password ends sign-ins that wait for a code", async () => {
  const { email, cookie, key } = await withFactor();
  const send = await halfSignIn(email);
  const body = { currentPassword: ownerPassword, newPassword: "another horse battery" };
  expect((await post("/change-password", cookie, body)).status).toBe(200);
  expect(await send(nextCode(key))).toMatchObject({ status: 401, body: { code: "sign_in_failed" } });
});

test("set-up and removal need a recent sign-in; afterwards the password is enough", async () => {
  const { userId, email, cookie } = await withFactor();
  const age = (minutes: number) =>
    changeSessions(app, { userId }, { authenticatedAt: new Date(app.now() - minutes * 60_000) });
  const refused = { status: 403, body: { code: "reauthentication_required" } };
  await age(11);
  expect(await post("/second-factor/remove", cookie)).toMatchObject(refused);
  expect(await post("/second-factor/begin", cookie)).toMatchObject(refused);
  await age(0);
  expect(await post("/second-factor/begin", cookie)).toMatchObject({ status: 409, body: { code: "second_factor_on" } });
  expect((await post("/second-factor/remove", cookie)).status).toBe(200);
  await signIn(api, email);
  const { rows } = await sql<{ event: string }>`select event from audit_events
    where actor = ${`user:${userId}`} and event like 'factor.%' order by id`.execute(app.db);
  expect(rows.map(({ event }) => event)).toEqual(["factor.added", "factor.removed"]);
});

test("the set-up ends the other sessions, and only a signed-in person sees or changes theirs", async () => {
  const { cookie } = await withFactor();
  expect((await api.call("GET", `${root}/sessions`, { headers: { cookie } })).body.data).toHaveLength(1);
  for (const path of ["begin", "confirm", "remove"]) {
    const answer = await post(`/second-factor/${path}`, "", path === "confirm" ? { code: "1" } : undefined);
    expect(answer.status).toBe(401);
  }
});

test("the database has neither secret nor codes in clear; a new SECRET_KEY reseals the secret", async () => {
  const { email, key, recoveryCodes } = await withFactor();
  for (const table of ["second_factors", "recovery_codes", "sign_in_challenges", "audit_events"]) {
    const { rows } = await sql<{ line: string }>`select t::text as line from ${sql.table(table)} t`.execute(app.db);
    const text = JSON.stringify(rows);
    const bytes = Buffer.from(Secret.fromBase32(key).bytes).toString("hex");
    for (const secret of [key, bytes, ...recoveryCodes]) expect(text).not.toContain(secret);
  }
  const secrets = createSecretBox("a newer secret key for tests, long enough");
  await app.db.transaction().execute((tx) => resealSecondFactors(tx, { ...secrets, open: app.secrets.open }));
  const newer = await serve({ ...app, secrets });
  const { challenge } = (await postSignIn(newer, { email, password: ownerPassword })).body;
  const body = { challenge, code: nextCode(key) };
  expect((await newer.call("POST", `${root}/sign-in/code`, { body })).status).toBe(200);
});

test("the operator switches the second factor of a locked-out person off", async () => {
  const { userId, email } = await withFactor();
  const words = ["second-factor", "remove", "--json", "--email"];
  const removed = await runHere([...words, email.toUpperCase()], settingsOf(app));
  expect(removed).toMatchObject({ code: 0, out: `${JSON.stringify({ email, removed: true })}\n` });
  await signIn(api, email);
  const { rows } = await sql`select from audit_events where event = 'factor.removed' and actor = 'operator'
    and subject_id = ${userId}`.execute(app.db);
  expect(rows).toHaveLength(1);
  const unknown = await runHere([...words, "nobody@example.org"], settingsOf(app));
  expect(unknown).toMatchObject({ code: 1, err: "Nobody has the address nobody@example.org.\n" });
});

test.each([
  ["not verified, drops the second factor of whoever made the account", false],
  ["verified, leaves the second factor", true],
])("a mailed password link to an address that is %s", async (_, isVerified) => {
  const { userId, email } = await withFactor();
  if (isVerified) await verifyEmail(app.db, userId);
  const { token } = await createPasswordLinkFor(app, email);
  const body = { token: mailedToken(app, token), password: "the holder's own" };
  expect((await api.call("POST", "/dashboard/api/password/new", { body })).status).toBe(200);
  const { status, body: answer } = await postSignIn(api, { email, password: "the holder's own" });
  expect([status, answer.challenge !== undefined]).toEqual([200, isVerified]);
  const events =
    await sql`select from audit_events where event = 'factor.removed' and actor = ${`user:${userId}`}`.execute(app.db);
  expect(events.rows).toHaveLength(isVerified ? 0 : 1);
});

test("a password link that was shown leaves the second factor", async () => {
  const { email } = await withFactor();
  const { token } = await createPasswordLinkFor(app, email);
  const body = { token, password: "the holder's own" };
  expect((await api.call("POST", "/dashboard/api/password/new", { body })).status).toBe(200);
  expect((await postSignIn(api, { email, password: "the holder's own" })).body.challenge).toBeDefined();
});
