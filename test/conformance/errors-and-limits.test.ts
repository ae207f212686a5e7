import { beforeAll, describe, expect, test } from "vitest";
import { changeSite } from "../../src/tenants/sites/sites.ts";
import { changeTenant } from "../../src/tenants/tenants.ts";
import { campaignFixtureOf, inSeconds } from "../campaigns/fixture.ts";
import { type Answer, serve } from "../fixtures/app.ts";
import { createPublisher, createSubscriptions, subscribe } from "../fixtures/publisher.ts";
import { type ConformanceFixture, openConformanceFixture, withSettings } from "./fixture.ts";

let fixture: ConformanceFixture;
beforeAll(async () => {
  fixture = await openConformanceFixture({ PLANS: JSON.stringify({ unlimited: {}, free: { audienceCap: 0 } }) });
});

/** Checks an error answer: status, code, a message that is a sentence, and the same request id in body and header. */
function expectError(answer: Answer, status: number, code: string | undefined): void {
  expect(answer.status).toBe(status);
  expect(answer.headers.get("content-type")).toMatch(/^application\/json/);
  expect(answer.body.code).toBe(code);
  expect(answer.body.message).toMatch(/\.$/);
  expect(answer.body.requestId).toBe(answer.headers.get("x-request-id"));
}

/** The section "Errors" of the specification, with one test for each row. */
describe("errors", () => {
  const fixtureFor = async (options: Parameters<typeof createPublisher>[1] = {}) =>
    campaignFixtureOf(fixture.app, fixture.api, await createPublisher(fixture.app, options));

  test("401 without a code: the API key is missing or invalid", async () => {
    const path = `/v1/tenants/${fixture.publisher.tenantId}/campaigns`;
    expectError(await fixture.api.call("POST", path, { body: {} }), 401, undefined);
    expectError(await fixture.api.call("POST", path, { key: "wrong", body: {} }), 401, undefined);
  });

  test("402 billing: the plan's audience cap blocks the live send", async () => {
    const own = await fixtureFor({ plan: "free" });
    await subscribe(fixture.app, own.publisher.siteId, createSubscriptions(1));
    expectError(await own.post(await own.draft(), "send"), 402, "billing");
  });

  test("403 dpa_required: the DPA has not been accepted for the live send", async () => {
    const own = await fixtureFor({ dpaAccepted: false });
    expectError(await own.post(await own.draft(), "send"), 403, "dpa_required");
  });

  test("409 illegal_transition: the campaign's status is not sendable", async () => {
    const { campaignId } = await fixture.campaignThatIs("cancelled");
    expectError(await fixture.post(campaignId, "send"), 409, "illegal_transition");
  });

  test("423 send_paused: a pause is on for the site, or for the tenant", async () => {
    const own = await fixtureFor();
    const campaignId = await own.draft();
    await changeSite(fixture.app, own.publisher.actor, { siteId: own.publisher.siteId, paused: true });
    expectError(await own.post(campaignId, "send"), 423, "send_paused");
    await changeSite(fixture.app, own.publisher.actor, { siteId: own.publisher.siteId, paused: false });
    await changeTenant(fixture.app, own.publisher.actor, { paused: true });
    expectError(await own.post(campaignId, "send"), 423, "send_paused");
  });

  test("a bad url or scheduleAt, or an oversize title or body, is 400 validation_failed", async () => {
    expectError(await fixture.create({ url: "x" }), 400, "validation_failed");
    expectError(await fixture.create({ title: "x".repeat(121) }), 400, "validation_failed");
    expectError(await fixture.create({ body: "x".repeat(241) }), 400, "validation_failed");
    const late = await fixture.post(await fixture.draft(), "schedule", { scheduleAt: "yesterday" });
    expectError(late, 400, "validation_failed");
  });

  test("a missing test subscriber is 409 no_test_subscribers", async () => {
    expectError(await fixture.post(await fixture.draft(), "test"), 409, "no_test_subscribers");
  });

  test("an unknown campaign, run and route are 404 not_found", async () => {
    const id = "0190d5f0-0000-7000-8000-000000000000";
    expectError(await fixture.call("GET", `/v1/campaigns/${id}`), 404, "not_found");
    expectError(await fixture.call("GET", `/v1/runs/${id}`), 404, "not_found");
    expectError(await fixture.call("GET", "/v1/nothing"), 404, "not_found");
  });

  test("a wrong method is 405 method_not_allowed, and Allow names the right ones", async () => {
    const answer = await fixture.call("DELETE", `/v1/campaigns/${await fixture.draft()}`);
    expectError(answer, 405, "method_not_allowed");
    expect(answer.headers.get("allow")).toBe("GET, PATCH");
  });

  test("a body that is not JSON is 400 malformed_json, and another content type is 415", async () => {
    const path = `/v1/tenants/${fixture.publisher.tenantId}/campaigns`;
    expectError(await fixture.call("POST", path, { body: "{" }), 400, "malformed_json");
    const headers = { "content-type": "text/plain" };
    expectError(await fixture.call("POST", path, { body: "{}", headers }), 415, "unsupported_media_type");
  });
});

