import { sql } from "kysely";
import { beforeAll, expect, test } from "vitest";
import { userByEmail } from "../../src/access/accounts/queries.ts";
import { insertMember } from "../../src/access/members/queries.ts";
import type { App } from "../../src/app.ts";
import { newId } from "../../src/ids.ts";
import { type Api, openTestApp, serve } from "../fixtures/app.ts";
import { eventually } from "../fixtures/eventually.ts";
import { createPublisher } from "../fixtures/publisher.ts";
import { ownerEmail, ownerPassword, postSignIn, signIn } from "../fixtures/sign-in.ts";

const root = "/dashboard/api/auth";

let app: App;
let api: Api;

/** Creates a publisher. Returns its owner's address and session, and its sign-in events, newest first. */
async function publisher() {
  const { tenantId } = await createPublisher(app);
  const email = ownerEmail(tenantId);
  const cookie = await signIn(api, email);
  const path = `/dashboard/api/tenants/${tenantId}/audit-log?kind=accounts`;
  const events = async () => (await api.call("GET", path, { headers: { cookie } })).body.data;
  return { tenantId, email, cookie, events };
}

const failures = async () => {
  const found = await sql`select from audit_events where event = 'session.refused'`.execute(app.db);
  return found.rows.length;
};

beforeAll(async () => {
  app = await openTestApp({ RATE_LIMIT_PER_MINUTE: "1000000", TRUST_PROXY: "1" });
  api = await serve(app);
});

test("only the audit log of the person's tenant has sign-ins, sign-outs and ended sessions", async () => {
  const [one, other] = [await publisher(), await publisher()];
  const second = await signIn(api, one.email);
  await signIn(api, one.email);
  await api.call("POST", `${root}/sign-out`, { headers: { cookie: second } });
  await api.call("POST", `${root}/sign-out`, { headers: { cookie: second } });
  await api.call("POST", `${root}/sessions/end-others`, { headers: { cookie: one.cookie } });
  await api.call("POST", `${root}/sessions/end-others`, { headers: { cookie: one.cookie } });
  const by = { kind: "user", name: one.email };
  expect(await one.events()).toMatchObject([
    { event: "session.ended", by, details: { elsewhere: 1 } },
    { event: "session.ended", by, details: {} },
    ...[1, 2, 3].map(() => ({ event: "session.started", by, subjectId: null, details: {} })),
  ]);
  expect(await other.events()).toHaveLength(1);
});

test("a sign-in is in the audit logs of all tenants of a person", async () => {
  const [one, other] = [await publisher(), await publisher()];
  const user = (await userByEmail(app.db, one.email))!;
  await insertMember(app.db, { id: newId(), tenantId: other.tenantId, userId: user.id, role: "viewer" });
  await signIn(api, one.email);
  expect((await other.events())[0]).toMatchObject({ event: "session.started", by: { name: one.email } });
});

test("of many wrong passwords one event is recorded, by nobody known and without the password", async () => {
  const { email, events } = await publisher();
  const guess = (i: number) =>
    postSignIn(api, { email: email.toUpperCase(), password: `a guess ${i}` }, { "x-forwarded-for": `192.0.2.${i}` });
  await Promise.all(Array.from({ length: 8 }, (_, i) => guess(i)));
  await eventually(async () => (await failures()) > 0);
  // Each guess is counted before its event is recorded. Once all are counted, no further event can come.
  await eventually(async () => {
    const counted = await sql<{ used: number }>`select used from rate_limits where bucket like 'refused:%'`.execute(
      app.db,
    );
    return counted.rows[0]?.used === 8;
  });
  const refused = (await events()).filter(({ event }: { event: string }) => event === "session.refused");
  expect(refused).toMatchObject([
    { by: { kind: "stranger", name: null }, subjectName: email, details: { wrong: "password" } },
  ]);
  expect(JSON.stringify(refused)).not.toContain("guess");
});

test("a wrong password for an address without an account leaves no event and no address", async () => {
  const before = await failures();
  const email = "unheard-of@example.org";
  expect((await postSignIn(api, { email, password: "wrong" })).status).toBe(401);
  // A later failure of a known account would be recorded after this one.
  const known = await publisher();
  await postSignIn(api, { email: known.email, password: "wrong" });
  await eventually(async () => (await failures()) === before + 1);
  for (const table of ["audit_events", "rate_limits"]) {
    const { rows } = await sql`select t::text as line from ${sql.table(table)} t`.execute(app.db);
    expect(JSON.stringify(rows)).not.toContain("unheard-of");
  }
});

test("a changed password is recorded", async () => {
  const { cookie, email, events } = await publisher();
  const body = { currentPassword: ownerPassword, newPassword: "another horse battery" };
  const changed = await api.call("POST", `${root}/change-password`, { headers: { cookie }, body });
  expect(changed.status).toBe(200);
  const fresh = await signIn(api, email, "another horse battery");
  expect((await api.call("POST", `${root}/sign-out`, { headers: { cookie: fresh } })).status).toBe(200);
  expect(await events()).toBeUndefined();
  const { rows } = await sql<{ event: string }>`select event from audit_events where actor =
    ${`user:${(await userByEmail(app.db, email))!.id}`} order by id`.execute(app.db);
  expect(rows.map(({ event }) => event).slice(-4)).toEqual([
    "session.started",
    "password.changed",
    "session.started",
    "session.ended",
  ]);
});
