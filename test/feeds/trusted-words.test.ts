import { beforeAll, expect, test } from "vitest";
import { readCampaign } from "../../src/campaigns/read-campaigns.ts";
import { addFeed, changeFeed } from "../../src/feeds/change-feeds.ts";
import { changeTenant } from "../../src/tenants/tenants.ts";
import { rss } from "../fixtures/feed-server.ts";
import { type FeedFixture, openFeedFixture, story } from "./fixture.ts";

/** Which words of a feed may be in a notification at a tenant whose large sends need a second person. */
let fixture: FeedFixture;

beforeAll(async () => {
  // An entry without a port allows every port of this machine.
  fixture = await openFeedFixture({ ALLOW_HOSTS: "localhost,127.0.0.1" });
});

/** Returns an address of the feed server with another name of this machine. */
const elsewhere = (path: string) => `https://127.0.0.1:${new URL(fixture.server.origin).port}${path}`;

/**
 * Creates a publisher with a feed at the site's own host. The feed tests its headlines, and large sends need a second
 * person.
 */
async function watchedFeed(settings: Record<string, unknown> = {}) {
  const publisher = await fixture.anotherPublisher();
  const feed = await fixture.feedWith(publisher, [], { testHeadlines: true, ...settings });
  await changeTenant(fixture.app, publisher.actor, { confirmAbove: 1 });
  return { publisher, feed };
}
type Watched = Awaited<ReturnType<typeof watchedFeed>>;

/** Sends two stories of the feed. The page of the first has a title of its own, and the page of the second has none. */
async function textsSent({ publisher, feed }: Watched, prepare: () => void) {
  const [titled, bare] = [story(fixture, `titled-${feed.feedId}`), story(fixture, `bare-${feed.feedId}`)];
  feed.put([titled, bare]);
  fixture.server.publish(new URL(titled.link!).pathname, "Ferry is back on the river");
  const page = "<!doctype html><html><body><p>Ten boats were out on the river again today.</p></body></html>";
  fixture.server.publish(new URL(bare.link!).pathname, "", page);
  prepare();
  const items = (await feed.pollAndSend()).toSorted((a, b) => b.url!.localeCompare(a.url!));
  const [first, second] = items.map(({ campaignId, reasons }) => ({
    campaignId,
    codes: reasons.map(({ code }) => code),
  }));
  const { title, variants } = await readCampaign(fixture.app, publisher.actor, { campaignId: first!.campaignId! });
  return { title, variants, bare: second!.codes };
}

const own = (feedId: string) => ({
  title: "Ferry is back on the river",
  variants: [{ title: `The story of titled-${feedId}` }],
});
const none = { title: "Ferry is back on the river", variants: undefined };
/** Redirects the feed to another host that serves the same stories. */
const serveAway = ({ feed }: Watched) => {
  const items = ["titled", "bare"].map((name) => story(fixture, `${name}-${feed.feedId}`));
  fixture.server.serve(`${feed.path}?away`, rss(items));
  fixture.server.serve(feed.path, (_request, response) => {
    response.writeHead(302, { location: elsewhere(`${feed.path}?away`) }).end();
  });
};

test("a feed's own words are used at the site's host", async () => {
  const watched = await watchedFeed();
  expect(await textsSent(watched, () => {})).toMatchObject({ ...own(watched.feed.feedId), bare: ["no_date"] });
});

test("a feed's own words are not used if a redirect leads to another host", async () => {
  const watched = await watchedFeed();
  expect(await textsSent(watched, () => serveAway(watched))).toMatchObject({ ...none, bare: ["no_title"] });
});

test("a feed's own words are used from another host that an owner has allowed", async () => {
  const watched = await watchedFeed({ allowedHosts: ["127.0.0.1"] });
  expect(await textsSent(watched, () => serveAway(watched))).toMatchObject({
    ...own(watched.feed.feedId),
    bare: ["no_date"],
  });
});

test("a feed's own words are not used if it was at another host when it brought them", async () => {
  const { app } = fixture;
  const watched = await watchedFeed();
  const { publisher, feed } = watched;
  await changeTenant(app, publisher.actor, { confirmAbove: null, paused: true });
  serveAway(watched);
  await feed.poll();
  await changeFeed(app, publisher.actor, {
    feedId: feed.feedId,
    change: { url: `${fixture.server.origin}${feed.path}?own` },
  });
  await changeTenant(app, publisher.actor, { confirmAbove: 1, paused: false });
  fixture.server.serve(`${feed.path}?own`, rss([]));
  expect(await textsSent(watched, () => {})).toMatchObject({ ...none, bare: ["no_title"] });
});

test("a feed at another host tries its titles only after an owner has allowed the host", async () => {
  const { app } = fixture;
  const { publisher, feed } = await watchedFeed();
  const { actor, siteId } = publisher;
  const refused = {
    details: { errors: [{ path: "/testHeadlines", message: expect.stringContaining("an owner has allowed") }] },
  };
  const input = { siteId, url: elsewhere("/other.xml"), testHeadlines: true, allowedHosts: [] };
  await expect(addFeed(app, actor, input)).rejects.toMatchObject(refused);
  const change = (change: unknown) => changeFeed(app, actor, { feedId: feed.feedId, change });
  await expect(change({ url: elsewhere(feed.path) })).rejects.toMatchObject(refused);
  await change({ url: elsewhere(feed.path), allowedHosts: ["127.0.0.1"] });
  await expect(change({ allowedHosts: [] })).rejects.toMatchObject(refused);
  await change({ allowedHosts: [], testHeadlines: false });
  await expect(change({ testHeadlines: true })).rejects.toMatchObject(refused);
  await changeTenant(app, actor, { confirmAbove: null });
  expect(await change({ testHeadlines: true })).toMatchObject({ testHeadlines: true, allowedHosts: [] });
});
