import { sql } from "kysely";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { changeCampaign } from "../../src/campaigns/change-campaign.ts";
import { readCampaign } from "../../src/campaigns/read-campaigns.ts";
import { row } from "../../src/db/pool.ts";
import { changeFeed } from "../../src/feeds/change-feeds.ts";
import { changeRecurringSend } from "../../src/recurring-sends/change-recurring-sends.ts";
import { restartRecurringSends } from "../../src/recurring-sends/queries.ts";
import { sendDueRecurringSends } from "../../src/recurring-sends/recurring-send-poller.ts";
import type { GateCode } from "../../src/sends/gates.ts";
import { sendCampaign } from "../../src/sends/send-campaign.ts";
import { changeSite } from "../../src/tenants/sites/sites.ts";
import { addTopic, changeTopic } from "../../src/tenants/topics/topics.ts";
import { PLANS, shut } from "../campaigns/shut-gates.ts";
import { countRuns, type FeedFixture, openFeedFixture, story } from "../feeds/fixture.ts";
import type { Publisher } from "../fixtures/publisher.ts";
import { present } from "../fixtures/rows/change.ts";
import { changeRecurringSends } from "../fixtures/rows/recurring.ts";
import { giveTopic } from "../fixtures/rows/subscribers.ts";
import { addDaily, makeOccurrenceDue, occur, occurredOf, suggest, suggestingFeed } from "./fixture.ts";

let fixture: FeedFixture;
let publisher: Publisher;

beforeAll(async () => {
  fixture = await openFeedFixture({ PLANS });
});

beforeEach(async () => {
  publisher = await fixture.anotherPublisher();
});

const nextDayOf = async (id: string) =>
  (await row(
    sql<{ day: string | null }>`select next_day::text as day from recurring_sends where id = ${id}`,
    fixture.app.db,
  ))!.day;

test("the newest story of a feed is sent at its time: the draft that its feed has made", async () => {
  const { app } = fixture;
  const feed = await suggestingFeed(fixture, publisher, ["newest", "older"]);
  const id = await addDaily(app, publisher, { feedId: feed.feedId });
  const occurred = await occur(app, id);
  const drafts = await feed.items();
  const { campaignId } = drafts.find(({ title }) => title === "The story of newest")!;
  expect(occurred).toMatchObject({ outcome: "sent", campaignId, title: "The story of newest", reasons: [] });
  expect(await readCampaign(app, publisher.actor, { campaignId: campaignId! })).toMatchObject({ status: "sending" });
  expect(await countRuns(app, publisher.siteId)).toBe(1);
  const events = await sql<{ actor: string }>`select actor from audit_events
    where event = 'campaign.sent' and subject_id = ${campaignId}`.execute(app.db);
  expect(events.rows).toEqual([{ actor: `recurring:${id}` }]);
  expect(await nextDayOf(id)).toBe("2099-03-02");
});

test("the next occurrence takes only what has come since, and nothing that was sent by hand", async () => {
  const { app } = fixture;
  const feed = await suggestingFeed(fixture, publisher, ["first", "left over"]);
  const id = await addDaily(app, publisher, { feedId: feed.feedId });
  expect(await occur(app, id)).toMatchObject({ outcome: "sent", title: "The story of first" });
  expect(await occur(app, id, "2099-03-02")).toMatchObject({ outcome: "nothing_new", url: null, campaignId: null });
  await suggest(fixture, publisher, feed, ["by hand", "by itself"]);
  const byHand = (await feed.items()).find(({ title }) => title === "The story of by hand")!;
  await sendCampaign(app, publisher.actor, { campaignId: byHand.campaignId!, idempotencyKey: null });
  expect(await occur(app, id, "2099-03-03")).toMatchObject({ outcome: "sent", title: "The story of by itself" });
  expect(await countRuns(app, publisher.siteId)).toBe(3);
});

test("a draft that a member has changed is left to the member", async () => {
  const { app } = fixture;
  const feed = await suggestingFeed(fixture, publisher, ["changed"]);
  const [item] = await feed.items();
  await changeCampaign(app, publisher.actor, { campaignId: item!.campaignId!, body: { title: "By a member" } });
  const id = await addDaily(app, publisher, { feedId: feed.feedId });
  expect(await occur(app, id)).toMatchObject({ outcome: "nothing_new" });
});

