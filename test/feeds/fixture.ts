import { sql } from "kysely";
import type { App } from "../../src/app.ts";
import { addFeed } from "../../src/feeds/change-feeds.ts";
import type { FeedView } from "../../src/feeds/feed.ts";
import type { ItemView } from "../../src/feeds/items/item.ts";
import { itemWork } from "../../src/feeds/items/send-due-items.ts";
import { pollWork } from "../../src/feeds/poll/feed-poller.ts";
import { readFeed } from "../../src/feeds/read-feeds.ts";
import { openTestApp } from "../fixtures/app.ts";
import { type FeedItem, type FeedServer, rss, startFeedServer } from "../fixtures/feed-server.ts";
import { createPublisher, createSubscriptions, type Publisher, subscribe } from "../fixtures/publisher.ts";
import { ago, present } from "../fixtures/rows/change.ts";
import { changeFeeds, changeItems } from "../fixtures/rows/feeds.ts";

/** A publisher, a feed server, and short functions for feeds. Polls and sends happen only if a test calls for them. */
export type FeedFixture = {
  app: App;
  server: FeedServer;
  publisher: Publisher;
  /** Creates another publisher with two subscribers, so that the sends of one test do not count in another. */
  anotherPublisher(): Promise<Publisher>;
  /** Adds a feed of `publisher` at a new path, and polls it once with `items`. These items become seen. */
  feedWith(publisher: Publisher, items: FeedItem[], settings?: Record<string, unknown>): Promise<TestFeed>;
};

export type TestFeed = {
  feedId: string;
  path: string;
  /** Serves the feed with these items. Also serves a page for each item whose link is under /stories/. */
  put(items: FeedItem[]): void;
  /** Makes the feed due, and polls all due feeds. */
  poll(): Promise<FeedView>;
  /** Polls the feed, then checks and sends all due items of all sites. */
  pollAndSend(): Promise<ItemView[]>;
  view(): Promise<FeedView>;
  /** Returns the feed's items except the seen ones, newest first. */
  items(): Promise<ItemView[]>;
};

let feedCount = 0;

export async function openFeedFixture(settings: Record<string, string> = {}): Promise<FeedFixture> {
  const server = await startFeedServer();
  const app = await openTestApp({ ALLOW_HOSTS: server.allowHost, ...settings });
  const fixture: FeedFixture = {
    app,
    server,
    publisher: await createPublisherWithReaders(app, server),
    anotherPublisher: () => createPublisherWithReaders(app, server),
    async feedWith(publisher, items, settings = {}) {
      feedCount += 1;
      const path = `/feed-${feedCount}.xml`;
      server.serve(path, rss(items));
      const input = {
        siteId: publisher.siteId,
        url: server.origin + path,
        hourlyLimit: 100,
        dailyLimit: 1_000,
        ...settings,
      };
      const { feedId } = await addFeed(app, publisher.actor, input);
      const feed = openTestFeed(fixture, publisher, feedId, path);
      feed.put(items);
      await feed.poll();
      return feed;
    },
  };
  return fixture;
}

/** Creates a publisher whose site is that of the feed server and has two subscribers. */
async function createPublisherWithReaders(app: App, server: FeedServer): Promise<Publisher> {
  const publisher = await createPublisher(app, { siteUrl: server.origin });
  await subscribe(app, publisher.siteId, createSubscriptions(2));
  return publisher;
}

export function openTestFeed(fixture: FeedFixture, { actor }: Publisher, feedId: string, path: string): TestFeed {
  const { app, server } = fixture;
  const read = () => readFeed(app, actor, { feedId, page: { limit: 100 } });
  const feed: TestFeed = {
    feedId,
    path,
    put(items) {
      for (const { link, title } of items) {
        const page = link === undefined ? null : URL.parse(link, server.origin);
        if (page?.pathname.startsWith("/stories/")) server.publish(page.pathname, title);
      }
      server.serve(path, rss(items));
    },
    async poll() {
      await makePollDue(app, feedId);
      await pollWork(app).untilIdle();
      return (await read()).feed;
    },
    async pollAndSend() {
      await feed.poll();
      await itemWork(app).untilIdle();
      return feed.items();
    },
    view: async () => (await read()).feed,
    items: async () => (await read()).items.filter(({ status }) => status !== "seen"),
  };
  return feed;
}

/** Makes the next poll of a feed due. */
export async function makePollDue(app: App, feedId: string): Promise<void> {
  await changeFeeds(app, { id: feedId }, { nextPollAt: ago("1 millisecond") });
}

/** Makes all waiting items due. */
export async function makeItemsDue(app: App): Promise<void> {
  await changeItems(app, { status: "waiting" }, { dueAt: present });
}

/** Returns an item of a feed that links to a story of the feed server. */
export function story(fixture: Pick<FeedFixture, "server">, name: string, more: FeedItem = {}): FeedItem {
  return {
    link: `${fixture.server.origin}/stories/${name}`,
    guid: `id of ${name}`,
    title: `The story of ${name}`,
    ...more,
  };
}

/** Returns the number of live runs of a site. */
export async function countRuns(app: App, siteId: string): Promise<number> {
  const counted = await sql<{
    n: number;
  }>`select count(*) as n from runs where site_id = ${siteId} and kind = 'live'`.execute(app.db);
  return counted.rows[0]!.n;
}
