import { beforeAll, expect, test } from "vitest";
import { newestStories } from "../../src/feeds/items/newest-stories.ts";
import { type FeedFixture, openFeedFixture, story } from "./fixture.ts";

let fixture: FeedFixture;

beforeAll(async () => {
  fixture = await openFeedFixture();
});

const picture = (url: string) => ({ more: `<enclosure url="${url}" type="image/jpeg" length="1"/>` });
const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toUTCString();

test("the newest stories of a site's feeds are listed once, newest first, with their outcome", async () => {
  const publisher = await fixture.anotherPublisher();
  const image = `${fixture.server.origin}/bridge.jpg`;
  const old = story(fixture, "old", { date: hoursAgo(90) });
  const early = story(fixture, "early", { date: hoursAgo(20), ...picture("https://192.168.1.1/reboot.jpg") });
  const feed = await fixture.feedWith(publisher, [old, early]);
  feed.put([old, early, story(fixture, "late", { date: hoursAgo(1), ...picture(image) })]);
  await feed.pollAndSend();
  await fixture.feedWith(publisher, [early]);
  const { data } = await newestStories(fixture.app, publisher.actor, publisher);
  const at = (name: string) => `${fixture.server.origin}/stories/${name}`;
  expect(data).toMatchObject([
    { url: at("late"), title: "The story of late", status: "sent", imageUrl: image, campaignId: expect.any(String) },
    // The picture is in the editor's own network. It is left out because the editor's browser would load it.
    { url: at("early"), status: "seen", imageUrl: null, campaignId: null },
  ]);
});

test("the stories of another publisher's site are not listed", async () => {
  const other = await fixture.anotherPublisher();
  const refused = newestStories(fixture.app, other.actor, { siteId: fixture.publisher.siteId });
  await expect(refused).rejects.toMatchObject({ code: "not_found" });
});
