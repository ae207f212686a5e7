import { sql } from "kysely";
import { beforeAll, expect, test } from "vitest";
import { eventually } from "../worlds/eventually.ts";
import { makePublisher, makeSubscriptions, subscribe } from "../worlds/publisher.ts";
import { type Desk, endRuns, openDesk, sitAt } from "./desk.ts";

let desk: Desk;

beforeAll(async () => {
  desk = await openDesk();
});

test("a device that leaves before the test is planned is gone, and the others are not kept waiting for it", async () => {
  const { app, publisher } = desk;
  await subscribe(app, publisher.siteId, makeSubscriptions(1), "Leaving");
  const id = await desk.draft();
  const asked = desk.post(id, "test");
  await eventually(async () => {
    const { rows } = await sql`select id from runs where campaign_id = ${id} and kind = 'test'`.execute(app.db);
    return rows.length === 1;
  });
  await sql`delete from subscribers where site_id = ${publisher.siteId}`.execute(app.db);
  await endRuns(app);
  const results = [{ testSubscriberId: expect.any(String), label: "Leaving", outcome: "gone", status: null }];
  expect(await asked).toMatchObject({ status: 200, body: { recipients: 1, accepted: 0, results } });
});

test("a device that the test has passed over and that is still there is not said to have left", async () => {
  const { app, publisher } = desk;
  await subscribe(app, publisher.siteId, makeSubscriptions(1), "Still here");
  const id = await desk.draft();
  const asked = desk.post(id, "test");
  await eventually(async () => {
    const { rows } = await sql`select id from runs where campaign_id = ${id} and kind = 'test'`.execute(app.db);
    return rows.length === 1;
  });
  await sql`update subscribers set is_test = false, label = null where site_id = ${publisher.siteId}`.execute(app.db);
  await endRuns(app);
  const message = "This device was left out of the test, though it is still subscribed. Test again.";
  const results = [{ label: "Still here", outcome: "notSent", status: null, message }];
  expect(await asked).toMatchObject({ status: 200, body: { recipients: 1, accepted: 0, results } });
});

test("a test of another tenant's campaign, or of none, answers 404", async () => {
  const stranger = sitAt(desk.app, desk.api, await makePublisher(desk.app));
  expect((await stranger.post(await desk.draft(), "test")).status).toBe(404);
  expect((await desk.post("no-uuid", "test")).status).toBe(404);
});

test.for(["test", "send", "cancel"])("%s takes no body or {}, and refuses any other", async (verb) => {
  const headers = { "content-type": "application/json" };
  const { campaignId } = await desk.campaignThatIs("failed");
  for (const body of [undefined, "", "{}"]) {
    expect((await desk.post(campaignId, verb, body, headers)).body.code).toBe("illegal_transition");
  }
  expect((await desk.post(campaignId, verb, { force: true })).body.code).toBe("validation_failed");
  expect((await desk.post(campaignId, verb, "x", headers)).body.code).toBe("malformed_json");
});