test("of a topic it is the newest story that a feed's rules give to the topic", async () => {
  const { app, server } = fixture;
  const { actor, siteId } = publisher;
  const { topicId } = await addTopic(app, actor, { siteId, name: "Sport" });
  await giveTopic(app, siteId, topicId);
  const topics = [{ category: "sport", topicId }];
  const feed = await fixture.feedWith(publisher, [], { suggest: true, topics, unmatched: "everyone" });
  feed.put([
    story({ server }, "council", { categories: ["Politics"] }),
    story({ server }, "match", { categories: ["Sport"] }),
  ]);
  await feed.pollAndSend();
  const id = await addDaily(app, publisher, { topicId });
  const occurred = await occur(app, id);
  expect(occurred).toMatchObject({ outcome: "sent", title: "The story of match" });
  expect(await readCampaign(app, actor, { campaignId: occurred!.campaignId! })).toMatchObject({ topicIds: [topicId] });
  feed.put([story({ server }, "cup", { categories: ["Sport"] })]);
  expect((await feed.pollAndSend())[0]).toMatchObject({ title: "The story of cup", status: "suggested" });
  await changeTopic(app, actor, { siteId, topicId, body: { retired: true } });
  expect(await occur(app, id, "2099-03-02")).toMatchObject({ outcome: "nothing_new" });
});

test("a story that only a limit of the feed held back is sent, with a campaign of its own", async () => {
  const { app } = fixture;
  const feed = await fixture.feedWith(publisher, [], { hourlyLimit: 1 });
  feed.put([story(fixture, "in the limit"), story(fixture, "held back")]);
  const items = await feed.pollAndSend();
  const held = items.find(({ status }) => status === "skipped")!;
  expect(held.reasons).toMatchObject([{ code: "feed_hourly_limit" }]);
  const id = await addDaily(app, publisher, { feedId: feed.feedId });
  expect(await occur(app, id)).toMatchObject({ outcome: "sent", title: held.title });
  const another = await addDaily(app, publisher, { feedId: feed.feedId });
  expect(await occur(app, another)).toMatchObject({ outcome: "nothing_new" });
});

describe("another feed does not send a story again that", () => {
  const title = "The minister resigns over the bridge";
  /** A second feed brings the story at another address. */
  const bringAgain = async () => {
    const other = await fixture.feedWith(publisher, []);
    other.put([story(fixture, "again", { title })]);
    return other.pollAndSend();
  };
  const known = [{ status: "skipped", campaignId: null, reasons: [{ code: "same_story" }] }];

  test("a recurring send took from the suggestions of its feed", async () => {
    const feed = await fixture.feedWith(publisher, [], { suggest: true });
    feed.put([story(fixture, "suggested", { title })]);
    await feed.pollAndSend();
    const id = await addDaily(fixture.app, publisher, { feedId: feed.feedId });
    expect(await occur(fixture.app, id)).toMatchObject({ outcome: "sent", title });
    expect(await bringAgain()).toMatchObject(known);
  });

  test("a recurring send made a campaign of, because its feed was at its limit", async () => {
    const feed = await fixture.feedWith(publisher, [], { hourlyLimit: 1 });
    feed.put([story(fixture, "first of the hour")]);
    await feed.pollAndSend();
    feed.put([story(fixture, "over the limit", { title })]);
    await feed.pollAndSend();
    const id = await addDaily(fixture.app, publisher, { feedId: feed.feedId });
    expect(await occur(fixture.app, id)).toMatchObject({ outcome: "sent", title });
    expect(await bringAgain()).toMatchObject(known);
  });

  test("an editor sent from the suggestions of a feed", async () => {
    const feed = await fixture.feedWith(publisher, [], { suggest: true });
    feed.put([story(fixture, "by an editor", { title })]);
    const [item] = await feed.pollAndSend();
    await sendCampaign(fixture.app, publisher.actor, { campaignId: item!.campaignId!, idempotencyKey: null });
    expect(await bringAgain()).toMatchObject(known);
  });
});

