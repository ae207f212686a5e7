import { beforeAll, expect, test } from "vitest";
import type { App } from "../../src/app.ts";
import { addTopic } from "../../src/tenants/topics/topics.ts";
import { serve } from "../fixtures/app.ts";
import { eventually } from "../fixtures/eventually.ts";
import { createPublisher } from "../fixtures/publisher.ts";
import type { PushService } from "../fixtures/push-service/push-service.ts";
import { createReaderClient } from "../fixtures/reader-client.ts";
import { present } from "../fixtures/rows/change.ts";
import { changeRuns, endPushServiceWaits } from "../fixtures/rows/runs.ts";
import { deleteSubscribers } from "../fixtures/rows/subscribers.ts";
import { ownerEmail, signIn } from "../fixtures/sign-in.ts";
import { addReaders as addReadersTo, type Delivery, openDelivery } from "./delivery-fixture.ts";
import { type CampaignFixture, campaignFixtureOf } from "./fixture.ts";

let delivery: Delivery;
let app: App;
let pushService: PushService;
let fixture: CampaignFixture;
let topicId: string;

beforeAll(async () => {
  delivery = await openDelivery();
  ({ app, pushService } = delivery);
  const publisher = await createPublisher(app);
  fixture = campaignFixtureOf(app, await serve(app), publisher);
  ({ topicId } = await addTopic(app, publisher.actor, { siteId: publisher.siteId, name: "Sport" }));
  await delivery.startWorker();
});

const addReaders = (count: number, topics?: string[]) => addReadersTo(delivery, fixture.publisher, count, topics);

/** Sends a campaign and waits for the end of its run. */
async function send(campaignId: string): Promise<{ runId: string; audience: number; accepted: number }> {
  const { runId } = (await fixture.post(campaignId, "send")).body;
  return fixture.whenOver(runId);
}

const nudgesAt = ({ endpoint }: { endpoint: string }) =>
  (pushService.decrypt(endpoint) as { notification: { title: string; tag: string } }[]).map(
    ({ notification: { title, tag } }) => ({ title, tag }),
  );

test("a correction replaces the notification only for those who got it", async () => {
  const [reader] = await addReaders(3, [topicId]);
  await addReaders(2);
  const wrong = await fixture.draft({ title: "Wrong", topicIds: [topicId] });
  const first = await send(wrong);
  const [late] = await addReaders(1, [topicId]);

  const correction = await fixture.create({ title: "Right", corrects: wrong });
  expect(correction).toMatchObject({ status: 201, body: { corrects: wrong, topicIds: [topicId] } });
  const { campaignId } = correction.body;
  const sent = await send(campaignId);
  expect(sent).toMatchObject({ audience: 3, accepted: 3 });
  const tag = first.runId;
  expect(nudgesAt(reader!)).toEqual([
    { title: "Wrong", tag },
    { title: "Right", tag },
  ]);
  expect(nudgesAt(late!)).toEqual([]);
  const topics = new Set([...pushService.receipts()].map(({ topic }) => topic));
  expect([...topics]).toEqual([tag.replaceAll("-", "")]);

  // A correction of the correction replaces the same notification.
  const again = (await fixture.create({ title: "Righter", corrects: campaignId })).body.campaignId;
  expect(await send(again)).toMatchObject({ audience: 3 });
  expect(nudgesAt(reader!).at(-1)).toEqual({ title: "Righter", tag });
});

test("the audience of a correction counts no later subscribers", async () => {
  const { siteId, tenantId } = fixture.publisher;
  await deleteSubscribers(app, { siteId });
  await addReaders(2);
  const wrong = await fixture.draft();
  await send(wrong);
  await addReaders(4);
  const headers = { cookie: await signIn(fixture.api, ownerEmail(tenantId)) };
  const path = `/dashboard/api/tenants/${tenantId}/sites/${siteId}/audience`;
  expect((await fixture.api.call("GET", `${path}?corrects=${wrong}`, { headers })).body.audience).toBe(2);
  expect((await fixture.api.call("GET", path, { headers })).body.audience).toBe(6);
  const { campaignId } = (await fixture.create({ corrects: wrong })).body;
  expect((await fixture.post(campaignId, "send")).body).toMatchObject({ audience: 2, audienceExact: true });
});

