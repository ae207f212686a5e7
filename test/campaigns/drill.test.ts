import { sql } from "kysely";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { App } from "../../src/app.ts";
import { changeDrill, runDrillNow } from "../../src/automations/drill/change-drill.ts";
import { countFailedDrills, endDrills } from "../../src/automations/drill/queries.ts";
import { runDrills } from "../../src/automations/drill/run-drills.ts";
import { readOverview } from "../../src/dashboard-api/overview.ts";
import { rows } from "../../src/db/pool.ts";
import { finalCode } from "../../src/runs/ledger/codes.ts";
import { createMessageSigner } from "../../src/runs/message-token.ts";
import { messageOf } from "../../src/runs/queries.ts";
import { type Api, openTestApp, serve } from "../fixtures/app.ts";
import { eventually } from "../fixtures/eventually.ts";
import { createPublisher, createSubscriptions, type Publisher, subscribe } from "../fixtures/publisher.ts";
import { ago, present } from "../fixtures/rows/change.ts";
import { changeRuns } from "../fixtures/rows/runs.ts";
import { changeSites } from "../fixtures/rows/sites.ts";
import { changeSubscribers, deleteSubscribers } from "../fixtures/rows/subscribers.ts";
import { ownerEmail } from "../fixtures/sign-in.ts";
import { countOf, pause, planAll, recipientsOf } from "../runs/fixture.ts";
import { answerDrill, drillOf, drillRuns, letPass, markCanary, takeEmails } from "./drill-fixture.ts";

let app: App;
let api: Api;
let publisher: Publisher;

beforeAll(async () => {
  const mail = { SMTP_URL: "smtp://127.0.0.1:1", MAIL_FROM: "bell@example.org", PUBLIC_URL: "https://push.example" };
  app = await openTestApp({ RATE_LIMIT_PER_MINUTE: "1000000", ...mail });
  api = await serve(app);
});

beforeEach(async () => {
  await sql`truncate emails, drills`.execute(app.db);
  publisher = await createPublisher(app);
  await subscribe(app, publisher.siteId, createSubscriptions(2), "Phone of the desk");
  await subscribe(app, publisher.siteId, createSubscriptions(3));
});

/** Begins the drill of the site and plans it. Returns its run. */
async function beginPlanned(): Promise<string> {
  await runDrills(app);
  await planAll(app);
  return (await drillRuns(app, publisher))[0]!.runId;
}

/** Reports that the canary displays the message of a run, and stores the receipt. */
async function display(runId: string): Promise<void> {
  const { token } = createMessageSigner(app.secrets.tokenKey, runId, 1)(0);
  const body = { events: [{ token, kind: "displayed" }] };
  expect((await api.call("POST", "/sdk/events", { body })).status).toBe(204);
  await eventually(async () => (await rows(sql`select from receipt_hours where run_id = ${runId}`, app.db)).length > 0);
}

async function alerts(): Promise<string[]> {
  const overview = await readOverview(app, publisher.actor, { siteId: publisher.siteId });
  return overview.alerts.filter(({ code }) => code === "drill_failed").map(({ message }) => message);
}

/** Begins a drill that push services accept and the canary displays. */
async function pass(): Promise<void> {
  const runId = await beginPlanned();
  await answerDrill(app, publisher, finalCode.accepted);
  await display(runId);
  await runDrills(app);
  expect((await drillOf(app, publisher)).failure).toBeNull();
}

describe("a fire drill", () => {
  test("goes to the canary alone, as a silent test run, and passes once it is displayed", async () => {
    const canaryId = await markCanary(app, publisher);
    const runId = await beginPlanned();
    expect(await recipientsOf(app, { siteId: publisher.siteId, runId })).toEqual([[Number(canaryId)]]);
    const message = sql<{ kind: string; message: object }>`select kind, ${messageOf("r")} as message
      from runs r where id = ${runId}`;
    expect(await rows(message, app.db)).toMatchObject([
      { kind: "test", message: { title: "Fire drill", url: "https://news.example/", extras: { silent: true } } },
    ]);
    await runDrills(app);
    const seconds = { planned: expect.any(Number), sent: null, accepted: null, displayed: null };
    expect(await drillOf(app, publisher)).toMatchObject({ canaryId, last: { endedAt: null, seconds } });
    await answerDrill(app, publisher, finalCode.accepted);
    await runDrills(app);
    expect((await drillOf(app, publisher)).last).toMatchObject({ endedAt: null, seconds: { displayed: null } });
    await display(runId);
    await runDrills(app);
    const { last, failure } = await drillOf(app, publisher);
    expect({ failure, endedAt: last?.endedAt }).toEqual({ failure: null, endedAt: expect.any(String) });
    expect(Object.values(last!.seconds)).toEqual([0, 0, 0, 0].map(() => expect.any(Number)));
    expect(await alerts()).toEqual([]);
    expect(await takeEmails(app)).toEqual([]);
  });

  test("ends when it is accepted if the browser of the canary reports no displays", async () => {
    await changeSubscribers(app, { siteId: publisher.siteId }, { reportsDisplays: false });
    await markCanary(app, publisher);
    await beginPlanned();
    await answerDrill(app, publisher, finalCode.accepted);
    await runDrills(app);
    const { last, failure } = await drillOf(app, publisher);
    expect({ last, failure }).toMatchObject({
      failure: null,
      last: { expectsDisplay: false, endedAt: expect.any(String) },
    });
  });

  test("reports although the site counts nothing of its readers, and despite a pause", async () => {
    await changeSites(app, { id: publisher.siteId }, { receipts: "off" });
    await pause(app, "sites", publisher.siteId);
    await markCanary(app, publisher);
    await pass();
  });
});

