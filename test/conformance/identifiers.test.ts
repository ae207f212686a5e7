import { beforeAll, describe, expect, test } from "vitest";
import { addTopic } from "../../src/tenants/topics/topics.ts";
import { sendToReader } from "../campaigns/fixture.ts";
import { type ConformanceFixture, openConformanceFixture } from "./fixture.ts";

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** The section "Identifiers" of the specification, with one test for each row. */
describe("identifiers", () => {
  let fixture: ConformanceFixture;
  let tenantId: string;
  let siteId: string;

  beforeAll(async () => {
    fixture = await openConformanceFixture();
    ({ tenantId, siteId } = fixture.publisher);
  });

  test("tenantId is the UUID of the account that owns sites, keys and campaigns", async () => {
    expect(tenantId).toMatch(uuid);
    expect((await fixture.create()).body.tenantId).toBe(tenantId);
    const sites = await fixture.call("GET", `/v1/tenants/${tenantId}/sites`);
    expect(sites.body.data).toMatchObject([{ tenantId, siteId }]);
  });

  test("siteId is the UUID of a site that belongs to the tenant", async () => {
    expect(siteId).toMatch(uuid);
    expect((await fixture.create()).body.siteId).toBe(siteId);
  });

  test("campaignId is a string that creation returns, and test, send and schedule accept", async () => {
    const { campaignId } = (await fixture.create()).body;
    expect(campaignId).toEqual(expect.any(String));
    const scheduleAt = new Date(Date.now() + 3_600_000).toISOString();
    expect((await fixture.post(campaignId, "test")).body).toMatchObject({ code: "no_test_subscribers" });
    expect((await fixture.post(campaignId, "schedule", { scheduleAt })).body).toMatchObject({ campaignId });
    expect((await fixture.post(campaignId, "send")).body).toMatchObject({ campaignId });
  });

  test("keyId is a string that identifies an API key to delete", async () => {
    const headers = { cookie: await fixture.ownerCookie() };
    const path = `/v1/tenants/${tenantId}/api-keys`;
    const made = await fixture.api.call("POST", path, { headers, body: { name: "CMS" } });
    expect(made.body.keyId).toEqual(expect.any(String));
    expect((await fixture.api.call("DELETE", `${path}/${made.body.keyId}`, { headers })).status).toBe(204);
  });

  test("runId is a string that identifies a run to stop", async () => {
    const { runId } = (await sendToReader(fixture, await fixture.draft())).body;
    expect(runId).toEqual(expect.any(String));
    expect((await fixture.call("POST", `/v1/runs/${runId}/stop`)).body).toMatchObject({ runId });
  });

  test("a topic id is a UUID, an element of topicIds", async () => {
    const { topicId } = await addTopic(fixture.app, fixture.publisher.actor, { siteId, name: "Sport" });
    expect(topicId).toMatch(uuid);
    expect((await fixture.create({ topicIds: [topicId] })).body.topicIds).toEqual([topicId]);
  });
});
