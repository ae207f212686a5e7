import { sql } from "kysely";
import { beforeAll, expect, test } from "vitest";
import type { App } from "../../src/app.ts";
import { changeTenant } from "../../src/tenants/tenants.ts";
import { addTopic } from "../../src/tenants/topics/topics.ts";
import { type Answer, type Api, openTestApp, serve, settingsOf } from "../fixtures/app.ts";
import { eventually } from "../fixtures/eventually.ts";
import { scaleByLoad } from "../fixtures/machine-load.ts";
import { type BrowserSubscription, createPublisher, subscribe } from "../fixtures/publisher.ts";
import { type PushService, startPushService } from "../fixtures/push-service/push-service.ts";
import { startProcess } from "../fixtures/service-process.ts";
import { type CampaignFixture, campaignFixtureOf, inSeconds, makeDue } from "./fixture.ts";

let pushService: PushService;
let app: App;
let api: Api;
let fixture: CampaignFixture;
/**
 * Begun in beforeAll for later tests: a schedule that is due before a worker runs, and a test send to a slow device.
 */
let early: { campaignId: string; scheduledAt: string };
let slowTest: Promise<Answer>;

beforeAll(async () => {
  pushService = await startPushService({ keepBodies: "all" });
  const settings = { PUSH_SERVICES: pushService.origin, RATE_LIMIT_PER_MINUTE: "1000000" };
  app = await openTestApp(settings);
  api = await serve(app);
  fixture = await openWithReaders();
  early = await scheduleIn(fixture, 0);
  const worker = startProcess(["worker"], {
    ...settingsOf(app),
    ...settings,
    WORKERS: "1",
    NODE_EXTRA_CA_CERTS: pushService.caFile,
  });
  await worker.printed(/delivering with/);
  slowTest = testOfSlowDevice();
  return () => pushService.close();
});

/** Creates a publisher with an audience of 20 and no test device. */
async function openWithReaders(): Promise<CampaignFixture> {
  const publisher = await createPublisher(app);
  await subscribe(app, publisher.siteId, subscriptionsOf(publisher.vapidPublicKey, 20));
  return campaignFixtureOf(app, api, publisher);
}

const subscriptionsOf = (applicationServerKey: string, count: number) =>
  pushService.createSubscriptions(count, { applicationServerKey });

async function registerDevice(of: CampaignFixture, label: string): Promise<BrowserSubscription> {
  const [device] = subscriptionsOf(of.publisher.vapidPublicKey, 1);
  await subscribe(app, of.publisher.siteId, [device!], label);
  return device!;
}

/**
 * Schedules a campaign for `seconds` from now by the database's clock. It changes the time in the database, because an
 * API call with such a time may come too late.
 */
async function scheduleIn(of: CampaignFixture, seconds: number) {
  const campaignId = await of.draft();
  await of.post(campaignId, "schedule", { scheduleAt: inSeconds(3_600) });
  await makeDue(app, campaignId, -seconds);
  return { campaignId, scheduledAt: (await of.read(campaignId)).scheduledAt as string };
}

async function testOfSlowDevice(): Promise<Answer> {
  const slow = await openWithReaders();
  const { endpoint } = await registerDevice(slow, "Slow");
  pushService.answerWith({ behaviour: "throttle", match: { endpoint }, headers: { "retry-after": "120" } });
  return slow.post(await slow.draft(), "test");
}

/**
 * Waits for the campaign's live run. Returns how many ms after `scheduledAt` it was created, by the database's clock.
 */
async function lateness({ campaignId }: { campaignId: string }): Promise<number> {
  return eventually(async () => {
    const { rows } = await sql<{ ms: number }>`
      select (extract(epoch from r.created_at - c.scheduled_at) * 1000)::float8 as ms
      from runs r join campaign_states c on c.id = r.campaign_id where c.id = ${campaignId}`.execute(app.db);
    return rows[0]?.ms;
  });
}

const payloadsOf = ({ endpoint }: BrowserSubscription) =>
  pushService.decrypt(endpoint) as { notification: { title: string; tag: string } }[];

test("a campaign that was due while no process ran is sent when one starts", async () => {
  expect(await lateness(early)).toBeGreaterThan(0);
  expect(await fixture.read(early.campaignId)).toMatchObject({ scheduledAt: early.scheduledAt, failure: null });
});

/** Schedules three campaigns, and expects that they reach their readers. Returns by how many ms the latest was late. */
async function sendScheduled(): Promise<number> {
  const scheduled = await Promise.all([scheduleIn(fixture, 0.4), scheduleIn(fixture, 1.7), scheduleIn(fixture, 2.1)]);
  const latenesses: number[] = [];
  for (const campaign of scheduled) {
    latenesses.push(await lateness(campaign));
    const sent = await eventually(async () => {
      const seen = await fixture.read(campaign.campaignId);
      return seen.status === "sent" && seen;
    });
    const run = await api.call("GET", `/v1/runs/${sent.runId}`, { key: fixture.publisher.apiKey });
    expect(run.body).toMatchObject({ status: "completed", kind: "live", audience: 20, accepted: 20 });
  }
  expect(Math.min(...latenesses)).toBeGreaterThanOrEqual(0);
  return Math.max(...latenesses);
}

