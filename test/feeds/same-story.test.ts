import { beforeAll, describe, expect, test } from "vitest";
import { findSameStory } from "../../src/feeds/items/same-story.ts";
import type { RecentItem } from "../../src/feeds/items/site-queries.ts";
import { articleHtml } from "../fixtures/newspaper.ts";
import { changeItems } from "../fixtures/rows/feeds.ts";
import { countRuns, type FeedFixture, openFeedFixture, story } from "./fixture.ts";

let fixture: FeedFixture;

beforeAll(async () => {
  fixture = await openFeedFixture();
});

describe.each([false, true])(
  "a story that two feeds of a site bring, with the override %j, is sent once",
  (override) => {
    test("if both addresses name the same canonical one", async () => {
      const publisher = await fixture.anotherPublisher();
      const [one, two] = [
        await fixture.feedWith(publisher, [], { override }),
        await fixture.feedWith(publisher, [], { override }),
      ];
      const addresses = [`/stories/c-${override}-1`, `/stories/c-${override}-2`];
      const canonical = `<link rel="canonical" href="/stories/c-${override}"></head>`;
      const links = addresses.map((path) => {
        fixture.server.publish(path, "Canon", articleHtml("Canon").replace("</head>", canonical));
        return fixture.server.origin + path;
      });
      const put = (link: string) =>
        `<rss><channel><item><title>${link}</title><link>${link}</link></item></channel></rss>`;
      fixture.server.serve(one.path, put(links[0]!));
      fixture.server.serve(two.path, put(links[1]!));
      expect(await one.pollAndSend()).toMatchObject([{ status: "sent" }]);
      expect(await two.pollAndSend()).toMatchObject([{ status: "skipped", reasons: [{ code: "already_sent" }] }]);
      expect(await countRuns(fixture.app, publisher.siteId)).toBe(1);
    });

    test("if its title is the same, at other addresses, within a day", async () => {
      const publisher = await fixture.anotherPublisher();
      const [one, two] = [
        await fixture.feedWith(publisher, [], { override }),
        await fixture.feedWith(publisher, [], { override }),
      ];
      const named = (feed: string, title: string) => story(fixture, `t-${override}-${feed}`, { title });
      one.put([named("1", "The bridge is open again")]);
      two.put([named("2", "The Bridge is open – again!")]);
      expect(await one.pollAndSend()).toMatchObject([{ status: "sent" }]);
      const [twin] = await two.pollAndSend();
      expect(twin).toMatchObject({ status: "skipped", campaignId: null, reasons: [{ code: "same_story" }] });
      expect(twin!.reasons[0]!.message).toContain(`/stories/t-${override}-1, sent at`);
      expect(fixture.server.asked(`/stories/t-${override}-2`)).toEqual([]);
      await changeItems(fixture.app, { siteId: publisher.siteId }, { decidedEarlier: "25 hours" });
      two.put([named("3", "The bridge is open again")]);
      expect((await two.pollAndSend())[0]).toMatchObject({ status: "sent" });
    });
  },
);

test("stories of a feed with one guid for all entries are known by their addresses", async () => {
  const feed = await fixture.feedWith(await fixture.anotherPublisher(), [
    story(fixture, "latest-0", { guid: "latest" }),
  ]);
  for (const n of [1, 2, 3]) {
    feed.put([story(fixture, `latest-${n}`, { guid: "latest" })]);
    expect((await feed.pollAndSend())[0]).toMatchObject({ status: "sent", title: `The story of latest-${n}` });
  }
  feed.put([story(fixture, "latest-4", { guid: "latest", title: "The story of latest-3" })]);
  await feed.pollAndSend();
  feed.put([story(fixture, "latest-2", { guid: "latest" })]);
  expect(await feed.pollAndSend()).toHaveLength(3);
});

describe("an address with other parameters", () => {
  const item = (path: string, more: Partial<RecentItem> = {}): RecentItem => ({
    feedId: "a",
    url: `https://news.example${path}`,
    title: `About ${path}`,
    sentAt: new Date(),
    isOfDay: true,
    ...more,
  });
  const marked = ["/a", "/b", "/c"].map((path) => item(`${path}?from=front`));
  const byId = [1, 2, 3, 4].map((id) => item(`/story.php?id=${id}`));
  test.each<[string, boolean, string, RecentItem[]]>([
    ["that stand at many paths is the same story", true, "/d?from=sport", [item("/d?from=front"), ...marked]],
    ["than none is the same story", true, "/d?from=sport", [item("/d"), ...marked]],
    [
      "of http and www is the same story",
      true,
      "/d",
      [item("", { url: "http://www.news.example/d/?from=x" }), ...marked],
    ],
    ["that no other path has is another story", false, "/d?from=sport", [item("/d?from=front")]],
    ["that tell pages apart is another story", false, "/story.php?id=9", byId],
    [
      "that tell pages apart beside paths that do is another story",
      false,
      "/video?id=9",
      [item("/video?id=8"), ...marked],
    ],
    [
      "that tell pages apart at several paths is another story",
      false,
      "/x?id=9",
      ["/x", "/y", "/z", "/w"].flatMap((path) => [item(`${path}?id=1`), item(`${path}?id=2`)]),
    ],
    ["that was not sent is no reason", false, "/d?from=sport", [item("/d?from=front", { sentAt: null }), ...marked]],
  ])("%s: %j", (_, isSame, path, recent) => {
    const found = findSameStory({ feedId: "b", url: `https://news.example${path}`, title: "Another headline" }, recent);
    expect(found?.code).toBe(isSame ? "same_story" : undefined);
  });
});

describe("a title of another item", () => {
  const other = { feedId: "a", url: "https://news.example/1", sentAt: new Date(), isOfDay: true };
  test.each<[string, boolean, Partial<RecentItem>, string | null]>([
    ["in another feed within a day is the same story", true, {}, "Flood in the old town"],
    ["in the same feed is another story", false, { feedId: "b" }, "Flood in the old town"],
    ["of an earlier day is another story", false, { isOfDay: false }, "Flood in the old town"],
    ["that was not sent is no reason", false, { sentAt: null }, "Flood in the old town"],
    ["that is short is another story", false, { title: "Live" }, "Live"],
    ["that is missing is another story", false, { title: null }, null],
  ])("%s: %j", (_, isSame, more, title) => {
    const recent = [{ ...other, title: "Flood in the old town", ...more }];
    const found = findSameStory({ feedId: "b", url: "https://news.example/2", title }, recent);
    expect(found?.code).toBe(isSame ? "same_story" : undefined);
  });
});
