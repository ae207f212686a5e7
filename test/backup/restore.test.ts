import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "kysely";
import { beforeAll, describe, expect, test, vi } from "vitest";
import type { App } from "../../src/app.ts";
import { row, rows } from "../../src/db/pool.ts";
import type { PushTransport } from "../../src/egress/push/transport.ts";
import { itemWork } from "../../src/feeds/items/send-due-items.ts";
import { pollWork } from "../../src/feeds/poll/feed-poller.ts";
import { sweepRuns } from "../../src/runs/close-run.ts";
import type { RunRef } from "../../src/runs/queries.ts";
import { startDueSends } from "../../src/sends/scheduler.ts";
import { runHere } from "../cli/run-here.ts";
import { createTestContext, deliverOne, deliverToEnd, subscribeBrowsers } from "../delivery/fixture.ts";
import {
  type FeedFixture,
  makeItemsDue,
  openFeedFixture,
  openTestFeed,
  story,
  type TestFeed,
} from "../feeds/fixture.ts";
import { createTestDatabase, openAppOn, settingsOf, testSecretKey } from "../fixtures/app.ts";
import { eventually } from "../fixtures/eventually.ts";
import { urlOf } from "../fixtures/postgres.ts";
import { createPublisher, type Publisher } from "../fixtures/publisher.ts";
import { type PushService, startPushService } from "../fixtures/push-service/push-service.ts";
import { changePlannedSends } from "../fixtures/rows/campaigns.ts";
import { ago, present } from "../fixtures/rows/change.ts";
import { changeFeeds } from "../fixtures/rows/feeds.ts";
import { deleteSubscribers } from "../fixtures/rows/subscribers.ts";
import { endLeases, start, startPlanned, view } from "../runs/fixture.ts";
import { backUp, hashTables, insertCampaign, openUndoWindow, passphrase, scratchFolder } from "./fixture.ts";

// Commands that seal or open a file take seconds, and much longer on a busy machine.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

const readers = 200;
/** The tables that the service does not change between the backup and the comparison. */
const steady = ["tenants", "users", "accounts", "members", "api_keys", "subscribers_joined"];

let pushService: PushService;
let feeds: FeedFixture;
let source: App;
let publisher: Publisher;
let run: RunRef;
let due: string;
let later: string;
let pending: string;
let restored: App;
let keyFile: string;
let printed: Record<string, unknown>;

/**
 * Populates an installation and backs it up in the middle of a run. Then the run continues to its end, and the backup
 * is restored.
 */
beforeAll(async () => {
  // Few streams at once, so that the backup happens in the middle of a batch.
  pushService = await startPushService({ maxConcurrentStreams: 10 });
  feeds = await openFeedFixture({ PUSH_SERVICES: pushService.origin });
  source = feeds.app;
  publisher = await createPublisher(source, { siteUrl: feeds.server.origin });
  await subscribeBrowsers(source, publisher, pushService, readers);
  const feed = await feeds.feedWith(publisher, [story(feeds, "old")]);
  feed.put([story(feeds, "found"), story(feeds, "old")]);
  await feed.poll();
  run = await startPlanned(source, publisher);
  due = await insertCampaign(source, publisher, 0);
  later = await insertCampaign(source, publisher, 3_600);
  pending = await openUndoWindow(source, publisher);
  await start(source, publisher, { kind: "test" });
  await sql`insert into emails (id, sealed) values (gen_random_uuid(), '\\x00')`.execute(source.db);

  const folder = await scratchFolder();
  const file = join(folder, "pressbell.backup");
  keyFile = join(folder, "secret.key");
  const goOn = await deliverInPart();
  await backUp(source, file);
  await goOn();
  await sweepRuns(source.db);
  // The source continues: it sends the item, and finds another one.
  await feed.pollAndSend();
  feed.put([story(feeds, "sent meanwhile"), story(feeds, "found"), story(feeds, "old")]);

  const target = await createTestDatabase();
  const words = ["restore", file, "--passphrase-stdin", "--secret-key-out", keyFile, "--json"];
  const { out, err } = await runHere(words, { DATABASE_URL: urlOf(target) }, { input: `${passphrase}\n` });
  if (out === "") throw new Error(err);
  printed = JSON.parse(out);
  restored = await openAppOn(target, { PUSH_SERVICES: pushService.origin, ALLOW_HOSTS: feeds.server.allowHost });
});

/**
 * Begins a batch: 60 messages are sent, and the next ones wait. Returns a function that releases them and delivers the
 * rest.
 */
async function deliverInPart(): Promise<() => Promise<unknown>> {
  const context = createTestContext(source, pushService);
  const gate = Promise.withResolvers<void>();
  let posts = 0;
  const post: PushTransport["post"] = async (request) => {
    posts += 1;
    if (posts > 60) await gate.promise;
    return context.transport.post(request);
  };
  const delivery = deliverOne({ ...context, transport: { ...context.transport, post } });
  await eventually(async () => posts > 60 && (await view(source, publisher, run)).accepted > 0);
  return () => {
    gate.resolve();
    return delivery;
  };
}

/** Does once everything that a service does by itself. */
async function actAsService(app: App): Promise<void> {
  await startDueSends(app);
  await startDueSends(app);
  await changeFeeds(app, {}, { nextPollAt: ago("1 millisecond") });
  await pollWork(app).untilIdle();
  await makeItemsDue(app);
  await itemWork(app).untilIdle();
  while (await deliverOne(createTestContext(app, pushService)));
  await sweepRuns(app.db);
}

