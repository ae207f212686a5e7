import { beforeAll, describe, expect, test } from "vitest";
import { type Role, roleReaches } from "../../src/access/roles.ts";
import type { App } from "../../src/app.ts";
import { type Api, openTestApp, serve } from "../fixtures/app.ts";
import { deleteSubscribers } from "../fixtures/rows/subscribers.ts";
import { ownerEmail, signIn, signInAs } from "../fixtures/sign-in.ts";
import { createFullTenant, createUnknownIds, hashDatabase, type Ids, mark } from "../http/two-tenants.ts";
import { requestOf, routes } from "./routes.ts";

const limits = { RATE_LIMIT_PER_MINUTE: "1000000", FETCH_RATE_LIMIT_PER_MINUTE: "1000000" };
const roles: Role[] = ["viewer", "editor", "owner"];

let app: App;
let api: Api;
let ids: Ids;
let key: string;
const cookies = {} as Record<Role | "stranger", string>;

beforeAll(async () => {
  app = await openTestApp(limits);
  api = await serve(app);
  const furnished = await createFullTenant(app, api);
  ids = furnished.ids;
  key = furnished.publisher.apiKey;
  // A test send would wait 15 s for its devices, because nothing delivers here.
  await deleteSubscribers(app, { siteId: ids.siteId, isTest: true });
  for (const role of roles) cookies[role] = await signInAs(app, api, ids.tenantId, role);
  const stranger = await createFullTenant(app, api);
  cookies.stranger = await signIn(api, ownerEmail(stranger.ids.tenantId));
});

const named = routes.map((route) => ({ name: `${route.method} ${route.path.slice("/dashboard/api".length)}`, route }));

describe.each(named)("$name", ({ route }) => {
  const call = (as: Record<string, string>, of: Ids = ids) => {
    const { path, body } = requestOf(route, of);
    return api.call(route.method, path, { body, headers: as });
  };

  test("is refused without a session, also with an API key", async () => {
    expect((await call({})).status).toBe(401);
    expect((await call({ authorization: `Bearer ${key}` })).status).toBe(401);
    expect((await call({ cookie: "pressbell.session_token=forged.forged" })).status).toBe(401);
  });

  test("is refused to a user who is no member, whether the tenant exists or not", async () => {
    const refused = await call({ cookie: cookies.stranger });
    expect(refused).toMatchObject({ status: 403, body: { code: "forbidden" } });
    expect(JSON.stringify(refused.body)).not.toContain(mark);
    const unknown = await call({ cookie: cookies.stranger }, createUnknownIds());
    expect({ ...unknown.body, requestId: "" }).toEqual({ ...refused.body, requestId: "" });
  });

  test.each(roles)("is answered to a member whose role allows it: %s", async (role) => {
    const { path, body } = requestOf(route, ids);
    const answer = await fetch(api.url + path, {
      method: route.method,
      headers: { cookie: cookies[role], ...(body === undefined ? {} : { "content-type": "application/json" }) },
      body: body === undefined ? null : JSON.stringify(body),
    });
    if (roleReaches(role, route.access as Role)) expect([200, 201, 202, 204, 404, 409]).toContain(answer.status);
    else expect(await answer.json()).toMatchObject({ code: "forbidden" });
    // A stream stays open as long as its run is not finished.
    await answer.body?.cancel().catch(() => {});
  });
});

/** What the refused requests below must not change. */
let unchanged: string | undefined;

describe.each(named.filter(({ route }) => route.method !== "GET"))("$name", ({ route }) => {
  test("is refused when another website sends it (CSRF), and changes nothing", async () => {
    unchanged ??= await hashDatabase(app);
    const { path, body } = requestOf(route, ids);
    const foreign: Record<string, string>[] = [
      { origin: "https://evil.example" },
      { origin: "null" },
      { "sec-fetch-site": "cross-site" },
      { "sec-fetch-site": "same-site" },
    ];
    for (const headers of foreign) {
      const refused = await api.call(route.method, path, { body, headers: { cookie: cookies.owner, ...headers } });
      expect(refused).toMatchObject({ status: 403, body: { code: "csrf_failed" } });
    }
    expect(await hashDatabase(app)).toBe(unchanged);
  });
});

test("a member who is removed, or gets a lower role, is refused from the next request on", async () => {
  const cookie = await signInAs(app, api, ids.tenantId, "editor");
  const { body: list } = await api.call("GET", `/dashboard/api/tenants/${ids.tenantId}/members`, {
    headers: { cookie: cookies.owner },
  });
  const { userId } = list.members.at(-1);
  const member = `/dashboard/api/tenants/${ids.tenantId}/members/${userId}`;
  const stop = () =>
    api.call("POST", `/dashboard/api/tenants/${ids.tenantId}/runs/${ids.runId}/stop`, { headers: { cookie } });
  expect((await stop()).status).toBe(200);
  await api.call("PATCH", member, { headers: { cookie: cookies.owner }, body: { role: "viewer" } });
  expect((await stop()).status).toBe(403);
  expect((await api.call("DELETE", member, { headers: { cookie: cookies.owner } })).status).toBe(204);
  const read = await api.call("GET", `/dashboard/api/tenants/${ids.tenantId}`, { headers: { cookie } });
  expect(read.status).toBe(401);
});
