import { sql } from "kysely";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { App } from "../../src/app.ts";
import { sendDueDigests } from "../../src/automations/digests/send-due-digests.ts";
import { quarantineEverything } from "../../src/backup/quarantine.ts";
import { rows } from "../../src/db/pool.ts";
import { runMaintenance } from "../../src/maintenance.ts";
import type { PreferencesView } from "../../src/readers/preferences.ts";
import { finalCode, pendingCode } from "../../src/runs/ledger/codes.ts";
import type { RunMessage } from "../../src/runs/run.ts";
import { stopRun } from "../../src/runs/stop-run.ts";
import { deleteGoneSubscribers } from "../../src/subscribers/gone-queries.ts";
import { expireMutes } from "../../src/subscribers/preferences/expire-mutes.ts";
import { changeSite } from "../../src/tenants/sites/sites.ts";
import { type Answer, type Api, openTestApp, serve } from "../fixtures/app.ts";
import { zoneFarFromMidnight } from "../fixtures/far-from-midnight.ts";
import {
  type BrowserSubscription,
  createPublisher,
  createSubscriptions,
  type Publisher,
  subscribe,
} from "../fixtures/publisher.ts";
import { createReaderClient, type ReaderClient } from "../fixtures/reader-client.ts";
import { ago, present } from "../fixtures/rows/change.ts";
import { changeRuns, setVariant, writeCodes } from "../fixtures/rows/runs.ts";
import { changeTenants } from "../fixtures/rows/sites.ts";
import { changePreferences } from "../fixtures/rows/subscribers.ts";
import { message, planAll, start, startPlanned, view } from "../runs/fixture.ts";

let app: App;
let api: Api;
let publisher: Publisher;
let client: ReaderClient;
let reader: BrowserSubscription;

beforeAll(async () => {
  app = await openTestApp();
  api = await serve(app);
});

/** Creates a site with two readers. One of them asks for preferences in the tests. */
beforeEach(async () => {
  await sql`truncate rate_limits`.execute(app.db);
  await changeRuns(app, { status: ["queued", "sending"] }, { completedAt: present });
  publisher = await createPublisher(app);
  client = createReaderClient(api, publisher.siteId);
  reader = createSubscriptions(1)[0]!;
  await subscribe(app, publisher.siteId, [reader, ...createSubscriptions(1)]);
});

/** The time zone of the reader. No day begins there during the tests. */
const { timeZone, hoursAhead } = zoneFarFromMidnight();
const nothing = { maxADay: null, quietHours: null, digestAt: null, breaking: false, timeZone };

function ask(body: object = {}, of = reader): Promise<Answer> {
  return client.post("preferences", { endpoint: of.endpoint, auth: of.keys.auth, ...body });
}

async function read(body: object = {}): Promise<PreferencesView> {
  const answer = await ask(body);
  expect(answer.status).toBe(200);
  return answer.body;
}

const prefer = (preferences: object) => read({ preferences: { ...nothing, ...preferences } });

let sequence = 0;

type Change = Partial<RunMessage> & { corrects?: string; kind?: "update"; class?: "breaking" | "low" };

/**
 * Sends a notification, or with `corrects` a correction or an update of that run. Returns the counts of its run and the
 * reasons for which readers were suppressed, without zeros. Nothing is delivered, so a correction goes to the readers
 * who are still pending.
 */
async function send({ corrects, kind, class: ofClass, ...change }: Change = {}) {
  if (corrects !== undefined) await endRun(corrects);
  const run = await startPlanned(app, publisher, {
    message: { ...message, ...change },
    ...(kind && { kind }),
    ...(ofClass && { class: ofClass }),
    ...(corrects && { corrects: { runId: corrects, sequence: ++sequence, outcomes: [pendingCode] } }),
  });
  const { pending, notSent, audience, reasons } = await view(app, publisher, run);
  expect(pending + notSent).toBe(audience);
  return { runId: run.runId, pending, suppressed: reasons.map(({ reason, count }) => `${reason} ${count}`) };
}

/** Ends a run without delivering it, because a correction waits for the end of the run that it corrects. */
async function endRun(runId: string): Promise<void> {
  await changeRuns(app, { id: runId, isOpen: true }, { status: "completed" });
}

