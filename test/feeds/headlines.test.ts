import { beforeAll, expect, test } from "vitest";
import { readCampaign } from "../../src/campaigns/read-campaigns.ts";
import type { Publisher } from "../fixtures/publisher.ts";
import { changeSites } from "../fixtures/rows/sites.ts";
import { type FeedFixture, openFeedFixture, story } from "./fixture.ts";

let fixture: FeedFixture;

beforeAll(async () => {
  fixture = await openFeedFixture();
});

/**
 * Sends a story of a feed. The feed calls it "The story of NAME", and its page has `pageTitle`. Returns its campaign.
 */
async function sendStory(publisher: Publisher, name: string, pageTitle: string, testHeadlines = false) {
  const feed = await fixture.feedWith(publisher, [], { testHeadlines });
  feed.put([story(fixture, name)]);
  fixture.server.publish(`/stories/${name}`, pageTitle);
  const [item] = await feed.pollAndSend();
  expect(item).toMatchObject({ status: "sent", runId: expect.any(String) });
  return readCampaign(fixture.app, publisher.actor, { campaignId: item!.campaignId! });
}

test("a feed tries its own title against that of the page, where it is told to", async () => {
  const { publisher } = fixture;
  const { title, variants } = await sendStory(publisher, "ferry", "Ferry is back on the river", true);
  expect({ title, variants }).toEqual({
    title: "Ferry is back on the river",
    variants: [{ title: "The story of ferry" }],
  });
  expect(await sendStory(publisher, "tram", "Tram is back on the road")).not.toHaveProperty("variants");
});

test("with equal titles, or at a site without click counts, the page's title is sent alone", async () => {
  const { publisher } = fixture;
  expect(await sendStory(publisher, "mill", "The story of mill", true)).not.toHaveProperty("variants");
  const silent = await fixture.anotherPublisher();
  await changeSites(fixture.app, { id: silent.siteId }, { receipts: "off" });
  expect(await sendStory(silent, "lake", "Lake is clean again", true)).not.toHaveProperty("variants");
});
