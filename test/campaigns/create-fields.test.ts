import { sql } from "kysely";
import { beforeAll, describe, expect, test } from "vitest";
import { addTopic } from "../../src/tenants/topics/topics.ts";
import { createPublisher, createSubscriptions, type Publisher, subscribe } from "../fixtures/publisher.ts";
import { type CampaignFixture, openCampaignFixture, validFields } from "./fixture.ts";

let fixture: CampaignFixture;
let stranger: Publisher;
let topicId: string;
let foreignTopicId: string;

beforeAll(async () => {
  fixture = await openCampaignFixture();
  stranger = await createPublisher(fixture.app);
  ({ topicId } = await addTopic(fixture.app, fixture.publisher.actor, {
    siteId: fixture.publisher.siteId,
    name: "Politics",
  }));
  ({ topicId: foreignTopicId } = await addTopic(fixture.app, stranger.actor, {
    siteId: stranger.siteId,
    name: "Politics",
  }));
});

const unknown = "018f0000-0000-7000-8000-000000000000";
const long = (length: number) => `https://news.example/${"a".repeat(length - 21)}`;
const family = "👨‍👩‍👧‍👦";

test("a creation answers 201 with the whole campaign and its Location", async () => {
  const { siteId, tenantId, actor } = fixture.publisher;
  const { status, body, headers } = await fixture.create({ externalId: "cms-7", topicIds: [topicId], imageUrl: null });
  expect(status).toBe(201);
  expect(body).toEqual({
    ...validFields,
    followersOf: null,
    groupId: null,
    campaignId: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
    tenantId,
    siteId,
    externalId: "cms-7",
    status: "draft",
    runId: null,
    imageUrl: null,
    language: null,
    topicIds: [topicId],
    segment: null,
    forceSend: false,
    decision: null,
    ttlSeconds: 14_400,
    urgency: "normal",
    class: "normal",
    labels: [],
    scheduledAt: null,
    localTime: null,
    failure: null,
    corrects: null,
    warnings: [],
    duplicate: false,
    createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    updatedAt: body.createdAt,
  });
  expect(headers.get("location")).toBe(`/v1/campaigns/${body.campaignId}`);
  const { duplicate: _, ...stored } = body;
  expect(await fixture.read(body.campaignId)).toEqual(stored);
  const made = await sql<{ by: string }>`select created_by as by from campaigns where id = ${body.campaignId}`.execute(
    fixture.app.db,
  );
  expect(made.rows[0]!.by).toBe(`key:${actor.kind === "key" && actor.keyId}`);
});

