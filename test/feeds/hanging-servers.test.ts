import { sql } from "kysely";
import { expect, test } from "vitest";
import { addFeed } from "../../src/feeds/change-feeds.ts";
import { startFeedPoller } from "../../src/feeds/poll/feed-poller.ts";
import { createSite } from "../../src/tenants/sites/sites.ts";
import { afterFile } from "../fixtures/cleanup.ts";
import { eventually } from "../fixtures/eventually.ts";
import { startFeedServer } from "../fixtures/feed-server.ts";
import { ago } from "../fixtures/rows/change.ts";
import { changeFeeds, insertNewItems } from "../fixtures/rows/feeds.ts";
import { makePollDue, openFeedFixture, story } from "./fixture.ts";

test("beside 40 feeds and 4 sites of a publisher that hang, another's story is sent", async () => {
  const hanging = await startFeedServer();
  const fixture = await openFeedFixture({ ALLOW_HOSTS: "localhost" });
  const { app } = fixture;
  const hung = await fixture.anotherPublisher();
  const sound = await fixture.anotherPublisher();
  const feed = await fixture.feedWith(sound, []);
  for (let n = 0; n < 40; n++) {
    hanging.serve(`/feed-${n}`, () => {});
    await addFeed(app, hung.actor, { siteId: hung.siteId, url: `${hanging.origin}/feed-${n}` });
  }
  const sites = [hung.siteId];
  for (let n = 1; n < 4; n++) {
    const site = { name: `Hanging ${n}`, url: `https://hanging-${n}.example` };
    sites.push((await createSite(app, hung.actor, app.db, site)).siteId);
  }
  for (const siteId of sites) {
    const url = `${hanging.origin}/of-${siteId}`;
    const { feedId } = await addFeed(app, hung.actor, { siteId, url });
    await changeFeeds(app, { id: feedId }, { isEnabled: false });
    await insertNewItems(app, { siteId, feedId }, 20, `${hanging.origin}/stories/`);
  }
  for (let n = 1; n <= 20; n++) hanging.serve(`/stories/${n}`, () => {});
  feed.put([story(fixture, "of-the-other")]);
  await makePollDue(app, feed.feedId);
  await changeFeeds(app, { tenantId: hung.tenantId }, { nextPollAt: ago("1 hour") });

  const poller = startFeedPoller(app);
  afterFile(() => poller.stop());
  await eventually(async () => (await feed.items())[0]?.status === "sent");
  const { rows } = await sql<{ waiting: number }>`select count(*) filter (where status <> 'new') as waiting
    from feed_items where title = 'Hangs'`.execute(app.db);
  expect(rows[0]!.waiting).toBeLessThan(20);
});
