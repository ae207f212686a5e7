import { beforeAll, expect, test } from "vitest";
import { sweepRuns } from "../../src/runs/close-run.ts";
import { claimBatch } from "../../src/runs/ledger/claim-batch.ts";
import { startDueSends } from "../../src/sends/scheduler.ts";
import { removeSite, restoreSite } from "../../src/tenants/sites/sites.ts";
import { createPublisher, createSubscriptions, operatorOf, subscribe } from "../fixtures/publisher.ts";
import { ago } from "../fixtures/rows/change.ts";
import { changeSites } from "../fixtures/rows/sites.ts";
import { changeSubscribers } from "../fixtures/rows/subscribers.ts";
import { claim, planAll } from "../runs/fixture.ts";
import { type CampaignFixture, campaignFixtureOf, inSeconds, makeDue, openCampaignFixture } from "./fixture.ts";

let fixture: CampaignFixture;
let sending: string;
let runId: string;
let draft: string;
let scheduled: string;
let unscheduled: string;

beforeAll(async () => {
  fixture = await openCampaignFixture();
  await subscribe(fixture.app, fixture.publisher.siteId, createSubscriptions(3));
  [draft, scheduled, sending] = [await fixture.draft(), await fixture.draft(), await fixture.draft()];
  unscheduled = await fixture.draft();
  await fixture.post(scheduled, "schedule", { scheduleAt: new Date(Date.now() + 3_600_000).toISOString() });
  runId = (await fixture.post(sending, "send")).body.runId;
  await planAll(fixture.app);
  await removeSite(fixture.app, fixture.publisher.actor, { siteId: fixture.publisher.siteId });
});

test("no batch of a removed site is claimed, and its run fails with counts that add up", async () => {
  expect(await claimBatch(fixture.app.db, "owner")).toBeUndefined();
  await sweepRuns(fixture.app.db);
  const { body } = await fixture.api.call("GET", `/v1/runs/${runId}`, { key: fixture.publisher.apiKey });
  expect(body).toMatchObject({ status: "failed", audience: 3, notSent: 3, pending: 0 });
  expect(await fixture.read(sending)).toMatchObject({ status: "failed" });
});

test("a send for a removed site answers 409 site_removed, and no new campaign names it", async () => {
  expect(await fixture.post(draft, "send")).toMatchObject({ status: 409, body: { code: "site_removed" } });
  expect(await fixture.create()).toMatchObject({ status: 400, body: { errors: [{ path: "/siteId" }] } });
});

test("a test for a removed site answers 409 site_removed, even if a test device still exists", async () => {
  await changeSubscribers(fixture.app, { siteId: fixture.publisher.siteId }, { isTest: true });
  expect(await fixture.post(draft, "test")).toMatchObject({ status: 409, body: { code: "site_removed" } });
});

test("a schedule for a removed site is accepted with one warning, which names the removal", async () => {
  const { status, body } = await fixture.post(unscheduled, "schedule", { scheduleAt: inSeconds(60) });
  expect(status).toBe(200);
  expect(body.warnings).toMatchObject([{ code: "site_removed", message: expect.stringContaining("site was removed") }]);
});

test("a campaign that was scheduled for a removed site fails when it is due, with the reason", async () => {
  await makeDue(fixture.app, scheduled);
  await startDueSends(fixture.app);
  expect(await fixture.read(scheduled)).toMatchObject({ status: "failed", failure: { code: "site_removed" } });
});

test("a removed site is not listed; another removal, or another tenant's, answers not_found", async () => {
  const { tenantId, apiKey: key, siteId } = fixture.publisher;
  const { body } = await fixture.api.call("GET", `/v1/tenants/${tenantId}/sites`, { key });
  expect(body.data).toEqual([]);
  const other = await createPublisher(fixture.app);
  for (const [actor, id] of [
    [operatorOf(tenantId), siteId],
    [operatorOf(tenantId), other.siteId],
  ] as const) {
    await expect(removeSite(fixture.app, actor, { siteId: id })).rejects.toMatchObject({ code: "not_found" });
  }
});

test("the removal of a site does not affect other sites", async () => {
  const other = await createPublisher(fixture.app);
  await subscribe(fixture.app, other.siteId, createSubscriptions(1));
  const there = campaignFixtureOf(fixture.app, fixture.api, other);
  expect(await there.post(await there.draft(), "send")).toMatchObject({ status: 202, body: { audience: 1 } });
  await planAll(fixture.app);
  expect((await claim(fixture.app)).siteId).toBe(other.siteId);
});

test("a site that is restored has its readers, topics and settings again, and sends", async () => {
  const { app, api } = fixture;
  const again = campaignFixtureOf(app, api, await createPublisher(app));
  const { actor, siteId, tenantId, apiKey: key } = again.publisher;
  await subscribe(app, siteId, createSubscriptions(3));
  await removeSite(app, actor, { siteId });
  const restored: string[] = [];
  await restoreSite(app, actor, { siteId }, async () => void restored.push(siteId));
  expect(restored).toEqual([siteId]);
  const { body } = await api.call("GET", `/v1/tenants/${tenantId}/sites`, { key });
  expect(body.data).toMatchObject([{ siteId }]);
  expect(await again.post(await again.draft(), "send")).toMatchObject({ status: 202, body: { audience: 3 } });
});

test("a site that was not removed, or eight days ago, or by another tenant, is not restored", async () => {
  const { app } = fixture;
  const { actor, siteId } = await createPublisher(app);
  const refused = { code: "not_found", message: expect.stringContaining("removed within 7 days") };
  const restore = (by = actor) => restoreSite(app, by, { siteId }, async () => {});
  await expect(restore()).rejects.toMatchObject(refused);
  await removeSite(app, actor, { siteId });
  await expect(restore((await createPublisher(app)).actor)).rejects.toMatchObject(refused);
  await changeSites(app, { id: siteId }, { removedAt: ago("8 days") });
  await expect(restore()).rejects.toMatchObject(refused);
});
