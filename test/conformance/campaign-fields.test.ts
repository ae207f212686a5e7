import { beforeAll, describe, expect, test } from "vitest";
import { addTopic } from "../../src/tenants/topics/topics.ts";
import type { Answer } from "../fixtures/app.ts";
import { createSubscriptions, subscribe } from "../fixtures/publisher.ts";
import { type ConformanceFixture, openConformanceFixture } from "./fixture.ts";

let fixture: ConformanceFixture;
beforeAll(async () => {
  fixture = await openConformanceFixture();
});

/** Expects that the answer refuses exactly these fields. */
function expectRefused(answer: Answer, ...paths: string[]): void {
  expect(answer).toMatchObject({ status: 400, body: { code: "validation_failed" } });
  expect(answer.body.errors.map(({ path }: { path: string }) => path)).toEqual(paths);
}

/** The section "Campaign (input fields at creation)" of the specification, with one group for each row. */
describe("the field siteId", () => {
  test("is required: a campaign without it is refused", async () => {
    expectRefused(await fixture.create({ siteId: undefined }), "/siteId");
  });

  test("is a UUID: other values are refused", async () => {
    expectRefused(await fixture.create({ siteId: "my-site" }), "/siteId");
    expectRefused(await fixture.create({ siteId: 7 }), "/siteId");
  });

  test("must be a site of the tenant: another tenant's site is refused like an unknown one", async () => {
    const foreign = await fixture.create({ siteId: fixture.stranger.siteId });
    const unknown = await fixture.create({ siteId: "0190d5f0-0000-7000-8000-000000000000" });
    expectRefused(foreign, "/siteId");
    expect(foreign.body.errors).toEqual(unknown.body.errors);
  });
});

describe("the field url", () => {
  test("is required: a campaign without it is refused", async () => {
    expectRefused(await fixture.create({ url: undefined }), "/url");
    expectRefused(await fixture.createFromUrl({ url: undefined }), "/url");
  });

  test("is the destination of the notification, and is stored unchanged", async () => {
    const url = "https://news.example/bridge?from=cms#comments";
    expect((await fixture.create({ url })).body.url).toBe(url);
  });

  test.each(["", "news.example/bridge", "javascript:alert(1)", "ftp://news.example/a", 5])(
    "is an article's URL: %j is refused",
    async (url) => {
      expectRefused(await fixture.create({ url }), "/url");
      expectRefused(await fixture.createFromUrl({ url }), "/url");
    },
  );
});

describe("the field mode", () => {
  test('may be "manual": title and body are the caller\'s, and there is no decision', async () => {
    const answer = await fixture.create({ mode: "manual" });
    expect(answer).toMatchObject({ status: 201, body: { mode: "manual", title: "Bridge opens", decision: null } });
  });

  test('may be "url": the notification is written from the article, after a decision', async () => {
    const answer = await fixture.createFromUrl({ mode: "url" });
    expect(answer).toMatchObject({
      status: 201,
      body: { mode: "url", title: "Bridge opens on Saturday", decision: { decision: "send" } },
    });
    expect(answer.body.body).toContain("What is known of it so far");
  });

  test("defaults to url when it is absent or null", async () => {
    expect((await fixture.createFromUrl()).body.mode).toBe("url");
    expect((await fixture.createFromUrl({ mode: null })).body.mode).toBe("url");
  });

  test.each(["auto", "URL", "", 1])("has no other value: %j is refused", async (mode) => {
    expectRefused(await fixture.createFromUrl({ mode }), "/mode");
  });
});

describe.each([
  ["title", 120],
  ["body", 240],
] as const)("the field %s", (field, max) => {
  test("is required in manual mode: absent, empty and blank are refused", async () => {
    for (const value of [undefined, null, "", "   "]) {
      expectRefused(await fixture.create({ [field]: value }), `/${field}`);
    }
  });

  test("is not required in url mode", async () => {
    expect((await fixture.createFromUrl()).status).toBe(201);
  });

  test(`has at most ${max} characters: ${max} are taken`, async () => {
    const text = "x".repeat(max);
    expect(await fixture.create({ [field]: text })).toMatchObject({ status: 201, body: { [field]: text } });
  });

  test(`has at most ${max} characters: ${max + 1} are refused, in either mode`, async () => {
    expectRefused(await fixture.create({ [field]: "x".repeat(max + 1) }), `/${field}`);
    expectRefused(await fixture.createFromUrl({ [field]: "x".repeat(max + 1) }), `/${field}`);
  });

  test(`counts characters as readers do, not their bytes: ${max} emoji are taken`, async () => {
    const text = "🌉".repeat(max);
    expect(await fixture.create({ [field]: text })).toMatchObject({ status: 201, body: { [field]: text } });
  });

  test("is a string: other types are refused", async () => {
    for (const value of [5, true, ["x"], {}]) expectRefused(await fixture.create({ [field]: value }), `/${field}`);
  });
});

