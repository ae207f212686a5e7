import { beforeAll, describe, expect, test } from "vitest";
import type { App } from "../../src/app.ts";
import { v1Routes } from "../../src/http/server.ts";
import { type Api, openTestApp, serve } from "../fixtures/app.ts";
import { createPublisher, type Publisher } from "../fixtures/publisher.ts";
import { ownerEmail, signIn } from "../fixtures/sign-in.ts";
import { createFullTenant, createUnknownIds, hashDatabase, type Ids, mark } from "./two-tenants.ts";

/** The tenant and site of the caller ("mine"). */
type Mine = { tenantId: string; siteId: string };

/**
 * A request of the caller with an id of another tenant (`theirs`), and its refusal. `path` fills in the route's
 * pattern.
 */
type Attempt = {
  why: string;
  path(mine: Mine, theirs: Ids): string;
  body?(mine: Mine, theirs: Ids): unknown;
  headers?: Record<string, string>;
  refusal: { status: number; body: object };
};

const mismatch = { status: 403, body: { code: "tenant_mismatch" } };
const forbidden = { status: 403, body: { code: "forbidden" } };
const missing = { status: 404, body: { code: "not_found" } };
const wrong = (path: string) => ({ status: 400, body: { code: "validation_failed", errors: [{ path }] } });

const manual = { mode: "manual", url: "https://news.example/a", title: "T", body: "B" };
const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString();

const theirCampaign = (rest: string, more: Partial<Attempt> = {}): Attempt => ({
  why: "their campaign",
  path: (_, theirs) => `/v1/campaigns/${theirs.campaignId}${rest}`,
  refusal: missing,
  ...more,
});
const theirGroup = (rest: string): Attempt => ({
  why: "their group",
  path: (_, theirs) => `/v1/campaign-groups/${theirs.groupId}${rest}`,
  refusal: missing,
});
const theirRun = (rest: string): Attempt => ({
  why: "their run",
  path: (_, theirs) => `/v1/runs/${theirs.runId}${rest}`,
  refusal: missing,
});
const theirTenant = (rest: string, more: Partial<Attempt> = {}): Attempt => ({
  why: "their tenant",
  path: (_, theirs) => `/v1/tenants/${theirs.tenantId}${rest}`,
  refusal: mismatch,
  ...more,
});
const theirSite = (rest: string): Attempt[] => [
  {
    why: "their site",
    path: (_, theirs) => `/v1/tenants/${theirs.tenantId}/sites/${theirs.siteId}${rest}`,
    refusal: mismatch,
  },
  {
    why: "their site, in mine",
    path: (mine, theirs) => `/v1/tenants/${mine.tenantId}/sites/${theirs.siteId}${rest}`,
    refusal: missing,
  },
];
const myTenant = (why: string, rest: string, refusal: Attempt["refusal"], body?: Attempt["body"]): Attempt => ({
  why,
  path: (mine) => `/v1/tenants/${mine.tenantId}${rest}`,
  body,
  refusal,
});

