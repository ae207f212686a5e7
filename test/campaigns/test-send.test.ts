import { sql } from "kysely";
import { beforeAll, expect, test } from "vitest";
import { eventually } from "../fixtures/eventually.ts";
import { createPublisher, createSubscriptions, subscribe } from "../fixtures/publisher.ts";
import { changeSubscribers, deleteSubscribers } from "../fixtures/rows/subscribers.ts";
import { type CampaignFixture, campaignFixtureOf, endRuns, openCampaignFixture } from "./fixture.ts";

let fixture: CampaignFixture;

beforeAll(async () => {
  fixture = await openCampaignFixture();
});

test("a device deleted before the test is planned is gone, and the answer comes at once", async () => {
  const { app, publisher } = fixture;
  await subscribe(app, publisher.siteId, createSubscriptions(1), "Leaving");
  const id = await fixture.draft();
  const asked = fixture.post(id, "test");
  await eventually(async () => {
    const { rows } = await sql`select id from runs where campaign_id = ${id} and kind = 'test'`.execute(app.db);
    return rows.length === 1;
  });
  await deleteSubscribers(app, { siteId: publisher.siteId });
  await endRuns(app);
  const results = [{ testSubscriberId: expect.any(String), label: "Leaving", outcome: "gone", status: null }];
  expect(await asked).toMatchObject({ status: 200, body: { recipients: 1, accepted: 0, results } });
});

test("a device that the test has skipped but that still exists is not reported as gone", async () => {
  const { app, publisher } = fixture;
  await subscribe(app, publisher.siteId, createSubscriptions(1), "Still here");
  const id = await fixture.draft();
  const asked = fixture.post(id, "test");
  await eventually(async () => {
    const { rows } = await sql`select id from runs where campaign_id = ${id} and kind = 'test'`.execute(app.db);
    return rows.length === 1;
  });
  await changeSubscribers(app, { siteId: publisher.siteId }, { isTest: false });
  await endRuns(app);
  const message = "This device was skipped by the test, though it is still subscribed. Test again.";
  const results = [{ label: "Still here", outcome: "notSent", status: null, message }];
  expect(await asked).toMatchObject({ status: 200, body: { recipients: 1, accepted: 0, results } });
});

test("a test of another tenant's or an unknown campaign answers 404", async () => {
  const stranger = campaignFixtureOf(fixture.app, fixture.api, await createPublisher(fixture.app));
  expect((await stranger.post(await fixture.draft(), "test")).status).toBe(404);
  expect((await fixture.post("no-uuid", "test")).status).toBe(404);
});

test.for(["test", "send", "cancel"])("%s accepts an empty body or {}, and refuses any other", async (verb) => {
  const headers = { "content-type": "application/json" };
  const { campaignId } = await fixture.campaignThatIs("failed");
  for (const body of [undefined, "", "{}"]) {
    expect((await fixture.post(campaignId, verb, body, headers)).body.code).toBe("illegal_transition");
  }
  expect((await fixture.post(campaignId, verb, { force: true })).body.code).toBe("validation_failed");
  expect((await fixture.post(campaignId, verb, "x", headers)).body.code).toBe("malformed_json");
});
