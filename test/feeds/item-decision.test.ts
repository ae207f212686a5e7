import { sql } from "kysely";
import { beforeAll, describe, expect, test } from "vitest";
import { readCampaign } from "../../src/campaigns/read-campaigns.ts";
import { changeFeed } from "../../src/feeds/change-feeds.ts";
import { itemWork } from "../../src/feeds/items/send-due-items.ts";
import { changeSite } from "../../src/tenants/sites/sites.ts";
import { addTopic } from "../../src/tenants/topics/topics.ts";
import { articleHtml } from "../fixtures/newspaper.ts";
import { operatorOf } from "../fixtures/publisher.ts";
import { changeRuns } from "../fixtures/rows/runs.ts";
import { giveTopic } from "../fixtures/rows/subscribers.ts";
import { type FeedFixture, makeItemsDue, openFeedFixture, story } from "./fixture.ts";

let fixture: FeedFixture;

beforeAll(async () => {
  fixture = await openFeedFixture({ PLANS: JSON.stringify({ unlimited: {}, none: { audienceCap: 0 } }) });
});

test("a new item that the decision rejects is skipped with reasons, without a campaign", async () => {
  const publisher = await fixture.anotherPublisher();
  const feed = await fixture.feedWith(publisher, []);
  feed.put([story(fixture, "draft"), story(fixture, "sold")]);
  fixture.server.publish(
    "/stories/draft",
    "Draft",
    articleHtml("Draft").replace("<head>", '<head><meta name="robots" content="noindex">'),
  );
  fixture.server.publish(
    "/stories/sold",
    "Sold",
    articleHtml("Sold").replace("</head>", '<meta property="article:section" content="Sponsored"></head>'),
  );
  const items = await feed.pollAndSend();
  expect(items.map(({ status, reasons, campaignId }) => [status, reasons.map(({ code }) => code), campaignId])).toEqual(
    [
      ["skipped", ["paid_content"], null],
      ["skipped", ["noindex"], null],
    ],
  );
  const campaigns = await sql`select from campaigns where site_id = ${publisher.siteId}`.execute(fixture.app.db);
  expect(campaigns.rows).toEqual([]);
});

test("a new item in quiet hours, over the limit or within the gap is skipped", async () => {
  const publisher = await fixture.anotherPublisher();
  const { siteId, actor } = publisher;
  const feed = await fixture.feedWith(publisher, []);
  const now = new Date();
  const clock = (hours: number) => new Date(now.getTime() + hours * 3_600_000).toISOString().slice(11, 16);
  await changeSite(fixture.app, actor, { siteId, quietHours: { from: clock(-1), until: clock(1) } });
  feed.put([story(fixture, "night")]);
  expect(await feed.pollAndSend()).toMatchObject([{ status: "skipped", reasons: [{ code: "quiet_hours" }] }]);
  await changeSite(fixture.app, actor, { siteId, quietHours: null, minGapMinutes: 60 });
  feed.put([story(fixture, "morning"), story(fixture, "noon")]);
  const items = await feed.pollAndSend();
  expect(items.slice(0, 2)).toMatchObject([
    { title: "The story of noon", status: "skipped", reasons: [{ code: "min_gap" }] },
    { title: "The story of morning", status: "sent" },
  ]);
});

test("a notification has the feed's date, headline, text and picture where the page has less", async () => {
  const publisher = await fixture.anotherPublisher();
  const feed = await fixture.feedWith(publisher, []);
  const { origin } = fixture.server;
  const date = new Date().toUTCString();
  const more = `<description>It starts at seven.</description><enclosure url="${origin}/ferry.mp3" type="audio/mpeg" length="1"/>
    <enclosure url="http://images.example/ferry.jpg" type="image/jpeg" length="1"/>`;
  feed.put([{ link: `${origin}/stories/bare`, guid: "bare", title: "Ferry to the islands sails again", date, more }]);
  fixture.server.publish(
    "/stories/bare",
    "Bare",
    `<html><head><title>Ferry to the islands sails again: local news and weather</title>
     <meta property="og:type" content="article"></head><body><h1>Ferry to the islands sails again: local news and weather</h1></body></html>`,
  );
  const [item] = await feed.pollAndSend();
  expect(item).toMatchObject({ status: "sent" });
  const campaign = await readCampaign(fixture.app, publisher.actor, { campaignId: item!.campaignId! });
  expect(campaign).toMatchObject({
    title: "Ferry to the islands sails again",
    body: "It starts at seven.",
    imageUrl: "https://images.example/ferry.jpg",
  });
});