const refused: [string, string, Record<string, unknown>][] = [
  ["no siteId", "/siteId", { siteId: undefined }],
  ["a siteId that is null", "/siteId", { siteId: null }],
  ["a siteId that is no UUID", "/siteId", { siteId: "site-1" }],
  ["the nil UUID as siteId", "/siteId", { siteId: "00000000-0000-0000-0000-000000000000" }],
  ["a siteId that does not exist", "/siteId", { siteId: unknown }],
  ["no url", "/url", { url: undefined }],
  ["an empty url", "/url", { url: "" }],
  ["a relative url", "/url", { url: "/bridge" }],
  ["a javascript: url", "/url", { url: "javascript:alert(1)" }],
  ["a data: url", "/url", { url: "data:text/html,x" }],
  ["a url with a user name", "/url", { url: "https://me@news.example/" }],
  ["a url with a backslash", "/url", { url: "https://news.example\\@evil.example/" }],
  ["a url with a line break", "/url", { url: "https://news.example/\nx" }],
  ["a url of 2,049 characters", "/url", { url: long(2_049) }],
  ["a url that is a number", "/url", { url: 5 }],
  ["an http url in url mode", "/url", { mode: "url", url: "http://news.example/" }],
  ["mode URL in capitals", "/mode", { mode: "URL" }],
  ["an empty mode", "/mode", { mode: "" }],
  ["a mode that is a number", "/mode", { mode: 1 }],
  ["no title in manual mode", "/title", { title: undefined }],
  ["no body in manual mode", "/body", { body: undefined }],
  ["an empty title", "/title", { title: "" }],
  ["a title of spaces", "/title", { title: " \t\n " }],
  ["a title of zero-width characters", "/title", { title: "\u200b\u2060\ufeff" }],
  ["a title of control characters", "/title", { title: "\u0007\u001b" }],
  ["a title of 121 characters", "/title", { title: "a".repeat(121) }],
  ["a title of 140 code points in 20 families", "/title", { title: family.repeat(20) }],
  ["a body of 241 characters", "/body", { body: "a".repeat(241) }],
  ["a title of 121 characters in url mode", "/title", { mode: "url", title: "a".repeat(121) }],
  ["a title that is a number", "/title", { title: 7 }],
  ["a title that is a list", "/title", { title: ["a"] }],
  ["a title with NUL", "/title", { title: "a\0b" }],
  ["a title with half a surrogate pair", "/title", { title: "a\ud800" }],
  ["an http imageUrl", "/imageUrl", { imageUrl: "http://images.example/a.jpg" }],
  ["a data: imageUrl", "/imageUrl", { imageUrl: "data:image/png;base64,AA" }],
  ["a relative imageUrl", "/imageUrl", { imageUrl: "a.jpg" }],
  ["an imageUrl of a space", "/imageUrl", { imageUrl: " " }],
  ["an imageUrl with a user name", "/imageUrl", { imageUrl: "https://me:x@images.example/" }],
  ["an imageUrl of 2,049 characters", "/imageUrl", { imageUrl: long(2_049) }],
  ["an imageUrl that is a number", "/imageUrl", { imageUrl: 5 }],
  ["a message that is too large for push services", "/imageUrl", { url: long(2_048), imageUrl: long(2_048) }],
  ["topicIds that are a string", "/topicIds", { topicIds: "politics" }],
  ["topicIds that are an object", "/topicIds", { topicIds: {} }],
  ["a topic id that is no UUID", "/topicIds/0", { topicIds: ["politics"] }],
  ["a topic id that is null", "/topicIds/0", { topicIds: [null] }],
  ["a topic id that does not exist", "/topicIds/0", { topicIds: [unknown] }],
  ["101 topic ids", "/topicIds", { topicIds: Array.from({ length: 101 }, () => crypto.randomUUID()) }],
  ["a segment that is a number", "/segment", { segment: 7 }],
  ["a segment that is no UUID", "/segment", { segment: "regulars" }],
  ["a segment that does not exist", "/segment", { segment: unknown }],
  ["forceSend as a string", "/forceSend", { forceSend: "true" }],
  ["forceSend as a number", "/forceSend", { forceSend: 1 }],
  ["an empty externalId", "/externalId", { externalId: "" }],
  ["an externalId of 201 characters", "/externalId", { externalId: "x".repeat(201) }],
  ["ttlSeconds of 59", "/ttlSeconds", { ttlSeconds: 59 }],
  ["ttlSeconds over 28 days", "/ttlSeconds", { ttlSeconds: 2_419_201 }],
  ["ttlSeconds with a fraction", "/ttlSeconds", { ttlSeconds: 60.5 }],
  ["ttlSeconds as a string", "/ttlSeconds", { ttlSeconds: "60" }],
  ["eleven labels", "/labels", { labels: Array.from({ length: 11 }, (_, n) => `label ${n}`) }],
  ["a label of 41 characters", "/labels/0", { labels: ["l".repeat(41)] }],
  ["an unknown class", "/class", { class: "urgent" }],
  ["an urgency that RFC 8030 does not define", "/urgency", { urgency: "highest" }],
  ["an http badge", "/badge", { badge: "http://images.example/b.png" }],
  ["a badge with a user name", "/badge", { badge: "https://me:x@images.example/" }],
  ["a badge of 2,049 characters", "/badge", { badge: long(2_049) }],
  ["a message that its badge makes too large", "/url", { url: long(2_048), badge: long(2_048) }],
  ["an appBadge below 0", "/appBadge", { appBadge: -1 }],
  ["an appBadge with a fraction", "/appBadge", { appBadge: 1.5 }],
  ["a lang that is no language tag", "/lang", { lang: "d" }],
  ["a lang of 36 characters", "/lang", { lang: "x".repeat(36) }],
  ["a dir that no browser knows", "/dir", { dir: "up" }],
  ["requireInteraction as a string", "/requireInteraction", { requireInteraction: "true" }],
  ["three actions", "/actions", { actions: Array(3).fill({ title: "Live", url: "https://news.example/live" }) }],
  ["an action with a title of 41 characters", "/actions/0/title", { actions: [{ title: long(41), url: long(30) }] }],
  ["an action without an address", "/actions/0/url", { actions: [{ title: "Live" }] }],
  ["an action that is a script", "/actions/0/url", { actions: [{ title: "Live", url: "javascript:alert(1)" }] }],
  ["an action with an icon", "/actions/0/icon", { actions: [{ title: "Live", url: long(30), icon: "x" }] }],
  ["a storyId of 201 characters", "/storyId", { storyId: "x".repeat(201) }],
  ["silent as a number", "/silent", { silent: 1 }],
  ["a field that does not exist", "/topicids", { topicids: [] }],
  ["scheduleAt, which has its own call", "/scheduleAt", { scheduleAt: "2030-01-01T00:00:00Z" }],
  ["a name from the prototype as field", "/constructor", { constructor: 1 }],
];

