import { sql } from "kysely";
import { beforeAll, expect, test } from "vitest";
import { sendDueCampaigns } from "../../src/campaigns/schedule-keeper.ts";
import { claimBatch } from "../../src/runs/batches.ts";
import { sweepRuns } from "../../src/runs/close-run.ts";
import { removeSite } from "../../src/tenants/remove-site.ts";
import { claim, planAll } from "../runs/world.ts";
import { makePublisher, makeSubscriptions, operatorOf, subscribe } from "../worlds/publisher.ts";
import { type Desk, inSeconds, makeDue, openDesk, sitAt } from "./desk.ts";

let desk: Desk;
let sending: string;
let runId: string;
let draft: string;
let scheduled: string;
let unscheduled: string;

beforeAll(async () => {
  desk = await openDesk();
  await subscribe(desk.app, desk.publisher.siteId, makeSubscriptions(3));
  [draft, scheduled, sending] = [await desk.draft(), await desk.draft(), await desk.draft()];
  unscheduled = await desk.draft();
  await desk.post(scheduled, "schedule", { scheduleAt: new Date(Date.now() + 3_600_000).toISOString() });
  runId = (await desk.post(sending, "send")).body.runId;
  await planAll(desk.app);
  await removeSite(desk.app, desk.publisher.actor, { siteId: desk.publisher.siteId });
});

test("nothing of a removed site is claimed any more, and its run fails with a count that adds up", async () => {
  expect(await claimBatch(desk.app.db, "owner")).toBeUndefined();
  await sweepRuns(desk.app.db);
  const { body } = await desk.api.call("GET", `/v1/runs/${runId}`, { key: desk.publisher.apiKey });
  expect(body).toMatchObject({ status: "failed", audience: 3, notSent: 3, pending: 0 });
  expect(await desk.read(sending)).toMatchObject({ status: "failed" });
});

test("a send for a removed site is 409 site_removed, and a new campaign finds no such site", async () => {
  expect(await desk.post(draft, "send")).toMatchObject({ status: 409, body: { code: "site_removed" } });
  expect(await desk.create()).toMatchObject({ status: 400, body: { errors: [{ path: "/siteId" }] } });
});

test("nor is it tested on a device that is still there", async () => {
  await sql`update subscribers set is_test = true where site_id = ${desk.publisher.siteId}`.execute(desk.app.db);
  expect(await desk.post(draft, "test")).toMatchObject({ status: 409, body: { code: "site_removed" } });
});

test("a schedule for a removed site is taken with a warning that names the removal, and no other cause", async () => {
  const { status, body } = await desk.post(unscheduled, "schedule", { scheduleAt: inSeconds(60) });
  expect(status).toBe(200);
  expect(body.warnings).toEqual([{ code: "site_removed", message: expect.stringContaining("site was removed") }]);
});

test("what was scheduled for a removed site fails when it is due, and says why", async () => {
  await makeDue(desk.app, scheduled);
  await sendDueCampaigns(desk.app);
  expect(await desk.read(scheduled)).toMatchObject({ status: "failed", failure: { code: "site_removed" } });
});

test("a removed site is listed no more, and removing it again, or another tenant's, is not found", async () => {
  const { tenantId, apiKey: key, siteId } = desk.publisher;
  const { body } = await desk.api.call("GET", `/v1/tenants/${tenantId}/sites`, { key });
  expect(body.data).toEqual([]);
  const other = await makePublisher(desk.app);
  for (const [actor, id] of [
    [operatorOf(tenantId), siteId],
    [operatorOf(tenantId), other.siteId],
  ] as const) {
    await expect(removeSite(desk.app, actor, { siteId: id })).rejects.toMatchObject({ code: "not_found" });
  }
});

test("the removal of one site touches no other", async () => {
  const other = await makePublisher(desk.app);
  await subscribe(desk.app, other.siteId, makeSubscriptions(1));
  const there = sitAt(desk.app, desk.api, other);
  expect(await there.post(await there.draft(), "send")).toMatchObject({ status: 202, body: { audience: 1 } });
  await planAll(desk.app);
  expect((await claim(desk.app)).siteId).toBe(other.siteId);
});
