import { open, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "kysely";
import { beforeAll, expect, test, vi } from "vitest";
import type { App } from "../../src/app.ts";
import { exportSite } from "../../src/backup/export-site.ts";
import { importSite } from "../../src/backup/import-site.ts";
import { type SiteManifest, writeRecord } from "../../src/backup/records.ts";
import { readSiteTables } from "../../src/backup/site-tables.ts";
import { writeSealed } from "../../src/backup/write-backup.ts";
import { row, rows } from "../../src/db/pool.ts";
import { itemWork } from "../../src/feeds/items/send-due-items.ts";
import { pollWork } from "../../src/feeds/poll/feed-poller.ts";
import { newId } from "../../src/ids.ts";
import { sweepRuns } from "../../src/runs/close-run.ts";
import { createSecretBox } from "../../src/secret-box.ts";
import { startDueSends } from "../../src/sends/scheduler.ts";
import { changeSite } from "../../src/tenants/sites/sites.ts";
import { addTopic } from "../../src/tenants/topics/topics.ts";
import { openVapidKey } from "../../src/tenants/vapid/vapid-pair.ts";
import { makeDue } from "../campaigns/fixture.ts";
import { runHere } from "../cli/run-here.ts";
import { createTestContext, deliverOne, deliverToEnd, subscribeBrowsers } from "../delivery/fixture.ts";
import { type FeedFixture, openFeedFixture, story } from "../feeds/fixture.ts";
import { createTestDatabase, openAppOn, settingsOf } from "../fixtures/app.ts";
import { urlOf } from "../fixtures/postgres.ts";
import { createPublisher, type Publisher } from "../fixtures/publisher.ts";
import { type PushService, startPushService } from "../fixtures/push-service/push-service.ts";
import { changeFeeds } from "../fixtures/rows/feeds.ts";
import { giveTopic } from "../fixtures/rows/subscribers.ts";
import { planAll, startPlanned, subscriberIds } from "../runs/fixture.ts";
import { insertCampaign, openUndoWindow, passphrase, scratchFolder } from "./fixture.ts";

// Commands that seal or open a file take seconds, and much longer on a busy machine.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

const readers = 30;
const otherKey = "another secret key, of the second installation";

let pushService: PushService;
let feeds: FeedFixture;
let source: App;
let target: App;
let publisher: Publisher;
let receiver: Publisher;
let scheduled: string;
let folder: string;
let file: string;
let exported: Record<string, unknown>;

const withInput = { input: `${passphrase}\n` };
const atSource = (words: string[]) => runHere(words, settingsOf(source), withInput);
const atTarget = (words: string[]) =>
  runHere(words, { DATABASE_URL: urlOf(target.connection), SECRET_KEY: otherKey }, withInput);
const exportTo = (to: string) => atSource(["site", "export", "--site", publisher.siteId, to, "--passphrase-stdin"]);
const importFrom = (from: string, tenantId = receiver.tenantId) =>
  atTarget(["site", "import", "--tenant", tenantId, from, "--passphrase-stdin", "--json"]);

/**
 * Populates a site in an installation with another site. Also populates a second installation, whose own readers have
 * the same ids.
 */
beforeAll(async () => {
  pushService = await startPushService();
  feeds = await openFeedFixture({ PUSH_SERVICES: pushService.origin });
  source = feeds.app;
  publisher = await createPublisher(source, { siteUrl: feeds.server.origin });
  const { topicId } = await addTopic(source, publisher.actor, { siteId: publisher.siteId, name: "Sport" });
  await subscribeBrowsers(source, publisher, pushService, readers);
  const even = (await subscriberIds(source, publisher.siteId)).filter((id) => id % 2 === 0);
  await giveTopic(source, publisher.siteId, topicId, even);
  const feed = await feeds.feedWith(publisher, [story(feeds, "old")]);
  await changeFeeds(
    source,
    { id: feed.feedId },
    { hubUrl: "https://hub.example/", hubTopic: "the feed", hubState: "active" },
  );
  await feed.poll();
  await deliverToEnd(source, createTestContext(source, pushService), await startPlanned(source, publisher));
  scheduled = await insertCampaign(source, publisher, 3_600);
  const other = await createPublisher(source);
  await subscribeBrowsers(source, other, pushService, 3);

  target = { ...(await openAppOn(await createTestDatabase("template"), { PUSH_SERVICES: pushService.origin })) };
  target.secrets = createSecretBox(otherKey);
  receiver = await createPublisher(target);
  await subscribeBrowsers(target, receiver, pushService, 5);
  folder = await scratchFolder();
  file = join(folder, "site.pressbell");
});

/** Does once everything that a service does by itself. */
async function actAsService(app: App): Promise<void> {
  await startDueSends(app);
  await startDueSends(app);
  await pollWork(app).untilIdle();
  await itemWork(app).untilIdle();
  await planAll(app);
  while (await deliverOne(createTestContext(app, pushService)));
  await sweepRuns(app.db);
}

/** Returns the rows of the site in each table that moves, without the values that an installation assigns anew. */
async function contentOf(app: App): Promise<Record<string, unknown>> {
  const content: Record<string, unknown> = {};
  for (const { name } of await readSiteTables(app.db)) {
    if (["audit_events", "feeds", "planned_sends", "recurring_sends"].includes(name)) continue;
    const found = await rows(
      sql<{ row: string }>`select (to_jsonb(t) - 'tenant_id')::text as row from ${sql.table(name)} t
        where site_id = ${publisher.siteId} order by 1`,
      app.db,
    );
    content[name] = found.map((each) => each.row);
  }
  return content;
}

const plannedSendsOf = (app: App) =>
  rows(
    sql`select waits_for as "waitsFor", status, user_id as "userId" from planned_sends
      where site_id = ${publisher.siteId} order by waits_for`,
    app.db,
  );

const runsOf = async (app: App) =>
  (await row(sql<{ n: number }>`select count(*) as n from runs where site_id = ${publisher.siteId}`, app.db))!.n;
const holdOf = (app: App) =>
  row(
    sql`select paused_at is not null as paused, quarantined_at is not null as held, moved_at is not null as moved
      from sites where id = ${publisher.siteId}`,
    app.db,
  );

test("an export is refused while a run is open, and the site goes on", async () => {
  const run = await startPlanned(source, publisher);
  expect(await exportTo(file)).toMatchObject({ code: 1, err: expect.stringContaining("The site has 1 open runs") });
  expect(await holdOf(source)).toEqual({ paused: false, held: false, moved: false });
  await deliverToEnd(source, createTestContext(source, pushService), run);
});

test("a site goes on if its file cannot be written, and is moved by the next export", async () => {
  const path = join(folder, "stopped");
  const input = { siteId: publisher.siteId, passphrase, output: await open(path, "wx"), path };
  const stopped = exportSite(source, publisher.actor, { ...input, signal: AbortSignal.abort() });
  await expect(stopped).rejects.toThrow("no file was written");
  await expect(readFile(path)).rejects.toThrow("ENOENT");
  expect(await holdOf(source)).toEqual({ paused: false, held: false, moved: false });
  await openUndoWindow(source, publisher);
  exported = await contentOf(source);
  const { code, err } = await exportTo(file);
  expect({ code, err }).toEqual({ code: 0, err: "" });
  expect(await holdOf(source)).toEqual({ paused: true, held: true, moved: true });
  expect((await readFile(file)).includes("fcm")).toBe(false);
});

test("an exported site sends nothing more at the source, whoever tries to release it there", async () => {
  const sent = pushService.stats().received;
  const runs = await runsOf(source);
  const resume = changeSite(source, publisher.actor, { siteId: publisher.siteId, paused: false });
  await expect(resume).rejects.toMatchObject({ code: "site_moved" });
  expect(await atSource(["quarantine", "release", "--site", publisher.siteId])).toMatchObject({
    code: 1,
    err: expect.stringContaining("say --not-moved"),
  });
  expect(await atSource(["quarantine", "release", "--all"])).toMatchObject({ code: 0, out: "" });
  expect((await atSource(["quarantine", "list"])).out).toContain("movedAt=");
  await makeDue(source, scheduled);
  await actAsService(source);
  expect([pushService.stats().received, await runsOf(source)]).toEqual([sent, runs]);
});

test("a site file is refused with a wrong passphrase, changed, twice, or without a tenant", async () => {
  const wrong = { input: "not the passphrase of the file\n" };
  const settings = { DATABASE_URL: urlOf(target.connection), SECRET_KEY: otherKey };
  const words = ["site", "import", "--tenant", receiver.tenantId, file, "--passphrase-stdin"];
  expect(await runHere(words, settings, wrong)).toMatchObject({ code: 1 });
  const broken = join(folder, "broken");
  const bytes = await readFile(file);
  await writeFile(broken, bytes.subarray(0, bytes.length - 40));
  expect(await importFrom(broken)).toMatchObject({ code: 1, err: expect.stringContaining("The file is incomplete") });
  expect(await importFrom(file, publisher.tenantId)).toMatchObject({ code: 1 });
  const empty = urlOf(await createTestDatabase());
  const restore = ["restore", file, "--passphrase-stdin"];
  const restored = await runHere(restore, { DATABASE_URL: empty, SECRET_KEY: otherKey }, withInput);
  expect(restored).toMatchObject({ code: 1, err: expect.stringContaining("pressbell site import") });
  expect(await row(sql<{ n: number }>`select count(*) as n from sites`, target.db)).toEqual({ n: 1 });
});

test("a site file with rows of another site or table is refused", async () => {
  const site = await row(
    sql<{ row: SiteManifest["site"]; sealed: Buffer }>`select to_jsonb(s) - 'vapid_private_key_sealed' as row,
      vapid_private_key_sealed as sealed from sites s`,
    target.db,
  );
  const applied = await rows(sql<{ name: string }>`select name from kysely_migration order by name`, target.db);
  const value = {
    createdAt: new Date().toISOString(),
    migrations: applied.map(({ name }) => name),
    site: { ...site!.row, id: newId(), quarantined_at: site!.row.created_at, paused_at: site!.row.created_at },
    privateKey: openVapidKey(target.secrets, receiver.siteId, site!.sealed).toString("base64url"),
  };
  const topic = `${receiver.siteId}\t${newId()}\tForeign\t\\N\t2030-01-01\n`;
  const { columns } = (await readSiteTables(target.db)).find(({ name }) => name === "topics")!;
  for (const [name, data] of [
    ["topics", topic],
    ["users", ""],
  ] as const) {
    const path = join(folder, `foreign-${name}`);
    const input = { connection: target.connection, passphrase, output: await open(path, "wx"), path };
    await writeSealed({ ...input, signal: new AbortController().signal }, async function* () {
      yield writeRecord({ kind: "site", value });
      yield writeRecord({ kind: "table", value: { name, columns } });
      yield writeRecord({ kind: "data", bytes: Buffer.from(data) });
      yield writeRecord({ kind: "rows", value: 1 });
      yield writeRecord({ kind: "end", value: { sequences: [] } });
    });
    const refused = importSite(target, receiver.actor, { file: path, passphrase });
    await expect(refused).rejects.toThrow("The backup holds what this version does not know");
  }
  expect(await row(sql`select count(*) as n from topics`, target.db)).toEqual({ n: 0 });
});

test("a site arrives whole under another secret key, beside a tenant that stays as it was", async () => {
  const { code, out, err } = await importFrom(file);
  expect({ code, err }).toEqual({ code: 0, err: "" });
  expect(JSON.parse(out)).toMatchObject({ siteId: publisher.siteId, name: "Site", readers, campaigns: 4 });
  expect(await contentOf(target)).toEqual(exported);
  expect(await plannedSendsOf(target)).toEqual([
    { waitsFor: "time", status: "waiting", userId: null },
    { waitsFor: "undo", status: "withdrawn", userId: null },
  ]);
  expect(
    Object.entries(exported)
      .filter(([, found]) => (found as string[]).length > 0)
      .map(([name]) => name),
  ).toEqual(
    expect.arrayContaining([
      "campaigns",
      "feed_keys",
      "run_totals",
      "runs",
      "subscriber_topics",
      "subscribers",
      "topics",
    ]),
  );
  const others = await rows(sql`select site_id, count(*) as n from subscribers group by 1 order by 2`, target.db);
  expect(others).toEqual([
    { site_id: receiver.siteId, n: 5 },
    { site_id: publisher.siteId, n: readers },
  ]);
  expect(await row(sql`select tenant_id, hub_url, hub_state from feeds`, target.db)).toEqual({
    tenant_id: receiver.tenantId,
    hub_url: null,
    hub_state: null,
  });
  const refused = await importFrom(file);
  expect(refused).toMatchObject({ code: 1, err: expect.stringContaining("is here already") });
  expect(refused.err).toContain(`site erase --site ${publisher.siteId} --yes`);
});

test("an imported site sends nothing until its release, then each campaign once", async () => {
  const sent = pushService.stats().received;
  const runs = await runsOf(target);
  await makeDue(target, scheduled);
  await actAsService(target);
  expect([pushService.stats().received, await runsOf(target)]).toEqual([sent, runs]);
  const released = await atTarget(["quarantine", "release", "--site", publisher.siteId]);
  expect(released.out).toContain("released=true paused=false");
  await actAsService(target);
  await actAsService(source);
  expect(pushService.stats().received).toBe(sent + readers);
  expect(await runsOf(target)).toBe(runs + 1);
  // A new reader gets an id that no other reader has.
  const moved = { ...publisher, tenantId: receiver.tenantId, actor: receiver.actor };
  await expect(subscribeBrowsers(target, moved, pushService, 1)).resolves.toHaveLength(1);
});

test("a site whose file was imported nowhere goes on at the source when a person says so", async () => {
  const { out } = await atSource(["quarantine", "release", "--site", publisher.siteId, "--not-moved"]);
  expect(out).toContain("released=true paused=false");
  expect(await holdOf(source)).toEqual({ paused: false, held: false, moved: false });
});
