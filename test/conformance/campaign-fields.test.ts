import { beforeAll, describe, expect, test } from "vitest";
import { addTopic } from "../../src/tenants/add-topic.ts";
import type { Answer } from "../worlds/app.ts";
import { makeSubscriptions, subscribe } from "../worlds/publisher.ts";
import { type Newsroom, openNewsroom } from "./newsroom.ts";

let newsroom: Newsroom;
beforeAll(async () => {
  newsroom = await openNewsroom();
});

/** That the answer is the refusal of exactly these fields. */
function expectRefused(answer: Answer, ...paths: string[]): void {
  expect(answer).toMatchObject({ status: 400, body: { code: "validation_failed" } });
  expect(answer.body.errors.map(({ path }: { path: string }) => path)).toEqual(paths);
}

/** The specification, "Campaign (input fields at creation)": one row, one group. */
describe("the field siteId", () => {
  test("is required: a campaign without it is refused", async () => {
    expectRefused(await newsroom.create({ siteId: undefined }), "/siteId");
  });

  test("is a UUID: what is none is refused", async () => {
    expectRefused(await newsroom.create({ siteId: "my-site" }), "/siteId");
    expectRefused(await newsroom.create({ siteId: 7 }), "/siteId");
  });

  test("must be a site on the tenant: another tenant's is refused with the words for an unknown one", async () => {
    const foreign = await newsroom.create({ siteId: newsroom.stranger.siteId });
    const unknown = await newsroom.create({ siteId: "0190d5f0-0000-7000-8000-000000000000" });
    expectRefused(foreign, "/siteId");
    expect(foreign.body.errors).toEqual(unknown.body.errors);
  });
});

describe("the field url", () => {
  test("is required: a campaign without it is refused", async () => {
    expectRefused(await newsroom.create({ url: undefined }), "/url");
    expectRefused(await newsroom.createFromUrl({ url: undefined }), "/url");
  });

  test("is the destination of the nudge, and is kept as it was given", async () => {
    const url = "https://news.example/bridge?from=cms#comments";
    expect((await newsroom.create({ url })).body.url).toBe(url);
  });

  test.each(["", "news.example/bridge", "javascript:alert(1)", "ftp://news.example/a", 5])(
    "is an article's URL: %j is refused",
    async (url) => {
      expectRefused(await newsroom.create({ url }), "/url");
      expectRefused(await newsroom.createFromUrl({ url }), "/url");
    },
  );
});

describe("the field mode", () => {
  test('may be "manual": title and body are the caller\'s, and no decision is taken', async () => {
    const answer = await newsroom.create({ mode: "manual" });
    expect(answer).toMatchObject({ status: 201, body: { mode: "manual", title: "Bridge opens", decision: null } });
  });

  test('may be "url": the nudge is written from the article, after a decision', async () => {
    const answer = await newsroom.createFromUrl({ mode: "url" });
    expect(answer).toMatchObject({
      status: 201,
      body: { mode: "url", title: "Bridge opens on Saturday", decision: { decision: "send" } },
    });
    expect(answer.body.body).toContain("What is known of it so far");
  });

  test("may be absent or null, and is url then", async () => {
    expect((await newsroom.createFromUrl()).body.mode).toBe("url");
    expect((await newsroom.createFromUrl({ mode: null })).body.mode).toBe("url");
  });

  test.each(["auto", "URL", "", 1])("has no other value: %j is refused", async (mode) => {
    expectRefused(await newsroom.createFromUrl({ mode }), "/mode");
  });
});

describe.each([
  ["title", 120],
  ["body", 240],
] as const)("the field %s", (field, max) => {
  test("is required in manual mode: absent, empty and blank are refused", async () => {
    for (const value of [undefined, null, "", "   "]) {
      expectRefused(await newsroom.create({ [field]: value }), `/${field}`);
    }
  });

  test("is not required in url mode", async () => {
    expect((await newsroom.createFromUrl()).status).toBe(201);
  });

  test(`has at most ${max} characters: ${max} are taken`, async () => {
    const text = "x".repeat(max);
    expect(await newsroom.create({ [field]: text })).toMatchObject({ status: 201, body: { [field]: text } });
  });

  test(`has at most ${max} characters: ${max + 1} are refused, in either mode`, async () => {
    expectRefused(await newsroom.create({ [field]: "x".repeat(max + 1) }), `/${field}`);
    expectRefused(await newsroom.createFromUrl({ [field]: "x".repeat(max + 1) }), `/${field}`);
  });

  test(`counts characters as readers do, not their bytes: ${max} emoji are taken`, async () => {
    const text = "🌉".repeat(max);
    expect(await newsroom.create({ [field]: text })).toMatchObject({ status: 201, body: { [field]: text } });
  });

  test("is a string: what is none is refused", async () => {
    for (const value of [5, true, ["x"], {}]) expectRefused(await newsroom.create({ [field]: value }), `/${field}`);
  });
});

