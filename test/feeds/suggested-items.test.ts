import { sql } from "kysely";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { readCampaign } from "../../src/campaigns/read-campaigns.ts";
import { createSignerCache } from "../../src/delivery/crypto/signer-cache.ts";
import { sendEditorNudges } from "../../src/delivery/editor-nudges/send-editor-nudges.ts";
import { createPushTransport } from "../../src/egress/push/transport.ts";
import { addFeed, changeFeed } from "../../src/feeds/change-feeds.ts";
import { runMaintenance } from "../../src/maintenance.ts";
import { sendCampaign } from "../../src/sends/send-campaign.ts";
import { everybody } from "../../src/subscribers/audience.ts";
import { expireEditorDevices } from "../../src/subscribers/editor-devices/expire-devices.ts";
import { countSubscribers } from "../../src/subscribers/queries.ts";
import { type Api, serve } from "../fixtures/app.ts";
import type { Publisher } from "../fixtures/publisher.ts";
import { type PushService, startPushService } from "../fixtures/push-service/push-service.ts";
import { present } from "../fixtures/rows/change.ts";
import { changeEditorNudges } from "../fixtures/rows/feeds.ts";
import { changeMembers } from "../fixtures/rows/people.ts";
import { signInAs } from "../fixtures/sign-in.ts";
import { countRuns, type FeedFixture, openFeedFixture, story } from "./fixture.ts";

let fixture: FeedFixture;
let push: PushService;
let api: Api;
let publisher: Publisher;
let cookie: string;

beforeAll(async () => {
  push = await startPushService();
  fixture = await openFeedFixture({ PUSH_SERVICES: push.origin, RATE_LIMIT_PER_MINUTE: "1000000" });
  api = await serve(fixture.app);
});

beforeEach(async () => {
  publisher = await fixture.anotherPublisher();
  cookie = await signInAs(fixture.app, api, publisher.tenantId, "editor");
});

const devicesPath = ({ tenantId, siteId } = publisher) =>
  `/dashboard/api/tenants/${tenantId}/sites/${siteId}/editor-devices`;
const asMember = (method: string, path = "", body?: unknown) =>
  api.call(method, devicesPath() + path, { headers: { cookie }, body });

async function addDevice(): Promise<{ deviceId: string; endpoint: string }> {
  const applicationServerKey = (await asMember("GET")).body.vapidPublicKey;
  const [subscription] = push.createSubscriptions(1, { applicationServerKey });
  const { status, body } = await asMember("POST", "", { subscription });
  expect(status).toBe(201);
  return { deviceId: body.deviceId, endpoint: subscription!.endpoint };
}

/** Sends the notifications that are due to editors' devices. Returns how many were accepted. */
async function notifyEditors(): Promise<number> {
  const { app } = fixture;
  const transport = createPushTransport({ allowsOrigin: (origin) => origin === push.origin, ca: push.caCertificate });
  try {
    return await sendEditorNudges(app, { transport, signerOf: createSignerCache(app.db, app.secrets, undefined) });
  } finally {
    await transport.close();
  }
}

const nudges = async () =>
  (await sql`select n.* from editor_nudges n where site_id = ${publisher.siteId}`.execute(fixture.app.db)).rows;

async function suggestStory(name: string) {
  const feed = await fixture.feedWith(publisher, [], { suggest: true });
  feed.put([story(fixture, name)]);
  return (await feed.pollAndSend())[0]!;
}

test("a feed that suggests leaves a draft, sends nothing, and tells the editors' devices", async () => {
  const { app } = fixture;
  const { endpoint } = await addDevice();
  const item = await suggestStory("bridge");
  expect(item).toMatchObject({ status: "suggested", runId: null, reasons: [], campaignId: expect.any(String) });
  const campaign = await readCampaign(app, publisher.actor, { campaignId: item.campaignId! });
  expect(campaign).toMatchObject({ status: "draft", title: "The story of bridge", runId: null });
  expect(await countRuns(app, publisher.siteId)).toBe(0);
  expect(await notifyEditors()).toBe(1);
  expect(push.decrypt(endpoint)).toEqual([
    { title: "Send this to 2 readers?", body: "The story of bridge", campaignId: item.campaignId },
  ]);
  expect(await nudges()).toEqual([]);
  expect(await notifyEditors()).toBe(0);
  // The editor's device does not count as a reader.
  expect(await countSubscribers(app.db, publisher.siteId, everybody, 10)).toBe(2);
});

