import { beforeAll, describe, expect, test } from "vitest";
import { readIdempotencyKey } from "../../src/campaigns/idempotency-key.ts";
import { addTopic } from "../../src/tenants/topics/topics.ts";
import { atOnce } from "../fixtures/at-once.ts";
import { type FeedServer, startFeedServer } from "../fixtures/feed-server.ts";
import { articleHtml } from "../fixtures/newspaper.ts";
import { type CampaignFixture, openCampaignFixture, validFields } from "./fixture.ts";

let fixture: CampaignFixture;
let server: FeedServer;
let topicId: string;

beforeAll(async () => {
  server = await startFeedServer();
  fixture = await openCampaignFixture({ ALLOW_HOSTS: server.allowHost });
  ({ topicId } = await addTopic(fixture.app, fixture.publisher.actor, {
    siteId: fixture.publisher.siteId,
    name: "Politics",
  }));
});

describe("a creation with an Idempotency-Key", () => {
  const withKey = (key: string) => ({ "idempotency-key": key });

  test("returns the same campaign for the same body, in any order of fields, null or absent", async () => {
    const first = await fixture.create({ topicIds: [topicId] }, withKey("story-1"));
    expect(first.body.duplicate).toBe(false);
    const { siteId, tenantId, apiKey: key } = fixture.publisher;
    const { body: text, ...rest } = validFields;
    const body = { topicIds: [topicId.toUpperCase()], imageUrl: null, body: text, ...rest, siteId };
    const again = await fixture.api.call("POST", `/v1/tenants/${tenantId}/campaigns`, {
      key,
      body,
      headers: withKey("story-1"),
    });
    expect(again).toMatchObject({ status: 201, body: { campaignId: first.body.campaignId, duplicate: true } });
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    expect(again.headers.get("location")).toBe(`/v1/campaigns/${first.body.campaignId}`);
  });

  test("repeats the warnings too", async () => {
    const first = await fixture.create({ topicIds: [] }, withKey("story-of-all"));
    const again = await fixture.create({ topicIds: [] }, withKey("story-of-all"));
    expect(first.body.warnings).toMatchObject([{ code: "no_topic_filter" }]);
    expect(again.body).toMatchObject({ duplicate: true, warnings: first.body.warnings });
  });

  test("answers 422 idempotency_key_reused for another body", async () => {
    await fixture.create({}, withKey("story-2"));
    const other = await fixture.create({ title: "Bridge closes" }, withKey("story-2"));
    expect(other).toMatchObject({ status: 422, body: { code: "idempotency_key_reused" } });
  });

  test("does not remember a refusal: the corrected body creates the campaign", async () => {
    expect((await fixture.create({ title: "" }, withKey("story-3"))).status).toBe(400);
    expect(await fixture.create({}, withKey("story-3"))).toMatchObject({ status: 201, body: { duplicate: false } });
  });

  test("fifty times at once creates one campaign", async () => {
    const answers = await atOnce(50, () => fixture.create({}, withKey("story-4")));
    expect(new Set(answers.map(({ body }) => body.campaignId)).size).toBe(1);
    expect(answers.filter(({ body }) => !body.duplicate)).toHaveLength(1);
  });

  test("answers 400 unless the key is 1 to 255 visible ASCII characters", async () => {
    for (const key of ["", "a b", "k".repeat(256)]) expect((await fixture.create({}, withKey(key))).status).toBe(400);
    expect((await fixture.create({}, withKey("k".repeat(255)))).status).toBe(201);
  });
});

describe("a story whose page", () => {
  const create = (path: string) => {
    const story = { mode: undefined, title: undefined, body: undefined, url: server.origin + path };
    return fixture.create(story, { "idempotency-key": path });
  };

  test.each([404, 503])("answers %d is read again with the same key, and created once it is there", async (status) => {
    const path = `/stories/late-${status}`;
    server.serve(path, (_request, response) => void response.writeHead(status).end());
    expect((await create(path)).body).toMatchObject({ status: "cancelled", duplicate: false });
    server.publish(path, "Bridge opens late");
    const { body } = await create(path);
    expect(body).toMatchObject({ status: "draft", title: "Bridge opens late", duplicate: false });
    expect((await create(path)).body).toMatchObject({ campaignId: body.campaignId, duplicate: true });
  });

  test("forbids it is rejected once: a repetition returns the cancelled campaign", async () => {
    const html = articleHtml("Paid").replace("</head>", '<meta name="robots" content="noindex"></head>');
    server.publish("/stories/paid", "Paid", html);
    const { body } = await create("/stories/paid");
    expect(body).toMatchObject({ status: "cancelled" });
    expect((await create("/stories/paid")).body).toMatchObject({ campaignId: body.campaignId, duplicate: true });
  });
});

test("the same body twice without a key creates two campaigns", async () => {
  expect(await fixture.draft()).not.toBe(await fixture.draft());
});

test("two Idempotency-Key headers are refused, and without one the key is null", () => {
  expect(() => readIdempotencyKey(["a", "a"])).toThrow(expect.objectContaining({ code: "validation_failed" }));
  expect(readIdempotencyKey([])).toBeNull();
});