test("a correction is of the same story, so that who mutes one hears of neither", async () => {
  const [reader] = await addReaders(1);
  const wrong = await fixture.draft({ storyId: "election" });
  await send(wrong);
  const storyOf = async (fields: object) =>
    (await fixture.read(await fixture.draft({ corrects: wrong, ...fields }))).storyId;
  expect(await storyOf({})).toBe("election");
  expect(await storyOf({ storyId: "recount" })).toBe("recount");
  expect(await storyOf({ storyId: "" })).toBeUndefined();
  const { runId } = await send(await fixture.draft({ corrects: wrong }));
  const client = createReaderClient(fixture.api, fixture.publisher.siteId);
  const mute = { endpoint: reader!.endpoint, auth: reader!.keys.auth, mute: runId };
  expect((await client.post("preferences", mute)).status).toBe(200);
  const next = await send(await fixture.draft({ storyId: "election" }));
  expect(next).toMatchObject({ reasons: [{ reason: "muted", count: 1 }] });
});

test("a correction is as loud as the original, with its badge and language, by default", async () => {
  const extras = {
    badge: "https://news.example/badge.png",
    lang: "de",
    dir: "ltr",
    silent: true,
    requireInteraction: true,
  };
  const wrong = await fixture.draft({ ...extras, actions: [{ title: "Live", url: "https://news.example/live" }] });
  await send(wrong);
  const correction = await fixture.read(await fixture.draft({ corrects: wrong }));
  expect(correction).toMatchObject(extras);
  // The buttons belong to the text that was wrong.
  expect(correction.actions).toBeUndefined();
  const loud = await fixture.read(await fixture.draft({ corrects: wrong, silent: false, badge: "" }));
  expect(loud).toMatchObject({ silent: false, lang: "de" });
  expect(loud.badge).toBeUndefined();
});

test("a draft, or a campaign of another site or tenant, cannot be corrected", async () => {
  const other = campaignFixtureOf(app, fixture.api, await createPublisher(app));
  const theirs = await other.draft();
  await other.post(theirs, "send");
  const unknown = fixture.publisher.tenantId;
  for (const corrects of [await fixture.draft(), theirs, unknown, "not an id"]) {
    const refused = await fixture.create({ corrects });
    expect(refused).toMatchObject({ status: 400, body: { errors: [{ path: "/corrects" }] } });
  }
});

/** Makes the push service ask some of the readers to wait for ten minutes. Returns a function that ends this. */
const throttle = (readers: { endpoint: string }[]) => {
  const ends = readers.map(({ endpoint }) =>
    pushService.answerWith({ behaviour: "throttle", match: { endpoint }, headers: { "retry-after": "600" } }),
  );
  return () => ends.forEach((end) => void end());
};

const whenAccepted = (runId: string, accepted: number) =>
  eventually(async () => (await fixture.run(runId)).accepted === accepted);

test("a correction stops its original, and goes to all who got it or still wait", async () => {
  const { topicId: own } = await addTopic(app, fixture.publisher.actor, {
    siteId: fixture.publisher.siteId,
    name: "Own",
  });
  const [quick, slow] = await addReaders(2, [own]);
  const letGo = throttle([slow!]);
  const wrong = await fixture.draft({ title: "Ten dead", topicIds: [own] });
  const { runId } = (await fixture.post(wrong, "send")).body;
  await whenAccepted(runId, 1);
  const correction = await fixture.draft({ title: "Nobody hurt", corrects: wrong });
  const sent = (await fixture.post(correction, "send")).body;
  letGo();
  await endPushServiceWaits(app);
  expect(await fixture.whenOver(sent.runId)).toMatchObject({ audience: 2, accepted: 2 });
  expect(await fixture.run(runId)).toMatchObject({ status: "stopped", accepted: 1 });
  const shown = (reader?: { endpoint: string }) => nudgesAt(reader!).map(({ title }) => title);
  expect(shown(quick)).toEqual(["Ten dead", "Nobody hurt"]);
  expect(shown(slow).at(-1)).toBe("Nobody hurt");
});