describe("the field imageUrl", () => {
  const imageUrl = "https://images.example.com/own.jpg";

  test("is not required: without it url mode uses the article's image", async () => {
    expect((await fixture.create()).body.imageUrl).toBeNull();
    expect((await fixture.createFromUrl()).body.imageUrl).toBe("https://images.example.com/story.jpg");
  });

  test("is an HTTPS URL, and replaces the article's image", async () => {
    expect((await fixture.create({ imageUrl })).body.imageUrl).toBe(imageUrl);
    expect((await fixture.createFromUrl({ imageUrl })).body.imageUrl).toBe(imageUrl);
  });

  test("is an HTTPS URL: http, data, a path and other types are refused", async () => {
    for (const wrong of ["http://images.example.com/a.jpg", "data:image/png;base64,AA", "/a.jpg", " ", 5]) {
      expectRefused(await fixture.create({ imageUrl: wrong }), "/imageUrl");
    }
  });

  test('may be the empty string "", which clears the image', async () => {
    expect((await fixture.create({ imageUrl: "" })).body.imageUrl).toBeNull();
    expect(await fixture.createFromUrl({ imageUrl: "" })).toMatchObject({ status: 201, body: { imageUrl: null } });
  });
});

describe("the field topicIds", () => {
  let sport: string;

  beforeAll(async () => {
    const { siteId } = fixture.publisher;
    sport = (await addTopic(fixture.app, fixture.publisher.actor, { siteId, name: "Sport" })).topicId;
    const everyone = createSubscriptions(5);
    await subscribe(
      fixture.app,
      siteId,
      everyone.map((one, i) => (i < 2 ? { ...one, topics: [sport] } : one)),
    );
  });

  test("filters the audience: only subscribers of a named topic get the notification", async () => {
    const withTopic = await fixture.post(await fixture.draft({ topicIds: [sport] }), "send");
    expect(withTopic).toMatchObject({ status: 202, body: { audience: 2 } });
  });

  test("is not required: without it the campaign goes to the whole audience", async () => {
    expect((await fixture.post(await fixture.draft(), "send")).body.audience).toBe(5);
  });

  test("may be an empty list, which filters nothing and causes a warning", async () => {
    const answer = await fixture.create({ topicIds: [] });
    expect(answer).toMatchObject({ status: 201, body: { warnings: [{ code: "no_topic_filter" }] } });
    expect((await fixture.post(answer.body.campaignId, "send")).body.audience).toBe(5);
  });

  test("is an array of UUID strings: anything else is refused, each element by its index", async () => {
    expectRefused(await fixture.create({ topicIds: sport }), "/topicIds");
    expectRefused(await fixture.create({ topicIds: [sport, "sport", 5] }), "/topicIds/1", "/topicIds/2");
  });

  test("names topics of the site: an unknown one is refused", async () => {
    expectRefused(await fixture.create({ topicIds: [fixture.stranger.siteId] }), "/topicIds/0");
  });

  test("cannot be mistyped: an unknown field is refused, so a typo widens no audience", async () => {
    expectRefused(await fixture.create({ topicsIds: [sport] }), "/topicsIds");
  });
});

describe("the field forceSend", () => {
  test("creates a sendable draft in url mode although the decision is skip", async () => {
    const answer = await fixture.createFromUrl({ url: fixture.rejectedStory(), forceSend: true });
    expect(answer).toMatchObject({ status: 201, body: { status: "draft", decision: { decision: "skip" } } });
    expect((await fixture.post(answer.body.campaignId, "send")).status).toBe(202);
  });

  test("is not required: without it, or with false, a skip cancels the campaign", async () => {
    for (const forceSend of [undefined, null, false]) {
      const answer = await fixture.createFromUrl({ url: fixture.rejectedStory(), forceSend });
      expect(answer).toMatchObject({ status: 201, body: { status: "cancelled", forceSend: false } });
    }
  });

  test("is a boolean: other types are refused", async () => {
    for (const forceSend of ["true", 1, []]) expectRefused(await fixture.create({ forceSend }), "/forceSend");
  });
});

describe("the answer to a creation", () => {
  test("is a JSON object that includes campaignId, a string", async () => {
    for (const answer of [await fixture.create(), await fixture.createFromUrl()]) {
      expect(answer.headers.get("content-type")).toMatch(/^application\/json/);
      expect(answer).toMatchObject({ status: 201, body: { campaignId: expect.any(String) } });
      expect(answer.headers.get("location")).toBe(`/v1/campaigns/${answer.body.campaignId}`);
    }
  });

  test("to an invalid body names all its errors at once", async () => {
    const answer = await fixture.create({ siteId: "x", url: "x", title: "", body: 5, imageUrl: "http://x.example" });
    expect(answer.body.errors.map(({ path }: { path: string }) => path).sort()).toEqual([
      "/body",
      "/imageUrl",
      "/siteId",
      "/title",
      "/url",
    ]);
  });
});
