import { sql } from "kysely";
import { beforeAll, beforeEach, expect, test } from "vitest";
import type { App } from "../../src/app.ts";
import { addFeed } from "../../src/feeds/change-feeds.ts";
import { accountRoutes } from "../../src/http/account-routes.ts";
import { dashboardRoutes } from "../../src/http/dashboard-routes.ts";
import { v1Routes } from "../../src/http/server.ts";
import { newId } from "../../src/ids.ts";
import { addRecurringSend } from "../../src/recurring-sends/change-recurring-sends.ts";
import { writeVapidFile } from "../../src/tenants/vapid/vapid-file.ts";
import { generateVapidPair } from "../../src/tenants/vapid/vapid-pair.ts";
import { type Api, openTestApp, serve } from "../fixtures/app.ts";
import { createPublisher, type Publisher } from "../fixtures/publisher.ts";
import { ago } from "../fixtures/rows/change.ts";
import { changeRateLimits, changeSessions } from "../fixtures/rows/people.ts";
import { insertPerson, ownerEmail, ownerPassword, signIn, signInAs } from "../fixtures/sign-in.ts";
import { hashDatabase } from "../http/two-tenants.ts";

const root = "/dashboard/api/tenants/:tenantId";
const feed = { url: "https://news.example/rss.xml" };
const email = "new-owner@example.org";
const vapidPair = JSON.stringify(writeVapidFile(generateVapidPair()));

/** Every route that reveals a secret or gives lasting power, each with a body for which it does so. */
const guarded: [method: string, path: string, body?: unknown][] = [
  ["POST", "/v1/tenants/:tenantId/api-keys", { name: "CMS" }],
  ["PATCH", `${root}/members/:userId`, { role: "owner" }],
  ["DELETE", `${root}/members/:userId`],
  ["POST", `${root}/members/:userId/password-link`],
  ["POST", `${root}/invitations`, { email, role: "owner" }],
  ["POST", `${root}/sites/:siteId/vapid-pair`, { vapidPair }],
  ["POST", `${root}/sites/:siteId/vapid-pair/export`],
  ["POST", `${root}/sites/:siteId/feeds`, feed],
  ["PATCH", `${root}/feeds/:feedId`, { override: true }],
  ["POST", `${root}/sites/:siteId/recurring-sends`, { days: [1], time: "07:00", feedId: ":feedId" }],
  ["PATCH", `${root}/sites/:siteId/recurring-sends/:recurringSendId`, { time: "08:00" }],
  ["PATCH", root, { confirmAbove: null }],
  ["PATCH", `${root}/sites/:siteId`, { origins: ["https://evil.example"] }],
  ["GET", `${root}/sites/:siteId/subscribers.ndjson`],
];

/** Routes for owners that give no power. Their effects end with the session, or they take power away. */
const withoutPower = [
  "GET /v1/tenants/:tenantId/api-keys",
  "DELETE /v1/tenants/:tenantId/api-keys/:keyId",
  `DELETE ${root}/invitations/:invitationId`,
  `POST ${root}/sites/:siteId/subscribers`,
  `POST ${root}/sites/:siteId/subscribers/preview`,
  `GET ${root}/sites/:siteId/registrations`,
  `POST ${root}/sites/:siteId/registrations/delete`,
  `GET ${root}/sites/:siteId/refused-subscribers`,
  `DELETE ${root}/sites/:siteId/refused-subscribers`,
  `GET ${root}/audit-log`,
  `GET ${root}/audit-log/people`,
  `POST ${root}/sites`,
  `GET ${root}/sites/:siteId/unseen-subscribers`,
  `PATCH ${root}/sites/:siteId/drill`,
  `POST ${root}/sites/:siteId/drill/run`,
];

