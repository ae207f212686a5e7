import { beforeAll, expect, test } from "vitest";
import { changeFeed } from "../../src/feeds/change-feeds.ts";
import { itemWork } from "../../src/feeds/items/send-due-items.ts";
import { changeSite } from "../../src/tenants/sites/sites.ts";
import { articleHtml } from "../fixtures/newspaper.ts";
import type { Publisher } from "../fixtures/publisher.ts";
import { type FeedFixture, makeItemsDue, openFeedFixture, story } from "./fixture.ts";

let fixture: FeedFixture;

beforeAll(async () => {
  fixture = await openFeedFixture();
});

const withoutDate = (title: string) => articleHtml(title).replace(/<meta property="article:published_time"[^>]*>/, "");

/** Creates a feed with an item whose page has no date. The feed has one if `date` is given. */
async function undatedFeed(publisher: Publisher, name: string, date?: string, settings = {}) {
  const feed = await fixture.feedWith(publisher, [], settings);
  feed.put([story(fixture, name, date === undefined ? {} : { date })]);
  fixture.server.publish(`/stories/${name}`, name, withoutDate(`The story of ${name}`));
  return feed;
}

test("an undated item is asked about, holds up no other, and is sent after the answer", async () => {
  const publisher = await fixture.anotherPublisher();
  const feed = await undatedFeed(publisher, "undated");
  expect(await feed.pollAndSend()).toMatchObject([
    { status: "asked", reasons: [{ code: "no_date" }], campaignId: null },
  ]);
  expect((await feed.view()).question).toMatchObject({ code: "undated_items", items: 1, askedAt: null });
  feed.put([story(fixture, "dated")]);
  expect((await feed.pollAndSend())[0]).toMatchObject({ status: "sent" });
  // A gate that shuts after the answer must not turn the item into a question again.
  await changeFeed(fixture.app, publisher.actor, { feedId: feed.feedId, change: { newItems: "send" } });
  await changeSite(fixture.app, publisher.actor, { siteId: publisher.siteId, paused: true });
  await itemWork(fixture.app).untilIdle();
  expect((await feed.items())[1]).toMatchObject({ status: "waiting" });
  await changeSite(fixture.app, publisher.actor, { siteId: publisher.siteId, paused: false });
  await makeItemsDue(fixture.app);
  await itemWork(fixture.app).untilIdle();
  expect((await feed.items())[1]).toMatchObject({ status: "sent" });
  expect((await feed.view()).question).toBeNull();
});

test("an owner may skip an item whose date is unknown", async () => {
  const publisher = await fixture.anotherPublisher();
  const feed = await undatedFeed(publisher, "unwanted");
  await feed.pollAndSend();
  await changeFeed(fixture.app, publisher.actor, { feedId: feed.feedId, change: { newItems: "skip" } });
  expect(await feed.items()).toMatchObject([{ status: "skipped", reasons: [{ code: "owner_skipped" }] }]);
});

test("an item that the feed dates is sent, and so is one of a feed with the override", async () => {
  const publisher = await fixture.anotherPublisher();
  const dated = await undatedFeed(publisher, "dated-by-feed", new Date().toUTCString());
  expect(await dated.pollAndSend()).toMatchObject([{ status: "sent" }]);
  const forced = await undatedFeed(publisher, "forced", undefined, { override: true });
  expect(await forced.pollAndSend()).toMatchObject([{ status: "sent" }]);
});

test.each([
  ["send", { status: "sent", reasons: [] }],
  ["skip", { status: "skipped", reasons: [{ code: "no_date", effect: "blocks" }] }],
] as const)("a site can %s stories without a date, also from feeds", async (undatedStories, outcome) => {
  const publisher = await fixture.anotherPublisher();
  await changeSite(fixture.app, publisher.actor, { siteId: publisher.siteId, undatedStories });
  const feed = await undatedFeed(publisher, `site-${undatedStories}`);
  expect(await feed.pollAndSend()).toMatchObject([outcome]);
});