test("a correction stops an update that still runs, and is the last message to each reader", async () => {
  const { topicId: own } = await addTopic(app, fixture.publisher.actor, {
    siteId: fixture.publisher.siteId,
    name: "Updated",
  });
  const [quick, slow] = await addReaders(2, [own]);
  const wrong = await fixture.draft({ title: "Ten dead", topicIds: [own] });
  await fixture.whenOver((await fixture.post(wrong, "send")).body.runId);
  const letGo = throttle([slow!]);
  const update = (await fixture.post(wrong, "updates", { title: "Twelve dead" })).body.runId;
  await whenAccepted(update, 1);
  const correction = await fixture.draft({ title: "Nobody hurt", corrects: wrong });
  const { runId } = (await fixture.post(correction, "send")).body;
  letGo();
  await endPushServiceWaits(app);
  expect(await fixture.whenOver(runId)).toMatchObject({ audience: 2, accepted: 2 });
  expect(await fixture.run(update)).toMatchObject({ status: "stopped", accepted: 1 });
  const shown = (reader?: { endpoint: string }) => nudgesAt(reader!).map(({ title }) => title);
  expect(shown(quick)).toEqual(["Ten dead", "Twelve dead", "Nobody hurt"]);
  expect(shown(slow).at(-1)).toBe("Nobody hurt");
});

test("a correction that reached nobody leaves updates as they were", async () => {
  const { topicId: own } = await addTopic(app, fixture.publisher.actor, {
    siteId: fixture.publisher.siteId,
    name: "Stopped",
  });
  const [reader] = await addReaders(1, [own]);
  const first = await fixture.draft({ title: "0:0", topicIds: [own] });
  await send(first);
  const letGo = throttle([reader!]);
  const { runId } = (await fixture.post(await fixture.draft({ title: "Wrong", corrects: first }), "send")).body;
  await fixture.stop(runId);
  letGo();
  await endPushServiceWaits(app);
  await eventually(async () => (await fixture.post(first, "updates", { title: "1:0" })).status === 202);
  await eventually(async () => nudgesAt(reader!).length === 2);
  expect(nudgesAt(reader!).map(({ title }) => title)).toEqual(["0:0", "1:0"]);
});

test("a campaign whose readers are not stored any more cannot be corrected", async () => {
  const wrong = await fixture.draft();
  const { runId } = await send(wrong);
  const correction = await fixture.draft({ corrects: wrong });
  await changeRuns(app, { id: runId }, { prunedAt: present });
  expect(await fixture.create({ corrects: wrong })).toMatchObject({ status: 400 });
  expect(await fixture.post(correction, "send")).toMatchObject({ status: 409, body: { code: "readers_forgotten" } });
});

test("the topics of a correction are those of the corrected campaign, and cannot change", async () => {
  const wrong = await fixture.draft({ topicIds: [topicId] });
  await send(wrong);
  const fault = { status: 400, body: { errors: [{ path: "/topicIds" }] } };
  expect(await fixture.create({ corrects: wrong, topicIds: [] })).toMatchObject(fault);
  const { campaignId } = (await fixture.create({ corrects: wrong, topicIds: [topicId] })).body;
  const change = (body: unknown) =>
    fixture.api.call("PATCH", `/v1/campaigns/${campaignId}`, { key: fixture.publisher.apiKey, body });
  expect(await change({ topicIds: [] })).toMatchObject(fault);
  expect(await change({ topicIds: [topicId], title: "Right" })).toMatchObject({
    status: 200,
    body: { title: "Right" },
  });
});