describe("a creation is refused, with the path of the field, for", () => {
  test.for(refused)("%s", async ([_, path, fields]) => {
    const { status, body } = await fixture.create(fields);
    expect({ status, code: body.code }).toEqual({ status: 400, code: "validation_failed" });
    expect(body.errors.map((fault: { path: string }) => fault.path)).toContain(path);
  });
});

const actions = [{ title: "Live", url: "https://news.example/live" }];
const switches = { appBadge: 0, dir: "rtl", requireInteraction: true, silent: false };

describe("a creation accepts", () => {
  const cases: [string, Record<string, unknown>, Record<string, unknown>][] = [
    ["null for every optional field", { imageUrl: null, topicIds: null, forceSend: null, urgency: null }, {}],
    ["an http url in manual mode", { url: "http://news.example/a" }, { url: "http://news.example/a" }],
    ["a url of 2,048 characters", { url: long(2_048) }, { url: long(2_048) }],
    ["a title of 120 characters", { title: "a".repeat(120) }, { title: "a".repeat(120) }],
    ["a title of 120 emoji, 240 UTF-16 units", { title: "🦊".repeat(120) }, { title: "🦊".repeat(120) }],
    ["a title of 120 characters with decomposed accents", { title: "e\u0301".repeat(120) }, { title: "é".repeat(120) }],
    ["a body of 240 characters", { body: "b".repeat(240) }, { body: "b".repeat(240) }],
    ["120 characters between spaces", { title: `  ${"a".repeat(120)}\n` }, { title: "a".repeat(120) }],
    ["a line break as a space, without a bell", { title: "Bridge\nopens\u0007" }, { title: "Bridge opens" }],
    ["a title without its bidi override", { title: "Bridge \u202eopens" }, { title: "Bridge opens" }],
    ["markup as the text that it is", { title: "<script>'; drop table" }, { title: "<script>'; drop table" }],
    [
      "an https imageUrl of any ending",
      { imageUrl: "https://i.example/a.svg" },
      { imageUrl: "https://i.example/a.svg" },
    ],
    ['"" for no image', { imageUrl: "" }, { imageUrl: null }],
    ["forceSend in manual mode", { forceSend: true }, { forceSend: true, status: "draft", decision: null }],
    ["labels, each once", { labels: ["Sport", "Desk 2", "Sport"] }, { labels: ["Sport", "Desk 2"] }],
    ["class", { class: "breaking" }, { class: "breaking" }],
    ["ttlSeconds and urgency", { ttlSeconds: 60, urgency: "high" }, { ttlSeconds: 60, urgency: "high" }],
    ["a badge, and a lang in its usual form", { badge: long(200), lang: "PT-br" }, { badge: long(200), lang: "pt-BR" }],
    ["a number, a direction and two switches", switches, switches],
    ["actions and a storyId", { actions, storyId: "election" }, { actions, storyId: "election" }],
    ["an externalId of 200 characters", { externalId: "x".repeat(200) }, { externalId: "x".repeat(200) }],
  ];

  test.for(cases)("%s", async ([_, fields, shown]) => {
    const { status, body } = await fixture.create(fields);
    expect({ status, ...body }).toMatchObject({ status: "draft", ...shown });
    expect(status).toBe(201);
  });
});

