import { type AddressInfo, createServer } from "node:net";
import { beforeAll, describe, expect, test } from "vitest";
import { addFeed, changeFeed, deleteFeed } from "../../src/feeds/change-feeds.ts";
import { discoverFeeds } from "../../src/feeds/poll/discover-feeds.ts";
import { tryFeed } from "../../src/feeds/poll/try-feed.ts";
import { listFeeds, readFeed } from "../../src/feeds/read-feeds.ts";
import { addTopic } from "../../src/tenants/topics/topics.ts";
import { createPatientFetcher } from "../fixtures/app.ts";
import { afterFile } from "../fixtures/cleanup.ts";
import { answerWith, rss, startFeedServer } from "../fixtures/feed-server.ts";
import { type FeedFixture, openFeedFixture, story } from "./fixture.ts";

let fixture: FeedFixture;

beforeAll(async () => {
  fixture = await openFeedFixture();
});

const anyId = "01890000-0000-7000-8000-000000000000";
// biome-ignore lint/suspicious/noExplicitAny: tests assert on the shape of each error
const errorOf = (work: Promise<unknown>): Promise<any> => work.catch(({ code, details }) => ({ code, ...details }));

describe("a feed that is added", () => {
  test("has low limits, no override, and is due at once", async () => {
    const { actor, siteId } = fixture.publisher;
    const feed = await addFeed(fixture.app, actor, { siteId, url: `${fixture.server.origin}/plain.xml` });
    expect(feed).toMatchObject({
      siteId,
      enabled: true,
      override: false,
      topics: [],
      unmatched: "skip",
      hourlyLimit: 3,
      dailyLimit: 10,
      lastPoll: null,
      push: null,
      question: null,
      warnings: [],
      title: null,
    });
    expect(Date.parse(feed.nextPollAt!)).toBeLessThanOrEqual(Date.now());
    expect(await listFeeds(fixture.app, actor, { siteId })).toContainEqual(feed);
  });

  test("with a wrong address, limits, topics or fields is refused with all faults at once", async () => {
    const { actor, siteId } = fixture.publisher;
    const wrong = {
      siteId,
      url: "http://herald.example/rss",
      hourlyLimit: 0,
      dailyLimit: 1.5,
      override: "yes",
      forceSend: true,
    };
    const shape = await errorOf(addFeed(fixture.app, actor, wrong));
    expect(shape.errors.map(({ path }: { path: string }) => path).toSorted()).toEqual([
      "/dailyLimit",
      "/forceSend",
      "/hourlyLimit",
      "/override",
    ]);
    const topics = [{ category: "Sport", topicId: anyId }];
    const rules = await errorOf(addFeed(fixture.app, actor, { siteId, url: "https://127.0.0.1/rss", topics }));
    expect(rules).toMatchObject({
      code: "validation_failed",
      errors: [{ path: "/url" }, { path: "/topics/0/topicId" }],
    });
  });

  test("twice at one site, at another tenant's site or beyond the 50th is refused", async () => {
    const { actor, siteId } = await fixture.anotherPublisher();
    const other = await fixture.anotherPublisher();
    const add = (n: number, site = siteId) =>
      addFeed(fixture.app, actor, { siteId: site, url: `${fixture.server.origin}/many-${n}.xml` });
    await add(0);
    expect(await errorOf(add(0))).toMatchObject({ code: "validation_failed", errors: [{ path: "/url" }] });
    expect(await errorOf(add(1, other.siteId))).toMatchObject({ errors: [{ path: "/siteId" }] });
    for (let n = 1; n < 50; n++) await add(n);
    expect(await errorOf(add(50))).toMatchObject({ code: "feed_limit" });
  });
});

describe("another tenant's feed", () => {
  test("is not found: it cannot be read, changed, deleted or listed", async () => {
    const feed = await fixture.feedWith(fixture.publisher, []);
    const stranger = await fixture.anotherPublisher();
    for (const feedId of [feed.feedId, anyId, "nonsense"]) {
      expect(await errorOf(readFeed(fixture.app, stranger.actor, { feedId }))).toMatchObject({ code: "not_found" });
      expect(
        await errorOf(changeFeed(fixture.app, stranger.actor, { feedId, change: { override: true } })),
      ).toMatchObject({ code: "not_found" });
      expect(await errorOf(deleteFeed(fixture.app, stranger.actor, { feedId }))).toMatchObject({ code: "not_found" });
    }
    expect(await errorOf(listFeeds(fixture.app, stranger.actor, { siteId: fixture.publisher.siteId }))).toMatchObject({
      code: "not_found",
    });
    expect(await listFeeds(fixture.app, stranger.actor, {})).toEqual([]);
    expect((await feed.view()).override).toBe(false);
  });
});