/** Every route of /v1, with each place in path, query, headers or body that can hold an id of another tenant. */
const matrix: Record<string, Attempt[]> = {
  "GET /v1/tenants/:tenantId/api-keys": [theirTenant("/api-keys", { refusal: forbidden })],
  "POST /v1/tenants/:tenantId/api-keys": [
    theirTenant("/api-keys", { body: () => ({ name: "x" }), refusal: forbidden }),
  ],
  "DELETE /v1/tenants/:tenantId/api-keys/:keyId": [
    {
      why: "their key in their tenant",
      path: (_, theirs) => `/v1/tenants/${theirs.tenantId}/api-keys/${theirs.keyId}`,
      refusal: forbidden,
    },
    {
      why: "their key in my tenant",
      path: (mine, theirs) => `/v1/tenants/${mine.tenantId}/api-keys/${theirs.keyId}`,
      refusal: missing,
    },
  ],
  "POST /v1/content/preview": [
    {
      why: "their tenant",
      path: () => "/v1/content/preview",
      body: (_, { tenantId }) => ({ url: "https://news.example/a", tenantId }),
      refusal: mismatch,
    },
    {
      why: "their site",
      path: () => "/v1/content/preview",
      body: (_, { siteId }) => ({ url: "https://news.example/a", siteId }),
      refusal: wrong("/siteId"),
    },
    {
      why: "their site, as my tenant's",
      path: () => "/v1/content/preview",
      body: ({ tenantId }, { siteId }) => ({ url: "https://news.example/a", siteId, tenantId }),
      refusal: wrong("/siteId"),
    },
  ],
  "POST /v1/tenants/:tenantId/campaigns": [
    theirTenant("/campaigns", { body: (_, { siteId }) => ({ ...manual, siteId }) }),
    myTenant("their site", "/campaigns", wrong("/siteId"), (_, { siteId }) => ({ ...manual, siteId })),
    myTenant("their topic", "/campaigns", wrong("/topicIds/0"), ({ siteId }, { topicId }) => ({
      ...manual,
      siteId,
      topicIds: [topicId],
    })),
  ],
  "GET /v1/tenants/:tenantId/campaigns": [
    theirTenant("/campaigns"),
    {
      why: "their site in the query",
      path: (mine, theirs) => `/v1/tenants/${mine.tenantId}/campaigns?siteId=${theirs.siteId}`,
      refusal: wrong("/siteId"),
    },
    myTenant("their externalId", `/campaigns?externalId=${mark}`, { status: 200, body: { data: [] } }),
  ],
  "GET /v1/campaigns/:campaignId": [theirCampaign("")],
  "PATCH /v1/campaigns/:campaignId": [theirCampaign("", { body: () => ({ title: "Mine" }) })],
  "POST /v1/campaigns/:campaignId/send": [
    theirCampaign("/send"),
    theirCampaign("/send", { why: "their campaign with their Idempotency-Key", headers: { "idempotency-key": mark } }),
  ],
  "POST /v1/campaigns/:campaignId/test": [theirCampaign("/test")],
  "GET /v1/campaigns/:campaignId/updates": [theirCampaign("/updates")],
  "POST /v1/campaigns/:campaignId/updates": [theirCampaign("/updates", { body: () => ({ title: "T" }) })],
  "POST /v1/campaigns/:campaignId/schedule": [theirCampaign("/schedule", { body: () => ({ scheduleAt: inAnHour() }) })],
  "POST /v1/campaigns/:campaignId/cancel": [theirCampaign("/cancel")],
  "POST /v1/tenants/:tenantId/campaign-groups": [
    theirTenant("/campaign-groups", { body: (_, { siteId }) => ({ ...manual, sites: [{ siteId }] }) }),
    myTenant("their site", "/campaign-groups", wrong("/sites/1/siteId"), (mine, { siteId }) => ({
      ...manual,
      sites: [{ siteId: mine.siteId }, { siteId }],
    })),
  ],
  "GET /v1/campaign-groups/:groupId": [theirGroup("")],
  "POST /v1/campaign-groups/:groupId/send": [theirGroup("/send")],
  "POST /v1/campaign-groups/:groupId/stop": [theirGroup("/stop")],
  "GET /v1/runs/:runId": [theirRun("")],
  "POST /v1/runs/:runId/stop": [theirRun("/stop")],
  "GET /v1/tenants/:tenantId/sites": [theirTenant("/sites")],
  "GET /v1/tenants/:tenantId/runs": [theirTenant("/runs")],
  "GET /v1/tenants/:tenantId/sites/:siteId/subscribers/summary": theirSite(
    "/subscribers/summary?from=2026-01-01&to=2026-01-02",
  ),
  "GET /v1/tenants/:tenantId/sites/:siteId/figures": theirSite("/figures?from=2026-01-01&to=2026-01-02&by=day"),
  "GET /v1/tenants/:tenantId/sites/:siteId/holdouts": theirSite("/holdouts"),
  "GET /v1/tenants/:tenantId/sites/:siteId/follows": theirSite("/follows"),
  "DELETE /v1/tenants/:tenantId/sites/:siteId/follows": theirSite("/follows?key=election"),
};

const nameOf = (route: { method: string; path: string }) => `${route.method} ${route.path}`;

let app: App;
let api: Api;
let mine: Publisher;
let cookie: string;
let theirs: Ids;

beforeAll(async () => {
  app = await openTestApp();
  api = await serve(app);
  mine = await createPublisher(app);
  cookie = await signIn(api, ownerEmail(mine.tenantId));
  theirs = (await createFullTenant(app, api)).ids;
});

test("the matrix has every route of /v1 and no other: a new route needs a row here", () => {
  expect(Object.keys(matrix).sort()).toEqual(v1Routes.map(nameOf).sort());
});

test("the other tenant has an id of every kind", async () => {
  for (const id of Object.values(theirs)) expect(id).toMatch(/^[\da-f-]{36}$/);
});

describe.each(v1Routes)("$method $path with another tenant's ids", (route) => {
  const attempt = ({ path, body, headers }: Attempt, ids: Ids) =>
    api.call(route.method, path(mine, ids), {
      body: body?.(mine, ids),
      ...(route.access === "key" ? { key: mine.apiKey, headers: { ...headers } } : { headers: { cookie, ...headers } }),
    });

  test.each(matrix[nameOf(route)] ?? [])("$why: refused as if it did not exist, and nothing changes", async (one) => {
    const before = await hashDatabase(app);
    const answer = await attempt(one, theirs);
    expect(answer).toMatchObject(one.refusal);
    const text = JSON.stringify([answer.body, [...answer.headers]]);
    for (const secret of [mark, ...Object.values(theirs)]) expect(text).not.toContain(secret);
    expect(await hashDatabase(app)).toBe(before);

    const unknown = await attempt(one, createUnknownIds());
    expect({ ...unknown.body, requestId: "" }).toEqual({ ...answer.body, requestId: "" });
    expect(unknown.status).toBe(answer.status);
  });
});