describe("the next fire drill", () => {
  test("comes after its time, in place of the last, and only its run stays", async () => {
    await markCanary(app, publisher);
    await pass();
    const [first] = await drillRuns(app, publisher);
    await letPass(app, publisher, "59 minutes");
    await runDrills(app);
    expect(await drillRuns(app, publisher)).toEqual([first]);
    await letPass(app, publisher, "1 minute");
    await pass();
    const [second, ...more] = await drillRuns(app, publisher);
    expect(second!.runId).not.toBe(first!.runId);
    expect(more).toEqual([]);
    const ofFirst = async (table: string) =>
      (await rows(sql`select from ${sql.table(table)} where run_id = ${first!.runId}`, app.db)).length;
    const tables = ["run_messages", "run_batches", "run_recipients", "run_totals", "receipt_bits", "receipt_hours"];
    for (const table of [...tables, "receipt_minutes", "screen_times", "click_outcomes"])
      expect(await ofFirst(table), table).toBe(0);
    const threads = await rows(
      sql`select distinct thread_id, sequence from runs where site_id = ${publisher.siteId}`,
      app.db,
    );
    const drill = await rows(sql`select thread_id, sequence from drills where sequence = 2`, app.db);
    expect(threads).toEqual(drill);
  });

  test("begins once, however many processes look at the same moment", async () => {
    await markCanary(app, publisher);
    await Promise.all(Array.from({ length: 5 }, () => runDrills(app)));
    expect(await drillRuns(app, publisher)).toHaveLength(1);
  });

  test("follows a canary that has subscribed anew, under the number of its older row", async () => {
    const canaryId = Number(await markCanary(app, publisher));
    const older = canaryId - 1;
    await deleteSubscribers(app, { id: canaryId });
    await changeSubscribers(app, { id: older }, { mergedIds: [canaryId] });
    const runId = await beginPlanned();
    expect(await recipientsOf(app, { siteId: publisher.siteId, runId })).toEqual([[older]]);
    expect((await drillOf(app, publisher)).canaryId).toBe(String(older));
  });

  test("does not begin at a site that was removed or quarantined", async () => {
    await markCanary(app, publisher);
    await changeSites(app, { id: publisher.siteId }, { removedAt: ago("1 hour") });
    await runDrills(app);
    await changeSites(app, { id: publisher.siteId }, { removedAt: null, quarantinedAt: ago("1 hour"), isPaused: true });
    await runDrills(app);
    expect((await runDrillNow(app, publisher.actor, publisher)).last).toBeNull();
    expect(await drillRuns(app, publisher)).toEqual([]);
  });
});

/** Makes the drill fail with this answer of the push service. */
async function failBy(code: number): Promise<void> {
  await beginPlanned();
  await answerDrill(app, publisher, code);
  await runDrills(app);
}

