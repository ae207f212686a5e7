import { beforeAll, beforeEach, expect, test, vi } from "vitest";
import type { App } from "../../src/app.ts";
import { addSegment } from "../../src/subscribers/segments/segments.ts";
import { changeSite } from "../../src/tenants/sites/sites.ts";
import { addTopic } from "../../src/tenants/topics/topics.ts";
import { serve } from "../fixtures/app.ts";
import { eventually } from "../fixtures/eventually.ts";
import { createPublisher } from "../fixtures/publisher.ts";
import type { PushService } from "../fixtures/push-service/push-service.ts";
import { ago } from "../fixtures/rows/change.ts";
import { changeRuns, endPushServiceWaits } from "../fixtures/rows/runs.ts";
import { changeSites, changeTenants } from "../fixtures/rows/sites.ts";
import { changeSubscribers, giveTopic } from "../fixtures/rows/subscribers.ts";
import { ownerEmail, signIn } from "../fixtures/sign-in.ts";
import { subscriberIds } from "../runs/fixture.ts";
import { addReaders as addReadersTo, type Delivery, openDelivery } from "./delivery-fixture.ts";
import { type CampaignFixture, campaignFixtureOf } from "./fixture.ts";

/** Tests updates of a notification on the screen, delivered by a worker. */
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

const addReaders = (count: number) => addReadersTo(delivery, fixture.publisher, count);

/** Sends a notification and waits for the end of its run. */
async function sendNudge(fields: Record<string, unknown> = {}): Promise<{ campaignId: string; runId: string }> {
  const campaignId = await fixture.draft({ title: "0:0", ...fields });
  const { runId } = (await fixture.post(campaignId, "send")).body;
  await fixture.whenOver(runId);
  return { campaignId, runId };
}

/** Updates the notification, and waits for the end of that run. */
async function update(campaignId: string, change: object) {
  const { status, body } = await fixture.post(campaignId, "updates", change);
  expect(status).toBe(202);
  return fixture.whenOver(body.runId);
}

type Shown = {
  title: string;
  body: string;
  tag: string;
  silent?: true;
  data: { order?: number; update?: string; token: string };
};
const nudgesAt = ({ endpoint }: { endpoint: string }) =>
  (pushService.decrypt(endpoint) as { notification: Shown }[]).map(({ notification }) => notification);

test("an update goes silently, numbered and with the same tag, to those who got the first", async () => {
  const [reader] = await addReaders(2);
  const { campaignId, runId } = await sendNudge({ body: "Kick-off." });
  const [late] = await addReaders(1);
  expect(await update(campaignId, { title: "1:0" })).toMatchObject({
    kind: "update",
    campaignId,
    accepted: 2,
    audience: 2,
  });
  await update(campaignId, { title: "1:1", body: "Full time." });
  const [first, second, third, ...more] = nudgesAt(reader!);
  expect(first).toMatchObject({ title: "0:0", body: "Kick-off.", tag: runId });
  expect(first!.data).not.toHaveProperty("order");
  expect(second).toMatchObject({ title: "1:0", body: "Kick-off.", tag: runId, silent: true, data: { update: "loud" } });
  expect(third).toMatchObject({ title: "1:1", body: "Full time.", tag: runId, silent: true });
  expect(third!.data.order).toBeGreaterThan(second!.data.order!);
  expect(more).toEqual([]);
  expect(nudgesAt(late!)).toEqual([]);
  // For a browser that is off, the push service keeps only the last message with this Topic.
  expect([...new Set([...pushService.receipts()].map(({ topic }) => topic))]).toContain(runId.replaceAll("-", ""));
  const list = await fixture.api.call("GET", `/v1/campaigns/${campaignId}/updates`, { key: fixture.publisher.apiKey });
  expect(list.body.updates.map(({ title, status }: { title: string; status: string }) => `${title} ${status}`)).toEqual(
    ["1:1 completed", "1:0 completed"],
  );
  expect(await fixture.read(campaignId)).toMatchObject({ title: "0:0", runId, status: "sent" });
});

test.each(["full", "aggregate"] as const)(
  "the largest notification that is taken arrives, and so do its update and its correction, with receipts %s",
  async (receipts) => {
    await addReaders(1);
    const { actor, siteId } = fixture.publisher;
    await changeSite(app, actor, { siteId, receipts });
    const url = `https://news.example/${"u".repeat(2_000)}`;
    const imageUrl = `https://images.example/${"i".repeat(2_000)}`;
    const { status, body } = await fixture.create({ url, imageUrl });
    expect(status).toBe(400);
    const [, bytes, taken] = /a message of (\d+) bytes, and push services take (\d+)/.exec(body.errors[0].message)!;
    const largest = { url, imageUrl: imageUrl.slice(0, Number(taken) - Number(bytes)) };
    const { campaignId, runId } = await sendNudge(largest);
    expect(await fixture.run(runId)).toMatchObject({ accepted: 1 });
    expect(await update(campaignId, { title: "0:1" })).toMatchObject({ accepted: 1 });
    const correction = await sendNudge({ ...largest, corrects: campaignId });
    expect(await fixture.run(correction.runId)).toMatchObject({ accepted: 1 });
  },
);

