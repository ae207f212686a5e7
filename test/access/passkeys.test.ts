import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import { beforeAll, expect, test } from "vitest";
import { createOwner } from "../../src/access/accounts/create-user.ts";
import { insertPasskey } from "../../src/access/passkeys/queries.ts";
import type { App } from "../../src/app.ts";
import { newId } from "../../src/ids.ts";
import { type Api, openTestApp, serve } from "../fixtures/app.ts";
import { createPublisher, type Publisher } from "../fixtures/publisher.ts";
import { ago } from "../fixtures/rows/change.ts";
import { changeSessions } from "../fixtures/rows/people.ts";
import { ownerPassword, signIn } from "../fixtures/sign-in.ts";

const root = "/dashboard/api/auth";

let app: App;
let api: Api;
let publisher: Publisher;
const post = (path: string, cookie: string, body?: unknown, at = api) =>
  at.call("POST", `${root}${path}`, { headers: { cookie }, body });

beforeAll(async () => {
  app = await openTestApp({ PUBLIC_URL: "https://push.example" });
  api = await serve(app);
  publisher = await createPublisher(app);
});

/** Creates an owner with a passkey that no authenticator holds. */
async function withPasskey() {
  const email = `owner-${newId()}@example.org`;
  const { userId } = await createOwner(app.db, { tenantId: publisher.tenantId, email, password: ownerPassword });
  const credentialId = randomBytes(16).toString("base64url");
  const passkey = { credentialId, userId, publicKey: randomBytes(77), counter: 0, transports: [], name: "Phone" };
  expect(await insertPasskey(app.db, passkey)).toBe(true);
  return { userId, credentialId, cookie: await signIn(api, email) };
}

/** Returns the body that a browser sends for a challenge. Its signature belongs to no key. */
function forgedAnswer(id: string, challenge: string) {
  const text = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const clientDataJSON = text({ type: "webauthn.get", challenge, origin: "https://push.example" });
  const response = { clientDataJSON, authenticatorData: randomBytes(37).toString("base64url"), signature: "AAAA" };
  return { response: { id, rawId: id, type: "public-key", clientExtensionResults: {}, response } };
}

test("a forged answer, an unknown passkey and a challenge that is not ours are refused alike", async () => {
  const { userId, credentialId } = await withPasskey();
  const { challenge, rpId, userVerification } = (await post("/sign-in/passkey/begin", "")).body;
  expect({ rpId, userVerification }).toEqual({ rpId: "push.example", userVerification: "required" });
  const before = await sql`select from sessions where user_id = ${userId}`.execute(app.db);
  for (const [id, given] of [
    [credentialId, challenge],
    [randomBytes(16).toString("base64url"), challenge],
    [credentialId, "AAAAAAAA"],
  ]) {
    const answer = await post("/sign-in/passkey", "", forgedAnswer(id, given));
    expect(answer).toMatchObject({ status: 401, body: { code: "sign_in_failed" } });
    expect(answer.headers.getSetCookie()).toEqual([]);
  }
  const after = await sql`select from sessions where user_id = ${userId}`.execute(app.db);
  expect(after.rows).toHaveLength(before.rows.length);
});

test.each([[{}], [{ response: {} }], [{ response: { id: "x" } }], [{ response: "x" }]])(
  "an answer of the wrong shape is 400: %j",
  async (body) => {
    expect((await post("/sign-in/passkey", "", body)).status).toBe(400);
  },
);

test("an account has fifty passkeys at most", async () => {
  const { userId, cookie } = await withPasskey();
  const add = (n: number) =>
    insertPasskey(app.db, {
      credentialId: `more-${userId}-${n}`,
      userId,
      publicKey: randomBytes(77),
      counter: 0,
      transports: [],
      name: `Phone ${n}`,
    });
  for (let n = 2; n < 50; n++) await add(n);
  expect((await post("/passkeys/begin", cookie)).status).toBe(200);
  await add(50);
  expect(await post("/passkeys/begin", cookie)).toMatchObject({ status: 409, body: { code: "passkey_limit" } });
});

test("a person renames and removes their own passkeys only, and sees no others", async () => {
  const [mine, theirs] = [await withPasskey(), await withPasskey()];
  const list = async (cookie: string) => (await api.call("GET", `${root}/passkeys`, { headers: { cookie } })).body;
  expect((await list(mine.cookie)).data.map(({ passkeyId }: { passkeyId: string }) => passkeyId)).toEqual([
    mine.credentialId,
  ]);
  const notMine = { passkeyId: theirs.credentialId };
  expect((await post("/passkeys/rename", mine.cookie, { ...notMine, name: "Mine" })).status).toBe(404);
  expect((await post("/passkeys/remove", mine.cookie, notMine)).status).toBe(404);
  expect((await list(theirs.cookie)).data).toMatchObject([{ name: "Phone" }]);
  const own = { passkeyId: mine.credentialId };
  expect((await post("/passkeys/rename", mine.cookie, { ...own, name: " " })).status).toBe(400);
  expect((await post("/passkeys/rename", mine.cookie, { ...own, name: "Laptop" })).status).toBe(200);
  expect((await list(mine.cookie)).data).toMatchObject([{ name: "Laptop", usedAt: null }]);
  expect((await post("/passkeys/remove", mine.cookie, own)).status).toBe(200);
  expect((await list(mine.cookie)).data).toEqual([]);
  const { rows } = await sql`select from audit_events where event = 'passkey.removed'
    and actor = ${`user:${mine.userId}`}`.execute(app.db);
  expect(rows).toHaveLength(1);
});

test("a password link ends the passkeys: who had the account before keeps no way in", async () => {
  const [owner, member] = [await withPasskey(), await withPasskey()];
  const path = `/dashboard/api/tenants/${publisher.tenantId}/members/${member.userId}/password-link`;
  const { token } = (await api.call("POST", path, { headers: { cookie: owner.cookie } })).body;
  const reset = await api.call("POST", "/dashboard/api/password/new", { body: { token, password: "long enough" } });
  expect(reset.status).toBe(200);
  const { rows } = await sql`select user_id from passkeys where user_id in (${owner.userId}, ${member.userId})`.execute(
    app.db,
  );
  expect(rows).toEqual([{ user_id: owner.userId }]);
});

test("adding and removing need a recent sign-in, and every route a session", async () => {
  const { userId, credentialId, cookie } = await withPasskey();
  await changeSessions(app, { userId }, { authenticatedAt: ago("11 minutes") });
  const refused = { status: 403, body: { code: "reauthentication_required" } };
  expect(await post("/passkeys/begin", cookie)).toMatchObject(refused);
  expect(await post("/passkeys/remove", cookie, { passkeyId: credentialId })).toMatchObject(refused);
  for (const path of ["/passkeys/begin", "/confirm/passkey/begin"]) expect((await post(path, "")).status).toBe(401);
  expect((await post("/passkeys/remove", "", { passkeyId: credentialId })).status).toBe(401);
  expect((await api.call("GET", `${root}/passkeys`)).status).toBe(401);
});

test.each([undefined, "http://push.example", "https://192.0.2.1", "https://[2001:db8::1]"])(
  "with PUBLIC_URL %s no passkeys are offered",
  async (PUBLIC_URL) => {
    const other = await serve({ ...app, config: { ...app.config, PUBLIC_URL } });
    expect((await other.call("GET", "/dashboard/api/start")).body.takesPasskeys).toBe(false);
    const begun = await post("/sign-in/passkey/begin", "", undefined, other);
    expect(begun).toMatchObject({ status: 409, body: { code: "no_passkeys" } });
  },
);