describe("a change of a feed", () => {
  test("changes the fields that it names, leaves the rest, and warns of the override", async () => {
    const { actor, siteId, tenantId } = fixture.publisher;
    const { feedId } = await fixture.feedWith(fixture.publisher, [], { hourlyLimit: 4 });
    const { topicId } = await addTopic(fixture.app, { kind: "operator", tenantId }, { siteId, name: "Rowing" });
    const topics = [{ category: "Rowing", topicId }];
    const changed = await changeFeed(fixture.app, actor, { feedId, change: { override: true, topics, dailyLimit: 7 } });
    expect(changed).toMatchObject({
      override: true,
      topics,
      hourlyLimit: 4,
      dailyLimit: 7,
      warnings: [{ code: "override_on" }],
    });
    expect(await changeFeed(fixture.app, actor, { feedId, change: { topics: [], override: false } })).toMatchObject({
      topics: [],
      dailyLimit: 7,
      warnings: [],
    });
  });

  test("to the address of another feed of the site, or to one that is not fetched, is refused", async () => {
    const one = await fixture.feedWith(fixture.publisher, []);
    const two = await fixture.feedWith(fixture.publisher, []);
    const move = (url: string) =>
      errorOf(changeFeed(fixture.app, fixture.publisher.actor, { feedId: one.feedId, change: { url } }));
    for (const url of [`${fixture.server.origin}${two.path}`, "ftp://herald.example/", "https://10.0.0.1/"]) {
      expect(await move(url)).toMatchObject({ code: "validation_failed", errors: [{ path: "/url" }] });
    }
  });

  test("to off skips the items that wait, and the feed is not polled any more", async () => {
    const publisher = await fixture.anotherPublisher();
    const feed = await fixture.feedWith(publisher, []);
    feed.put([story(fixture, "unsent")]);
    await feed.poll();
    const off = await changeFeed(fixture.app, publisher.actor, { feedId: feed.feedId, change: { enabled: false } });
    expect(off).toMatchObject({ enabled: false, nextPollAt: null, items: { new: 0, skipped: 1 } });
    expect(await feed.pollAndSend()).toMatchObject([{ status: "skipped", reasons: [{ code: "feed_off" }] }]);
  });
});

test("a feed's items are listed in pages, the newest first, also by status", async () => {
  const publisher = await fixture.anotherPublisher();
  const feed = await fixture.feedWith(publisher, [story(fixture, "page-0")]);
  feed.put([1, 2, 3].map((n) => story(fixture, `page-${n}`)));
  await feed.pollAndSend();
  const read = (page: unknown) => readFeed(fixture.app, publisher.actor, { feedId: feed.feedId, page });
  const first = await read({ limit: 2 });
  const second = await read({ limit: 2, cursor: first.nextCursor });
  expect([...first.items, ...second.items].map(({ title }) => title)).toEqual(
    [3, 2, 1, 0].map((n) => `The story of page-${n}`),
  );
  expect(second.nextCursor).toBeNull();
  expect((await read({ status: "seen" })).items).toHaveLength(1);
  expect(await errorOf(read({ status: "lost", limit: 0 }))).toMatchObject({ code: "validation_failed" });
});

test("after a feed is deleted, another feed of the site does not send the stories that it had", async () => {
  const publisher = await fixture.anotherPublisher();
  const feed = await fixture.feedWith(publisher, [story(fixture, "r1")]);
  const other = await fixture.feedWith(publisher, []);
  await deleteFeed(fixture.app, publisher.actor, { feedId: feed.feedId });
  expect(await listFeeds(fixture.app, publisher.actor, {})).toHaveLength(1);
  other.put([story(fixture, "r1")]);
  expect(await other.pollAndSend()).toEqual([]);
});

describe("a trial of an address", () => {
  test("returns what a poll would read there, and stores nothing", async () => {
    const { actor, siteId } = await fixture.anotherPublisher();
    const items = Array.from({ length: 12 }, (_, n) => story(fixture, `try-${n}`, { categories: ["City", `C${n}`] }));
    fixture.server.serve("/try.xml", rss(items, "<ttl>5</ttl>"));
    const tried = await tryFeed(fixture.app, actor, { url: `${fixture.server.origin}/try.xml` });
    expect(tried).toMatchObject({
      isFeed: true,
      format: "rss",
      title: "The Herald",
      entryCount: 12,
      isCut: false,
      everySeconds: 300,
      hub: null,
    });
    expect(tried.isFeed && tried.entries).toHaveLength(10);
    expect(tried.isFeed && tried.categories).toContain("City");
    expect(await listFeeds(fixture.app, actor, { siteId })).toEqual([]);
  });

  test.for([
    ["/page.html", "not_a_feed"],
    ["/nothing.xml", "http_status"],
    ["http://localhost/", "url_not_allowed"],
    ["https://192.168.0.1/feed", "url_not_allowed"],
    ["https://nowhere.invalid/feed", "unreachable"],
  ] as const)("of %s says why it is no feed: %s", async ([address, code]) => {
    fixture.server.publish("/page.html");
    const url = address.startsWith("/") ? fixture.server.origin + address : address;
    expect(await tryFeed(fixture.app, fixture.publisher.actor, { url })).toMatchObject({
      isFeed: false,
      code,
      message: expect.any(String),
      messageCode: expect.stringMatching(/^(feed|url)_/),
      params: code === "http_status" ? { status: 404 } : {},
    });
  });
});