/** The section "Limits" of the specification, with one test for each row. */
describe("limits of fields and sends", () => {
  test("title in manual mode: 120 characters are accepted, 121 are not", async () => {
    expect((await fixture.create({ title: "x".repeat(120) })).status).toBe(201);
    expect((await fixture.create({ title: "x".repeat(121) })).status).toBe(400);
  });

  test("body in manual mode: 240 characters are accepted, 241 are not", async () => {
    expect((await fixture.create({ body: "x".repeat(240) })).status).toBe(201);
    expect((await fixture.create({ body: "x".repeat(241) })).status).toBe(400);
  });

  test("imageUrl: HTTPS only", async () => {
    expect((await fixture.create({ imageUrl: "https://images.example.com/a.jpg" })).status).toBe(201);
    expect((await fixture.create({ imageUrl: "http://images.example.com/a.jpg" })).status).toBe(400);
  });

  test("preview url: HTTPS only", async () => {
    const preview = (url: string) => fixture.call("POST", "/v1/content/preview", { body: { url } });
    expect((await preview(fixture.story())).status).toBe(200);
    expect((await preview(fixture.story().replace("https:", "http:"))).status).toBe(400);
  });

  test("scheduleAt: in the future only", async () => {
    const campaignId = await fixture.draft();
    expect((await fixture.post(campaignId, "schedule", { scheduleAt: inSeconds(60) })).status).toBe(200);
    expect((await fixture.post(campaignId, "schedule", { scheduleAt: inSeconds(-60) })).status).toBe(400);
  });

  test("test send: none without a test subscriber, even with readers", async () => {
    const own = campaignFixtureOf(fixture.app, fixture.api, await createPublisher(fixture.app));
    await subscribe(fixture.app, own.publisher.siteId, createSubscriptions(2));
    expect((await own.post(await own.draft(), "test")).status).toBe(409);
  });

  test("live send: an audience up to the plan's cap is allowed, one more is not", async () => {
    const app = withSettings(fixture.app, { PLANS: { unlimited: { audienceCap: 2 } } });
    const own = campaignFixtureOf(app, await serve(app), await createPublisher(app));
    await subscribe(app, own.publisher.siteId, createSubscriptions(2));
    expect(await own.post(await own.draft(), "send")).toMatchObject({ status: 202, body: { audience: 2 } });
    await subscribe(app, own.publisher.siteId, createSubscriptions(1));
    expect((await own.post(await own.draft(), "send")).status).toBe(402);
  });
});

describe("limits of requests", () => {
  test("a request body: 64 KiB are read, more is 413 payload_too_large", async () => {
    const path = `/v1/tenants/${fixture.publisher.tenantId}/campaigns`;
    const ofBytes = (bytes: number) => JSON.stringify({ x: "x".repeat(bytes - 8) });
    expectError(await fixture.call("POST", path, { body: ofBytes(65_536) }), 400, "validation_failed");
    expectError(await fixture.call("POST", path, { body: ofBytes(65_537) }), 413, "payload_too_large");
  });

  test("requests of a key: above the limit per minute they are 429 rate_limited, with Retry-After", async () => {
    const app = withSettings(fixture.app, { RATE_LIMIT_PER_MINUTE: 3 });
    const own = campaignFixtureOf(app, await serve(app), await createPublisher(app));
    const { tenantId, apiKey: key } = own.publisher;
    const answers: Answer[] = [];
    for (let i = 0; i < 4; i++) answers.push(await own.api.call("GET", `/v1/tenants/${tenantId}/sites`, { key }));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429]);
    expectError(answers[3]!, 429, "rate_limited");
    expect(Number(answers[3]!.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(answers[0]!.headers.get("ratelimit")).toMatch(/^"key";r=2;t=\d+$/);
    expect(answers[0]!.headers.get("ratelimit-policy")).toBe('"key";q=3;w=60');
  });

  test("requests that fetch a page: they have an additional limit", async () => {
    const app = withSettings(fixture.app, { FETCH_RATE_LIMIT_PER_MINUTE: 1 });
    const api = await serve(app);
    const { apiKey: key } = await createPublisher(app);
    const preview = () => api.call("POST", "/v1/content/preview", { key, body: { url: fixture.story() } });
    expect((await preview()).status).toBe(200);
    expectError(await preview(), 429, "rate_limited");
  });

  test("a page of a list: limit must be from 1 to 100", async () => {
    const path = `/v1/tenants/${fixture.publisher.tenantId}/campaigns`;
    for (const limit of ["0", "101", "-1", "x"]) {
      expectError(await fixture.call("GET", `${path}?limit=${limit}`), 400, "validation_failed");
    }
    const first = await fixture.call("GET", `${path}?limit=1`);
    expect(first.body.data).toHaveLength(1);
    const next = await fixture.call("GET", `${path}?limit=100&cursor=${first.body.nextCursor}`);
    expect(next.body.data[0].campaignId).not.toBe(first.body.data[0].campaignId);
  });
});
