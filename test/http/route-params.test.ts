import { expect, expectTypeOf, test } from "vitest";
import type { App } from "../../src/app.ts";
import { type Call, type ParamsOf, readersRoutes, routes } from "../../src/route.ts";

const tenant = "/tenants/:tenantId";
const get = { method: "GET", access: "viewer", needsRecentSignIn: false, body: "none" } as const;
const read = { method: "GET", access: "public", limit: "read" } as const;
const replyWith = async (body: string) => ({ status: 200, body });
const feedOfSite = (_app: App, { params }: Call<{ siteId: string; feedId: string }>) =>
  replyWith(params.siteId + params.feedId);

// The compiler makes most of these comparisons (`npm run check`).
test("the parameters of a route are those that its path names", () => {
  expectTypeOf<ParamsOf<"/sites">>().toEqualTypeOf<Record<never, string>>();
  expectTypeOf<ParamsOf<"/runs/:runId/report.csv">>().toEqualTypeOf<{ runId: string }>();
  expectTypeOf<ParamsOf<"/sites/:siteId/feeds/:feedId">>().toEqualTypeOf<{ siteId: string; feedId: string }>();
  expectTypeOf<ParamsOf<string>>().toEqualTypeOf<Record<string, string>>();
});

test("a route that reads a parameter of another path does not compile", () => {
  const list = routes([
    { ...get, path: `${tenant}/runs/:runId`, answer: (_app, { params }) => replyWith(params.runId) },
    // @ts-expect-error: the path has no run.
    { ...get, path: `${tenant}/sites/:siteId`, answer: (_app, { params }) => replyWith(params.runId) },
    { ...get, path: `${tenant}/sites/:siteId/feeds/:feedId`, answer: feedOfSite },
    // @ts-expect-error: the path has a site and no feed.
    { ...get, path: `${tenant}/sites/:siteId`, answer: feedOfSite },
  ]);
  expect(list[0]!.path).toBe("/tenants/:tenantId/runs/:runId");
});

test("a route for readers that reads a parameter of another path does not compile", () => {
  const list = readersRoutes([
    { ...read, path: "/sdk/click/:token", answer: (_app, { params }) => replyWith(params.token) },
    // @ts-expect-error: the path has no site.
    { ...read, path: "/sdk/click/:token", answer: (_app, { params }) => replyWith(params.siteId) },
  ]);
  expect(list[0]!.path).toBe("/sdk/click/:token");
});