test("what the decision rejects is skipped and not suggested, and the limits count suggestions", async () => {
  const feed = await fixture.feedWith(publisher, [], { suggest: true, hourlyLimit: 1 });
  feed.put([
    { ...story(fixture, "elsewhere"), link: "https://other.example/a" },
    story(fixture, "one"),
    story(fixture, "two"),
  ]);
  const items = await feed.pollAndSend();
  const outcomes = items.map(({ status, reasons }) => [status, ...reasons.map(({ code }) => code)]).toSorted();
  expect(outcomes).toEqual([["skipped", "feed_hourly_limit"], ["skipped", "foreign_host"], ["suggested"]]);
});

test("a feed cannot suggest and have the override", async () => {
  const { app } = fixture;
  const url = `${fixture.server.origin}/both.xml`;
  const both = { code: "validation_failed", details: { errors: [{ path: "/suggest" }] } };
  const input = { siteId: publisher.siteId, url };
  await expect(addFeed(app, publisher.actor, { ...input, suggest: true, override: true })).rejects.toMatchObject(both);
  const { feedId, suggest } = await addFeed(app, publisher.actor, { ...input, suggest: true });
  expect(suggest).toBe(true);
  await expect(changeFeed(app, publisher.actor, { feedId, change: { override: true } })).rejects.toMatchObject(both);
  const changed = await changeFeed(app, publisher.actor, { feedId, change: { suggest: false, override: true } });
  expect(changed).toMatchObject({ suggest: false, override: true });
});

test("no device is told of a sent draft, nor one whose member may not send any more", async () => {
  const { app } = fixture;
  await addDevice();
  const { campaignId } = await suggestStory("sent");
  await sendCampaign(app, publisher.actor, { campaignId: campaignId!, idempotencyKey: "by hand" });
  expect(await notifyEditors()).toBe(0);
  expect(await nudges()).toEqual([]);
  await suggestStory("left");
  await changeMembers(app, { tenantId: publisher.tenantId }, { role: "viewer" });
  expect(await notifyEditors()).toBe(0);
  await runMaintenance(app.db, [expireEditorDevices]);
  const left = await sql`select from editor_devices where site_id = ${publisher.siteId}`.execute(app.db);
  expect(left.rows).toEqual([]);
});

test("a device unknown to its push service is removed; with a busy one it is tried again", async () => {
  const { app } = fixture;
  await addDevice();
  await suggestStory("busy");
  const busy = push.answerWith({ behaviour: "answer", status: 503 });
  expect(await notifyEditors()).toBe(0);
  busy();
  expect(await nudges()).toMatchObject([{ tries: 1 }]);
  await changeEditorNudges(app, {}, { dueAt: present });
  const gone = push.answerWith({ behaviour: "answer", status: 410 });
  expect(await notifyEditors()).toBe(0);
  gone();
  expect((await asMember("GET")).body.devices).toEqual([]);
  expect(await nudges()).toEqual([]);
});

test("a device is renewed by its endpoint, and removed by its own member only", async () => {
  const { deviceId, endpoint } = await addDevice();
  const [other] = push.createSubscriptions(1);
  const again = await asMember("POST", "", { subscription: { ...other, endpoint } });
  expect(again.body).toEqual({ deviceId });
  expect((await asMember("POST", "", { subscription: { endpoint: "https://evil.example/x" } })).body).toMatchObject({
    code: "validation_failed",
    errors: expect.arrayContaining([expect.objectContaining({ path: "/subscription/endpoint" })]),
  });
  const mine = cookie;
  cookie = await signInAs(fixture.app, api, publisher.tenantId, "editor");
  expect((await asMember("GET")).body.devices).toEqual([]);
  expect((await asMember("DELETE", `/${deviceId}`)).status).toBe(404);
  cookie = await signInAs(fixture.app, api, publisher.tenantId, "viewer");
  expect((await asMember("GET")).status).toBe(403);
  cookie = mine;
  expect((await asMember("DELETE", `/${deviceId}`)).status).toBe(204);
});