test("a new item dated before the freshness limit is skipped, and its page is not read", async () => {
  const feed = await fixture.feedWith(await fixture.anotherPublisher(), []);
  feed.put([story(fixture, "archive", { date: "Mon, 2 Mar 2020 11:00:00 GMT" })]);
  expect(await feed.pollAndSend()).toMatchObject([{ status: "skipped", reasons: [{ code: "too_old" }] }]);
  expect(fixture.server.asked("/stories/archive")).toEqual([]);
});

test("a new item whose page does not exist yet is tried again, and sent once the page exists", async () => {
  const feed = await fixture.feedWith(await fixture.anotherPublisher(), []);
  feed.put([{ link: `${fixture.server.origin}/later`, guid: "later", title: "Later" }]);
  expect(await feed.pollAndSend()).toMatchObject([{ status: "waiting", reasons: [{ code: "http_status" }] }]);
  fixture.server.publish("/later", "Later");
  await makeItemsDue(fixture.app);
  await itemWork(fixture.app).untilIdle();
  expect(await feed.items()).toMatchObject([{ status: "sent", reasons: [] }]);
});

test("a new item whose page never exists is skipped after five tries", async () => {
  const feed = await fixture.feedWith(await fixture.anotherPublisher(), []);
  feed.put([{ link: `${fixture.server.origin}/never`, guid: "never", title: "Never" }]);
  await feed.pollAndSend();
  for (let again = 0; again < 4; again++) {
    await makeItemsDue(fixture.app);
    await itemWork(fixture.app).untilIdle();
  }
  expect(await feed.items()).toMatchObject([{ status: "skipped", reasons: [{ code: "http_status" }] }]);
  expect(fixture.server.asked("/never")).toHaveLength(5);
});

describe("the override", () => {
  test("sends what the decision rejects, with forceSend, and the feed's title if need be", async () => {
    const publisher = await fixture.anotherPublisher();
    const feed = await fixture.feedWith(publisher, [], { override: true });
    expect((await feed.view()).warnings).toMatchObject([{ code: "override_on" }]);
    feed.put([
      story(fixture, "forced"),
      { link: `${fixture.server.origin}/untitled`, guid: "u", title: "Said &amp;amp; done" },
    ]);
    fixture.server.publish("/untitled", "", "<!doctype html><p>A page without a title.</p>");
    fixture.server.publish(
      "/stories/forced",
      "x",
      articleHtml("Forced").replace("<head>", '<head><meta name="robots" content="noindex">'),
    );
    const items = await feed.pollAndSend();
    expect(items.map(({ status }) => status)).toEqual(["sent", "sent"]);
    const campaigns = await Promise.all(
      items.map(({ campaignId }) => readCampaign(fixture.app, publisher.actor, { campaignId: campaignId! })),
    );
    expect(campaigns).toMatchObject([
      { forceSend: true, title: "Said & done", decision: { decision: "send" } },
      { forceSend: true, title: "Forced", decision: { decision: "skip" } },
    ]);
  });

  test("opens no gate, and does not raise the feed's own limits", async () => {
    const publisher = await fixture.anotherPublisher();
    const feed = await fixture.feedWith(publisher, [], { override: true, hourlyLimit: 1 });
    await changeSite(fixture.app, publisher.actor, { siteId: publisher.siteId, paused: true });
    feed.put([story(fixture, "held-1"), story(fixture, "held-2")]);
    expect(await feed.pollAndSend()).toMatchObject([{ status: "waiting" }, { status: "waiting" }]);
    await changeSite(fixture.app, publisher.actor, { siteId: publisher.siteId, paused: false });
    await makeItemsDue(fixture.app);
    await itemWork(fixture.app).untilIdle();
    expect((await feed.items()).map(({ status, reasons }) => [status, reasons[0]?.code])).toEqual([
      ["skipped", "feed_hourly_limit"],
      ["sent", undefined],
    ]);
  });
});

describe("a feed's limits", () => {
  test("limit the sends per hour and per day; items beyond are skipped with a reason", async () => {
    const publisher = await fixture.anotherPublisher();
    const feed = await fixture.feedWith(publisher, [], { hourlyLimit: 2, dailyLimit: 3 });
    feed.put([1, 2, 3].map((n) => story(fixture, `busy-${n}`)));
    expect((await feed.pollAndSend()).map(({ reasons }) => reasons[0]?.code)).toEqual([
      "feed_hourly_limit",
      undefined,
      undefined,
    ]);
    await changeRuns(fixture.app, { siteId: publisher.siteId }, { createdEarlier: "61 minutes" });
    feed.put([4, 5].map((n) => story(fixture, `busy-${n}`)));
    expect((await feed.pollAndSend()).slice(0, 2).map(({ reasons }) => reasons[0]?.code)).toEqual([
      "feed_daily_limit",
      undefined,
    ]);
    await changeRuns(fixture.app, { siteId: publisher.siteId }, { createdEarlier: "24 hours" });
    feed.put([story(fixture, "busy-6")]);
    expect((await feed.pollAndSend())[0]).toMatchObject({ status: "sent" });
  });
});