test("a story that a check of the feed rejected is no new story", async () => {
  const { app } = fixture;
  const feed = await fixture.feedWith(publisher, [], { suggest: true });
  feed.put([{ ...story(fixture, "elsewhere"), link: "https://other.example/a" }]);
  expect(await feed.pollAndSend()).toMatchObject([{ status: "skipped" }]);
  const id = await addDaily(app, publisher, { feedId: feed.feedId });
  expect(await occur(app, id)).toMatchObject({ outcome: "nothing_new" });
});

test("what the decision says against the story is recorded, and its draft stays", async () => {
  const { app } = fixture;
  const feed = await suggestingFeed(fixture, publisher, ["at night"]);
  await changeSite(app, publisher.actor, { siteId: publisher.siteId, quietHours: aroundNow() });
  const id = await addDaily(app, publisher, { feedId: feed.feedId });
  expect(await occur(app, id)).toMatchObject({
    outcome: "skipped",
    title: "The story of at night",
    campaignId: null,
    reasons: [{ code: "quiet_hours", effect: "blocks", message: expect.any(String) }],
  });
  expect(await countRuns(app, publisher.siteId)).toBe(0);
  const [item] = await feed.items();
  expect(await readCampaign(app, publisher.actor, { campaignId: item!.campaignId! })).toMatchObject({
    status: "draft",
  });
});

function aroundNow() {
  const clock = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString().slice(11, 16);
  return { from: clock(-1), until: clock(1) };
}

test("a page that does not answer is asked again within the hour, and then recorded", async () => {
  const { app, server } = fixture;
  const feed = await suggestingFeed(fixture, publisher, ["silent"]);
  server.serve("/stories/silent", (_request, response) => response.writeHead(503).end());
  const id = await addDaily(app, publisher, { feedId: feed.feedId });
  expect(await occur(app, id)).toBeUndefined();
  await changeRecurringSends(app, { id }, { leaseUntil: present });
  server.publish("/stories/silent", "The story of silent");
  expect(await occur(app, id)).toMatchObject({ outcome: "sent" });
});

test("a page that does not answer for an hour is the reason why nothing went out", async () => {
  const { app, server } = fixture;
  const feed = await suggestingFeed(fixture, publisher, ["gone"]);
  server.serve("/stories/gone", (_request, response) => response.writeHead(503).end());
  const id = await addDaily(app, publisher, { feedId: feed.feedId });
  expect(await occur(app, id, "2099-03-01", 59.5)).toMatchObject({
    outcome: "skipped",
    reasons: [{ code: "http_status" }],
  });
});

describe("a shut gate", () => {
  const codes = (Object.keys(shut) as GateCode[]).filter((code) => code !== "site_removed");
  test.each(codes)("lets nothing out, and is recorded in words for the owner: %s", async (code) => {
    const { app } = fixture;
    const feed = await suggestingFeed(fixture, publisher, [`gate ${code}`]);
    const id = await addDaily(app, publisher, { feedId: feed.feedId });
    await shut[code](app, publisher);
    const runs = await countRuns(app, publisher.siteId);
    const occurred = await occur(app, id);
    expect(occurred).toMatchObject({ outcome: "refused", reasons: [{ code, effect: "blocks" }], campaignId: null });
    expect(occurred!.reasons[0]!.message).not.toMatch(/same key/);
    expect(await countRuns(app, publisher.siteId)).toBe(runs);
  });

  test("of a removed site lets nothing be due", async () => {
    const { app } = fixture;
    const feed = await suggestingFeed(fixture, publisher, ["removed"]);
    const id = await addDaily(app, publisher, { feedId: feed.feedId });
    await shut.site_removed(app, publisher);
    expect(await occur(app, id)).toBeUndefined();
  });
});

describe("a service that was away", () => {
  test.each([
    [59, "sent"],
    [61, "missed"],
  ])("by %i minutes: %s", async (minutes, outcome) => {
    const feed = await suggestingFeed(fixture, publisher, [`late ${minutes}`]);
    const id = await addDaily(fixture.app, publisher, { feedId: feed.feedId });
    expect(await occur(fixture.app, id, "2099-03-01", minutes)).toMatchObject({ outcome });
  });

  test("for days records each day as missed, and goes on", async () => {
    const { app } = fixture;
    const feed = await suggestingFeed(fixture, publisher, ["away"]);
    const id = await addDaily(app, publisher, { feedId: feed.feedId });
    const day = (daysAgo: number) => new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10);
    await makeOccurrenceDue(app, id, day(3), 3 * 24 * 60);
    await sendDueRecurringSends(app);
    const occurred = await occurredOf(app.db, id);
    expect(occurred.slice(0, 3).map((one) => [one.day, one.outcome])).toEqual([
      [day(3), "missed"],
      [day(2), "missed"],
      [day(1), "missed"],
    ]);
    expect((await nextDayOf(id))! >= day(0)).toBe(true);
  });
});