test("readers in Safari or without a worker, or who closed or opened it, are left out", async () => {
  const readers = await addReaders(6);
  const { campaignId, runId } = await sendNudge();
  await changeSubscribers(app, { endpoint: readers[4]!.endpoint }, { pushService: "apple" });
  await changeSubscribers(app, { endpoint: readers[5]!.endpoint }, { reportsDisplays: false });
  const report = (reader: number, kind: string, nudge = 0) =>
    fixture.api.call("POST", "/sdk/events", {
      body: { events: [{ token: nudgesAt(readers[reader]!)[nudge]!.data.token, kind }] },
      headers: { origin: "https://news.example" },
    });
  await report(0, "dismissed");
  await report(1, "clicked");
  await report(2, "displayed");
  await eventually(async () => (await fixture.run(runId)).clicked === 1);
  const updated = await update(campaignId, { title: "1:0" });
  const suppressed = (run: { reasons: { reason: string; count: number }[] }) =>
    run.reasons.map(({ reason, count }) => `${reason} ${count}`).sort();
  expect(updated).toMatchObject({ audience: 6, accepted: 2, notSent: 4 });
  expect(suppressed(updated)).toEqual(["closed 2", "not_replaced 1", "not_replaced 1"]);
  // A reader who closes an update gets no further one.
  await report(3, "dismissed", 1);
  await eventually(async () => (await fixture.run(updated.runId)).dismissed === 1);
  expect(suppressed(await update(campaignId, { title: "2:0" }))).toEqual([
    "closed 3",
    "not_replaced 1",
    "not_replaced 1",
  ]);
});

test("readers without the notification get no update: after a stop, late, or new to the topic", async () => {
  const { siteId, actor } = fixture.publisher;
  const { topicId } = await addTopic(app, actor, { siteId, name: "Sport" });
  const readers = await addReaders(4);
  const ids = await subscriberIds(fixture.app, siteId);
  const choose = (...those: number[]) =>
    giveTopic(
      fixture.app,
      siteId,
      topicId,
      those.map((one) => ids[one]!),
    );
  await choose(0, 1, 2);
  const ends = [1, 2].map((one) =>
    pushService.answerWith({
      behaviour: "throttle",
      match: { endpoint: readers[one]!.endpoint },
      headers: { "retry-after": "600" },
    }),
  );
  const campaignId = await fixture.draft({ title: "0:0", topicIds: [topicId] });
  const { runId } = (await fixture.post(campaignId, "send")).body;
  await eventually(async () => (await fixture.run(runId)).accepted === 1);
  await fixture.api.call("POST", `/v1/runs/${runId}/stop`, { key: fixture.publisher.apiKey });
  expect(await fixture.whenOver(runId)).toMatchObject({ accepted: 1, notSent: 2 });
  for (const end of ends) end();
  await choose(3);
  const updated = await update(campaignId, { title: "1:0" });
  expect(updated).toMatchObject({ audience: 1, accepted: 1, notSent: 0 });
  expect(readers.map((reader) => nudgesAt(reader).map(({ title }) => title))).toEqual([["0:0", "1:0"], [], [], []]);
});

test("an update for a segment goes to its recipients, also after they left the segment", async () => {
  const { siteId, actor } = fixture.publisher;
  const [, away] = await addReaders(2);
  const seen = (days: number) =>
    changeSubscribers(app, { siteId, endpoint: away!.endpoint }, { createdAt: ago("100 days"), seenDaysAgo: days });
  await seen(20);
  const body = { name: "Away", rule: { notSeenForDays: 15 } };
  const { segmentId } = await addSegment(app, actor, { siteId, body });
  const { campaignId } = await sendNudge({ segment: segmentId });
  await seen(0);
  expect(await update(campaignId, { title: "1:0" })).toMatchObject({ audience: 1, accepted: 1 });
  expect(nudgesAt(away!).map(({ title }) => title)).toEqual(["0:0", "1:0"]);
});