describe("a fire drill fails", () => {
  test.each([
    { code: finalCode.forbidden, step: "accepted", says: /was sent, but the push service did not accept it\..*key/ },
    { code: finalCode.gone, step: "accepted", says: /did not accept it\. The reader unsubscribed/ },
    { code: finalCode.originNotAllowed, step: "sent", says: /was planned, but not sent\. .*PUSH_SERVICES/ },
    { code: finalCode.unsubscribed, step: "canary", says: /had no canary/ },
  ])("at once with final code $code: $step", async ({ code, step, says }) => {
    await markCanary(app, publisher);
    await failBy(code);
    const { failure, last } = await drillOf(app, publisher);
    expect(failure).toMatchObject({ step, message: expect.stringMatching(says) });
    expect(last!.endedAt).not.toBeNull();
    expect(await alerts()).toEqual([failure!.message]);
    expect(await countFailedDrills(app.db)).toEqual([{ step, n: 1 }]);
  });

  test.each([
    { step: "planned", until: async () => {} },
    { step: "sent", until: () => planAll(app) },
    { step: "accepted", until: () => planAll(app).then(() => answerDrill(app, publisher, 0x11)) },
    { step: "displayed", until: () => planAll(app).then(() => answerDrill(app, publisher, finalCode.accepted)) },
    { step: "accepted", until: () => planAll(app).then(() => answerDrill(app, publisher, finalCode.uncertain)) },
  ])("after five minutes without having been $step", async ({ step, until }) => {
    await markCanary(app, publisher);
    await runDrills(app);
    await until();
    await letPass(app, publisher, "200 seconds");
    await runDrills(app);
    expect((await drillOf(app, publisher)).last!.endedAt).toBeNull();
    await letPass(app, publisher, "101 seconds");
    await runDrills(app);
    const { failure, last } = await drillOf(app, publisher);
    expect({ step: failure!.step, isOver: last!.endedAt !== null }).toEqual({ step, isOver: true });
    expect(failure!.message).toContain("within 5 minutes");
    expect(await alerts()).toEqual([failure!.message]);
  });

  test("when the canary is no longer subscribed, each time until another one is chosen", async () => {
    const canaryId = Number(await markCanary(app, publisher));
    await deleteSubscribers(app, { id: canaryId });
    await runDrills(app);
    expect((await drillOf(app, publisher)).failure!.step).toBe("canary");
    expect(await drillRuns(app, publisher)).toEqual([]);
    await markCanary(app, publisher);
    expect((await drillOf(app, publisher)).failure).toBeNull();
    await pass();
  });

  test("and the failure stays until a later drill has passed", async () => {
    await markCanary(app, publisher);
    await failBy(finalCode.forbidden);
    await letPass(app, publisher, "1 hour");
    await runDrills(app);
    expect((await drillOf(app, publisher)).last!.endedAt).toBeNull();
    expect(await alerts()).toHaveLength(1);
    await pass();
    expect(await alerts()).toEqual([]);
  });

  test("and the next one waits while the run of the last one has not ended, so that none piles up", async () => {
    await markCanary(app, publisher);
    await runDrills(app);
    for (let hour = 0; hour < 5; hour++) {
      await letPass(app, publisher, "1 hour");
      await runDrills(app);
    }
    expect(await drillRuns(app, publisher)).toHaveLength(1);
    await changeRuns(app, { siteId: publisher.siteId }, { completedAt: present });
    await pass();
  });
});

describe("the owners", () => {
  test("get an e-mail that names the step and what to do, for each cause once a day", async () => {
    await markCanary(app, publisher);
    await failBy(finalCode.forbidden);
    const [email, ...others] = await takeEmails(app);
    expect(others).toEqual([]);
    expect(email).toMatchObject({ to: ownerEmail(publisher.tenantId), subject: "The fire drill of Site has failed" });
    expect(email!.text).toMatch(/did not accept it\. The subscription belongs to another VAPID key/);
    expect(email!.text).toMatch(/planned after [\d.]+ s, sent after [\d.]+ s, accepted not reached, displayed not/);
    expect(email!.text).toContain(`https://push.example/sites/${publisher.siteId}/settings/drill`);
    await letPass(app, publisher, "23 hours");
    await failBy(finalCode.forbidden);
    expect(await takeEmails(app)).toEqual([]);
    await letPass(app, publisher, "61 minutes");
    await failBy(finalCode.originNotAllowed);
    expect(await takeEmails(app)).toHaveLength(1);
    await letPass(app, publisher, "61 minutes");
    await failBy(finalCode.forbidden);
    expect(await takeEmails(app)).toHaveLength(1);
  });

  test("switch it off, which forgets the failure, and on again, which begins one at once", async () => {
    const canaryId = await markCanary(app, publisher);
    await failBy(finalCode.forbidden);
    await changeDrill(app, publisher.actor, { siteId: publisher.siteId, body: { canaryId: null } });
    expect(await drillOf(app, publisher)).toMatchObject({ canaryId: null, last: null, failure: null });
    expect([await alerts(), await countFailedDrills(app.db)]).toEqual([[], []]);
    await letPass(app, publisher, "1 day");
    await runDrills(app);
    expect((await drillOf(app, publisher)).last).toBeNull();
    await changeDrill(app, publisher.actor, { siteId: publisher.siteId, body: { canaryId } });
    await pass();
  });

  test("begin one before its time, but none beside one that runs", async () => {
    await markCanary(app, publisher);
    await pass();
    const before = await drillRuns(app, publisher);
    expect((await runDrillNow(app, publisher.actor, publisher)).last!.endedAt).toBeNull();
    const running = await drillRuns(app, publisher);
    expect(running).not.toEqual(before);
    await runDrillNow(app, publisher.actor, publisher);
    expect(await drillRuns(app, publisher)).toEqual(running);
  });
});

test("a drill that ran as its database was restored ends without a result", async () => {
  await markCanary(app, publisher);
  await runDrills(app);
  await endDrills(app.db, publisher.siteId);
  const { last, failure } = await drillOf(app, publisher);
  expect({ isOver: last!.endedAt !== null, failure }).toEqual({ isOver: true, failure: null });
});

test("a drill is in no figures, lists of campaigns and learnt models", async () => {
  await markCanary(app, publisher);
  await pass();
  const overview = await readOverview(app, publisher.actor, { siteId: publisher.siteId });
  expect(overview.recent).toEqual([]);
  expect(overview.reputation).toMatchObject({ accepted: 0, displayed: 0 });
  expect(await countOf(app, "campaigns")).toBe(0);
  const { body } = await api.call("GET", `/v1/tenants/${publisher.tenantId}/runs`, { key: publisher.apiKey });
  expect(body.data).toEqual([]);
});
