import { sql } from "kysely";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { addFeed } from "../../src/feeds/change-feeds.ts";
import { newId } from "../../src/ids.ts";
import { runMaintenance } from "../../src/maintenance.ts";
import { expireMinutes } from "../../src/receipts/expire-minutes.ts";
import { planNextPage } from "../../src/runs/plan/plan-run.ts";
import { startDueSends } from "../../src/sends/scheduler.ts";
import { type CampaignFixture, endRuns, makeDue, openCampaignFixture } from "../campaigns/fixture.ts";
import { createSubscriptions, operatorOf, subscribe } from "../fixtures/publisher.ts";
import { ago } from "../fixtures/rows/change.ts";
import { addReceiptMinutes, addReceipts, changeReceiptMinutes, deleteReceipts } from "../fixtures/rows/receipts.ts";
import { changeRuns, insertRun } from "../fixtures/rows/runs.ts";
import { ownerEmail, signIn } from "../fixtures/sign-in.ts";

let fixture: CampaignFixture;
let cookie: string;

beforeAll(async () => {
  fixture = await openCampaignFixture();
  cookie = await signIn(fixture.api, ownerEmail(fixture.publisher.tenantId));
  await subscribe(fixture.app, fixture.publisher.siteId, createSubscriptions(4));
  await subscribe(
    fixture.app,
    fixture.publisher.siteId,
    createSubscriptions(2, "https://updates.push.services.mozilla.com"),
  );
});

const tenant = () => `/dashboard/api/tenants/${fixture.publisher.tenantId}`;
const byMember = (path: string, body: unknown = {}) =>
  fixture.api.call("POST", `${tenant()}${path}`, { headers: { cookie }, body });

async function factsOf(campaignId: string) {
  const { status, body } = await fixture.api.call("GET", `${tenant()}/campaigns/${campaignId}/send-facts`, {
    headers: { cookie },
  });
  expect(status).toBe(200);
  return body;
}

/** The present time of a test. All receipts use the same one, so the minutes between them are exact. */
let nowMs: number;
beforeEach(() => {
  nowMs = Date.now();
});

/** Adds receipts of a run `minutesAgo` minutes ago, as readers' browsers would have caused them. */
async function report(runId: string, minutesAgo: number, displayed: number, clicked: number): Promise<void> {
  const moment = new Date(nowMs - minutesAgo * 60_000);
  await addReceiptMinutes(fixture.app, runId, { displayed, clicked }, moment);
  await addReceipts(fixture.app, runId, { displayed, clicked }, moment);
}

test("a campaign says who sent it: a member, an API key, a deleted key, a feed, the operator", async () => {
  const email = ownerEmail(fixture.publisher.tenantId);
  const own = await fixture.draft();
  expect((await factsOf(own)).sentBy).toBeNull();
  await byMember(`/campaigns/${own}/send`);
  expect((await factsOf(own)).sentBy).toEqual({ kind: "user", name: email });

  const { campaignId } = await fixture.campaignThatIs("sending");
  expect((await factsOf(campaignId)).sentBy).toEqual({ kind: "key", name: "test" });

  const { siteId, tenantId } = fixture.publisher;
  const { feedId } = await addFeed(fixture.app, operatorOf(tenantId), { siteId, url: "https://news.example/rss.xml" });
  const says = async (actor: string) => {
    await sql`update audit_events set actor = ${actor} where subject_id = ${campaignId}`.execute(fixture.app.db);
    return (await factsOf(campaignId)).sentBy;
  };
  expect(await says(`feed:${feedId}`)).toEqual({ kind: "feed", name: "https://news.example/rss.xml" });
  expect(await says("operator")).toEqual({ kind: "operator", name: null });
  expect(await says(`key:${newId()}`)).toEqual({ kind: "key", name: null });
});