test("a corrected notification is updated by its correction: its old text stays away", async () => {
  const [reader] = await addReaders(1);
  const wrong = await sendNudge({ title: "Bridge falls", body: "Ten are dead." });
  const right = await sendNudge({ title: "Bridge shut", body: "Nobody was hurt.", corrects: wrong.campaignId });
  const refused = { status: 409, body: { code: "illegal_transition" } };
  const answer = await fixture.post(wrong.campaignId, "updates", { title: "Bridge open" });
  expect(answer).toMatchObject(refused);
  expect(answer.body.message).toContain(right.campaignId);
  await update(right.campaignId, { title: "Bridge open" });
  expect(nudgesAt(reader!).at(-1)).toMatchObject({ title: "Bridge open", body: "Nobody was hurt.", tag: wrong.runId });
  // A correction that was itself corrected cannot be updated either. The new correction may name any of the two earlier
  // campaigns.
  const last = await sendNudge({ title: "Bridge open to trams", body: "Not to cars.", corrects: wrong.campaignId });
  expect(await fixture.post(right.campaignId, "updates", { title: "Bridge" })).toMatchObject(refused);
  expect((await fixture.post(wrong.campaignId, "updates", { title: "Bridge" })).body.message).toContain(
    last.campaignId,
  );
});

test("of a correction and an update at the same moment the correction is what is to be seen", async () => {
  const [reader] = await addReaders(1);
  for (let n = 0; n < 5; n++) {
    const { campaignId } = await sendNudge({ body: "Wrong." });
    const correction = await fixture.draft({ body: "Right.", corrects: campaignId });
    const [sent, updated] = await Promise.all([
      fixture.post(correction, "send"),
      fixture.post(campaignId, "updates", { title: "1:0" }),
    ]);
    await fixture.whenOver(sent.body.runId);
    if (updated.status === 202) await fixture.whenOver(updated.body.runId);
    else expect(updated.status).toBe(409);
    const shown = nudgesAt(reader!).filter(({ tag }) => tag === nudgesAt(reader!).at(-1)!.tag);
    const order = ({ data }: Shown) => data.order ?? 0;
    expect(shown.toSorted((a, b) => order(b) - order(a))[0]!.body).toBe("Right.");
  }
});

test("an update ends the one before it, and is sent after it", async () => {
  const [reader] = await addReaders(1);
  const { campaignId } = await sendNudge();
  const end = pushService.answerWith({ behaviour: "throttle", headers: { "retry-after": "600" } });
  const slow = (await fixture.post(campaignId, "updates", { title: "1:0" })).body.runId;
  await eventually(async () => (await fixture.run(slow)).reasons.length > 0);
  end();
  const last = (await fixture.post(campaignId, "updates", { title: "2:0" })).body.runId;
  expect(await fixture.whenOver(slow)).toMatchObject({ status: "stopped", notSent: 1 });
  expect(await fixture.whenOver(last)).toMatchObject({ status: "completed", accepted: 1 });
  expect(nudgesAt(reader!).map(({ title }) => title)).toEqual(["0:0", "2:0"]);
});

test("an update that changes nothing sends nothing, and names the run that brought the text", async () => {
  await addReaders(1);
  const { campaignId, runId } = await sendNudge();
  const same = { status: 202, body: { duplicate: true, audience: 1, audienceExact: true } };
  expect(await fixture.post(campaignId, "updates", { title: "0:0" })).toMatchObject({ ...same, body: { runId } });
  const first = await fixture.post(campaignId, "updates", { title: "1:0", imageUrl: "" });
  expect(first).toMatchObject({ status: 202, body: { duplicate: false } });
  const again = await fixture.post(campaignId, "updates", { title: "1:0" });
  expect(again).toMatchObject({ ...same, body: { runId: first.body.runId } });
});

test("the later update is the newest, though a process whose clock is ahead sent the earlier", async () => {
  const [reader] = await addReaders(1);
  const { campaignId } = await sendNudge();
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 30_000 });
  const ahead = await fixture.post(campaignId, "updates", { title: "1:0" });
  vi.useRealTimers();
  await fixture.whenOver(ahead.body.runId);
  await update(campaignId, { title: "1:1" });
  const orders = nudgesAt(reader!).map(({ title, data }) => [title, data.order]);
  expect(orders).toEqual([
    ["0:0", undefined],
    ["1:0", 1],
    ["1:1", 2],
  ]);
  const { updates } = (
    await fixture.api.call("GET", `/v1/campaigns/${campaignId}/updates`, { key: fixture.publisher.apiKey })
  ).body;
  expect(updates.map(({ title }: { title: string }) => title)).toEqual(["1:1", "1:0"]);
});

test("an update that reached nobody can be sent again with the same text", async () => {
  await addReaders(1);
  const { campaignId } = await sendNudge();
  const end = pushService.answerWith({ behaviour: "throttle", headers: { "retry-after": "600" } });
  const first = (await fixture.post(campaignId, "updates", { title: "1:0" })).body.runId;
  await fixture.stop(first);
  expect(await fixture.whenOver(first)).toMatchObject({ status: "stopped", accepted: 0 });
  end();
  await endPushServiceWaits(app);
  const again = await fixture.post(campaignId, "updates", { title: "1:0" });
  expect(again).toMatchObject({ status: 202, body: { duplicate: false } });
  expect(await fixture.whenOver(again.body.runId)).toMatchObject({ accepted: 1 });
});