/** Makes each digest due now, sends it, and plans its run. */
async function makeDigestsDue(of = app): Promise<void> {
  await changePreferences(app, { waitsForDigest: true }, { digestDueAt: present });
  while ((await sendDueDigests(of)) > 0);
  await planAll(app);
}

const digests = () =>
  rows(
    sql<{ title: string; body: string; url: string; n: number }>`
      select m.message->>'title' as title, m.message->>'body' as body, m.message->>'url' as url, r.expected_audience as n
      from runs r join run_messages m on m.site_id = r.site_id and m.run_id = r.id
      where r.site_id = ${publisher.siteId} and r.kind = 'digest' order by r.id`,
    app.db,
  );

/** Expects that the reader's digest is due in about `minutes` minutes. */
async function expectDigestIn(minutes: number): Promise<void> {
  const [due] = await rows(
    sql<{ minutes: number }>`select extract(epoch from digest_due_at - now())::float8 / 60 as minutes
      from reader_preferences where site_id = ${publisher.siteId}`,
    app.db,
  );
  expect(due!.minutes).toBeGreaterThan(minutes - 5);
  expect(due!.minutes).toBeLessThan(minutes + 5);
}

/**
 * Returns the time of day, `HH:MM`, `minutes` minutes from now. It is that of the reader's zone, or of a zone `ahead`
 * hours ahead of UTC.
 */
const inMinutes = (minutes: number, ahead = hoursAhead) =>
  new Date(Date.now() + (minutes + ahead * 60) * 60_000).toISOString().slice(11, 16);

describe("a limit of notifications a day", () => {
  test("of three lets three of ten through, and the others come in one digest, newest first", async () => {
    await prefer({ maxADay: 3, digestAt: "18:00" });
    const sent = [];
    for (let n = 1; n <= 10; n++) sent.push(await send({ title: `Story ${n}`, url: `https://news.example/${n}` }));
    expect(sent.map(({ pending }) => pending)).toEqual([2, 2, 2, 1, 1, 1, 1, 1, 1, 1]);
    expect(sent[9]!.suppressed).toEqual(["frequency_cap 1"]);
    await makeDigestsDue();
    const text = "• Story 10\n• Story 9\n• Story 8\n+ 4";
    expect(await digests()).toEqual([{ title: "Site", body: text, url: "https://news.example/", n: 1 }]);
    await makeDigestsDue();
    expect(await digests()).toHaveLength(1);
  });

  test("holds for ten runs that several planners plan at the same time", async () => {
    await prefer({ maxADay: 3 });
    const runs = [];
    for (let n = 1; n <= 10; n++) runs.push(await start(app, publisher));
    await Promise.all(Array.from({ length: 5 }, () => planAll(app)));
    const views = await Promise.all(runs.map((run) => view(app, publisher, run)));
    expect(views.reduce((sum, { notSent }) => sum + notSent, 0)).toBe(7);
  });

  test("begins anew on the next day where the reader is", async () => {
    await prefer({ maxADay: 1 });
    expect((await send()).pending).toBe(2);
    expect((await send()).pending).toBe(1);
    await changePreferences(app, {}, { usedDaysEarlier: 1 });
    expect((await send()).pending).toBe(2);
  });

  test("without a digest sends the others not at all", async () => {
    await prefer({ maxADay: 1 });
    await send();
    await send();
    await makeDigestsDue();
    expect(await digests()).toEqual([]);
  });

  test("is not used up by test sends", async () => {
    await prefer({ maxADay: 1 });
    await startPlanned(app, publisher, { kind: "test" });
    expect((await send()).pending).toBe(2);
  });
});