describe("topics", () => {
  test("follow the item's categories in any case; an item without a listed category is skipped", async () => {
    const publisher = await fixture.anotherPublisher();
    const { siteId, actor, tenantId } = publisher;
    const topic = async (name: string) => (await addTopic(fixture.app, operatorOf(tenantId), { siteId, name })).topicId;
    const [sport, city] = [await topic("Sport"), await topic("City")];
    // A send to a topic without subscribers is refused, so all subscribers join both topics.
    await giveTopic(fixture.app, siteId, sport);
    await giveTopic(fixture.app, siteId, city);
    const topics = [
      { category: "Sport", topicId: sport },
      { category: "Football", topicId: sport },
      { category: "city council", topicId: city },
    ];
    const feed = await fixture.feedWith(publisher, [], { topics });
    feed.put([
      story(fixture, "match", { categories: ["SPORT", "football"] }),
      story(fixture, "stadium", { categories: ["Sport", "City Council"] }),
      story(fixture, "weather", { categories: ["Weather"] }),
    ]);
    const [weather, stadium, match] = await feed.pollAndSend();
    expect(weather).toMatchObject({ status: "skipped", reasons: [{ code: "no_topic" }] });
    const topicsOf = async (campaignId: string) => (await readCampaign(fixture.app, actor, { campaignId })).topicIds;
    expect(await topicsOf(match!.campaignId!)).toEqual([sport]);
    expect((await topicsOf(stadium!.campaignId!)).toSorted()).toEqual([sport, city].toSorted());
    await changeFeed(fixture.app, actor, { feedId: feed.feedId, change: { unmatched: "everyone" } });
    feed.put([story(fixture, "snow", { categories: ["Weather"] })]);
    const [snow] = await feed.pollAndSend();
    expect(await topicsOf(snow!.campaignId!)).toEqual([]);
  });
});

test("what a feed says is read as what a page says, where the page has nothing", async () => {
  const publisher = await fixture.anotherPublisher();
  await changeSite(fixture.app, publisher.actor, {
    siteId: publisher.siteId,
    name: "The Herald",
    undatedStories: "send",
  });
  const feed = await fixture.feedWith(publisher, []);
  const more = (picture: string) =>
    `<description>It is open. The post It appeared first on The Herald.</description>
    <enclosure url="https://images.example.com/${picture}" type="image/png" length="1"/>`;
  feed.put([
    story(fixture, "tram", {
      title: "Tram line extended &#8211; it&amp;#8217;s open | The Herald",
      more: more("logo.png"),
    }),
    story(fixture, "ferry", { title: "Ferry is back on the river", more: more("2026/ferry.png") }),
  ]);
  for (const name of ["tram", "ferry"])
    fixture.server.publish(`/stories/${name}`, name, "<!doctype html><p>It is open.");
  const items = await feed.pollAndSend();
  const sent = items.map(({ campaignId }) => readCampaign(fixture.app, publisher.actor, { campaignId: campaignId! }));
  expect(await Promise.all(sent)).toMatchObject([
    { title: "Ferry is back on the river", body: "It is open.", imageUrl: "https://images.example.com/2026/ferry.png" },
    { title: "Tram line extended – it’s open", body: "It is open.", imageUrl: null },
  ]);
});

test("a feed's date without a zone is in the site's", async () => {
  const publisher = await fixture.anotherPublisher();
  await changeSite(fixture.app, publisher.actor, { siteId: publisher.siteId, timeZone: "Asia/Tokyo" });
  const feed = await fixture.feedWith(publisher, []);
  const anHourAgo = new Date(Math.floor(Date.now() / 1_000) * 1_000 - 3_600_000);
  const inTokyo = new Date(anHourAgo.getTime() + 9 * 3_600_000).toISOString();
  feed.put([
    story(fixture, "local", { date: inTokyo.slice(0, 19).replace("T", " ") }),
    story(fixture, "exact", { date: anHourAgo.toUTCString() }),
  ]);
  const items = await feed.pollAndSend();
  expect(items.map(({ publishedAt }) => publishedAt)).toEqual([anHourAgo.toISOString(), anHourAgo.toISOString()]);
});
