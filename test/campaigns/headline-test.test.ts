import { sql } from "kysely";
import { beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import type { App } from "../../src/app.ts";
import { endHeadlineTests } from "../../src/runs/headline-test/end-tests.ts";
import { serve } from "../fixtures/app.ts";
import { eventually } from "../fixtures/eventually.ts";
import { createPublisher } from "../fixtures/publisher.ts";
import type { PushService } from "../fixtures/push-service/push-service.ts";
import { turnTestClock } from "../fixtures/rows/runs.ts";
import { changeSites } from "../fixtures/rows/sites.ts";
import { ownerEmail, signIn } from "../fixtures/sign-in.ts";
import { addReaders as addReadersTo, type Delivery, openDelivery } from "./delivery-fixture.ts";
import { type CampaignFixture, campaignFixtureOf } from "./fixture.ts";

vi.setConfig({ testTimeout: 180_000 });

/** Tests headline tests that a worker delivers. */
let delivery: Delivery;
let app: App;
let pushService: PushService;
let fixture: CampaignFixture;

beforeAll(async () => {
  delivery = await openDelivery();
  ({ app, pushService } = delivery);
  await delivery.startWorker();
});

beforeEach(async () => {
  fixture = campaignFixtureOf(app, fixture?.api ?? (await serve(app)), await createPublisher(app));
});

type Reader = { endpoint: string };
type Nudge = { title: string; body: string; image?: string; data: { token: string } };

const addReaders = (count: number): Promise<Reader[]> => addReadersTo(delivery, fixture.publisher, count);

const nudgesAt = ({ endpoint }: Reader) =>
  (pushService.decrypt(endpoint) as { notification: Nudge }[]).map(({ notification }) => notification);

/**
 * Sends a campaign with one more headline. Returns its run once all readers who take part have their notification and
 * the time of the test is running.
 */
async function sendTest(readers: Reader[], fields: Record<string, unknown> = {}) {
  const variants = [{ title: "Ferry is back" }];
  const campaignId = await fixture.draft({ title: "Bridge opens", variants, testShare: 60, ...fields });
  const { runId } = (await fixture.post(campaignId, "send")).body;
  await eventually(async () => {
    const { headlineTest, accepted } = await fixture.run(runId);
    const taking = headlineTest.variants.reduce(
      (sum: number, { recipients }: { recipients: number }) => sum + recipients,
      0,
    );
    const { status, endsAt } = headlineTest;
    return taking > 0 && accepted >= taking && (status !== "running" || endsAt !== null);
  });
  const groups = Map.groupBy(readers, (reader) => nudgesAt(reader)[0]?.title ?? "waits");
  return {
    campaignId,
    runId,
    own: groups.get("Bridge opens")!,
    other: groups.get("Ferry is back")!,
    waiting: groups.get("waits")!,
  };
}

async function report(readers: Reader[], kind: "displayed" | "clicked"): Promise<void> {
  const events = readers.map((reader) => ({ token: nudgesAt(reader)[0]!.data.token, kind }));
  for (let from = 0; from < events.length; from += 50) {
    const body = { events: events.slice(from, from + 50) };
    await fixture.api.call("POST", "/sdk/events", { body, headers: { origin: "https://news.example" } });
  }
}

const expectOneEach = (readers: Reader[], title: string) =>
  expect(readers.map((reader) => nudgesAt(reader).map((nudge) => nudge.title))).toEqual(readers.map(() => [title]));

test("each reader gets one headline, and the rest the winner, also when a worker is killed", async () => {
  const readers = await addReaders(500);
  const { campaignId, runId, own, other, waiting } = await sendTest(readers, { testMinutes: 60 });
  expect([own.length, other.length].every((size) => size > 100 && size < 200)).toBe(true);
  expect(own.length + other.length + waiting.length).toBe(500);
  const before = await fixture.run(runId);
  expect(before).toMatchObject({ status: "sending", pending: waiting.length, audience: 500, reasons: [] });
  expect(before.headlineTest).toMatchObject({ status: "running", share: 60, chosen: null, endedAt: null });

  await delivery.killWorker();
  await report([...own, ...other], "displayed");
  await report(own.slice(0, 5), "clicked");
  await report(other.slice(0, 60), "clicked");
  await eventually(async () => (await fixture.run(runId)).clicked === 65);
  await delivery.startWorker();

  const run = await fixture.whenOver(runId, 90_000);
  expect(run).toMatchObject({ status: "completed", accepted: 500, repeated: 0, displayed: own.length + other.length });
  expect(run.headlineTest).toMatchObject({
    status: "winner",
    chosen: 1,
    endedAt: expect.any(String),
    variants: [
      { title: "Bridge opens", recipients: own.length, accepted: own.length, shown: own.length, clicked: 5 },
      { title: "Ferry is back", recipients: other.length, shown: other.length, clicked: 60, probability: 1 },
    ],
  });
  expectOneEach(own, "Bridge opens");
  expectOneEach([...other, ...waiting], "Ferry is back");
  expect(await fixture.read(campaignId)).toMatchObject({ status: "sent", variants: [{ title: "Ferry is back" }] });
});

// Each variant goes to 180 of 600 readers, give or take 11. That is never fewer than a test needs.
test("without a difference the rest gets the headline with more clicks at the deadline", async () => {
  const readers = await addReaders(600);
  const { runId, own, other, waiting } = await sendTest(readers);
  await report([...own.slice(0, 4), ...other.slice(0, 3)], "clicked");
  await eventually(async () => (await fixture.run(runId)).clicked === 7);
  expect((await fixture.run(runId)).headlineTest.status).toBe("running");
  await turnTestClock(app, runId, 30);
  const { headlineTest, accepted } = await fixture.whenOver(runId, 90_000);
  expect(accepted).toBe(600);
  expect(headlineTest).toMatchObject({ status: "no_difference", chosen: 0 });
  expect(headlineTest.variants[0].probability).toBeGreaterThan(headlineTest.variants[1].probability);
  expectOneEach([...own, ...waiting], "Bridge opens");
  expectOneEach(other, "Ferry is back");
});

test("each variant shows its own picture: another one, none, or the campaign's", async () => {
  const readers = await addReaders(60);
  const [own, other] = ["https://news.example/bridge.jpg", "https://news.example/ferry.jpg"];
  const variants = [{ imageUrl: other }, { title: "Without", imageUrl: "" }, { title: "Ferry is back" }];
  const { runId } = (await fixture.post(await fixture.draft({ imageUrl: own, variants, testShare: 100 }), "send")).body;
  const { headlineTest } = await fixture.whenOver(runId, 90_000);
  const shown = readers.map((reader) => nudgesAt(reader).map(({ title, image }) => `${title} ${image}`));
  expect(shown.every((nudges) => nudges.length === 1)).toBe(true);
  const counted = [`Bridge opens ${own}`, `Bridge opens ${other}`, "Without undefined", `Ferry is back ${own}`].map(
    (nudge) => shown.flat().filter((one) => one === nudge).length,
  );
  expect(counted).toEqual(headlineTest.variants.map(({ recipients }: { recipients: number }) => recipients));
  expect(headlineTest.variants.map(({ imageUrl }: { imageUrl: string | null }) => imageUrl)).toEqual([
    own,
    other,
    null,
    own,
  ]);
});

test("a test with everyone goes on after the run until a winner or its end", async () => {
  const readers = await addReaders(500);
  const { runId, own, other } = await sendTest(readers, { testShare: 100, testMinutes: 60 });
  const late = await sendTest(await addReaders(1), { testShare: 100, testMinutes: 60 });
  for (const run of [runId, late.runId])
    expect(await fixture.whenOver(run, 90_000)).toMatchObject({ status: "completed", pending: 0 });
  const { ended } = await endHeadlineTests(app.db);
  expect(ended.filter((one) => [runId, late.runId].includes(one.runId))).toEqual([]);
  expect((await fixture.run(runId)).headlineTest).toMatchObject({ status: "running", endedAt: null });

  await report([...own, ...other], "displayed");
  await report(other.slice(0, 60), "clicked");
  const found = await eventually(async () => {
    const { headlineTest } = await fixture.run(runId);
    return headlineTest.status !== "running" && headlineTest;
  });
  expect(found).toMatchObject({ status: "winner", chosen: 1, variants: [{ clicked: 0 }, {}] });
  // The clicks are checked as they arrive, so fewer than all may be enough.
  expect(found.variants[1].clicked).toBeGreaterThanOrEqual(30);
  await turnTestClock(app, late.runId, 60);
  await eventually(async () => (await fixture.run(late.runId)).headlineTest.status === "not_measured");
});

test("where too few take part, the rest gets the campaign's own headline at once", async () => {
  const readers = await addReaders(20);
  const { runId } = (await fixture.post(await fixture.draft({ variants: [{ title: "Ferry is back" }] }), "send")).body;
  const run = await fixture.whenOver(runId, 90_000);
  expect(run).toMatchObject({ accepted: 20, headlineTest: { status: "too_few", chosen: 0 } });
  expect(readers.every((reader) => nudgesAt(reader).length === 1)).toBe(true);
});

test("a test that cannot end holds up neither other tests nor the end of runs", async () => {
  await addReaders(20);
  const sendWith = async (fields: Record<string, unknown>) =>
    (await fixture.post(await fixture.draft(fields), "send")).body.runId;
  const variants = [{ title: "Ferry is back" }];
  await sql`create function break_test() returns trigger language plpgsql as
      $$begin
        if exists (select from run_messages where run_id = old.run_id and message->>'title' = 'Broken') then
          raise exception 'broken' using errcode = 'data_exception';
        end if;
        return new;
      end$$`.execute(app.db);
  await sql`create trigger break_test before update on headline_tests for each row
    execute function break_test()`.execute(app.db);
  const broken = await sendWith({ title: "Broken", variants, testShare: 100 });
  const [other, plain] = [await sendWith({ variants }), await sendWith({})];
  expect(await fixture.whenOver(other, 90_000)).toMatchObject({ accepted: 20, headlineTest: { status: "too_few" } });
  expect(await fixture.whenOver(plain, 90_000)).toMatchObject({ accepted: 20 });
  expect((await fixture.run(broken)).headlineTest.status).toBe("running");
  await sql`drop function break_test cascade`.execute(app.db);
  await eventually(async () => (await fixture.run(broken)).headlineTest.status !== "running");
});

test("an update with the campaign's own headline goes out, as readers have the other one", async () => {
  await addReaders(20);
  const campaignId = await fixture.draft({
    title: "Bridge opens",
    variants: [{ title: "Ferry is back" }],
    testShare: 100,
  });
  await fixture.whenOver((await fixture.post(campaignId, "send")).body.runId, 90_000);
  const first = (await fixture.post(campaignId, "updates", { title: "Bridge opens" })).body;
  expect(first.duplicate).toBe(false);
  expect(await fixture.whenOver(first.runId, 90_000)).toMatchObject({ kind: "update", accepted: 20 });
  expect((await fixture.post(campaignId, "updates", { title: "Bridge opens" })).body.duplicate).toBe(true);
});

test("an update keeps of the chosen headline what it does not name", async () => {
  const readers = await addReaders(500);
  const { campaignId, runId, own, other, waiting } = await sendTest(readers);
  await report(own, "displayed");
  await report(other.slice(0, 60), "clicked");
  expect(await fixture.whenOver(runId, 90_000)).toMatchObject({ headlineTest: { status: "winner", chosen: 1 } });
  const update = (await fixture.post(campaignId, "updates", { body: "400 people so far." })).body;
  await fixture.whenOver(update.runId, 90_000);
  const nudge = nudgesAt(waiting[0]!).map(({ title, body }) => ({ title, body }));
  expect(nudge.at(-1)).toEqual({ title: "Ferry is back", body: "400 people so far." });
  expect((await fixture.post(campaignId, "updates", { title: "Ferry is back" })).body.duplicate).toBe(true);
});

test("a member ends a test by hand, and all others get the headline that they chose", async () => {
  const readers = await addReaders(600);
  const { runId, own, waiting } = await sendTest(readers);
  const cookie = await signIn(fixture.api, ownerEmail(fixture.publisher.tenantId));
  const choose = (body: object) =>
    fixture.api.call("POST", `/dashboard/api/tenants/${fixture.publisher.tenantId}/runs/${runId}/headline`, {
      headers: { cookie },
      body,
    });
  expect(await choose({ variant: 2 })).toMatchObject({ status: 400, body: { errors: [{ path: "/variant" }] } });
  expect(await choose({ variant: 1 })).toMatchObject({
    status: 200,
    body: { headlineTest: { status: "by_hand", chosen: 1 } },
  });
  expect(await choose({ variant: 0 })).toMatchObject({ status: 409, body: { code: "illegal_transition" } });
  expect(await fixture.whenOver(runId, 90_000)).toMatchObject({ accepted: 600, repeated: 0 });
  expectOneEach(own, "Bridge opens");
  expectOneEach(waiting, "Ferry is back");
});

test("a stop ends the test, and the rest gets nothing", async () => {
  const readers = await addReaders(600);
  const { runId, own, other, waiting } = await sendTest(readers);
  await fixture.api.call("POST", `/v1/runs/${runId}/stop`, { key: fixture.publisher.apiKey });
  const run = await fixture.whenOver(runId, 90_000);
  expect(run).toMatchObject({ status: "stopped", accepted: own.length + other.length, notSent: waiting.length });
  await eventually(async () => (await fixture.run(runId)).headlineTest.status === "stopped");
  expect((await fixture.run(runId)).headlineTest).toMatchObject({ chosen: null });
  expect(waiting.every((reader) => nudgesAt(reader).length === 0)).toBe(true);
});

test("a pause halts the rest, also after the test has ended", async () => {
  const readers = await addReaders(600);
  const { runId, own, other, waiting } = await sendTest(readers);
  const { siteId } = fixture.publisher;
  await changeSites(app, { id: siteId }, { isPaused: true });
  await report([...own, ...other], "displayed");
  await report(other.slice(0, 60), "clicked");
  await eventually(async () => (await fixture.run(runId)).headlineTest.status !== "running");
  expect(waiting.every((reader) => nudgesAt(reader).length === 0)).toBe(true);
  await changeSites(app, { id: siteId }, { isPaused: false });
  expect(await fixture.whenOver(runId, 90_000)).toMatchObject({ accepted: 600 });
});

test("of several processes that look at once, one ends a test", async () => {
  const readers = await addReaders(600);
  const { runId } = await sendTest(readers);
  await delivery.killWorker();
  await turnTestClock(app, runId, 30);
  const ended = await Promise.all(Array.from({ length: 5 }, () => endHeadlineTests(app.db)));
  expect(ended.flatMap((one) => one.ended)).toEqual([
    { siteId: fixture.publisher.siteId, runId, outcome: "not_measured" },
  ]);
  await delivery.startWorker();
  expect(await fixture.whenOver(runId, 90_000)).toMatchObject({ accepted: 600, repeated: 0 });
});

const faultsOf = async (fields: Record<string, unknown>) => {
  const { status, body } = await fixture.create(fields);
  return [
    status,
    ...(body.errors ?? []).map(({ path, message }: { path: string; message: string }) => `${path} ${message}`),
  ];
};

describe("variants are refused, with all faults,", () => {
  test("where they are not one to three nudges of their own", async () => {
    const four = ["A", "B", "C", "D"].map((title) => ({ title }));
    expect(await faultsOf({ variants: four })).toEqual([
      400,
      "/variants must be at most 3: the campaign's own is one more",
    ]);
    expect(await faultsOf({ variants: [{}, { title: " " }, { title: "x".repeat(121), text: "y" }] })).toEqual([
      400,
      "/variants/0 must have a title, body or imageUrl of its own",
      "/variants/1/title must not be empty",
      "/variants/2/title must have at most 120 characters, and has 121",
      expect.stringContaining("/variants/2/text"),
    ]);
    expect(await faultsOf({ variants: [{ title: "Bridge opens" }, { title: "B" }, { title: "B" }] })).toEqual([
      400,
      "/variants/0 is the same as the campaign or an earlier variant",
      "/variants/2 is the same as the campaign or an earlier variant",
    ]);
  });

  test("where the rest would be late, and where share or minutes have no variants", async () => {
    expect(await faultsOf({ variants: [{ title: "B" }], ttlSeconds: 600, testMinutes: 6 })).toEqual([
      400,
      "/testMinutes must be at most half of ttlSeconds",
    ]);
    expect(await faultsOf({ variants: [{ title: "B" }], ttlSeconds: 600, testMinutes: 5 })).toEqual([201]);
    expect(await faultsOf({ testShare: 0, testMinutes: 5 })).toEqual([400, "/testShare must be at least 1"]);
    expect(await faultsOf({ testShare: 10, testMinutes: 5 })).toEqual([
      400,
      "/testShare is of no use without variants",
      "/testMinutes is of no use without variants",
    ]);
  });

  test("in a correction, and at a site that does not count who clicked", async () => {
    await addReaders(1);
    const campaignId = await fixture.draft();
    const { runId } = (await fixture.post(campaignId, "send")).body;
    await fixture.whenOver(runId, 90_000);
    expect(await faultsOf({ corrects: campaignId, variants: [{ title: "B" }] })).toEqual([
      400,
      "/variants cannot be tested in a correction",
    ]);
    await changeSites(app, { id: fixture.publisher.siteId }, { receipts: "aggregate" });
    expect(await faultsOf({ variants: [{ title: "B" }] })).toEqual([
      400,
      "/variants cannot be compared: the site does not count who clicked",
    ]);
  });

  test("of a draft as well, whose variants end with an empty list", async () => {
    const campaignId = await fixture.draft({ variants: [{ title: "B" }], testShare: 10 });
    const change = (body: object) =>
      fixture.api.call("PATCH", `/v1/campaigns/${campaignId}`, { key: fixture.publisher.apiKey, body });
    expect(await change({ title: "B" })).toMatchObject({ status: 400, body: { errors: [{ path: "/variants/0" }] } });
    expect(await change({ variants: [{ body: "Soon." }] })).toMatchObject({
      status: 200,
      body: { variants: [{ body: "Soon." }], testShare: 10 },
    });
    const { status, body } = await change({ variants: [] });
    expect(status).toBe(200);
    expect(body).not.toHaveProperty("variants");
    expect(body).not.toHaveProperty("testShare");
  });
});
