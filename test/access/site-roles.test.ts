import { sql } from "kysely";
import { beforeAll, beforeEach, expect, test } from "vitest";
import type { Roles } from "../../src/access/roles.ts";
import type { App } from "../../src/app.ts";
import { newId } from "../../src/ids.ts";
import { startDueSends } from "../../src/sends/scheduler.ts";
import { expireEditorDevices } from "../../src/subscribers/editor-devices/expire-devices.ts";
import { createSite, restoreSite } from "../../src/tenants/sites/sites.ts";
import { type Api, openTestApp, serve } from "../fixtures/app.ts";
import { createPublisher, createSubscriptions, operatorOf, type Publisher, subscribe } from "../fixtures/publisher.ts";
import { changePlannedSends } from "../fixtures/rows/campaigns.ts";
import { ago, present } from "../fixtures/rows/change.ts";
import { changeRateLimits } from "../fixtures/rows/people.ts";
import { changeSites } from "../fixtures/rows/sites.ts";
import { insertPerson, ownerEmail, signIn } from "../fixtures/sign-in.ts";

let app: App;
let api: Api;
let publisher: Publisher;
let a: string;
let b: string;
let owner: string;

beforeAll(async () => {
  app = await openTestApp({ RATE_LIMIT_PER_MINUTE: "1000000" });
  api = await serve(app);
});

beforeEach(async () => {
  // All sign-ins come from one address, for which they are limited.
  await changeRateLimits(app, {}, { resetsAt: ago("1 second") });
  publisher = await createPublisher(app);
  const { tenantId } = publisher;
  a = publisher.siteId;
  await changeSites(app, { id: a }, { name: "Title A" });
  const site = { name: "Title B", url: "https://b.example" };
  b = (await createSite(app, operatorOf(tenantId), app.db, site)).siteId;
  owner = await signIn(api, ownerEmail(tenantId));
});

const root = () => `/dashboard/api/tenants/${publisher.tenantId}`;
const as = (cookie: string, method: string, path: string, body?: unknown) =>
  api.call(method, root() + path, { headers: { cookie }, body });

/** Adds a member, gives them these roles and signs them in. */
async function member(roles: Roles): Promise<{ userId: string; cookie: string }> {
  const email = `${newId()}@example.org`;
  const userId = await insertPerson(app.db, publisher.tenantId, email, "viewer");
  expect(await as(owner, "PATCH", `/members/${userId}`, roles)).toMatchObject({ status: 204 });
  return { userId, cookie: await signIn(api, email) };
}
const editorOf = (siteId: string): Roles => ({ role: null, siteRoles: [{ siteId, role: "editor" }] });
const give = (userId: string, roles: Roles) => as(owner, "PATCH", `/members/${userId}`, roles);
const siteStatus = async (cookie: string, siteId: string) => (await as(cookie, "GET", `/sites/${siteId}`)).status;
const changeStatus = async (cookie: string, siteId: string) =>
  (await as(cookie, "PATCH", `/sites/${siteId}`, { paused: false })).status;
const draft = async (siteId: string, cookie = owner): Promise<string> => {
  const body = { siteId, mode: "manual", url: "https://news.example/a", title: "T", body: "B" };
  return (await as(cookie, "POST", "/campaigns", body)).body.campaignId;
};

test("an invitation gives roles on sites, and its link names the sites", async () => {
  const invited = { email: "title.a@example.org", ...editorOf(a) };
  const { status, body } = await as(owner, "POST", "/invitations", invited);
  expect({ status, body }).toMatchObject({ status: 201, body: editorOf(a) });
  expect((await as(owner, "GET", "/members")).body.invitations).toMatchObject([editorOf(a)]);
  const { token } = body;
  const look = await api.call("POST", "/dashboard/api/invitations/look", { body: { token } });
  expect(look.body).toMatchObject({ role: null, sites: [{ name: "Title A", role: "editor" }] });
  await api.call("POST", "/dashboard/api/invitations/accept", { body: { token, password: "long enough" } });
  const cookie = await signIn(api, invited.email, "long enough");
  expect([await changeStatus(cookie, a), await siteStatus(cookie, b)]).toEqual([200, 404]);
  const { data } = (await as(owner, "GET", "/audit-log")).body;
  const told = data.filter(({ event }: { event: string }) => event.startsWith("member."));
  expect(told).toMatchObject([
    { event: "member.joined", details: { role: null, siteRoles: ["Title A: editor"] } },
    { event: "member.invited", details: { role: null, siteRoles: ["Title A: editor"] } },
  ]);
});

