import { createHmac } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { addFeed } from "../../src/feeds/change-feeds.ts";
import type { FeedView } from "../../src/feeds/feed.ts";
import { readFeed } from "../../src/feeds/read-feeds.ts";
import { type NewspaperDay, openNewspaperDay, readers } from "../feeds/newspaper-day.ts";
import { eventually } from "../fixtures/eventually.ts";
import { type FeedItem, rss } from "../fixtures/feed-server.ts";
import { freePort } from "../fixtures/free-port.ts";
import { scaleByLoad } from "../fixtures/machine-load.ts";
import { startService } from "../fixtures/service-process.ts";

/** The way from a newspaper's new item to its readers, with a real process and a real clock. */
let day: NewspaperDay;
let url: string;

beforeAll(async () => {
  day = await openNewspaperDay();
  const port = await freePort();
  const PUBLIC_URL = `http://127.0.0.1:${port}`;
  ({ url } = await startService("start", { ...day.settings, PORT: String(port), PUBLIC_URL }));
});

async function addEmptyFeed(path: string, channel = ""): Promise<string> {
  day.server.serve(path, rss([], channel));
  const { actor, siteId } = day.publisher;
  return (await addFeed(day.app, actor, { siteId, url: day.server.origin + path })).feedId;
}

async function feedThat(feedId: string, isSo: (feed: FeedView) => boolean): Promise<FeedView> {
  return eventually(async () => {
    const { feed } = await readFeed(day.app, day.publisher.actor, { feedId });
    return isSo(feed) && feed;
  }, 30_000);
}

function publish(name: string): FeedItem {
  day.server.publish(`/stories/${name}`, `About ${name}`);
  return { link: `${day.server.origin}/stories/${name}`, guid: name, title: `About ${name}` };
}

/** Resolves when every reader has the item. Returns the seconds since `startedMs`. */
async function secondsToReaders(startedMs: number): Promise<number> {
  await eventually(async () => day.pushService.stats().accepted >= readers, 70_000);
  return (performance.now() - startedMs) / 1_000;
}

test("an item that a newspaper publishes reaches each subscriber once, within 60 s", async () => {
  const feedId = await addEmptyFeed("/polled.xml");
  await feedThat(feedId, ({ lastPoll }) => lastPoll?.outcome === "read");
  day.pushService.reset();
  const startedMs = performance.now();
  day.server.serve("/polled.xml", rss([publish("polled")]));
  expect(await secondsToReaders(startedMs)).toBeLessThan(60);
  await feedThat(feedId, ({ items }) => items.sent === 1);
  expect(day.pushService.stats()).toMatchObject({
    accepted: readers,
    distinctSubscriptionsAccepted: readers,
    repeated: 0,
  });
  const [sample] = day.pushService.sample(1) as { payload: { notification: Record<string, string> } }[];
  expect(sample!.payload.notification.title).toBe("About polled");
});

test("an item announced by a hub reaches each subscriber once, within 5 s", async () => {
  const topic = `${day.server.origin}/pushed.xml`;
  const hub = `<atom:link rel="hub" href="${day.server.origin}/hub"/><atom:link rel="self" href="${topic}"/>`;
  let asked = new URLSearchParams();
  day.server.serve("/hub", async (_request, response) => {
    response.writeHead(202).end();
    asked = new URLSearchParams(day.server.asked("/hub").at(-1)!.body);
    const query = { "hub.mode": "subscribe", "hub.topic": topic, "hub.challenge": "c", "hub.lease_seconds": "864000" };
    await fetch(`${asked.get("hub.callback")}?${new URLSearchParams(query)}`);
  });
  const feedId = await addEmptyFeed("/pushed.xml", hub);
  await feedThat(feedId, ({ push }) => push?.state === "active");
  expect(asked.get("hub.callback")).toBe(`${url}/websub/${feedId}`);
  day.pushService.reset();
  const body = rss([publish("pushed")], hub);
  const startedMs = performance.now();
  const signature = `sha256=${createHmac("sha256", asked.get("hub.secret")!).update(body).digest("hex")}`;
  const headers = { "content-type": "application/rss+xml", "x-hub-signature": signature };
  await fetch(asked.get("hub.callback")!, { method: "POST", headers, body });
  expect(await secondsToReaders(startedMs)).toBeLessThan(scaleByLoad(5_000) / 1_000);
  await feedThat(feedId, ({ items }) => items.sent === 1);
  expect(day.pushService.stats()).toMatchObject({
    accepted: readers,
    distinctSubscriptionsAccepted: readers,
    repeated: 0,
  });
});