describe("breaking news", () => {
  test("comes through limit and quiet hours to readers who have agreed, and other classes do not", async () => {
    await prefer({ maxADay: 1, breaking: true });
    expect((await send({ class: "breaking" })).pending).toBe(2);
    expect((await send({ class: "breaking" })).pending).toBe(2);
    expect((await send({ class: "low" })).suppressed).toEqual(["frequency_cap 1"]);
    await prefer({ quietHours: { from: inMinutes(-60), until: inMinutes(60) }, breaking: true });
    expect((await send({ class: "breaking" })).pending).toBe(2);
    expect((await send()).suppressed).toEqual(["reader_quiet 1"]);
  });

  test("is suppressed like others for readers who have not agreed, and in a muted story for all", async () => {
    const { runId } = await send({ story: "election" });
    await prefer({ quietHours: { from: inMinutes(-60), until: inMinutes(60) } });
    expect((await send({ class: "breaking" })).suppressed).toEqual(["reader_quiet 1"]);
    await prefer({ breaking: true });
    await read({ mute: runId });
    expect((await send({ class: "breaking", story: "election" })).suppressed).toEqual(["muted 1"]);
  });

  test("stays agreed to where a change does not name it", async () => {
    await prefer({ breaking: true });
    const { breaking: _, ...others } = nothing;
    expect((await read({ preferences: { ...others, maxADay: 2 } })).preferences).toMatchObject({
      breaking: true,
      maxADay: 2,
    });
    expect((await prefer({})).preferences.breaking).toBe(false);
  });
});

describe("quiet hours of a reader", () => {
  test("are those where the reader is, also across midnight, and end", async () => {
    await prefer({ quietHours: { from: inMinutes(-60), until: inMinutes(60) } });
    expect((await send()).suppressed).toEqual(["reader_quiet 1"]);
    await prefer({ quietHours: { from: inMinutes(60), until: inMinutes(-60) } });
    expect((await send()).suppressed).toEqual([]);
    // This zone has no daylight saving time.
    const there = { from: inMinutes(-60, 14), until: inMinutes(60, 14) };
    await prefer({ quietHours: there, timeZone: "Pacific/Kiritimati" });
    expect((await send()).suppressed).toEqual(["reader_quiet 1"]);
  });

  test("keep notifications for the digest, which is due at its time of the reader's day", async () => {
    await prefer({ quietHours: { from: inMinutes(-60), until: inMinutes(60) }, digestAt: inMinutes(120) });
    await send();
    await expectDigestIn(120);
  });

  test("let a digest wait for its next time outside them, after a pause or a clock change", async () => {
    const quiet = { from: inMinutes(-60), until: inMinutes(60) };
    await prefer({ quietHours: quiet, digestAt: quiet.until });
    await send();
    await makeDigestsDue();
    expect(await digests()).toEqual([]);
    await expectDigestIn(60);
    await prefer({ digestAt: quiet.until });
    await makeDigestsDue();
    expect((await digests()).map(({ body }) => body)).toEqual(["• Bridge opens"]);
  });

  test("go by UTC in a zone that came with a site from an installation which knows more of them", async () => {
    const quiet = { from: inMinutes(-60, 0), until: inMinutes(60, 0) };
    await prefer({ quietHours: quiet, digestAt: quiet.until });
    await changePreferences(app, { siteId: publisher.siteId }, { timeZone: "Mars/Base" });
    expect((await send()).suppressed).toEqual(["reader_quiet 1"]);
    await makeDigestsDue();
    expect(await digests()).toEqual([]);
    await expectDigestIn(60);
  });

  test("set later move the digest that waits, with its time of day", async () => {
    await prefer({ maxADay: 1, digestAt: inMinutes(60) });
    await send();
    await send({ title: "Second" });
    await expectDigestIn(60);
    const later = { maxADay: 1, digestAt: inMinutes(180) };
    await prefer({ ...later, quietHours: { from: inMinutes(30), until: inMinutes(90) } });
    await expectDigestIn(180);
    await prefer({ ...later, maxADay: 2 });
    await expectDigestIn(180);
    // This zone has no daylight saving time.
    await prefer({ ...later, digestAt: inMinutes(240, 14), timeZone: "Pacific/Kiritimati" });
    await expectDigestIn(240);
    await makeDigestsDue();
    expect((await digests()).map(({ body }) => body)).toEqual(["• Second"]);
  });
});