test("a scheduled campaign is sent within a second of its time, and reaches its readers", async () => {
  let lateMs = await sendScheduled();
  // A process that was stalled is late once. A scheduler that looks too seldom is late each time, because its rounds
  // cannot fit all three times.
  for (let again = 0; again < 3 && lateMs >= scaleByLoad(1_000); again++) lateMs = await sendScheduled();
  expect(lateMs).toBeLessThan(scaleByLoad(1_000));
});

test("a test without a test device at its site answers 409 no_test_subscribers", async () => {
  const bare = await openWithReaders();
  const id = await bare.draft();
  expect(await bare.post(id, "test")).toMatchObject({ status: 409, body: { code: "no_test_subscribers" } });
  expect(await bare.read(id)).toMatchObject({ status: "draft" });
});

test("a test reaches only test devices, with each outcome; a live send only the others", async () => {
  const site = await openWithReaders();
  const phone = await registerDevice(site, "Phone");
  const lost = await registerDevice(site, "Lost phone");
  const foreign = await registerDevice(site, "Foreign");
  pushService.answerWith({ behaviour: "gone", match: { endpoint: lost.endpoint } });
  pushService.answerWith({ behaviour: "forbidden", match: { endpoint: foreign.endpoint } });
  const { topicId } = await addTopic(app, site.publisher.actor, { siteId: site.publisher.siteId, name: "Politics" });
  const id = await site.draft({ topicIds: [topicId] });
  const before = await site.read(id);

  const { status, body } = await site.post(id, "test");
  expect(status).toBe(200);
  const result = (label: string, outcome: string, answered: number) => ({
    testSubscriberId: expect.stringMatching(/^\d+$/),
    label,
    outcome,
    status: answered,
    message: expect.any(String),
    messageCode: expect.stringMatching(/^outcome_/),
    params: {},
  });
  expect(body).toEqual({
    runId: expect.any(String),
    recipients: 3,
    accepted: 1,
    results: [result("Phone", "accepted", 201), result("Lost phone", "gone", 410), result("Foreign", "failed", 403)],
  });
  expect(payloadsOf(phone)).toMatchObject([{ notification: { title: "Bridge opens", tag: body.runId } }]);
  expect(await site.read(id)).toEqual(before);
  const run = await api.call("GET", `/v1/runs/${body.runId}`, { key: site.publisher.apiKey });
  expect(run.body).toMatchObject({ kind: "test", audience: 3, accepted: 1, gone: 1, failed: 1 });

  const sent = await site.post(await site.draft(), "send");
  await eventually(async () => {
    const live = await api.call("GET", `/v1/runs/${sent.body.runId}`, { key: site.publisher.apiKey });
    return live.body.status === "completed" && live.body.accepted === 20;
  });
  expect(payloadsOf(phone)).toHaveLength(1);
});

test("a test ignores gates, works for a scheduled campaign too, and two at once both run", async () => {
  const site = await openWithReaders();
  const phone = await registerDevice(site, "Phone");
  await changeTenant(app, site.publisher.actor, { paused: true, dpaAccepted: false });
  const { campaignId } = await scheduleIn(site, 3_600);
  const [one, two] = await Promise.all([site.post(campaignId, "test"), site.post(campaignId, "test")]);
  for (const { status, body } of [one, two]) {
    expect({ status, ...body }).toMatchObject({ status: 200, recipients: 1, accepted: 1 });
  }
  expect(one.body.runId).not.toBe(two.body.runId);
  expect(payloadsOf(phone)).toHaveLength(2);
  expect(await site.read(campaignId)).toMatchObject({ status: "scheduled", runId: null });
});

test("a test reaches at most 50 devices, in the order of their registration", async () => {
  const site = await openWithReaders();
  const devices = subscriptionsOf(site.publisher.vapidPublicKey, 51);
  await subscribe(app, site.publisher.siteId, devices, "Newsroom");
  const { body } = await site.post(await site.draft(), "test");
  expect(body).toMatchObject({ recipients: 50, accepted: 50 });
  expect(body.results).toHaveLength(50);
  expect(payloadsOf(devices[50]!)).toHaveLength(0);
});

test("a test answers pending after 15 s for a device out of reach; its message expires soon", async () => {
  const { status, body } = await slowTest;
  expect(status).toBe(200);
  expect(body).toMatchObject({ recipients: 1, accepted: 0, results: [{ label: "Slow", outcome: "pending" }] });
  const { rows } = await sql<{ ttl: number }>`select ttl_seconds as ttl from runs where id = ${body.runId}`.execute(
    app.db,
  );
  expect(rows[0]!.ttl).toBe(600);
});
