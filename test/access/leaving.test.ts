import { sql } from "kysely";
import { beforeAll, describe, expect, test } from "vitest";
import { insertMember } from "../../src/access/members/queries.ts";
import type { App } from "../../src/app.ts";
import { maintenanceTasks } from "../../src/cli/maintenance-tasks.ts";
import { newId } from "../../src/ids.ts";
import { runMaintenance } from "../../src/maintenance.ts";
import { runHere } from "../cli/run-here.ts";
import { tablesWith } from "../erasure/scan.ts";
import { type Api, openTestApp, serve, settingsOf } from "../fixtures/app.ts";
import { createPublisher, type Publisher } from "../fixtures/publisher.ts";
import { insertApprovedRequest, insertCampaign } from "../fixtures/rows/campaigns.ts";
import { ago } from "../fixtures/rows/change.ts";
import { changeSessions, changeUsers } from "../fixtures/rows/people.ts";
import { insertPerson, ownerEmail, signIn } from "../fixtures/sign-in.ts";

let app: App;
let api: Api;
let publisher: Publisher;
let other: Publisher;

beforeAll(async () => {
  app = await openTestApp({ RATE_LIMIT_PER_MINUTE: "1000000" });
  api = await serve(app);
  publisher = await createPublisher(app);
  other = await createPublisher(app);
});

type Person = { userId: string; email: string; cookie: string };

/** Creates a signed-in editor of the publisher. With `alsoOther` they are also an editor of the other publisher. */
async function editor({ alsoOther = false } = {}): Promise<Person> {
  const email = `editor-${newId()}@example.org`;
  const userId = await insertPerson(app.db, publisher.tenantId, email, "editor");
  if (alsoOther) await insertMember(app.db, { id: newId(), tenantId: other.tenantId, userId, role: "editor" });
  return { userId, email, cookie: await signIn(api, email) };
}

async function remove({ userId }: Person): Promise<void> {
  const headers = { cookie: await signIn(api, ownerEmail(publisher.tenantId)) };
  const path = `/dashboard/api/tenants/${publisher.tenantId}/members/${userId}`;
  expect((await api.call("DELETE", path, { headers })).status).toBe(204);
}

const deleteOwn = (cookie: string) => api.call("POST", "/dashboard/api/auth/delete-account", { headers: { cookie } });
const isSignedIn = async ({ cookie }: Person) =>
  (await api.call("GET", "/dashboard/api/auth/get-session", { headers: { cookie } })).body.user !== null;
const exists = async ({ userId }: Person) =>
  (await sql`select from users where id = ${userId}`.execute(app.db)).rows.length === 1;
const maintain = () => runMaintenance(app.db, maintenanceTasks(app.config));

describe("a member who is removed", () => {
  test("is signed out everywhere, unless they belong to another publisher", async () => {
    const [gone, kept] = [await editor(), await editor({ alsoOther: true })];
    await remove(gone);
    await remove(kept);
    expect([await isSignedIn(gone), await isSignedIn(kept)]).toEqual([false, true]);
  });

  test("keeps the account for ACCOUNT_DAYS, then it is deleted with all that is theirs", async () => {
    const person = await editor();
    await remove(person);
    await changeUsers(app, { id: person.userId }, { leftAt: ago("29 days") });
    await maintain();
    expect(await exists(person)).toBe(true);
    await changeUsers(app, { id: person.userId }, { leftAt: ago("31 days") });
    await maintain();
    expect(await tablesWith(app, person.email)).toEqual([]);
    expect(await tablesWith(app, person.userId)).toEqual(["audit_events"]);
  });

  test("is deleted after ACCOUNT_DAYS, and so is the member who approved their send", async () => {
    const [author, approver] = [await editor(), await editor()];
    const campaignId = await insertCampaign(app, publisher);
    await insertApprovedRequest(app, { campaignId, userId: author.userId, decidedBy: approver.userId });
    for (const person of [author, approver]) {
      await remove(person);
      await changeUsers(app, { id: person.userId }, { leftAt: ago("31 days") });
    }
    await maintain();
    expect([await exists(author), await exists(approver)]).toEqual([false, false]);
  });

  test("keeps it for good if they join again", async () => {
    const person = await editor();
    await remove(person);
    await changeUsers(app, { id: person.userId }, { leftAt: ago("31 days") });
    await insertMember(app.db, { id: newId(), tenantId: other.tenantId, userId: person.userId, role: "viewer" });
    await maintain();
    expect(await exists(person)).toBe(true);
  });

  test("of two publishers at the same moment has left", async () => {
    const person = await editor({ alsoOther: true });
    const leave = async ({ tenantId }: Publisher) => {
      const headers = { cookie: await signIn(api, ownerEmail(tenantId)) };
      return () => api.call("DELETE", `/dashboard/api/tenants/${tenantId}/members/${person.userId}`, { headers });
    };
    const calls = [await leave(publisher), await leave(other)];
    const answers = await Promise.all(calls.map((call) => call()));
    expect(answers.map(({ status }) => status)).toEqual([204, 204]);
    const { rows } = await sql`select from users where id = ${person.userId} and left_at is not null`.execute(app.db);
    expect(rows).toHaveLength(1);
  });
});