describe("a muted story", () => {
  test("leaves its reader out of all that carries its id, until it is unmuted", async () => {
    await prefer({ digestAt: "18:00" });
    const { runId } = await send({ story: "election-2026", title: "Polls open" });
    const [muted] = (await read({ mute: runId })).muted;
    expect(muted!.title).toBe("Polls open");
    const next = { story: "election-2026", url: "https://news.example/other" };
    expect((await send(next)).suppressed).toEqual(["muted 1"]);
    expect((await send({ story: "weather" })).suppressed).toEqual([]);
    await makeDigestsDue();
    expect(await digests()).toEqual([]);
    await read({ unmute: muted!.story });
    expect((await send(next)).suppressed).toEqual([]);
  });

  test("is not in the digest either for which it had been suppressed, and others stay in it", async () => {
    await prefer({ maxADay: 1, digestAt: "18:00" });
    await send();
    const election = await send({ story: "election-2026", title: "Polls open" });
    await send({ story: "weather", title: "Storm" });
    const article = await send({ url: "https://news.example/article", title: "Article" });
    await read({ mute: election.runId });
    await read({ mute: article.runId });
    await makeDigestsDue();
    expect((await digests()).map(({ body }) => body)).toEqual(["• Storm"]);
  });

  test("without an id is its article", async () => {
    const { runId } = await send();
    await read({ mute: runId });
    expect((await send({ title: "The same article" })).suppressed).toEqual(["muted 1"]);
  });

  test("ends after 30 days", async () => {
    const { runId } = await send();
    await read({ mute: runId });
    await sql`update muted_stories set muted_at = now() - interval '31 days' where site_id = ${publisher.siteId}`.execute(
      app.db,
    );
    expect((await send()).suppressed).toEqual([]);
    expect(await runMaintenance(app.db, [expireMutes])).toEqual({ "muted stories": 1 });
  });

  test("must be a notification of this site and of the last 48 hours", async () => {
    const stranger = await createPublisher(app);
    const { runId } = await startPlanned(app, stranger);
    const answer = await ask({ mute: runId });
    expect(answer.status).toBe(400);
    expect(answer.body.errors).toMatchObject([
      { path: "/mute", message: "must be the runId of a notification of the last 48 hours" },
    ]);
  });
});

describe("a correction", () => {
  test("goes to those whom the corrected run reached, whatever their limit, and to no others", async () => {
    await prefer({ maxADay: 1 });
    const first = await send({ title: "Worng" });
    expect((await send({ title: "Wrong", corrects: first.runId })).pending).toBe(2);
    const second = await send({ title: "Another" });
    expect(second.suppressed).toEqual(["frequency_cap 1"]);
    expect(await send({ title: "Corrected", corrects: second.runId })).toMatchObject({ pending: 1, suppressed: [] });
  });

  test("is what a digest names in place of its original; a stopped notification is in none", async () => {
    await prefer({ maxADay: 1, digestAt: "18:00" });
    await send();
    const wrong = await send({ title: "Wrong" });
    await send({ title: "Right", corrects: wrong.runId });
    const stopped = await send({ title: "Stopped" });
    await stopRun(app, publisher.actor, stopped);
    await makeDigestsDue();
    expect((await digests()).map(({ body }) => body)).toEqual(["• Right"]);
  });

  test("that reached nobody hides nothing on the reader's page; one stopped later is listed", async () => {
    const wrong = await send({ title: "Wrong" });
    const expired = await send({ title: "Expired", corrects: wrong.runId });
    await endRun(expired.runId);
    const titles = async () => (await read()).recent.map(({ title }) => title);
    expect(await titles()).toEqual(["Wrong"]);
    const right = await send({ title: "Right", corrects: wrong.runId });
    await writeCodes(app, right.runId, [finalCode.accepted, finalCode.accepted]);
    await stopRun(app, publisher.actor, right);
    expect(await titles()).toEqual(["Right"]);
  });

  test("is not sent to those who have muted its story", async () => {
    const wrong = await send({ title: "Wrong" });
    await read({ mute: wrong.runId });
    expect(await send({ title: "Right", corrects: wrong.runId })).toMatchObject({
      pending: 1,
      suppressed: ["muted 1"],
    });
  });

  test("is listed on the reader's page in place of what it corrects, also when suppressed", async () => {
    await prefer({ maxADay: 1, digestAt: "18:00" });
    const wrong = await send({ title: "Wrong" });
    await send({ title: "Right", corrects: wrong.runId });
    const late = await send({ title: "Wrong and suppressed", url: "https://news.example/late" });
    await send({ title: "Right and suppressed", url: "https://news.example/late", corrects: late.runId });
    const { recent } = await read();
    expect(recent.map(({ title, isSuppressed }) => [title, isSuppressed])).toEqual([
      ["Right and suppressed", true],
      ["Right", false],
    ]);
    // A page that was opened before the correction can still mute the story.
    expect((await read({ mute: wrong.runId })).muted).toHaveLength(1);
    const { runId } = await send({
      title: "Right, elsewhere",
      url: "https://news.example/right",
      corrects: late.runId,
    });
    await read({ mute: runId });
    await makeDigestsDue();
    expect(await digests()).toEqual([]);
  });
});

