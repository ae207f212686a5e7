import { beforeAll, expect, test } from "vitest";
import { articleHtml, type Newspaper, startNewspaper } from "../fixtures/newspaper.ts";
import { type CampaignFixture, openCampaignFixture } from "./fixture.ts";

let newspaper: Newspaper;
let fixture: CampaignFixture;

beforeAll(async () => {
  newspaper = await startNewspaper();
  fixture = await openCampaignFixture({ ALLOW_HOSTS: newspaper.allowHost });
});

/** Creates a campaign in url mode, which is the default. */
const create = (url: string, fields: Record<string, unknown> = {}) =>
  fixture.create({ mode: undefined, title: undefined, body: undefined, url, ...fields });

const advert = (title: string) =>
  articleHtml(title).replace("</head>", '<meta name="robots" content="noindex"></head>');

test("url mode is the default, checks the story and writes the notification from it", async () => {
  const url = newspaper.publish("Bridge opens");
  const { status, body } = await create(url);
  expect(status).toBe(201);
  expect(body).toMatchObject({
    mode: "url",
    status: "draft",
    url,
    title: "Bridge opens",
    body: "What is known of it so far.",
    imageUrl: "https://images.example.com/story.jpg",
    decision: { decision: "send", score: expect.any(Number), reasons: expect.any(Array) },
  });
});

test("title, body and imageUrl of the caller replace the article's", async () => {
  const given = { title: "Look", body: "A bridge", imageUrl: "https://images.example.com/own.jpg" };
  expect((await create(newspaper.publish("Bridge opens again"), given)).body).toMatchObject(given);
  const empty = await create(newspaper.publish("Bridge opens once more"), { title: " ", body: "", imageUrl: "" });
  expect(empty.body).toMatchObject({
    title: "Bridge opens once more",
    body: "What is known of it so far.",
    imageUrl: null,
  });
});

test("a skipped story creates a cancelled campaign with reasons, which cannot be sent", async () => {
  const { status, body } = await create(newspaper.publish("Paid", advert("Paid")));
  expect(status).toBe(201);
  expect(body).toMatchObject({ status: "cancelled", forceSend: false, decision: { decision: "skip" } });
  expect(body.decision.reasons).toContainEqual({
    code: expect.any(String),
    effect: "blocks",
    message: expect.any(String),
    messageCode: "page_noindex",
    params: {},
  });
  const sent = await fixture.post(body.campaignId, "send");
  expect(sent).toMatchObject({ status: 409, body: { code: "illegal_transition", from: "cancelled" } });
});

test("forceSend creates a draft of the same story, with the same decision", async () => {
  const { body } = await create(newspaper.publish("Paid", advert("Paid")), { forceSend: true });
  expect(body).toMatchObject({ status: "draft", title: "Paid", forceSend: true, decision: { decision: "skip" } });
  expect((await fixture.post(body.campaignId, "send")).status).toBe(202);
});

test("forceSend: false has no effect", async () => {
  const { body } = await create(newspaper.publish("Paid", advert("Paid")), { forceSend: false });
  expect(body.status).toBe("cancelled");
});

test("a story that cannot be read creates a cancelled campaign without a title", async () => {
  const { status, body } = await create(newspaper.missing);
  expect(status).toBe(201);
  expect(body).toMatchObject({ status: "cancelled", title: null, decision: { decision: "skip" } });
});

test("forceSend of an unreadable story needs a title: without one, 422 and no campaign", async () => {
  const headers = { "idempotency-key": "unreadable" };
  const url = newspaper.missing;
  const refused = await fixture.create(
    { mode: "url", url, title: undefined, body: undefined, forceSend: true },
    headers,
  );
  expect(refused).toMatchObject({ status: 422, body: { code: "fetch_failed" } });
  const made = await fixture.create({ mode: "url", url, title: "Bridge", body: undefined, forceSend: true }, headers);
  expect(made).toMatchObject({ status: 201, body: { status: "draft", title: "Bridge", body: "", duplicate: false } });
});

test.for([
  ["an address of this machine", "https://127.0.0.1/"],
  ["a private address", "https://10.0.0.1/"],
  ["another port", "https://news.example:8443/"],
])("a url that is %s answers 400 url_not_allowed, with forceSend too", async ([_, url]) => {
  for (const forceSend of [false, true]) {
    expect(await create(url!, { forceSend })).toMatchObject({ status: 400, body: { code: "url_not_allowed" } });
  }
});

test("manual mode does not fetch its url", async () => {
  const before = newspaper.paths.length;
  const url = newspaper.publish("Never read");
  expect(await fixture.create({ url })).toMatchObject({ status: 201, body: { status: "draft", decision: null } });
  expect(newspaper.paths).toHaveLength(before);
});

test("a creation with faults answers 400 before the story is fetched", async () => {
  const before = newspaper.paths.length;
  const url = newspaper.publish("Never read either");
  expect((await create(url, { ttlSeconds: 1 })).status).toBe(400);
  expect((await create(url, { topicIds: [crypto.randomUUID()] })).status).toBe(400);
  expect(newspaper.paths).toHaveLength(before);
});

test("a replay of a creation does not fetch the story again", async () => {
  const url = newspaper.publish("Fetched once");
  const headers = { "idempotency-key": "fetched-once" };
  const fields = { mode: "url", url, title: undefined, body: undefined };
  const first = await fixture.create(fields, headers);
  const before = newspaper.paths.length;
  const again = await fixture.create(fields, headers);
  expect(again.body).toEqual({ ...first.body, duplicate: true });
  expect(newspaper.paths).toHaveLength(before);
});