/** Routes that decide by the body, with a body and whether it needs a recent sign-in. */
const byBody: [path: string, body: unknown, asks: boolean][] = [
  [root, { confirmAbove: 0, paused: true }, true],
  [root, { paused: true }, false],
  [root, { name: "News" }, false],
  [root, [], false],
  [`${root}/sites/:siteId`, { origins: [], paused: true }, true],
  [`${root}/sites/:siteId`, { paused: true }, false],
  [`${root}/sites/:siteId`, { dormantMonths: 12 }, false],
  [`${root}/feeds/:feedId`, feed, true],
  [`${root}/feeds/:feedId`, { enabled: true }, true],
  [`${root}/feeds/:feedId`, { suggest: false }, true],
  [`${root}/feeds/:feedId`, { allowedHosts: ["evil.example"] }, true],
  [`${root}/feeds/:feedId`, { enabled: false }, false],
  [`${root}/feeds/:feedId`, { override: false, suggest: true }, false],
  [`${root}/sites/:siteId/recurring-sends/:recurringSendId`, { enabled: true }, true],
  [`${root}/sites/:siteId/recurring-sends/:recurringSendId`, { enabled: false, days: [1] }, true],
  [`${root}/sites/:siteId/recurring-sends/:recurringSendId`, { enabled: false }, false],
];

/**
 * The guarded routes of one's own account. All other account routes prove who the person is, need no session, or only
 * end one.
 */
const guardedOfAccount = [
  "POST /dashboard/api/auth/second-factor/begin",
  "POST /dashboard/api/auth/second-factor/confirm",
  "POST /dashboard/api/auth/second-factor/remove",
  "POST /dashboard/api/auth/passkeys/begin",
  "POST /dashboard/api/auth/passkeys/add",
  "POST /dashboard/api/auth/passkeys/remove",
  "POST /dashboard/api/auth/delete-account",
  "GET /dashboard/api/auth/recent",
];

let app: App;
let api: Api;
let publisher: Publisher;
let cookie: string;
let ids: Record<string, string>;

beforeAll(async () => {
  app = await openTestApp();
  api = await serve(app);
  publisher = await createPublisher(app);
});

beforeEach(async () => {
  const { tenantId, siteId } = publisher;
  await changeRateLimits(app, {}, { resetsAt: ago("1 second") });
  const userId = await insertPerson(app.db, tenantId, `${newId()}@example.org`, "editor");
  await sql`delete from feeds`.execute(app.db);
  const { feedId } = await addFeed(
    app,
    { kind: "operator", tenantId },
    { siteId, url: "https://news.example/old.xml" },
  );
  const body = { days: [1], time: "07:00", feedId };
  const { recurringSendId } = await addRecurringSend(app, { kind: "operator", tenantId }, { siteId, body });
  ids = { tenantId, siteId, userId, feedId, recurringSendId };
  cookie = await signIn(api, ownerEmail(publisher.tenantId));
});

const pathOf = (path: string) => path.replace(/:(\w+)/g, (_, name: string) => ids[name]!);
const allRoutes = [...v1Routes, ...dashboardRoutes(v1Routes)];
const named = (routes: { method: string; path: string }[]) => routes.map(({ method, path }) => `${method} ${path}`);
const ageSessions = (minutes: number) => changeSessions(app, {}, { authenticatedAt: ago(`${minutes} minutes`) });
const confirm = (password: string) =>
  api.call("POST", "/dashboard/api/auth/confirm", { headers: { cookie }, body: { password } });

/** Returns the status of an answer and its code. It does not parse the body, because a file is not JSON. */
async function statusOf([method, path, body]: (typeof guarded)[number], as = cookie): Promise<[number, string]> {
  const answer = await fetch(api.url + pathOf(path), {
    method,
    headers: { cookie: as, ...(body === undefined ? {} : { "content-type": "application/json" }) },
    body: body === undefined ? null : JSON.stringify(body).replace(":feedId", ids.feedId!),
  });
  return [answer.status, /"code":"(\w+)"/.exec(await answer.text())?.[1] ?? ""];
}

