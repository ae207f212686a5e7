import { beforeAll, expect, test } from "vitest";
import { addTopic } from "../../src/tenants/topics/topics.ts";
import { type Newspaper, startNewspaper } from "../fixtures/newspaper.ts";
import { createPublisher } from "../fixtures/publisher.ts";
import { type CampaignFixture, campaignFixtureOf, openCampaignFixture, validFields } from "./fixture.ts";

let newspaper: Newspaper;
let fixture: CampaignFixture;
let topicId: string;

beforeAll(async () => {
  newspaper = await startNewspaper();
  fixture = await openCampaignFixture({ ALLOW_HOSTS: newspaper.allowHost });
  ({ topicId } = await addTopic(fixture.app, fixture.publisher.actor, {
    siteId: fixture.publisher.siteId,
    name: "Politics",
  }));
});

const patch = (campaignId: string, body: unknown, of: CampaignFixture = fixture) =>
  of.api.call("PATCH", `/v1/campaigns/${campaignId}`, { key: of.publisher.apiKey, body });

const storyDraft = (title: string) =>
  fixture.draft({ mode: "url", url: newspaper.publish(title), title: undefined, body: undefined });

const long = (length: number) => `https://news.example/${"a".repeat(length - 21)}`;

test("a change writes the fields it names and leaves the others", async () => {
  const id = await fixture.draft({ externalId: "cms-1", imageUrl: "https://images.example/a.jpg" });
  const change = {
    title: "  Bridge closed ",
    body: "Until Monday.",
    url: "http://news.example/closed",
    topicIds: [topicId, topicId],
    ttlSeconds: 600,
    urgency: "high",
    class: "low",
    labels: ["City"],
  };
  const { status, body } = await patch(id, change);
  expect(status).toBe(200);
  expect(body).toMatchObject({ ...change, title: "Bridge closed", topicIds: [topicId], status: "draft", warnings: [] });
  expect(body).toMatchObject({ externalId: "cms-1", imageUrl: "https://images.example/a.jpg" });
  expect(Date.parse(body.updatedAt)).toBeGreaterThan(Date.parse(body.createdAt));
  expect(await fixture.read(id)).toEqual(body);
});

test("a change without fields, or with nulls only, changes nothing", async () => {
  const id = await fixture.draft({
    imageUrl: "https://images.example/a.jpg",
    topicIds: [topicId],
    externalId: "cms-2",
  });
  const { updatedAt: _, ...before } = await fixture.read(id);
  for (const body of [{}, { title: null, body: null, imageUrl: null, topicIds: null, externalId: null }]) {
    expect(await patch(id, body)).toMatchObject({ status: 200, body: before });
  }
});

test("the extras of a notification change one by one, and an empty text clears one", async () => {
  const id = await fixture.draft({ badge: "https://images.example/b.png", lang: "de", silent: true });
  const { body } = await patch(id, { lang: "", silent: false, appBadge: 3 });
  expect(body).toMatchObject({ badge: "https://images.example/b.png", silent: false, appBadge: 3 });
  expect(body).not.toHaveProperty("lang");
  expect(await fixture.read(id)).toMatchObject({ badge: "https://images.example/b.png", silent: false, appBadge: 3 });
});

test('an imageUrl of "" clears it, and topicIds of [] remove the filter, with a warning', async () => {
  const id = await fixture.draft({ imageUrl: "https://images.example/a.jpg", topicIds: [topicId] });
  expect((await patch(id, { imageUrl: "" })).body).toMatchObject({ imageUrl: null, topicIds: [topicId] });
  expect((await patch(id, { topicIds: [] })).body).toMatchObject({
    topicIds: [],
    warnings: [{ code: "no_topic_filter" }],
  });
});

test.for([
  ["an empty title", "/title", { title: " " }],
  ["a title of 121 characters", "/title", { title: "a".repeat(121) }],
  ["an empty body in manual mode", "/body", { body: "" }],
  ["a body of 241 characters", "/body", { body: "a".repeat(241) }],
  ["a javascript: url", "/url", { url: "javascript:1" }],
  ["an http imageUrl", "/imageUrl", { imageUrl: "http://images.example/a.jpg" }],
  ["a topic that does not exist", "/topicIds/0", { topicIds: [crypto.randomUUID()] }],
  ["ttlSeconds of 59", "/ttlSeconds", { ttlSeconds: 59 }],
  ["an unknown class", "/class", { class: "now" }],
  ["an unknown urgency", "/urgency", { urgency: "now" }],
  ["an empty externalId", "/externalId", { externalId: "" }],
  ["siteId, which cannot change", "/siteId", { siteId: crypto.randomUUID() }],
  ["mode, which cannot change", "/mode", { mode: "url" }],
  ["forceSend, which applies to the decision only", "/forceSend", { forceSend: true }],
  ["status, which has its own calls", "/status", { status: "cancelled" }],
  ["a message that no push service takes", "/imageUrl", { url: long(2_048), imageUrl: long(2_048) }],
  ["a list instead of an object", "", []],
] as const)("a change to %s answers 400", async ([_, path, body]) => {
  const id = await fixture.draft();
  const answer = await patch(id, body);
  expect(answer).toMatchObject({ status: 400, body: { code: "validation_failed" } });
  expect(answer.body.errors.map((fault: { path: string }) => fault.path)).toContain(path);
  expect(await fixture.read(id)).toMatchObject(validFields);
});

test("a change reports all its faults at once", async () => {
  const { body } = await patch(await fixture.draft(), { title: "", topicIds: [crypto.randomUUID()], colour: "red" });
  const paths = body.errors.map((fault: { path: string }) => fault.path).sort();
  expect(paths).toEqual(["/colour", "/title", "/topicIds/0"]);
});

test("in url mode the texts can be changed and the body removed, but the url cannot be changed", async () => {
  const id = await storyDraft("Bridge opens");
  const { body } = await patch(id, { title: "Look", body: " " });
  expect(body).toMatchObject({ title: "Look", body: "", mode: "url", decision: { decision: "send" } });
  const refused = await patch(id, { url: "https://news.example/other" });
  expect(refused.status).toBe(400);
  expect(refused.body.errors).toMatchObject([{ path: "/url", message: expect.stringContaining("cannot be changed") }]);
});

test("a send after a change sends the changed draft", async () => {
  const id = await fixture.draft();
  await patch(id, { title: "Bridge closed" });
  expect((await fixture.post(id, "send")).status).toBe(202);
  expect(await fixture.read(id)).toMatchObject({ status: "sent", title: "Bridge closed" });
});

test("a change to another tenant's or an unknown campaign answers 404 before its body is parsed", async () => {
  const stranger = campaignFixtureOf(fixture.app, fixture.api, await createPublisher(fixture.app));
  expect((await patch(await fixture.draft(), { title: "" }, stranger)).status).toBe(404);
  expect((await patch("no-uuid", { title: "" })).status).toBe(404);
});

test("a change and a send at once do not mix: the run has the old or the new text", async () => {
  const id = await fixture.draft();
  const [changed, sent] = await Promise.all([patch(id, { title: "Bridge closed" }), fixture.post(id, "send")]);
  expect(sent.status).toBe(202);
  expect([200, 409]).toContain(changed.status);
  expect((await fixture.read(id)).title).toBe(changed.status === 200 ? "Bridge closed" : validFields.title);
});
