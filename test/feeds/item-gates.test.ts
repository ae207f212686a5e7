import { beforeAll, describe, expect, test } from "vitest";
import { changeFeed } from "../../src/feeds/change-feed.ts";
import { pollDueFeeds, sendDueItems } from "../../src/feeds/feed-keeper.ts";
import { listFeeds } from "../../src/feeds/list-feeds.ts";
import { changeTenant } from "../../src/tenants/change-tenant.ts";
import { removeSite } from "../../src/tenants/remove-site.ts";
import { countRuns, type FeedDesk, makeItemsDue, makePollDue, openFeedDesk, story } from "./feed-desk.ts";

let desk: FeedDesk;

beforeAll(async () => {
  desk = await openFeedDesk({ PLANS: JSON.stringify({ unlimited: {}, none: { audienceCap: 0 } }) });
});

describe("a shut gate", () => {
  test.for([
    ["the agreement", "dpa_required", { dpaAccepted: false }, { dpaAccepted: true }],
    ["a pause", "send_paused", { paused: true }, { paused: false }],
    ["billing", "billing", { plan: "none" }, { plan: "unlimited" }],
  ] as const)("leaves the item waiting, says why, and sends it when it opens: %s", async ([, code, shut, open]) => {
    const publisher = await desk.anotherPublisher();
    const feed = await desk.feedWith(publisher, []);
    await changeTenant(desk.app, publisher.actor, shut);
    feed.put([story(desk, `gate-${code}`)]);
    expect(await feed.pollAndSend()).toMatchObject([{ status: "waiting", reasons: [{ code }], campaignId: null }]);
    await changeTenant(desk.app, publisher.actor, open);
    await makeItemsDue(desk.app);
    await sendDueItems(desk.app);
    expect(await feed.items()).toMatchObject([{ status: "sent", reasons: [] }]);
  });

  test("that stays shut longer than the story is fresh ends the wait, and the reason stays known", async () => {
    const publisher = await desk.anotherPublisher();
    const feed = await desk.feedWith(publisher, []);
    await changeTenant(desk.app, publisher.actor, { paused: true });
    feed.put([story(desk, "stale")]);
    await feed.pollAndSend();
    await makeItemsDue(desk.app);
    await sendDueItems({ ...desk.app, now: () => Date.now() + 49 * 3_600_000 });
    const [item] = await feed.items();
    expect(item).toMatchObject({ status: "skipped", reasons: [{ code: "waited_too_long" }] });
    expect(item!.reasons[0]!.message).toContain("paused");
    await changeTenant(desk.app, publisher.actor, { paused: false });
    await sendDueItems(desk.app);
    expect(await countRuns(desk.app, publisher.siteId)).toBe(0);
  });
});

test("a site that is removed is polled and sent to no more, and its feeds are gone for everybody", async () => {
  const publisher = await desk.anotherPublisher();
  const { actor, siteId } = publisher;
  const feed = await desk.feedWith(publisher, []);
  feed.put([story(desk, "farewell")]);
  await feed.poll();
  await removeSite(desk.app, actor, { siteId });
  const asked = desk.server.asked(feed.path).length;
  await makePollDue(desk.app, feed.feedId);
  await pollDueFeeds(desk.app);
  await sendDueItems(desk.app);
  expect(desk.server.asked(feed.path)).toHaveLength(asked);
  expect(await countRuns(desk.app, siteId)).toBe(0);
  expect(await listFeeds(desk.app, actor, {})).toEqual([]);
  await expect(feed.view()).rejects.toThrow("There is no feed");
});

describe("very many new items at once", () => {
  const many = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, n) => story(desk, `many-${from + n}`));

  test("send none and ask the owner, and what comes meanwhile waits with them; skipped on their word", async () => {
    const publisher = await desk.anotherPublisher();
    const feed = await desk.feedWith(publisher, [story(desk, "known")]);
    feed.put([story(desk, "known"), ...many(0, 300)]);
    await feed.pollAndSend();
    expect(await countRuns(desk.app, publisher.siteId)).toBe(0);
    expect((await feed.view()).question).toMatchObject({ code: "many_new_items", items: 300 });
    feed.put([story(desk, "meanwhile"), story(desk, "known")]);
    await feed.pollAndSend();
    expect((await feed.view()).question).toMatchObject({ items: 301 });
    const { actor } = publisher;
    const answered = await changeFeed(desk.app, actor, { feedId: feed.feedId, change: { newItems: "skip" } });
    expect(answered).toMatchObject({ question: null, items: { asked: 0, skipped: 301 } });
    feed.put([story(desk, "afterwards"), story(desk, "known")]);
    expect((await feed.pollAndSend())[0]).toMatchObject({ status: "sent", title: "The story of afterwards" });
    expect(await countRuns(desk.app, publisher.siteId)).toBe(1);
  });

  test("go through the decision and the caps where the owner says send", async () => {
    const publisher = await desk.anotherPublisher();
    const feed = await desk.feedWith(publisher, [story(desk, "known-2")], { hourlyCap: 2 });
    feed.put([story(desk, "known-2"), ...many(500, 560)]);
    await feed.pollAndSend();
    await changeFeed(desk.app, publisher.actor, { feedId: feed.feedId, change: { newItems: "send" } });
    await sendDueItems(desk.app);
    expect((await feed.view()).items).toMatchObject({ asked: 0, new: 0, sent: 2, skipped: 58 });
  });

  test("are what a feed looks like whose addresses and guids have all changed", async () => {
    const publisher = await desk.anotherPublisher();
    const feed = await desk.feedWith(publisher, many(600, 620));
    feed.put(many(700, 720));
    await feed.pollAndSend();
    expect((await feed.view()).question).toMatchObject({ items: 20 });
    expect(await countRuns(desk.app, publisher.siteId)).toBe(0);
  });
});