test("every route that asks for a recent sign-in is in the list above", () => {
  const asks = allRoutes.filter(({ needsRecentSignIn }) => needsRecentSignIn !== false);
  expect(named(asks).toSorted()).toEqual(guarded.map(([method, path]) => `${method} ${path}`).toSorted());
  const ofAccount = accountRoutes.filter(({ needsRecentSignIn }) => needsRecentSignIn);
  expect(named(ofAccount).toSorted()).toEqual(guardedOfAccount.toSorted());
});

test("every other route that only owners may use is known to give no power", () => {
  const others = allRoutes.filter(
    ({ access, needsRecentSignIn }) => /owner/i.test(access) && needsRecentSignIn === false,
  );
  expect(named(others).toSorted()).toEqual(withoutPower.toSorted());
});

test.each(guarded)(
  "%s %s is refused ten minutes after the sign-in, until the password is given again",
  async (...route) => {
    await ageSessions(11);
    const before = await hashDatabase(app);
    expect(await statusOf(route)).toEqual([403, "reauthentication_required"]);
    expect(await hashDatabase(app)).toBe(before);
    expect(await confirm("not the one")).toMatchObject({ status: 400, body: { errors: [{ path: "/password" }] } });
    expect(await statusOf(route)).toEqual([403, "reauthentication_required"]);
    expect((await confirm(ownerPassword)).status).toBe(200);
    await ageSessions(9);
    expect((await statusOf(route))[0]).toBeLessThan(300);
  },
);

test.each(byBody)("PATCH %s with %j asks for a recent sign-in: %s", async (path, body, asks) => {
  await ageSessions(11);
  const [, code] = await statusOf(["PATCH", path, body]);
  expect(code === "reauthentication_required").toBe(asks);
});

test.each(guardedOfAccount)("%s is refused to an old sign-in, and to nobody signed in", async (route) => {
  const [method, path] = route.split(" ") as [string, string];
  const body = method === "GET" ? undefined : {};
  // The test uses a new person, because one of the routes deletes the account.
  const own = await signInAs(app, api, publisher.tenantId, "editor");
  await ageSessions(11);
  expect(await statusOf([method, path, body], own)).toEqual([403, "reauthentication_required"]);
  expect((await statusOf([method, path, body], ""))[0]).toBe(401);
  await ageSessions(9);
  expect((await statusOf([method, path, body], own))[1]).not.toBe("reauthentication_required");
});

test("an API key needs no recent sign-in for what keys may do", async () => {
  const headers = { authorization: `Bearer ${publisher.apiKey}` };
  expect((await api.call("GET", pathOf("/v1/tenants/:tenantId/sites"), { headers })).status).toBe(200);
});

test("a person without the role is told that, and not to give their password", async () => {
  const viewer = await signInAs(app, api, publisher.tenantId, "viewer");
  await ageSessions(11);
  for (const route of guarded) expect(await statusOf(route, viewer)).toEqual([403, "forbidden"]);
});

test("the password confirms this session only, and nobody who is signed out", async () => {
  const other = await signIn(api, ownerEmail(publisher.tenantId));
  await ageSessions(11);
  expect((await confirm(ownerPassword)).status).toBe(200);
  const recent = (as: string) => api.call("GET", "/dashboard/api/auth/recent", { headers: { cookie: as } });
  expect((await recent(cookie)).status).toBe(200);
  expect(await recent(other)).toMatchObject({ status: 403, body: { code: "reauthentication_required" } });
  expect((await recent("")).status).toBe(401);
  cookie = "";
  expect((await confirm(ownerPassword)).status).toBe(401);
});

// Keep this test last, because the account is over its limit afterwards.
test("guesses of the password are limited as at the sign-in", async () => {
  const statuses: number[] = [];
  for (let i = 0; i < 11; i++) statuses.push((await confirm(`guess ${i}`)).status);
  expect(statuses.at(-1)).toBe(429);
  expect((await confirm(ownerPassword)).status).toBe(429);
});