test("what was not sent, still runs, or is old cannot be updated; nor with a wrong or no field", async () => {
  await addReaders(1);
  const refused = { status: 409, body: { code: "illegal_transition" } };
  expect(await fixture.post(await fixture.draft(), "updates", { title: "1:0" })).toMatchObject(refused);
  const end = pushService.answerWith({ behaviour: "throttle", headers: { "retry-after": "600" } });
  const running = await fixture.draft();
  const { runId } = (await fixture.post(running, "send")).body;
  expect(await fixture.post(running, "updates", { title: "1:0" })).toMatchObject(refused);
  await fixture.api.call("POST", `/v1/runs/${runId}/stop`, { key: fixture.publisher.apiKey });
  await fixture.whenOver(runId);
  end();
  expect((await fixture.post(running, "updates", {})).body.errors).toMatchObject([
    { path: "", message: "must change title, body or imageUrl" },
  ]);
  const faults = (
    await fixture.post(running, "updates", { title: "", body: "x".repeat(241), url: "https://a.example" })
  ).body;
  expect(faults.errors.map(({ path }: { path: string }) => path).sort()).toEqual(["/body", "/title", "/url"]);
  await changeRuns(app, { id: runId }, { createdAt: ago(`${app.config.RECIPIENT_DAYS} days 1 second`) });
  expect(await fixture.post(running, "updates", { title: "1:0" })).toMatchObject(refused);
  const other = campaignFixtureOf(app, fixture.api, await createPublisher(app));
  expect(await other.post(running, "updates", { title: "1:0" })).toMatchObject({ status: 404 });
  const path = `/v1/campaigns/${running}/updates`;
  expect(await fixture.api.call("GET", path, { key: other.publisher.apiKey })).toMatchObject({ status: 404 });
});

test("a shut gate refuses an update; the limit for one person refuses it for a member only", async () => {
  await addReaders(2);
  const { campaignId } = await sendNudge();
  const { siteId, tenantId } = fixture.publisher;
  await changeSites(app, { id: siteId }, { isPaused: true });
  expect(await fixture.post(campaignId, "updates", { title: "1:0" })).toMatchObject({ body: { code: "send_paused" } });
  await changeSites(app, { id: siteId }, { isPaused: false });
  await changeTenants(app, { id: tenantId }, { confirmAbove: 1 });
  const headers = { cookie: await signIn(fixture.api, ownerEmail(tenantId)) };
  const asOwner = () =>
    fixture.api.call("POST", `/dashboard/api/tenants/${tenantId}/campaigns/${campaignId}/updates`, {
      headers,
      body: { title: "1:0" },
    });
  expect(await asOwner()).toMatchObject({ status: 409, body: { code: "confirmation_required" } });
  expect((await fixture.post(campaignId, "updates", { title: "1:0" })).status).toBe(202);
});

test("a member can undo an update for ten seconds; nobody gets it until then", async () => {
  const [reader] = await addReaders(1);
  const { campaignId } = await sendNudge();
  const { tenantId } = fixture.publisher;
  const headers = { cookie: await signIn(fixture.api, ownerEmail(tenantId)) };
  const path = `/dashboard/api/tenants/${tenantId}/campaigns/${campaignId}/updates`;
  const begin = async (title: string) =>
    (await fixture.api.call("POST", path, { headers, body: { title } })).body.runId as string;
  const listed = async () => (await fixture.api.call("GET", path, { headers })).body.updates[0];

  const undone = await begin("1:0");
  const { startsInMs } = await listed();
  expect(startsInMs).toBeGreaterThan(0);
  expect(startsInMs).toBeLessThanOrEqual(10_000);
  const stop = `/dashboard/api/tenants/${tenantId}/runs/${undone}/stop`;
  expect((await fixture.api.call("POST", stop, { headers })).status).toBe(200);
  await changeRuns(app, { id: undone }, { planAgainAt: ago("0 s") });
  expect(await fixture.whenOver(undone)).toMatchObject({ status: "stopped", accepted: 0, notSent: 1 });
  expect(await listed()).not.toHaveProperty("startsInMs");

  const sent = await begin("1:0");
  expect(nudgesAt(reader!).map(({ title }) => title)).toEqual(["0:0"]);
  await changeRuns(app, { id: sent }, { planAgainAt: ago("0 s") });
  expect(await fixture.whenOver(sent)).toMatchObject({ status: "completed", accepted: 1 });
  expect(nudgesAt(reader!).map(({ title }) => title)).toEqual(["0:0", "1:0"]);
});