describe("the field imageUrl", () => {
  const imageUrl = "https://images.example.com/own.jpg";

  test("is not required: without it the article's own is taken in url mode", async () => {
    expect((await newsroom.create()).body.imageUrl).toBeNull();
    expect((await newsroom.createFromUrl()).body.imageUrl).toBe("https://images.example.com/story.jpg");
  });

  test("is an HTTPS URL, and wins over the article's", async () => {
    expect((await newsroom.create({ imageUrl })).body.imageUrl).toBe(imageUrl);
    expect((await newsroom.createFromUrl({ imageUrl })).body.imageUrl).toBe(imageUrl);
  });

  test("is an HTTPS URL: http, data, a path and what is no string are refused", async () => {
    for (const wrong of ["http://images.example.com/a.jpg", "data:image/png;base64,AA", "/a.jpg", " ", 5]) {
      expectRefused(await newsroom.create({ imageUrl: wrong }), "/imageUrl");
    }
  });

  test('may be the empty string "", which clears the image', async () => {
    expect((await newsroom.create({ imageUrl: "" })).body.imageUrl).toBeNull();
    expect(await newsroom.createFromUrl({ imageUrl: "" })).toMatchObject({ status: 201, body: { imageUrl: null } });
  });
});

describe("the field topicIds", () => {
  let sport: string;

  beforeAll(async () => {
    const { siteId } = newsroom.publisher;
    sport = (await addTopic(newsroom.app, newsroom.publisher.actor, { siteId, name: "Sport" })).topicId;
    const everyone = makeSubscriptions(5);
    await subscribe(
      newsroom.app,
      siteId,
      everyone.map((one, i) => (i < 2 ? { ...one, topics: [sport] } : one)),
    );
  });

  test("filters the audience: only subscribers of a named topic are sent to", async () => {
    const withTopic = await newsroom.post(await newsroom.draft({ topicIds: [sport] }), "send");
    expect(withTopic).toMatchObject({ status: 202, body: { audience: 2 } });
  });

  test("is not required: without it the campaign goes to the whole audience", async () => {
    expect((await newsroom.post(await newsroom.draft(), "send")).body.audience).toBe(5);
  });

  test("may be an empty list, which filters nothing and says so", async () => {
    const answer = await newsroom.create({ topicIds: [] });
    expect(answer).toMatchObject({ status: 201, body: { warnings: [{ code: "no_topic_filter" }] } });
    expect((await newsroom.post(answer.body.campaignId, "send")).body.audience).toBe(5);
  });

  test("is an array of UUID strings: anything else is refused, each element by its place", async () => {
    expectRefused(await newsroom.create({ topicIds: sport }), "/topicIds");
    expectRefused(await newsroom.create({ topicIds: [sport, "sport", 5] }), "/topicIds/1", "/topicIds/2");
  });

  test("names topics of the site: an unknown one is refused", async () => {
    expectRefused(await newsroom.create({ topicIds: [newsroom.stranger.siteId] }), "/topicIds/0");
  });

  test("is no place for a typo: a field that does not exist is refused before it widens an audience", async () => {
    expectRefused(await newsroom.create({ topicsIds: [sport] }), "/topicsIds");
  });
});

describe("the field forceSend", () => {
  test("creates a sendable draft in url mode although the decision is skip", async () => {
    const answer = await newsroom.createFromUrl({ url: newsroom.rejectedStory(), forceSend: true });
    expect(answer).toMatchObject({ status: 201, body: { status: "draft", decision: { decision: "skip" } } });
    expect((await newsroom.post(answer.body.campaignId, "send")).status).toBe(202);
  });

  test("is not required: without it, or with false, a skip stays a skip", async () => {
    for (const forceSend of [undefined, null, false]) {
      const answer = await newsroom.createFromUrl({ url: newsroom.rejectedStory(), forceSend });
      expect(answer).toMatchObject({ status: 201, body: { status: "cancelled", forceSend: false } });
    }
  });

  test("is a boolean: what is none is refused", async () => {
    for (const forceSend of ["true", 1, []]) expectRefused(await newsroom.create({ forceSend }), "/forceSend");
  });
});

describe("the answer to a creation", () => {
  test("is a JSON object that includes campaignId, a string", async () => {
    for (const answer of [await newsroom.create(), await newsroom.createFromUrl()]) {
      expect(answer.headers.get("content-type")).toMatch(/^application\/json/);
      expect(answer).toMatchObject({ status: 201, body: { campaignId: expect.any(String) } });
      expect(answer.headers.get("location")).toBe(`/v1/campaigns/${answer.body.campaignId}`);
    }
  });

  test("to a faulty body names all its faults at once", async () => {
    const answer = await newsroom.create({ siteId: "x", url: "x", title: "", body: 5, imageUrl: "http://x.example" });
    expect(answer.body.errors.map(({ path }: { path: string }) => path).sort()).toEqual([
      "/body",
      "/imageUrl",
      "/siteId",
      "/title",
      "/url",
    ]);
  });
});