describe("the feeds of a site", () => {
  const discover = (path: string) =>
    discoverFeeds(fixture.app, fixture.publisher.actor, { url: fixture.server.origin + path });
  const html = { "content-type": "text/html" };

  test("are those that its home page links to, with their titles", async () => {
    const home = `<!doctype html><title>Herald</title><link rel="alternate" hreflang="fr" href="/fr">
      <link rel="alternate" type="application/rss+xml" title="News &amp; sport" href="/rss.xml">
      <link rel="alternate" type="application/atom+xml" href="https://feeds.herald.example/atom"><link rel="alternate" type="text/html" href="/amp">`;
    fixture.server.serve("/home", answerWith(home, html));
    expect(await discover("/home")).toEqual([
      { url: `${fixture.server.origin}/rss.xml`, title: "News & sport" },
      { url: "https://feeds.herald.example/atom", title: null },
    ]);
  });

  test("are the address itself if it is one, else the one at a usual path, else none", async () => {
    fixture.server.publish("/silent", "Silent");
    expect(await discover("/silent")).toEqual([]);
    fixture.server.serve("/feed.xml", rss([]));
    expect(await discover("/silent")).toEqual([{ url: `${fixture.server.origin}/feed.xml`, title: "The Herald" }]);
    expect(await discover("/feed.xml")).toEqual([{ url: `${fixture.server.origin}/feed.xml`, title: "The Herald" }]);
    expect(await discoverFeeds(fixture.app, fixture.publisher.actor, { url: "https://10.0.0.1/" })).toEqual([]);
  });

  test("are relative to the base of the page, and read by https where it says http", async () => {
    const home = `<!doctype html><base href="http://cdn.herald.example/news/"><base href="https://other.example/">
      <link rel="alternate" type="application/rss+xml" href="rss.xml">`;
    fixture.server.serve("/based", answerWith(home, html));
    expect(await discover("/based")).toEqual([{ url: "https://cdn.herald.example/news/rss.xml", title: null }]);
    const asked: string[] = [];
    const request: typeof fixture.app.pages.request = (url, options) => {
      asked.push(url);
      return fixture.app.pages.request(url, options);
    };
    const app = { ...fixture.app, pages: { ...fixture.app.pages, request } };
    await discoverFeeds(app, fixture.publisher.actor, { url: " http://nowhere.invalid/ " });
    expect(asked).toEqual(["https://nowhere.invalid/"]);
  });

  test("are else a news sitemap that robots.txt names", async () => {
    const server = await startFeedServer();
    const pages = createPatientFetcher([server.allowHost]);
    afterFile(() => pages.close());
    server.publish("/");
    const robots = "User-agent: *\r\nSitemap: https://localhost:1/all.xml\r\nsitemap: /maps/news.xml\r\n";
    server.serve("/robots.txt", robots, { "content-type": "text/plain" });
    server.serve("/maps/news.xml", '<urlset xmlns:news="http://www.google.com/schemas/sitemap-news/0.9"></urlset>');
    const input = { url: `${server.origin}/` };
    const found = await discoverFeeds({ ...fixture.app, pages }, fixture.publisher.actor, input);
    expect(found).toEqual([{ url: `${server.origin}/maps/news.xml`, title: null }]);
    server.serve("/robots.txt", (_request, response) => void response.writeHead(404).end());
    server.serve("/sitemap-news.xml", '<urlset xmlns:news="https://www.google.com/schemas/sitemap-news/0.9"></urlset>');
    const usual = await discoverFeeds({ ...fixture.app, pages }, fixture.publisher.actor, input);
    expect(usual).toEqual([{ url: `${server.origin}/sitemap-news.xml`, title: null }]);
  });

  test("are not searched at the usual paths if the server does not answer", async () => {
    let connections = 0;
    const mute = createServer((socket) => {
      connections += 1;
      socket.destroy();
    });
    await new Promise<void>((resolve) => mute.listen(0, "127.0.0.1", resolve));
    afterFile(() => void mute.close());
    const host = `127.0.0.1:${(mute.address() as AddressInfo).port}`;
    const pages = createPatientFetcher([host]);
    afterFile(() => pages.close());
    const { actor } = fixture.publisher;
    expect(await discoverFeeds({ ...fixture.app, pages }, actor, { url: `https://${host}/` })).toEqual([]);
    expect(connections).toBe(1);
  });
});