test("a creation reports all its faults at once, including those of ids that do not exist", async () => {
  const { body } = await fixture.create({
    title: "a".repeat(121),
    imageUrl: "http://images.example/a.jpg",
    topicIds: [topicId, unknown],
    ttlSeconds: 1,
    topicid: unknown,
  });
  const paths = body.errors.map((fault: { path: string }) => fault.path).sort();
  expect(paths).toEqual(["/imageUrl", "/title", "/topicIds/1", "/topicid", "/ttlSeconds"]);
});

test("a creation refuses another tenant's site and topics like unknown ones", async () => {
  const ofStranger = await fixture.create({ siteId: stranger.siteId });
  const ofUnknown = await fixture.create({ siteId: unknown });
  expect(ofStranger.status).toBe(400);
  expect(ofStranger.body.errors).toEqual(ofUnknown.body.errors);
  const { body } = await fixture.create({ topicIds: [foreignTopicId] });
  expect(body.errors).toMatchObject([{ path: "/topicIds/0", message: "is no topic of this site" }]);
});

test("a creation under another tenant's path answers 403 tenant_mismatch", async () => {
  const { apiKey: key, siteId } = fixture.publisher;
  const body = { siteId, ...validFields };
  const answer = await fixture.api.call("POST", `/v1/tenants/${stranger.tenantId}/campaigns`, { key, body });
  expect(answer).toMatchObject({ status: 403, body: { code: "tenant_mismatch" } });
});

test.for([[[]], ["text"], [5], [null]])(
  "a creation whose body is %j instead of an object answers 400",
  async ([body]) => {
    const { apiKey: key, tenantId } = fixture.publisher;
    const answer = await fixture.api.call("POST", `/v1/tenants/${tenantId}/campaigns`, {
      key,
      body: JSON.stringify(body),
    });
    expect(answer).toMatchObject({ status: 400, body: { code: "validation_failed" } });
    expect(answer.body.errors).toMatchObject([{ path: "", message: "must be a JSON object" }]);
  },
);

test("repeated topic ids are merged in any case; an empty list filters nothing, with a warning", async () => {
  const merged = await fixture.create({ topicIds: [topicId, topicId.toUpperCase(), topicId] });
  expect(merged.body).toMatchObject({ topicIds: [topicId], warnings: [] });
  const { body } = await fixture.create({ topicIds: [] });
  expect(body).toMatchObject({ topicIds: [], warnings: [{ code: "no_topic_filter" }] });
});

test("topicIds limit the audience to subscribers of any of the topics", async () => {
  const { app, publisher } = fixture;
  const { topicId: sport } = await addTopic(app, publisher.actor, { siteId: publisher.siteId, name: "Sport" });
  const { topicId: empty } = await addTopic(app, publisher.actor, { siteId: publisher.siteId, name: "Chess" });
  const [one, two, three, four] = createSubscriptions(4) as [never, never, never, never];
  const withTopics = (subscription: object, topics: string[]) => ({ ...subscription, topics }) as never;
  await subscribe(app, publisher.siteId, [
    withTopics(one, [topicId]),
    withTopics(two, [sport]),
    withTopics(three, [topicId, sport]),
    four,
  ]);
  const audienceOf = async (topicIds: string[]) =>
    (await fixture.post(await fixture.draft({ topicIds }), "send")).body.audience;
  expect(await audienceOf([topicId])).toBe(2);
  expect(await audienceOf([topicId, sport])).toBe(3);
  expect(await audienceOf([empty])).toBe(0);
  expect(await audienceOf([])).toBe(4);
});
