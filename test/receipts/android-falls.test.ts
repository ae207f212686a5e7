import { sql } from "kysely";
import { beforeAll, expect, test } from "vitest";
import type { App } from "../../src/app.ts";
import { androidFallsOfSite } from "../../src/receipts/android-clicks.ts";
import { addSegment } from "../../src/subscribers/segments/segments.ts";
import { type CampaignFixture, campaignFixtureOf } from "../campaigns/fixture.ts";
import { openTestApp, serve, settingsOf } from "../fixtures/app.ts";
import { eventually } from "../fixtures/eventually.ts";
import { createPublisher, subscribe } from "../fixtures/publisher.ts";
import type { PlayedReaders, ReaderEvent } from "../fixtures/push-service/played-readers.ts";
import { type PushService, startPushService } from "../fixtures/push-service/push-service.ts";
import { siteOrigin } from "../fixtures/reader-client.ts";
import { changeReceipts } from "../fixtures/rows/receipts.ts";
import { changeRuns } from "../fixtures/rows/runs.ts";
import { startProcess } from "../fixtures/service-process.ts";

let fixture: CampaignFixture;
let pushService: PushService;
let phones: PlayedReaders;
let desktops: PlayedReaders;

beforeAll(async () => {
  pushService = await startPushService();
  const settings = { PUSH_SERVICES: pushService.origin, RATE_LIMIT_PER_MINUTE: "1000000" };
  const app = await openTestApp(settings);
  const more = { ...settings, WORKERS: "1", NODE_EXTRA_CA_CERTS: pushService.caFile };
  await startProcess(["worker"], { ...settingsOf(app), ...more }).printed(/delivering with/);
  fixture = campaignFixtureOf(app, await serve(app), await createPublisher(app));
  const { siteId, vapidPublicKey } = fixture.publisher;
  const report = (events: ReaderEvent[], userAgent: string) =>
    fixture.api.call("POST", "/sdk/events", {
      body: { events },
      headers: { origin: siteOrigin, "user-agent": userAgent },
    });
  const readers = { count: 220, applicationServerKey: vapidPublicKey, report };
  phones = pushService.playReaders({ ...readers, isAndroid: true, clickShare: 0.25 });
  desktops = pushService.playReaders({ ...readers, clickShare: 0.18 });
  await subscribe(app, siteId, [...phones.subscriptions, ...desktops.subscriptions]);
  const runs = await Promise.all(Array.from({ length: 10 }, () => send()));
  for (const runId of runs) await settle(runId, 100);
}, 150_000);

/**
 * Returns the falls of a site in the run's third hour. The hour cannot end meanwhile, because a transaction has one
 * moment.
 */
function fallsInThirdHour(on: App, siteId: string, runId: string) {
  return on.db.transaction().execute(async (tx) => {
    await changeRuns(
      { db: tx },
      { id: runId },
      { startedAt: sql`date_trunc('hour', now(), 'UTC') - interval '2 hours'` },
    );
    return androidFallsOfSite(tx, siteId);
  });
}

/** Moves a run and its receipts `hours` hours into the past. */
async function moveBack(on: App, runId: string, hours: number): Promise<void> {
  await changeRuns(on, { id: runId }, { startedEarlier: `${hours} hours` });
  await changeReceipts(on, { runId }, { earlier: `${hours} hours` });
}

async function send(fields: Record<string, unknown> = {}): Promise<string> {
  return (await fixture.post(await fixture.draft(fields), "send")).body.runId;
}

/**
 * Waits until all readers have seen and clicked the notification. Moves it `hoursAgo` hours into the past. Returns its
 * clicks.
 */
async function settle(runId: string, hoursAgo: number): Promise<number> {
  const { app, publisher } = fixture;
  const run = await eventually(async () => {
    await Promise.all([phones.whenReported(), desktops.whenReported()]);
    const seen = (await fixture.api.call("GET", `/v1/runs/${runId}`, { key: publisher.apiKey })).body;
    return seen.status === "completed" && seen.displayed === 440 && seen;
  }, 90_000);
  await moveBack(app, runId, hoursAgo);
  return run.clicked;
}

const fallen = async () => (await androidFallsOfSite(fixture.app.db, fixture.publisher.siteId)).map((run) => run.runId);

test("a segment with fewer clicks on Android is not taken for one that Chrome hides", async () => {
  const { app, publisher } = fixture;
  const body = { name: "New", rule: { subscribedWithinDays: 30 } };
  const { segmentId: segment } = await addSegment(app, publisher.actor, { siteId: publisher.siteId, body });
  phones.setClickShare(0.01);
  await settle(await send({ segment }), 8);
  expect(await fallen()).toEqual([]);
  const toAll = await send();
  await settle(toAll, 7);
  expect(await fallen()).toEqual([toAll]);
  await moveBack(app, toAll, 30);
});

test("notifications that Chrome hides as spam are told of once three hours are over", async () => {
  const { app, publisher } = fixture;
  phones.setClickShare(0.25);
  const usual = await settle(await send(), 6);
  expect(await fallen()).toEqual([]);

  pushService.hideAsSpam({ applicationServerKey: publisher.vapidPublicKey });
  const hidden = await send();
  expect(await settle(hidden, 2)).toBeLessThan(usual - 0.2 * 220);
  expect(await fallsInThirdHour(app, publisher.siteId, hidden)).toEqual([]);
  await moveBack(app, hidden, 2);
  expect(await fallen()).toEqual([hidden]);
  await moveBack(app, hidden, 30);
  expect(await fallen()).toEqual([]);
});