async function statusOf(app: App, campaignId: string) {
  return row(
    sql`select state as status, failure->>'code' as code from campaign_states where id = ${campaignId}`,
    app.db,
  );
}

async function holds(words: string[]) {
  return runHere(["quarantine", ...words], settingsOf(restored));
}

const countRuns = async (app: App) => (await row(sql<{ n: number }>`select count(*) as n from runs`, app.db))!.n;

describe("a backup that was made in the middle of a run, restored into an empty database,", () => {
  test("has every row as it was, the secret key in a file, and ids that go on above the old ones", async () => {
    expect(await hashTables(restored, steady)).toEqual(await hashTables(source, steady));
    // Delivery writes the other columns of this table.
    const readersOf = (app: App) => rows(sql`select id, endpoint, p256dh, auth from subscribers order by id`, app.db);
    expect(await readersOf(restored)).toEqual(await readersOf(source));
    expect(await readFile(keyFile, "utf8")).toBe(`${testSecretKey}\n`);
    await expect(subscribeBrowsers(restored, publisher, pushService, 1)).resolves.toHaveLength(1);
    await deleteSubscribers(restored, { siteId: publisher.siteId, newest: 1 });
  });

  test("says what it holds, and ends what may have gone out since", async () => {
    expect(printed).toMatchObject({
      quarantinedSites: 2,
      failedSchedules: 1,
      refusedSends: 1,
      skippedItems: 1,
      stoppedTests: 1,
      deletedEmails: 1,
      createdAt: expect.stringMatching(/^20.*Z$/),
    });
    expect(await statusOf(restored, due)).toEqual({ status: "failed", code: "missed" });
    expect(await statusOf(restored, later)).toEqual({ status: "scheduled", code: null });
  });

  test("sends nothing until it is released, and lists who got what", async () => {
    const sent = pushService.stats().received;
    expect(sent).toBe(readers);
    const runs = await countRuns(restored);
    await actAsService(restored);
    await changePlannedSends(restored, { campaignId: later, waitsFor: "time" }, { startsAt: present });
    await actAsService(restored);
    expect(pushService.stats().received).toBe(sent);
    expect(await countRuns(restored)).toBe(runs);
    expect(await statusOf(restored, pending)).toMatchObject({ status: "draft" });

    const { out } = await holds(["list", "--json"]);
    const site = out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line))
      .find(({ siteId }) => siteId === publisher.siteId);
    const { accepted, uncertain, ...known } = site.runs[0];
    expect(known).toMatchObject({ runId: run.runId, audience: readers, pending: readers - accepted });
    expect([accepted, uncertain, readers - accepted - uncertain].every((n) => n > 0)).toBe(true);
    expect(site).toMatchObject({ feeds: 1, items: 0, schedules: [{ campaignId: later }] });
    const listed = await runHere(["schedules", "list", "--site", publisher.siteId], settingsOf(restored));
    expect(listed.out).toMatch(new RegExp(`^campaignId=${later} .*delayed=true`));
  });
});

describe("a site that is quarantined", () => {
  test("is released: open runs send to readers not known to have got them, feeds nothing again", async () => {
    const { accepted } = await view(restored, publisher, run);
    const refused = await holds(["release", "--site", publisher.siteId]);
    expect(refused).toMatchObject({ code: 1, out: "" });
    expect(refused.err).toMatch(/has an open run \(quarantine list\): say --runs continue or --runs stop\.\n$/);
    const released = await holds(["release", "--all", "--runs", "continue"]);
    expect(released.out.trim().split("\n")).toHaveLength(2);
    expect(await holds(["list"])).toMatchObject({ code: 0, out: "", err: "No site is quarantined.\n" });

    await endLeases(restored, run);
    await deliverToEnd(restored, createTestContext(restored, pushService), run);
    const ended = await view(restored, publisher, run);
    expect(ended).toMatchObject({ status: "completed", accepted: readers, pending: 0 });
    expect(ended.repeated).toBeGreaterThan(0);
    expect(pushService.stats().received).toBe(2 * readers - accepted);
    const before = await countRuns(restored);
    await pollWork(restored).untilIdle();
    await itemWork(restored).untilIdle();
    expect(await countRuns(restored)).toBe(before);
  });

  test("sends after its release what comes then", async () => {
    const { id } = (await row(sql<{ id: string }>`select id from feeds`, restored.db))!;
    const path = new URL((await row(sql<{ url: string }>`select url from feeds`, restored.db))!.url).pathname;
    const feed: TestFeed = openTestFeed({ ...feeds, app: restored }, publisher, id, path);
    feed.put([story(feeds, "new"), story(feeds, "sent meanwhile"), story(feeds, "found"), story(feeds, "old")]);
    const items = await feed.pollAndSend();
    expect(items.map(({ title, status }) => [title, status])).toEqual([
      ["The story of new", "sent"],
      ["The story of found", "skipped"],
    ]);
    expect(await statusOf(restored, later)).toMatchObject({ status: "scheduled" });
    await startDueSends(restored);
    expect(await statusOf(restored, later)).toMatchObject({ status: "started" });
  });
});
