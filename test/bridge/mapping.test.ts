import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ghostMapping, mapPayload, readMapping } from "../../bridge/mapping.ts";
import { contentfulPayload, ghostPayload, recordedGhostPayload, strapiPayload } from "./payloads.ts";

const url = "https://news.example/the-bridge-opens/";
const nowMs = Date.parse("2027-03-01T12:00:00.000Z");
const today = "2027-03-01T10:00:00.000Z";
const monthsAgo = "2026-11-01T10:00:00.000Z";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "pressbell-mapping-"));
});
afterAll(() => rm(folder, { recursive: true }));

/**
 * Returns the mapping that follows the name of a system in docs/bridge.md. It is read from a file, as the bridge does.
 */
async function documented(system: string) {
  const page = await readFile(new URL("../../docs/bridge.md", import.meta.url), "utf8");
  const [, json] = new RegExp(`^${system} \\([^]*?^\`\`\`json\\n([^]*?)^\`\`\`$`, "m").exec(page)!;
  const file = join(folder, `${system}.json`);
  await writeFile(file, json!);
  return readMapping(file);
}

const ghost = (post: Partial<Parameters<typeof ghostPayload>[0]>) =>
  mapPayload(ghostMapping, ghostPayload({ id: "1", url, publishedAt: today, ...post }), nowMs);

test("the webhook that Ghost 6.65 posted is read", () => {
  const { published_at } = recordedGhostPayload.post.current;
  const imageUrl = "https://images.example.com/bridge.jpg";
  expect(mapPayload(ghostMapping, recordedGhostPayload, Date.parse(published_at))).toEqual({
    post: { id: "6b060ad5b1e9a63529bfee1d", url, title: "The bridge opens", imageUrl, topicIds: [] },
  });
});

test.each([
  ["a draft", { status: "draft", updated_at: today, published_at: null }],
  ["a scheduled post", { status: "scheduled", updated_at: today }],
  ["a post that is created published", {}],
])("Ghost's publication of %s is taken", (_, previous) => {
  expect(ghost({ previous })).toMatchObject({ post: { id: "1", url, title: "The bridge opens" } });
});

test.each([
  ["a space", "https://news.example/images/The bridge.jpg", "https://news.example/images/The%20bridge.jpg"],
  ["a backslash", "https://news.example/images\\bridge.jpg", "https://news.example/images/bridge.jpg"],
  ["a user name", "https://editor:secret@news.example/bridge.jpg", undefined],
])("a picture whose address has %s, which the API refuses, does not keep the post back", (_, given, imageUrl) => {
  const payload = ghostPayload({ id: "1", url, publishedAt: today });
  payload.post.current.feature_image = given;
  expect(mapPayload(ghostMapping, payload, nowMs)).toEqual({
    post: { id: "1", url, title: "The bridge opens", topicIds: [], ...(imageUrl && { imageUrl }) },
  });
});

test.each([monthsAgo, Date.parse(monthsAgo), Date.parse(monthsAgo) / 1_000, `${Date.parse(monthsAgo) / 1_000}`])(
  "a post of months ago is ignored if its date is %j, and taken with such a date of today",
  (created) => {
    const mapping = { id: "/id", url: "/url", publishedAt: "/created" };
    expect(mapPayload(mapping, { id: 1, url, created }, nowMs)).toHaveProperty("ignored");
    expect(mapPayload(mapping, { id: 1, url, created }, Date.parse(monthsAgo))).toHaveProperty("post");
  },
);

test("the address of a story is written as the API takes it, or refused", () => {
  expect(ghost({ url: "https://news.example/the bridge/" })).toMatchObject({
    post: { url: "https://news.example/the%20bridge/" },
  });
  expect(ghost({ url: "https://editor@news.example/" })).toEqual({ faults: [expect.stringContaining("user name")] });
});

test("a payload of Ghost without previous values is taken", () => {
  const { post } = ghostPayload({ id: "1", url, publishedAt: today });
  expect(mapPayload(ghostMapping, { post: { current: post.current } }, nowMs)).toHaveProperty("post");
});

test.each([
  [
    "an edited post",
    { previous: { title: "The bridge opens soon", updated_at: today } },
    "/post/previous/status is not",
  ],
  ["a post that was published before", { previous: { status: "published" } }, "/post/previous/status is published"],
  [
    "a post that is older than the bridge, unpublished and published again",
    { previous: { status: "draft", updated_at: today }, publishedAt: monthsAgo },
    "/post/current/published_at is more than a day ago",
  ],
  ["a post that is sent by e-mail only", { status: "sent" }, "/post/current/status is not published"],
])("Ghost's webhook of %s is ignored", (_, post, reason) => {
  expect(ghost(post)).toEqual({ ignored: expect.stringContaining(reason) });
});

test("the mapping of docs/bridge.md reads a webhook of Strapi", async () => {
  const mapping = await documented("Strapi");
  expect(mapPayload(mapping, strapiPayload, nowMs)).toEqual({
    post: {
      id: "a1b2c3d4e5f6g7h8i9j0klm",
      url: "https://news.example/the-bridge-opens",
      title: "The bridge opens",
      topicIds: ["0199aaaa-0000-7000-8000-000000000001"],
    },
  });
  expect(mapPayload(mapping, { ...strapiPayload, event: "entry.update" }, nowMs)).toHaveProperty("ignored");
  expect(mapPayload(mapping, { ...strapiPayload, model: "author" }, nowMs)).toHaveProperty("ignored");
});

test("the mapping of docs/bridge.md reads a webhook of Contentful", async () => {
  const mapping = await documented("Contentful");
  const { sys } = contentfulPayload;
  expect(mapPayload(mapping, contentfulPayload, nowMs)).toEqual({
    post: {
      id: "4Vg0Fd8Lw2iCq0uGw2aY6e",
      url: "https://news.example/the-bridge-opens",
      title: "The bridge opens",
      topicIds: [],
    },
  });
  const author = { ...sys, contentType: { sys: { ...sys.contentType.sys, id: "author" } } };
  expect(mapPayload(mapping, { ...contentfulPayload, sys: author }, nowMs)).toHaveProperty("ignored");
});
