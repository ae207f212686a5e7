import { sql } from "kysely";
import { beforeAll, beforeEach, expect, test } from "vitest";
import type { App } from "../../src/app.ts";
import { dashboardRoutes } from "../../src/http/dashboard-routes.ts";
import { v1Routes } from "../../src/http/server.ts";
import { type Api, openTestApp, serve } from "../fixtures/app.ts";
import { createPublisher, type Publisher } from "../fixtures/publisher.ts";
import { ago } from "../fixtures/rows/change.ts";
import { changeSessions } from "../fixtures/rows/people.ts";
import { ownerEmail, ownerPassword, signIn, signInAs } from "../fixtures/sign-in.ts";

const guarded: [method: string, path: string, body?: unknown][] = [
  ["POST", "/v1/tenants/:tenantId/api-keys", { name: "CMS" }],
  ["POST", "/dashboard/api/tenants/:tenantId/sites/:siteId/vapid-pair/export"],
  ["GET", "/dashboard/api/tenants/:tenantId/sites/:siteId/subscribers.ndjson"],
];

let app: App;
let api: Api;
let publisher: Publisher;
let cookie: string;

beforeAll(async () => {
  app = await openTestApp();
  api = await serve(app);
  publisher = await createPublisher(app);
});

beforeEach(async () => {
  cookie = await signIn(api, ownerEmail(publisher.tenantId));
});

const pathOf = (path: string) => path.replace(":tenantId", publisher.tenantId).replace(":siteId", publisher.siteId);
const ageSessions = (minutes: number) => changeSessions(app, {}, { authenticatedAt: ago(`${minutes} minutes`) });
const confirm = (password: string) =>
  api.call("POST", "/dashboard/api/auth/confirm", { headers: { cookie }, body: { password } });

/** Reads no body: a file is not JSON. */
async function statusOf([method, path, body]: (typeof guarded)[number], as = cookie): Promise<[number, string]> {
  const answer = await fetch(api.url + pathOf(path), {
    method,
    headers: { cookie: as, ...(body === undefined ? {} : { "content-type": "application/json" }) },
    body: body === undefined ? null : JSON.stringify(body),
  });
  return [answer.status, /"code":"(\w+)"/.exec(await answer.text())?.[1] ?? ""];
}

test("exports of readers and keys, and new API keys, are what needs a recent sign-in", () => {
  const all = [...v1Routes, ...dashboardRoutes(v1Routes)].filter(({ needsRecentSignIn }) => needsRecentSignIn);
  expect(all.map(({ method, path }) => `${method} ${path}`)).toEqual(
    guarded.map(([method, path]) => `${method} ${path}`),
  );
});

test.each(guarded)(
  "%s %s is refused ten minutes after the sign-in, until the password is given again",
  async (...route) => {
    await ageSessions(9);
    expect((await statusOf(route))[0]).toBeLessThan(300);
    await ageSessions(11);
    expect(await statusOf(route)).toEqual([403, "reauthentication_required"]);
    expect(await confirm("not the one")).toMatchObject({ status: 400, body: { errors: [{ path: "/password" }] } });
    expect(await statusOf(route)).toEqual([403, "reauthentication_required"]);
    expect((await confirm(ownerPassword)).status).toBe(200);
    expect((await statusOf(route))[0]).toBeLessThan(300);
  },
);

test("a refused export leaves no audit event of an export", async () => {
  const exports = sql`select from audit_events where event like '%.exported'`;
  const before = (await exports.execute(app.db)).rows.length;
  await ageSessions(11);
  for (const route of guarded) await statusOf(route);
  expect((await exports.execute(app.db)).rows).toHaveLength(before);
});

test("a person without the role is told that, and not to give their password", async () => {
  const editor = await signInAs(app, api, publisher.tenantId, "editor");
  await ageSessions(11);
  for (const route of guarded) expect(await statusOf(route, editor)).toEqual([403, "forbidden"]);
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

// Keep this test last: afterwards the account is over its limit.
test("guesses of the password are limited as at the sign-in", async () => {
  const statuses: number[] = [];
  for (let i = 0; i < 11; i++) statuses.push((await confirm(`guess ${i}`)).status);
  expect(statuses.at(-1)).toBe(429);
  expect((await confirm(ownerPassword)).status).toBe(429);
});
