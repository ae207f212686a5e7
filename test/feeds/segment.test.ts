import { sql } from "kysely";
import { beforeAll, expect, test } from "vitest";
import { readCampaign } from "../../src/campaigns/read-campaigns.ts";
import { row } from "../../src/db/pool.ts";
import { changeFeed } from "../../src/feeds/change-feeds.ts";
import { addSegment, changeSegment } from "../../src/subscribers/segments/segments.ts";
import type { Publisher } from "../fixtures/publisher.ts";
import { changeSubscribers } from "../fixtures/rows/subscribers.ts";
import { type FeedFixture, openFeedFixture, story } from "./fixture.ts";

let fixture: FeedFixture;
beforeAll(async () => {
  fixture = await openFeedFixture();
});

let segments = 0;
/** Adds a segment of the readers who were on the site in the last seven days. */
async function addLately({ actor, siteId }: Publisher): Promise<string> {
  const body = { name: `Lately ${++segments}`, rule: { seenWithinDays: 7 } };
  return (await addSegment(fixture.app, actor, { siteId, body })).segmentId;
}

test("the items of a feed with a segment go to its readers only, and to all once it has none", async () => {
  const publisher = await fixture.anotherPublisher();
  const segment = await addLately(publisher);
  await changeSubscribers(fixture.app, { siteId: publisher.siteId, newest: 1 }, { seenDaysAgo: 0 });
  const feed = await fixture.feedWith(publisher, [], { segment });
  expect(await feed.view()).toMatchObject({ segment });
  const audienceOf = async (name: string) => {
    feed.put([story(fixture, name)]);
    const [item] = await feed.pollAndSend();
    const run = sql<{ n: number }>`select expected_audience as n from runs where id = ${item!.runId}`;
    const { segment } = await readCampaign(fixture.app, publisher.actor, { campaignId: item!.campaignId! });
    return { segment, readers: (await row(run, fixture.app.db))!.n };
  };
  expect(await audienceOf("ferry")).toEqual({ segment, readers: 1 });
  await changeFeed(fixture.app, publisher.actor, { feedId: feed.feedId, change: { segment: "" } });
  expect(await audienceOf("tram")).toEqual({ segment: null, readers: 2 });
});

test("an item for whose segment the site has no reader is not sent", async () => {
  const publisher = await fixture.anotherPublisher();
  const feed = await fixture.feedWith(publisher, [], { segment: await addLately(publisher) });
  feed.put([story(fixture, "mill")]);
  expect(await feed.pollAndSend()).toMatchObject([{ status: "skipped", reasons: [{ code: "no_audience" }] }]);
});

test("a feed is refused what is no segment of its site, and a segment of a feed is not retired", async () => {
  const publisher = await fixture.anotherPublisher();
  const segment = await addLately(publisher);
  const foreign = await addLately(await fixture.anotherPublisher());
  const feed = await fixture.feedWith(publisher, [], { segment });
  const change = (to: string) =>
    changeFeed(fixture.app, publisher.actor, { feedId: feed.feedId, change: { segment: to } });
  await expect(change(foreign)).rejects.toMatchObject({
    code: "validation_failed",
    details: { errors: [{ path: "/segment", message: "is no segment of this site" }] },
  });
  await expect(change("lately")).rejects.toMatchObject({ details: { errors: [{ path: "/segment" }] } });
  const { actor, siteId } = publisher;
  const retire = () => changeSegment(fixture.app, actor, { siteId, segmentId: segment, body: { retired: true } });
  await expect(retire()).rejects.toMatchObject({ code: "segment_of_feed" });
  await change("");
  await retire();
});