describe("a person deletes their own account", () => {
  test("at once, with memberships and sessions, and owners see an event", async () => {
    const person = await editor({ alsoOther: true });
    const answer = await deleteOwn(person.cookie);
    expect(answer.status).toBe(200);
    expect(answer.headers.getSetCookie().join()).toMatch(/Max-Age=0/i);
    expect(await isSignedIn(person)).toBe(false);
    expect(await tablesWith(app, person.email)).toEqual([]);
    const { rows } = await sql`select from audit_events where event = 'account.deleted'
      and actor = ${`user:${person.userId}`}`.execute(app.db);
    expect(rows).toHaveLength(2);
  });

  test("also when they are no member any more", async () => {
    const person = await editor();
    await remove(person);
    expect((await deleteOwn(await signIn(api, person.email))).status).toBe(200);
    expect(await exists(person)).toBe(false);
  });

  test("not as the only owner, not without a session, not long after the sign-in", async () => {
    const { tenantId } = await createPublisher(app);
    const cookie = await signIn(api, ownerEmail(tenantId));
    expect(await deleteOwn(cookie)).toMatchObject({ status: 409, body: { code: "last_owner" } });
    expect((await deleteOwn("")).status).toBe(401);
    const person = await editor();
    await changeSessions(app, { userId: person.userId }, { authenticatedAt: ago("11 minutes") });
    expect(await deleteOwn(person.cookie)).toMatchObject({ body: { code: "reauthentication_required" } });
    expect(await exists(person)).toBe(true);
  });

  test("two owners at once: one stays", async () => {
    const { tenantId } = await createPublisher(app);
    const email = `owner-${newId()}@example.org`;
    await insertPerson(app.db, tenantId, email, "owner");
    const cookies = [await signIn(api, ownerEmail(tenantId)), await signIn(api, email)];
    const answers = await Promise.all(cookies.map(deleteOwn));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  });
});

test("the operator deletes an account with --yes, but not a publisher's only owner", async () => {
  const person = await editor();
  const run = (...words: string[]) => runHere(["account", "delete", "--email", ...words], settingsOf(app));
  expect(await run(person.email)).toMatchObject({ code: 2, err: expect.stringContaining("say --yes") });
  expect(await exists(person)).toBe(true);
  const done = await run(person.email.toUpperCase(), "--yes", "--json");
  expect(done).toMatchObject({ code: 0, out: `${JSON.stringify({ email: person.email, deleted: true })}\n` });
  expect(await exists(person)).toBe(false);
  expect(await run(person.email, "--yes")).toMatchObject({ code: 1, err: expect.stringMatching(/Nobody has/) });
  const owner = await run(ownerEmail(publisher.tenantId), "--yes");
  expect(owner).toMatchObject({ code: 1, err: expect.stringMatching(/would be left without an owner/) });
});
