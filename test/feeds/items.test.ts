import { sql } from "kysely";
import { beforeAll, expect, test } from "vitest";
import { readCampaign } from "../../src/campaigns/read-campaigns.ts";
import { itemWork } from "../../src/feeds/items/send-due-items.ts";
import { countRuns, type FeedFixture, openFeedFixture, story } from "./fixture.ts";

let fixture: FeedFixture;

beforeAll(async () => {
  fixture = await openFeedFixture({ PLANS: JSON.stringify({ unlimited: {}, none: { audienceCap: 0 } }) });
});

test("a new item is sent once, by a campaign that names its feed; first items never are", async () => {
  const { app, publisher } = fixture;
  const feed = await fixture.feedWith(publisher, [story(fixture, "old-1"), story(fixture, "old-2")]);
  await itemWork(app).untilIdle();
  expect(await countRuns(app, publisher.siteId)).toBe(0);
  feed.put([story(fixture, "bridge"), story(fixture, "old-1"), story(fixture, "old-2")]);
  const [item, ...others] = await feed.pollAndSend();
  expect(others).toEqual([]);
  expect(item).toMatchObject({ status: "sent", title: "The story of bridge", reasons: [], dueAt: null });
  const campaign = await readCampaign(app, publisher.actor, { campaignId: item!.campaignId! });
  expect(campaign).toMatchObject({ runId: item!.runId, mode: "url", forceSend: false, title: "The story of bridge" });
  expect(campaign.decision).toMatchObject({ decision: "send" });
  const created = await sql<{
    by: string;
  }>`select created_by as by from campaigns where id = ${campaign.campaignId}`.execute(app.db);
  expect(created.rows).toEqual([{ by: `feed:${feed.feedId}` }]);
  expect(await feed.pollAndSend()).toHaveLength(1);
  expect(await countRuns(app, publisher.siteId)).toBe(1);
  expect((await feed.view()).items).toEqual({
    seen: 2,
    new: 0,
    asked: 0,
    waiting: 0,
    suggested: 0,
    sent: 1,
    skipped: 0,
  });
});

test("a known item is not new because its title, its text or its date changes", async () => {
  const publisher = await fixture.anotherPublisher();
  const feed = await fixture.feedWith(publisher, []);
  feed.put([story(fixture, "storm")]);
  await feed.pollAndSend();
  const more = "<description>Now with pictures.</description><atom:updated>2030-01-01T00:00:00Z</atom:updated>";
  feed.put([story(fixture, "storm", { title: "Updated: the storm", date: new Date().toUTCString(), more })]);
  expect(await feed.pollAndSend()).toHaveLength(1);
  expect(await countRuns(fixture.app, publisher.siteId)).toBe(1);
});

test("a known item is not new because its guid changes, nor because its address does", async () => {
  const publisher = await fixture.anotherPublisher();
  const feed = await fixture.feedWith(publisher, []);
  feed.put([story(fixture, "tram")]);
  await feed.pollAndSend();
  feed.put([story(fixture, "tram", { guid: "another id" })]);
  expect(await feed.pollAndSend()).toHaveLength(1);
  // The second guid of the story is also known now. With that guid, the address may change.
  feed.put([story(fixture, "tram-line-opens", { guid: "another id" })]);
  expect(await feed.pollAndSend()).toHaveLength(1);
  feed.put([story(fixture, "tram-line-opens", { guid: "a third id" })]);
  expect(await feed.pollAndSend()).toHaveLength(1);
  expect(await countRuns(fixture.app, publisher.siteId)).toBe(1);
});

test("a known item at another address is not new: www, http, slash, tracking, fragment", async () => {
  const publisher = await fixture.anotherPublisher();
  const feed = await fixture.feedWith(publisher, []);
  const { link } = story(fixture, "harbour");
  feed.put([story(fixture, "harbour")]);
  await feed.pollAndSend();
  const others = [`${link}/`, `${link}?utm_source=rss`, `${link}#comments`, link!.replace("https:", "http:")];
  feed.put(others.map((address, at) => story(fixture, "harbour", { link: address, guid: `g${at}` })));
  expect(await feed.pollAndSend()).toHaveLength(1);
});

test("a new item in two feeds of a site is sent once, and once at each of two sites", async () => {
  const publisher = await fixture.anotherPublisher();
  const other = await fixture.anotherPublisher();
  const feeds = [
    await fixture.feedWith(publisher, []),
    await fixture.feedWith(publisher, []),
    await fixture.feedWith(other, []),
  ];
  for (const feed of feeds) feed.put([story(fixture, "election", { guid: `in ${feed.path}` })]);
  await Promise.all(feeds.map((feed) => feed.poll()));
  await itemWork(fixture.app).untilIdle();
  expect(await countRuns(fixture.app, publisher.siteId)).toBe(1);
  expect(await countRuns(fixture.app, other.siteId)).toBe(1);
});

test("a new item is known by its address if the feed gives every item the same guid", async () => {
  const publisher = await fixture.anotherPublisher();
  const feed = await fixture.feedWith(publisher, [
    story(fixture, "one", { guid: "0" }),
    story(fixture, "two", { guid: "0" }),
  ]);
  feed.put([story(fixture, "three", { guid: "0" }), story(fixture, "one", { guid: "0" })]);
  expect(await feed.pollAndSend()).toMatchObject([{ status: "sent", title: "The story of three" }]);
});

test("a new item without a link is skipped with a reason", async () => {
  const feed = await fixture.feedWith(await fixture.anotherPublisher(), []);
  feed.put([{ title: "Words only" }]);
  expect(await feed.pollAndSend()).toMatchObject([{ status: "skipped", reasons: [{ code: "no_link" }] }]);
});