test("many processes at the same moment start one run, and record one occurrence", async () => {
  const { app } = fixture;
  const feed = await suggestingFeed(fixture, publisher, ["once", "never"]);
  const id = await addDaily(app, publisher, { feedId: feed.feedId });
  await makeOccurrenceDue(app, id);
  await Promise.all(Array.from({ length: 4 }, () => sendDueRecurringSends(app)));
  expect(await countRuns(app, publisher.siteId)).toBe(1);
  expect(await occurredOf(app.db, id)).toMatchObject([{ outcome: "sent", title: "The story of once" }]);
});

test("a process that was taken for dead and another one start one run", async () => {
  const { app } = fixture;
  const feed = await suggestingFeed(fixture, publisher, ["slow", "next"]);
  const id = await addDaily(app, publisher, { feedId: feed.feedId });
  await makeOccurrenceDue(app, id);
  const read = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  const slowPages = {
    ...app.pages,
    async fetchPage(...args: Parameters<typeof app.pages.fetchPage>) {
      const page = await app.pages.fetchPage(...args);
      read.resolve();
      await held.promise;
      return page;
    },
  };
  const slow = sendDueRecurringSends({ ...app, pages: slowPages });
  await read.promise;
  await changeRecurringSends(app, { id }, { leaseUntil: present });
  await sendDueRecurringSends(app);
  held.resolve();
  await slow;
  expect(await countRuns(app, publisher.siteId)).toBe(1);
  expect(await occurredOf(app.db, id)).toHaveLength(1);
});

test("nothing is due of one that is off, and a feed that is off has no new story", async () => {
  const { app } = fixture;
  const { actor, siteId } = publisher;
  const feed = await suggestingFeed(fixture, publisher, ["off"]);
  const id = await addDaily(app, publisher, { feedId: feed.feedId });
  await changeRecurringSend(app, actor, { siteId, recurringSendId: id, body: { enabled: false } });
  expect(await occur(app, id)).toBeUndefined();
  await changeRecurringSend(app, actor, { siteId, recurringSendId: id, body: { enabled: true } });
  await changeFeed(app, actor, { feedId: feed.feedId, change: { enabled: false } });
  expect(await occur(app, id)).toMatchObject({ outcome: "nothing_new" });
});

test("after a change of the site's time zone the next occurrence is at that time there", async () => {
  const { app } = fixture;
  const { actor, siteId } = publisher;
  const feed = await fixture.feedWith(publisher, []);
  const id = await addDaily(app, publisher, { feedId: feed.feedId });
  await changeSite(app, actor, { siteId, timeZone: "Asia/Tokyo" });
  await sendDueRecurringSends(app);
  const next = await row(
    sql<{ at: Date; zone: string }>`select next_at as at, zone from recurring_sends where id = ${id}`,
    app.db,
  );
  expect(next!.zone).toBe("Asia/Tokyo");
  expect(next!.at.toISOString()).toMatch(/T22:00:00/);
  expect(await occurredOf(app.db, id)).toEqual([]);
});

test("after a restore or a move nothing of the past is sent or missed", async () => {
  const { app } = fixture;
  const feed = await suggestingFeed(fixture, publisher, ["restored"]);
  const id = await addDaily(app, publisher, { feedId: feed.feedId });
  await makeOccurrenceDue(app, id);
  await restartRecurringSends(app.db, publisher.siteId);
  await sendDueRecurringSends(app);
  expect(await occurredOf(app.db, id)).toEqual([]);
  expect((await nextDayOf(id))! >= new Date().toISOString().slice(0, 10)).toBe(true);
  expect(await countRuns(app, publisher.siteId)).toBe(0);
});
