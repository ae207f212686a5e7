import { beforeAll, expect, test } from "vitest";
import type { App } from "../../src/app.ts";
import { type Api, openTestApp, serve } from "../fixtures/app.ts";
import { createPublisher } from "../fixtures/publisher.ts";
import { ownerEmail, signIn } from "../fixtures/sign-in.ts";
import { createFullTenant, hashDatabase, type Ids, mark } from "../http/two-tenants.ts";
import { requestOf, routes } from "./routes.ts";

let app: App;
let api: Api;
let theirs: Ids;
let deviceId: string;
let mine: { tenantId: string; siteId: string };
let cookie: string;

beforeAll(async () => {
  app = await openTestApp({ RATE_LIMIT_PER_MINUTE: "1000000", FETCH_RATE_LIMIT_PER_MINUTE: "1000000" });
  api = await serve(app);
  const furnished = await createFullTenant(app, api);
  theirs = furnished.ids;
  // Devices have numbers, which are not unique across tenants.
  deviceId = furnished.deviceId;
  mine = await createPublisher(app);
  cookie = await signIn(api, ownerEmail(mine.tenantId));
});

/** Routes whose path has no id except the tenant's. The site's id is in the body. */
const byBody = routes.filter(
  ({ path }) => /\/(content\/preview|campaigns|campaign-groups)$/.test(path) && !path.includes(".csv"),
);
const byPath = routes.filter(({ path }) => /:(?!tenantId)/.test(path));

test.each(byPath.map((route) => [`${route.method} ${route.path}`, route] as const))(
  "%s with an id of another tenant answers 404, and changes nothing",
  async (_, route) => {
    const before = await hashDatabase(app);
    const ids = { ...theirs, deviceId, tenantId: mine.tenantId };
    const { path, body } = requestOf(route, ids);
    const answer = await api.call(route.method, path, { body, headers: { cookie } });
    expect(answer).toMatchObject({ status: 404, body: { code: "not_found" } });
    expect(JSON.stringify(answer.body)).not.toContain(mark);
    expect(await hashDatabase(app)).toBe(before);
  },
);

test.each(
  byBody.filter(({ method }) => method === "POST").map((route) => [`${route.method} ${route.path}`, route] as const),
)("%s refuses another tenant's site in its body like an unknown one", async (_, route) => {
  const before = await hashDatabase(app);
  const { path, body } = requestOf(route, { ...theirs, tenantId: mine.tenantId });
  const answer = await api.call(route.method, path, { body, headers: { cookie } });
  expect(answer.status).toBe(400);
  const faults = answer.body.errors.map(({ path: at }: { path: string }) => at.replace(/^\/sites\/\d+/, ""));
  expect(new Set(faults)).toEqual(new Set(["/siteId"]));
  expect(await hashDatabase(app)).toBe(before);
});

test("lists and files contain nothing of another tenant, even when it is searched for", async () => {
  const root = `/dashboard/api/tenants/${mine.tenantId}`;
  const list = await api.call("GET", `${root}/campaigns?search=${mark}`, { headers: { cookie } });
  expect(list.body.data).toEqual([]);
  const refused = await api.call("GET", `${root}/campaigns?siteId=${theirs.siteId}`, { headers: { cookie } });
  expect(refused.status).toBe(400);
  const file = await fetch(`${api.url}${root}/campaigns.csv`, { headers: { cookie } });
  expect(await file.text()).not.toContain(mark);
  const start = await api.call("GET", "/dashboard/api/start", { headers: { cookie } });
  expect(JSON.stringify(start.body)).not.toContain(mark);
});
