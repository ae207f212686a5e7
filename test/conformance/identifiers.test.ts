import { beforeAll, describe, expect, test } from "vitest";
import { addTopic } from "../../src/tenants/add-topic.ts";
import { sendToSomebody } from "../campaigns/desk.ts";
import { type Newsroom, openNewsroom } from "./newsroom.ts";

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** The specification, "Identifiers": one row, one test. */
describe("identifiers", () => {
  let newsroom: Newsroom;
  let tenantId: string;
  let siteId: string;

  beforeAll(async () => {
    newsroom = await openNewsroom();
    ({ tenantId, siteId } = newsroom.publisher);
  });

  test("tenantId is the UUID of the account that owns sites, keys and campaigns", async () => {
    expect(tenantId).toMatch(uuid);
    expect((await newsroom.create()).body.tenantId).toBe(tenantId);
    const sites = await newsroom.call("GET", `/v1/tenants/${tenantId}/sites`);
    expect(sites.body.data).toMatchObject([{ tenantId, siteId }]);
  });

  test("siteId is the UUID of a site that belongs to the tenant", async () => {
    expect(siteId).toMatch(uuid);
    expect((await newsroom.create()).body.siteId).toBe(siteId);
  });

  test("campaignId is a string that creation returns, and test, send and schedule take", async () => {
    const { campaignId } = (await newsroom.create()).body;
    expect(campaignId).toEqual(expect.any(String));
    const scheduleAt = new Date(Date.now() + 3_600_000).toISOString();
    expect((await newsroom.post(campaignId, "test")).body).toMatchObject({ code: "no_test_subscribers" });
    expect((await newsroom.post(campaignId, "schedule", { scheduleAt })).body).toMatchObject({ campaignId });
    expect((await newsroom.post(campaignId, "send")).body).toMatchObject({ campaignId });
  });

  test("keyId is a string that names an API key where it is deleted", async () => {
    const headers = { cookie: await newsroom.ownerCookie() };
    const path = `/v1/tenants/${tenantId}/api-keys`;
    const made = await newsroom.api.call("POST", path, { headers, body: { name: "CMS" } });
    expect(made.body.keyId).toEqual(expect.any(String));
    expect((await newsroom.api.call("DELETE", `${path}/${made.body.keyId}`, { headers })).status).toBe(204);
  });

  test("runId is a string that names a run where it is stopped", async () => {
    const { runId } = (await sendToSomebody(newsroom, await newsroom.draft())).body;
    expect(runId).toEqual(expect.any(String));
    expect((await newsroom.call("POST", `/v1/runs/${runId}/stop`)).body).toMatchObject({ runId });
  });

  test("a topic id is a UUID, an element of topicIds", async () => {
    const { topicId } = await addTopic(newsroom.app, newsroom.publisher.actor, { siteId, name: "Sport" });
    expect(topicId).toMatch(uuid);
    expect((await newsroom.create({ topicIds: [topicId] })).body.topicIds).toEqual([topicId]);
  });
});