const refused: [string, () => object, path: string][] = [
  ["no role at all", () => ({ role: null, siteRoles: [] }), "/siteRoles"],
  ["an unknown site", () => editorOf(newId()), "/siteRoles/0"],
  ["a site twice", () => ({ siteRoles: [a, a].map((siteId) => ({ siteId, role: "viewer" })) }), "/siteRoles/1"],
  ["an owner of one site", () => ({ siteRoles: [{ siteId: a, role: "owner" }] }), "/siteRoles/0/role"],
  ["less than everywhere", () => ({ role: "editor", siteRoles: [{ siteId: a, role: "viewer" }] }), "/siteRoles/0"],
  ["the same as everywhere", () => ({ role: "viewer", siteRoles: [{ siteId: a, role: "viewer" }] }), "/siteRoles/0"],
];

test.each(refused)("a member or an invitation with %s is refused", async (_, roles, path) => {
  const { userId } = await member(editorOf(a));
  for (const [method, to, more] of [
    ["PATCH", `/members/${userId}`, {}],
    ["POST", "/invitations", { email: "refused@example.org" }],
  ] as const) {
    const answer = await as(owner, method, to, { ...more, ...roles() });
    expect(answer).toMatchObject({ status: 400, body: { errors: [{ path }] } });
  }
});

test("a site of another publisher cannot be given, and the last owner stays one", async () => {
  const { userId } = await member(editorOf(a));
  const other = await createPublisher(app);
  expect(await give(userId, editorOf(other.siteId))).toMatchObject({ status: 400 });
  const { members } = (await as(owner, "GET", "/members")).body;
  expect(await give(members[0].userId, editorOf(a))).toMatchObject({ status: 409, body: { code: "last_owner" } });
});

test("a change of roles holds from the next request on, in both directions", async () => {
  const { userId, cookie } = await member(editorOf(a));
  expect([await changeStatus(cookie, a), await changeStatus(cookie, b)]).toEqual([200, 404]);
  await give(userId, { role: "viewer", siteRoles: [{ siteId: b, role: "editor" }] });
  expect([await changeStatus(cookie, a), await changeStatus(cookie, b)]).toEqual([403, 200]);
  await give(userId, { role: null, siteRoles: [{ siteId: b, role: "viewer" }] });
  expect([await siteStatus(cookie, a), await siteStatus(cookie, b)]).toEqual([404, 200]);
  expect(await changeStatus(cookie, b)).toBe(403);
  await give(userId, { role: "editor", siteRoles: [] });
  expect([await changeStatus(cookie, a), await changeStatus(cookie, b)]).toEqual([200, 200]);
});

test("an open stream of changes ends with a change of roles on sites, and is checked again", async () => {
  const { userId, cookie } = await member(editorOf(a));
  const follow = () => fetch(`${api.url}${root()}/sites/${a}/changes`, { headers: { cookie } });
  const stream = await follow();
  expect(stream.status).toBe(200);
  await give(userId, editorOf(b));
  // Resolves only when the stream ends.
  await stream.text();
  expect((await follow()).status).toBe(404);
});

test("a member whose sites are removed keeps the account and sees no site", async () => {
  const { cookie } = await member(editorOf(b));
  await changeSites(app, { id: b }, { removedAt: new Date() });
  const start = await api.call("GET", "/dashboard/api/start", { headers: { cookie } });
  expect(start.body.tenants).toMatchObject([{ role: null, sites: [] }]);
  expect(await as(cookie, "GET", "/sites")).toMatchObject({ status: 403 });
  await sql`delete from sites where id = ${b}`.execute(app.db);
  expect((await sql`select from site_roles where site_id = ${b}`.execute(app.db)).rows).toEqual([]);
  expect(await api.call("GET", "/dashboard/api/start", { headers: { cookie } })).toMatchObject({ status: 200 });
});