test("a scheduled campaign says who gave it its time, unless it was sent before", async () => {
  const due = await fixture.draft();
  await byMember(`/campaigns/${due}/schedule`, { scheduleAt: new Date(Date.now() + 3_600_000).toISOString() });
  const email = ownerEmail(fixture.publisher.tenantId);
  expect(await factsOf(due)).toMatchObject({ sentBy: null, scheduledBy: { kind: "user", name: email } });
  await makeDue(fixture.app, due, 0);
  await startDueSends(fixture.app);
  expect(await factsOf(due)).toMatchObject({ sentBy: { kind: "schedule" }, scheduledBy: { name: email } });

  const early = await fixture.draft();
  await byMember(`/campaigns/${early}/schedule`, { scheduleAt: new Date(Date.now() + 3_600_000).toISOString() });
  await fixture.post(early, "send");
  expect(await factsOf(early)).toMatchObject({ sentBy: { kind: "key" }, scheduledBy: null });
});

test("receipts are shown by the minute, and after three days no more", async () => {
  const { campaignId, runId } = await fixture.campaignThatIs("sending");
  await report(runId!, -1, 3, 1);
  await report(runId!, -3, 2, 2);
  const { minutes } = await factsOf(campaignId);
  expect(minutes).toMatchObject([
    { displayed: 3, clicked: 1 },
    { displayed: 2, clicked: 2 },
  ]);
  expect(Date.parse(minutes[1].minute) - Date.parse(minutes[0].minute)).toBe(120_000);
  await changeReceiptMinutes(fixture.app, { runId: runId! }, { earlier: "4 days" });
  expect(await runMaintenance(fixture.app.db, [expireMinutes])).toEqual({ "old minutes of receipts": 2 });
  expect((await factsOf(campaignId)).minutes).toEqual([]);
});

test("recipients are counted by push service during a run, and the same after it", async () => {
  const { campaignId, runId } = await fixture.campaignThatIs("sending");
  while (await planNextPage(fixture.app.db));
  const pushServices = async () => (await factsOf(campaignId)).pushServices;
  expect(await pushServices()).toMatchObject([
    { pushService: "fcm", pending: 4, accepted: 0 },
    { pushService: "mozilla", pending: 2, accepted: 0 },
  ]);
  await fixture.api.call("POST", `/v1/runs/${runId}/stop`, { key: fixture.publisher.apiKey });
  await endRuns(fixture.app);
  expect(await pushServices()).toMatchObject([
    { pushService: "fcm", pending: 0, notSent: 4 },
    { pushService: "mozilla", pending: 0, notSent: 2 },
  ]);
});

test("the usual figure is the median of earlier sends at the same age, from three on", async () => {
  const { tenantId, siteId } = fixture.publisher;
  await changeRuns(fixture.app, { siteId }, { createdAt: ago("30 days") });
  await deleteReceipts(fixture.app, { siteId });
  const earlier = async (accepted: number, displayed: number, clicked: number, lateClicks = 0) => {
    const campaignId = await fixture.draft();
    const { runId } = await insertRun(fixture.app, {
      siteId,
      tenantId,
      campaignId,
      accepted,
      createdAt: ago("9 days"),
    });
    await report(runId, 9 * 24 * 60 - 1, displayed, clicked);
    await report(runId, 60, 0, lateClicks);
    return runId;
  };
  await earlier(100, 50, 2);
  await earlier(1_000, 600, 100, 400);
  const { campaignId } = await fixture.campaignThatIs("sending");
  expect((await factsOf(campaignId)).usual).toBeNull();
  const toSegment = await earlier(100, 90, 60);
  await changeRuns(fixture.app, { id: toSegment }, { segment: { push: ["fcm"] } });
  expect((await factsOf(campaignId)).usual, "after one to a segment").toBeNull();
  await earlier(200, 90, 8);
  expect((await factsOf(campaignId)).usual).toEqual({ hours: 1, runs: 3, displayed: 0.5, clicked: 0.04 });
});

test("a campaign of another publisher is not found", async () => {
  const { status } = await fixture.api.call("GET", `${tenant()}/campaigns/${newId()}/send-facts`, {
    headers: { cookie },
  });
  expect(status).toBe(404);
});