describe("digests", () => {
  test("name the text of the last update, and the original where a correction reached nobody", async () => {
    await prefer({ maxADay: 1, digestAt: "18:00" });
    await send();
    const right = await send({ title: "Right" });
    await endRun((await send({ title: "Expired", corrects: right.runId })).runId);
    const score = await send({ title: "0:0" });
    await send({ title: "1:0", kind: "update", corrects: score.runId });
    await makeDigestsDue();
    expect((await digests()).map(({ body }) => body)).toEqual(["• 1:0\n• Right"]);
  });

  test("are one run for all readers with the same headlines, and lead to the readers' page", async () => {
    const others = createSubscriptions(3);
    await subscribe(app, publisher.siteId, others);
    for (const one of [reader, ...others])
      await ask({ preferences: { ...nothing, maxADay: 1, digestAt: "18:00" } }, one);
    await changeSite(app, publisher.actor, { siteId: publisher.siteId, preferencesUrl: "https://news.example/push" });
    await send();
    await send({ title: "Second" });
    await makeDigestsDue();
    expect(await digests()).toEqual([{ title: "Site", body: "• Second", url: "https://news.example/push", n: 4 }]);
    const [run] = await rows(
      sql<{ runId: string }>`select id as "runId" from runs where site_id = ${publisher.siteId} and kind = 'digest'`,
      app.db,
    );
    const shown = await api.call("GET", `/v1/runs/${run!.runId}`, { key: publisher.apiKey });
    expect(shown.body).toMatchObject({ kind: "digest", campaignId: null, audience: 4, pending: 4 });
  });

  test("of a paused site wait, and are of the last two days only", async () => {
    await prefer({ maxADay: 1, digestAt: "18:00" });
    await send();
    const old = await send({ title: "Old" });
    await changeSite(app, publisher.actor, { siteId: publisher.siteId, paused: true });
    await makeDigestsDue();
    expect(await digests()).toEqual([]);
    await changeRuns(app, { id: old.runId }, { createdAt: ago("3 days") });
    await changeSite(app, publisher.actor, { siteId: publisher.siteId, paused: false });
    await makeDigestsDue();
    expect(await digests()).toEqual([]);
  });

  test("have a notification by local-time delivery, whose run began up to 26 hours before", async () => {
    await prefer({ maxADay: 1, digestAt: "18:00" });
    await send();
    const late = await send({ title: "At your hour" });
    await changeRuns(app, { id: late.runId }, { createdAt: ago("3 days"), isLocalTime: true });
    await makeDigestsDue();
    expect((await digests()).map(({ body }) => body)).toEqual(["• At your hour"]);
  });

  test("are dropped by a restore, since they may have gone out after the backup", async () => {
    await prefer({ maxADay: 1, digestAt: "18:00" });
    await send();
    await send();
    await app.db.transaction().execute(async (tx) => {
      await quarantineEverything(tx);
    });
    await changeSite(app, publisher.actor, { siteId: publisher.siteId, paused: false });
    await makeDigestsDue();
    expect(await digests()).toEqual([]);
  });
});

describe("digests pass the gates of every send: they", () => {
  test("wait while the agreement is withdrawn", async () => {
    await prefer({ maxADay: 1, digestAt: "18:00" });
    await send();
    await send({ title: "Second" });
    await changeTenants(app, { id: publisher.tenantId }, { hasAgreement: false });
    await makeDigestsDue();
    expect(await digests()).toEqual([]);
    await changeTenants(app, { id: publisher.tenantId }, { hasAgreement: true });
    await makeDigestsDue();
    expect((await digests()).map(({ body }) => body)).toEqual(["• Second"]);
  });

  test("have no more readers in a run than the plan allows", async () => {
    const others = createSubscriptions(4);
    await subscribe(app, publisher.siteId, others);
    for (const one of others) await ask({ preferences: { ...nothing, maxADay: 1, digestAt: "18:00" } }, one);
    await send();
    await send({ title: "Second" });
    await changeTenants(app, { id: publisher.tenantId }, { plan: "small" });
    const capped = { ...app, config: { ...app.config, PLANS: { small: { audienceCap: 3 } } } };
    await makeDigestsDue(capped);
    expect((await digests()).map(({ n }) => n)).toEqual([3, 1]);
  });
});