test("a change of roles keeps the role on a removed site, for when it is restored", async () => {
  const { userId, cookie } = await member(editorOf(b));
  await changeSites(app, { id: b }, { removedAt: present });
  await give(userId, editorOf(a));
  await restoreSite(app, operatorOf(publisher.tenantId), { siteId: b }, async () => {});
  expect([await changeStatus(cookie, a), await changeStatus(cookie, b)]).toEqual([200, 200]);
});

test("a second person is somebody who may send at the site of the campaign", async () => {
  const onB = await member(editorOf(b));
  const campaignId = await draft(a);
  const ask = () => as(owner, "POST", `/campaigns/${campaignId}/approval-request`, {});
  expect(await ask()).toMatchObject({ status: 409, body: { code: "nobody_else" } });
  const onA = await member(editorOf(a));
  const { body } = await ask();
  const decide = (cookie: string) =>
    as(cookie, "POST", `/campaigns/${campaignId}/approval-request/approve`, { requestId: body.requestId });
  expect(await decide(onB.cookie)).toMatchObject({ status: 404 });
  expect(await decide(onA.cookie)).toMatchObject({ status: 200 });
});

test("a class of owners is refused to an editor of the site, and one of editors to its viewer", async () => {
  const { userId, cookie } = await member(editorOf(a));
  const senders = (to: string[]) => as(owner, "PATCH", `/sites/${a}`, { classes: { breaking: { senders: to } } });
  await senders(["owner"]);
  const body = { siteId: a, mode: "manual", url: "https://news.example/a", title: "T", body: "B", class: "breaking" };
  const { campaignId } = (await as(cookie, "POST", "/campaigns", body)).body;
  const send = () => as(cookie, "POST", `/campaigns/${campaignId}/send`);
  expect(await send()).toMatchObject({ status: 403, body: { code: "class_not_allowed" } });
  await senders(["owner", "editor"]);
  await give(userId, { role: "viewer", siteRoles: [{ siteId: b, role: "editor" }] });
  expect(await send()).toMatchObject({ status: 403, body: { code: "forbidden" } });
  await give(userId, editorOf(a));
  expect(await send()).toMatchObject({ status: 202 });
});

test("a send that waits for undo is refused if the role on its site goes meanwhile", async () => {
  const { userId, cookie } = await member(editorOf(a));
  const campaignId = await draft(a, cookie);
  expect(await as(cookie, "POST", `/campaigns/${campaignId}/undo-window`, {})).toMatchObject({ status: 201 });
  await give(userId, editorOf(b));
  expect((await as(cookie, "GET", "/undo-windows")).body.data).toEqual([]);
  await changePlannedSends(app, { status: "waiting" }, { startsEarlier: "10 seconds" });
  await startDueSends(app);
  expect(await as(owner, "GET", `/campaigns/${campaignId}`)).toMatchObject({ body: { status: "draft" } });
});

test("a device of an editor is told nothing once the role on its site goes", async () => {
  const { userId, cookie } = await member(editorOf(a));
  const subscription = createSubscriptions(1)[0];
  expect(await as(cookie, "POST", `/sites/${a}/editor-devices`, { subscription })).toMatchObject({ status: 201 });
  const sweep = () => app.db.transaction().execute((tx) => expireEditorDevices.sweep(tx, null));
  expect(await sweep()).toMatchObject({ removed: 0 });
  await give(userId, editorOf(b));
  expect(await sweep()).toMatchObject({ removed: 1 });
});

test("the audience at which a second person is needed is known to an editor of one site", async () => {
  const { cookie } = await member(editorOf(a));
  await subscribe(app, a, createSubscriptions(1));
  await as(owner, "PATCH", "", { confirmAbove: 7 });
  expect((await as(cookie, "GET", `/sites/${a}`)).body).toMatchObject({ confirmAbove: 7 });
  expect(await as(cookie, "GET", "")).toMatchObject({ status: 403 });
});
