import { sql } from "kysely";
import { beforeAll, expect, test } from "vitest";
import { createOwner } from "../../src/access/accounts/create-user.ts";
import type { App } from "../../src/app.ts";
import { newId } from "../../src/ids.ts";
import { type Api, openTestApp, serve } from "../fixtures/app.ts";
import { createPublisher, type Publisher } from "../fixtures/publisher.ts";
import { ago, ahead } from "../fixtures/rows/change.ts";
import { changeSessions } from "../fixtures/rows/people.ts";
import { ownerPassword, signIn } from "../fixtures/sign-in.ts";

const root = "/dashboard/api/auth";

let app: App;
let api: Api;
let publisher: Publisher;
const as = (cookie: string) => ({ headers: { cookie } });
const list = async (cookie: string) => (await api.call("GET", `${root}/sessions`, as(cookie))).body.data;
const isSignedIn = async (cookie: string) =>
  (await api.call("GET", `${root}/get-session`, as(cookie))).body.user !== null;

/** Creates an owner with `count` sessions. Returns the cookies of the sessions. */
async function signedIn(count: number): Promise<{ userId: string; email: string; cookies: string[] }> {
  const email = `owner-${newId()}@example.org`;
  const { userId } = await createOwner(app.db, { tenantId: publisher.tenantId, email, password: ownerPassword });
  const cookies: string[] = [];
  for (let i = 0; i < count; i++) cookies.push(await signIn(api, email));
  return { userId, email, cookies };
}

beforeAll(async () => {
  app = await openTestApp({ RATE_LIMIT_PER_MINUTE: "1000000" });
  api = await serve(app);
  publisher = await createPublisher(app);
});

test("a person sees their own sessions only, without a token, and which of them is this one", async () => {
  const { cookies } = await signedIn(2);
  await signedIn(1);
  const data = await list(cookies[1]!);
  expect(data.map(({ isCurrent }: { isCurrent: boolean }) => isCurrent).toSorted()).toEqual([false, true]);
  expect(Object.keys(data[0]).toSorted()).toEqual(
    ["endsAt", "endsAtLatest", "isCurrent", "sessionId", "signedInAt", "usedAt", "userAgent"].toSorted(),
  );
  const { rows } = await sql<{ token: string }>`select token from sessions`.execute(app.db);
  for (const { token } of rows) expect(JSON.stringify(data)).not.toContain(token);
  expect((await api.call("GET", `${root}/sessions`)).status).toBe(401);
});

test("one session is ended, at once, and the others stay", async () => {
  const { cookies } = await signedIn(2);
  const other = (await list(cookies[0]!)).find(({ isCurrent }: { isCurrent: boolean }) => !isCurrent);
  const end = () =>
    api.call("POST", `${root}/sessions/end`, { ...as(cookies[0]!), body: { sessionId: other.sessionId } });
  expect((await end()).status).toBe(200);
  expect([await isSignedIn(cookies[0]!), await isSignedIn(cookies[1]!)]).toEqual([true, false]);
  expect(await end()).toMatchObject({ status: 404, body: { code: "not_found" } });
});

test("the session of another person cannot be ended, nor one with a broken id", async () => {
  const [mine, theirs] = [await signedIn(1), await signedIn(1)];
  const [{ sessionId }] = await list(theirs.cookies[0]!);
  for (const id of [sessionId, "1", ""]) {
    const answer = await api.call("POST", `${root}/sessions/end`, { ...as(mine.cookies[0]!), body: { sessionId: id } });
    expect(answer.status).toBe(404);
  }
  expect(await isSignedIn(theirs.cookies[0]!)).toBe(true);
});

test("all other sessions are ended, and those of other people stay", async () => {
  const [mine, theirs] = [await signedIn(3), await signedIn(1)];
  const ended = await api.call("POST", `${root}/sessions/end-others`, as(mine.cookies[1]!));
  expect(ended).toMatchObject({ status: 200, body: { ended: 2 } });
  expect(await Promise.all(mine.cookies.map(isSignedIn))).toEqual([false, true, false]);
  expect(await isSignedIn(theirs.cookies[0]!)).toBe(true);
});

test("an account has a hundred sessions at most: a further one ends the one used longest ago", async () => {
  const { userId, email, cookies } = await signedIn(2);
  await changeSessions(app, { userId }, { usedAt: ago("1 hour") });
  await sql`insert into sessions (id, user_id, token, used_at, expires_at)
    select gen_random_uuid(), ${userId}, ${userId} || n, now() - interval '1 minute', now() + interval '1 day'
    from generate_series(1, 98) n`.execute(app.db);
  expect(await list(cookies[0]!)).toHaveLength(100);
  const latest = await signIn(api, email);
  expect(await list(latest)).toHaveLength(100);
  const still = [await isSignedIn(cookies[0]!), await isSignedIn(cookies[1]!)];
  expect(still.filter(Boolean)).toHaveLength(1);
});

test("another website cannot end a session", async () => {
  const { cookies } = await signedIn(2);
  const headers = { cookie: cookies[0]!, origin: "https://evil.example" };
  const refused = await api.call("POST", `${root}/sessions/end-others`, { headers });
  expect(refused).toMatchObject({ status: 403, body: { code: "csrf_failed" } });
  expect(await isSignedIn(cookies[1]!)).toBe(true);
});

test("a session in use is renewed up to 30 days after its sign-in, and ends then", async () => {
  const { userId, cookies } = await signedIn(1);
  const days = async () => {
    const { rows } = await sql<{ days: number }>`select extract(epoch from expires_at - now())::float / 86400 as days
      from sessions where user_id = ${userId}`.execute(app.db);
    return rows[0]?.days;
  };
  await changeSessions(app, { userId }, { createdAt: ago("27 days"), expiresAt: ahead("1 day") });
  expect(await isSignedIn(cookies[0]!)).toBe(true);
  expect(await days()).toBeCloseTo(3, 1);
  await changeSessions(app, { userId }, { createdAt: ago("31 days") });
  expect(await isSignedIn(cookies[0]!)).toBe(false);
});

test("the last use of a session is recorded to within five minutes", async () => {
  const { userId, cookies } = await signedIn(1);
  const back = (minutes: number) => changeSessions(app, { userId }, { usedAt: ago(`${minutes} minutes`) });
  const ageMs = async () => Date.now() - Date.parse((await list(cookies[0]!))[0].usedAt);
  await back(4);
  expect(await ageMs()).toBeGreaterThan(3 * 60_000);
  await back(6);
  expect(await ageMs()).toBeLessThan(60_000);
});

test("a changed password ends the other sessions, and every password link that is still open", async () => {
  const { userId, email, cookies } = await signedIn(2);
  const owner = (await signedIn(1)).cookies[0]!;
  const path = `/dashboard/api/tenants/${publisher.tenantId}/members/${userId}/password-link`;
  const { token } = (await api.call("POST", path, as(owner))).body;
  const body = { currentPassword: ownerPassword, newPassword: "another horse battery" };
  const changed = await api.call("POST", `${root}/change-password`, { ...as(cookies[0]!), body });
  expect(changed.status).toBe(200);
  expect(await Promise.all(cookies.map(isSignedIn))).toEqual([false, false]);
  expect((await api.call("POST", "/dashboard/api/password/look", { body: { token } })).status).toBe(404);
  const reset = await api.call("POST", "/dashboard/api/password/new", {
    body: { token, password: "stolen horse battery" },
  });
  expect(reset.status).toBe(404);
  await signIn(api, email, "another horse battery");
});
