import { beforeAll, describe, expect, test } from "vitest";
import { changeFeed } from "../../src/feeds/change-feeds.ts";
import { itemWork } from "../../src/feeds/items/send-due-items.ts";
import { pollWork } from "../../src/feeds/poll/feed-poller.ts";
import { listFeeds } from "../../src/feeds/read-feeds.ts";
import { removeSite } from "../../src/tenants/sites/sites.ts";
import { changeTenant } from "../../src/tenants/tenants.ts";
import { changeItems } from "../fixtures/rows/feeds.ts";
import { countRuns, type FeedFixture, makeItemsDue, makePollDue, openFeedFixture, story } from "./fixture.ts";

let fixture: FeedFixture;

beforeAll(async () => {
  fixture = await openFeedFixture({ PLANS: JSON.stringify({ unlimited: {}, none: { audienceCap: 0 } }) });
});

describe("a shut gate", () => {
  test.for([
    ["the agreement", "dpa_required", { dpaAccepted: false }, { dpaAccepted: true }],
    ["a pause", "send_paused", { paused: true }, { paused: false }],
    ["billing", "billing", { plan: "none" }, { plan: "unlimited" }],
  ] as const)(
    "keeps the item waiting with a reason, and the item is sent when it opens: %s",
    async ([, code, shut, open]) => {
      const publisher = await fixture.anotherPublisher();
      const feed = await fixture.feedWith(publisher, []);
      await changeTenant(fixture.app, publisher.actor, shut);
      feed.put([story(fixture, `gate-${code}`)]);
      const [waiting] = await feed.pollAndSend();
      expect(waiting).toMatchObject({ status: "waiting", reasons: [{ code }], campaignId: null });
      expect(waiting!.reasons[0]!.message).not.toMatch(/key|again/);
      await changeTenant(fixture.app, publisher.actor, open);
      await makeItemsDue(fixture.app);
      await itemWork(fixture.app).untilIdle();
      expect(await feed.items()).toMatchObject([{ status: "sent", reasons: [] }]);
    },
  );

  test("waits by the database's clock: a process two days ahead skips nothing as too old", async () => {
    const publisher = await fixture.anotherPublisher();
    const feed = await fixture.feedWith(publisher, []);
    await changeTenant(fixture.app, publisher.actor, { paused: true });
    feed.put([story(fixture, "clock")]);
    await feed.pollAndSend();
    await makeItemsDue(fixture.app);
    await itemWork({ ...fixture.app, now: () => Date.now() + 49 * 3_600_000 }).untilIdle();
    expect(await feed.items()).toMatchObject([{ status: "waiting" }]);
  });

  test("that stays shut longer than the story is fresh ends the wait, with its reason", async () => {
    const publisher = await fixture.anotherPublisher();
    const feed = await fixture.feedWith(publisher, []);
    await changeTenant(fixture.app, publisher.actor, { paused: true });
    feed.put([story(fixture, "stale")]);
    await feed.pollAndSend();
    await makeItemsDue(fixture.app);
    await changeItems(
      fixture.app,
      { siteId: publisher.siteId },
      { foundEarlier: "49 hours", publishedEarlier: "49 hours" },
    );
    await itemWork(fixture.app).untilIdle();
    const [item] = await feed.items();
    expect(item).toMatchObject({ status: "skipped", reasons: [{ code: "waited_too_long" }] });
    expect(item!.reasons[0]!.message).toContain("paused");
    await changeTenant(fixture.app, publisher.actor, { paused: false });
    await itemWork(fixture.app).untilIdle();
    expect(await countRuns(fixture.app, publisher.siteId)).toBe(0);
  });
});

test("feeds of a removed site are not polled, their items not sent, and they are not found", async () => {
  const publisher = await fixture.anotherPublisher();
  const { actor, siteId } = publisher;
  const feed = await fixture.feedWith(publisher, []);
  feed.put([story(fixture, "farewell")]);
  await feed.poll();
  await removeSite(fixture.app, actor, { siteId });
  const asked = fixture.server.asked(feed.path).length;
  await makePollDue(fixture.app, feed.feedId);
  await pollWork(fixture.app).untilIdle();
  await itemWork(fixture.app).untilIdle();
  expect(fixture.server.asked(feed.path)).toHaveLength(asked);
  expect(await countRuns(fixture.app, siteId)).toBe(0);
  expect(await listFeeds(fixture.app, actor, {})).toEqual([]);
  await expect(feed.view()).rejects.toThrow("There is no feed");
});

describe("very many new items at once", () => {
  const many = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, n) => story(fixture, `many-${from + n}`));

  test("send none and ask the owner; later items wait too, and all are skipped at a no", async () => {
    const publisher = await fixture.anotherPublisher();
    const feed = await fixture.feedWith(publisher, [story(fixture, "known")]);
    feed.put([story(fixture, "known"), ...many(0, 300)]);
    await feed.pollAndSend();
    expect(await countRuns(fixture.app, publisher.siteId)).toBe(0);
    expect((await feed.view()).question).toMatchObject({ code: "many_new_items", items: 300 });
    feed.put([story(fixture, "meanwhile"), story(fixture, "known")]);
    await feed.pollAndSend();
    expect((await feed.view()).question).toMatchObject({ items: 301 });
    const { actor } = publisher;
    const answered = await changeFeed(fixture.app, actor, { feedId: feed.feedId, change: { newItems: "skip" } });
    expect(answered).toMatchObject({ question: null, items: { asked: 0, skipped: 301 } });
    feed.put([story(fixture, "afterwards"), story(fixture, "known")]);
    expect((await feed.pollAndSend())[0]).toMatchObject({ status: "sent", title: "The story of afterwards" });
    expect(await countRuns(fixture.app, publisher.siteId)).toBe(1);
  });

  test("go through the decision and the limits if the owner says send", async () => {
    const publisher = await fixture.anotherPublisher();
    const feed = await fixture.feedWith(publisher, [story(fixture, "known-2")], { hourlyLimit: 2 });
    feed.put([story(fixture, "known-2"), ...many(500, 560)]);
    await feed.pollAndSend();
    await changeFeed(fixture.app, publisher.actor, { feedId: feed.feedId, change: { newItems: "send" } });
    await itemWork(fixture.app).untilIdle();
    expect((await feed.view()).items).toMatchObject({ asked: 0, new: 0, sent: 2, skipped: 58 });
  });

  test("are also assumed if all addresses and guids of a feed have changed", async () => {
    const publisher = await fixture.anotherPublisher();
    const feed = await fixture.feedWith(publisher, many(600, 620));
    feed.put(many(700, 720));
    await feed.pollAndSend();
    expect((await feed.view()).question).toMatchObject({ items: 20 });
    expect(await countRuns(fixture.app, publisher.siteId)).toBe(0);
  });
});