describe("a reader's preferences", () => {
  test("are read back with the last notifications, and which of them were suppressed", async () => {
    const asked = {
      maxADay: 1,
      quietHours: { from: "22:00", until: "22:01" },
      digestAt: "18:00",
      breaking: true,
      timeZone,
    };
    expect((await read()).preferences).toEqual({ ...nothing, timeZone: "UTC" });
    expect((await read({ preferences: asked })).preferences).toEqual(asked);
    await changePreferences(app, {}, { isQuiet: false });
    await send({ title: "First" });
    await send({ title: "Second" });
    const { recent } = await read();
    expect(recent.map(({ title, isSuppressed }) => [title, isSuppressed])).toEqual([
      ["Second", true],
      ["First", false],
    ]);
  });

  test("are refused with all faults, and nothing is changed", async () => {
    await prefer({ maxADay: 5 });
    const wrong = { maxADay: 0, quietHours: { from: "25:00", until: "07:00" }, digestAt: null, timeZone: "+02:00" };
    const refused = await ask({ preferences: wrong });
    expect(refused.status).toBe(400);
    const faults = refused.body.errors as { path: string }[];
    expect(faults.map(({ path }) => path).toSorted()).toEqual([
      "/preferences/maxADay",
      "/preferences/quietHours/from",
      "/preferences/timeZone",
    ]);
    const within = { ...nothing, quietHours: { from: "20:00", until: "07:00" }, digestAt: "06:00" };
    expect((await ask({ preferences: within })).body.errors).toMatchObject([
      { path: "/preferences/digestAt", message: "must not be within quietHours" },
    ]);
    expect((await read()).preferences.maxADay).toBe(5);
  });

  test("are told to no one who does not know the subscription's secret, and at no other site", async () => {
    const stranger = { ...reader, keys: createSubscriptions(1)[0]!.keys };
    expect((await ask({}, stranger)).status).toBe(404);
    const other = createReaderClient(api, (await createPublisher(app)).siteId);
    expect((await other.post("preferences", { endpoint: reader.endpoint, auth: reader.keys.auth })).status).toBe(404);
  });

  test("come back with a reader who was gone, with muted stories", async () => {
    const { runId } = await send({ story: "election" });
    await prefer({ maxADay: 2, breaking: true });
    await read({ mute: runId });
    const [{ id }] = (
      await sql<{ id: number }>`select id from subscribers where endpoint = ${reader.endpoint}`.execute(app.db)
    ).rows as [{ id: number }];
    await deleteGoneSubscribers(app.db, publisher.siteId, [{ id, endpoint: reader.endpoint }]);
    expect((await ask()).status).toBe(404);
    const back = createSubscriptions(1)[0]!;
    await client.subscribe(back, { replaces: { endpoint: reader.endpoint, auth: reader.keys.auth } });
    const { body } = await ask({}, back);
    expect(body.preferences).toMatchObject({ maxADay: 2, breaking: true });
    expect(body.muted).toHaveLength(1);
  });

  test("need a page of the site itself", async () => {
    const elsewhere = { siteId: publisher.siteId, preferencesUrl: "https://elsewhere.example/push" };
    await expect(changeSite(app, publisher.actor, elsewhere)).rejects.toMatchObject({ code: "validation_failed" });
  });
});

test("a reader finds the headline that they got of a test, and none while they wait", async () => {
  const headlines = ["Bridge opens", "Ferry is back"].map((title) => ({ ...message, title }));
  const run = await startPlanned(app, publisher, { test: { messages: headlines, share: 100, minutes: 30 } });
  const become = (variant: number | null) => setVariant(app, run.runId, variant);
  const titles = async () => (await read()).recent.map(({ title }) => title);
  await become(1);
  expect(await titles()).toEqual(["Ferry is back"]);
  await become(null);
  expect(await titles()).toEqual([]);
  await become(0);
  expect(await titles()).toEqual(["Bridge opens"]);
});
