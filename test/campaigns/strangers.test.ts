import { beforeEach, expect, test } from "vitest";
import { everybody } from "../../src/subscribers/audience.ts";
import { countProvenSubscribers } from "../../src/subscribers/queries.ts";
import { changeTenant } from "../../src/tenants/tenants.ts";
import { addTopic } from "../../src/tenants/topics/topics.ts";
import { atOnce } from "../fixtures/at-once.ts";
import { createPublisher, createSubscriptions, subscribe } from "../fixtures/publisher.ts";
import { createReaderClient, siteOrigin } from "../fixtures/reader-client.ts";
import { ago } from "../fixtures/rows/change.ts";
import { changeSubscribers } from "../fixtures/rows/subscribers.ts";
import { ownerEmail, signIn } from "../fixtures/sign-in.ts";
import { subscriberIds } from "../runs/fixture.ts";
import { type CampaignFixture, campaignFixtureOf, openCampaignFixture } from "./fixture.ts";

const settings = { PLANS: '{"small":{"audienceCap":20},"unlimited":{}}', TRUST_PROXY: "1" };
const shared = await openCampaignFixture(settings);
const { app, api } = shared;
let fixture: CampaignFixture;
let siteId: string;

beforeEach(async () => {
  fixture = campaignFixtureOf(app, api, await createPublisher(app, { plan: "small" }));
  siteId = fixture.publisher.siteId;
});

/** Registers endpoints that no browser has, each from a different IP address. */
async function registerStrangers(count: number, more: object = {}): Promise<void> {
  const headers = (n: number) => ({ origin: siteOrigin, "x-forwarded-for": `198.51.${n >> 8}.${n & 255}` });
  const reader = createReaderClient(api, siteId);
  const answers: number[] = [];
  const subscriptions = createSubscriptions(count);
  for (let from = 0; from < count; from += 10) {
    const part = await atOnce(10, (n) => {
      const { endpoint, keys } = subscriptions[from + n]!;
      return reader.post("subscriptions", { subscription: { endpoint, keys }, ...more }, headers(from + n));
    });
    answers.push(...part.map(({ status }) => status));
  }
  expect(answers).toEqual(Array(count).fill(201));
}

const send = async (fields = {}) => fixture.post(await fixture.draft(fields), "send");
const ageAll = () => changeSubscribers(app, { siteId }, { createdAt: ago("25 hours") });
const proven = (limit = 1_000) => countProvenSubscribers(app.db, siteId, everybody, limit);

test("registrations by strangers over the plan's cap do not stop sends", async () => {
  await subscribe(app, siteId, createSubscriptions(20));
  await registerStrangers(300);
  expect(await send()).toMatchObject({ status: 202, body: { audience: 320 } });
});

test("one imported subscriber over the cap stops sends, with the audience up to cap plus one", async () => {
  await subscribe(app, siteId, createSubscriptions(22));
  await registerStrangers(30);
  expect(await send()).toMatchObject({ status: 402, body: { code: "billing", audience: 21, audienceCap: 20 } });
});

test("a registration counts after a day, and at once after an accepted message", async () => {
  await registerStrangers(30);
  expect(await proven()).toBe(0);
  await changeSubscribers(app, { siteId, newest: 20 }, { isAccepted: true });
  expect(await proven()).toBe(20);
  expect((await send()).status).toBe(202);
  await ageAll();
  expect(await proven()).toBe(30);
  expect(await proven(25)).toBe(25);
  expect(await send()).toMatchObject({ status: 402, body: { code: "billing", audience: 21 } });
});

test("among the subscribers of a topic too, only the proven ones count for the cap", async () => {
  const { topicId } = await addTopic(app, fixture.publisher.actor, { siteId, name: "Sport" });
  await registerStrangers(30, { topicIds: [topicId] });
  expect((await send({ topicIds: [topicId] })).status).toBe(202);
  await ageAll();
  expect((await send({ topicIds: [topicId] })).status).toBe(402);
});

test("test devices and unreachable subscribers were never counted, so are not subtracted", async () => {
  await subscribe(app, siteId, createSubscriptions(5));
  await registerStrangers(10);
  const registered = (await subscriberIds(app, siteId)).slice(5);
  await changeSubscribers(app, { id: registered.slice(0, 5) }, { refusedRuns: 3 });
  await changeSubscribers(app, { id: registered[5]! }, { isTest: true });
  expect(await proven()).toBe(5);
});

test("registrations by strangers require no second person, and the dashboard knows it", async () => {
  const { actor, tenantId } = fixture.publisher;
  await changeTenant(app, actor, { plan: "unlimited", confirmAbove: 3 });
  await subscribe(app, siteId, createSubscriptions(3));
  await registerStrangers(30);
  const headers = { cookie: await signIn(api, ownerEmail(tenantId)) };
  const tenant = `/dashboard/api/tenants/${tenantId}`;
  const size = await api.call("GET", `${tenant}/sites/${siteId}/audience`, { headers });
  expect(size.body).toEqual({ audience: 33, exact: true, proven: 3, shut: [] });
  const sendAsOwner = async () =>
    api.call("POST", `${tenant}/campaigns/${await fixture.draft()}/send`, { headers, body: undefined });
  expect((await sendAsOwner()).status).toBe(202);
  await ageAll();
  expect(await sendAsOwner()).toMatchObject({ status: 409, body: { code: "confirmation_required" } });
});
