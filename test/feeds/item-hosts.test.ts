import { beforeAll, describe, expect, test } from "vitest";
import { changeFeed } from "../../src/feeds/change-feeds.ts";
import { leadsTo } from "../../src/feeds/web-address.ts";
import type { FeedItem } from "../fixtures/feed-server.ts";
import { countRuns, type FeedFixture, openFeedFixture, story } from "./fixture.ts";

let fixture: FeedFixture;

beforeAll(async () => {
  // An entry without a port allows every port of this machine.
  fixture = await openFeedFixture({ ALLOW_HOSTS: "localhost,127.0.0.1" });
});

/** Returns an address of the feed server with another name of this machine. */
const elsewhere = (path: string) => `https://127.0.0.1:${new URL(fixture.server.origin).port}${path}`;
const foreign: FeedItem = { link: "https://evil.example/win", guid: "evil", title: "Win a car" };

test.each([false, true])(
  "an item that leads to another host is not sent, with a cure; with the override %j",
  async (override) => {
    const publisher = await fixture.anotherPublisher();
    const feed = await fixture.feedWith(publisher, [], { override });
    feed.put([foreign, story(fixture, `own-${override}`)]);
    const [own, led] = (await feed.pollAndSend()).toSorted((a, b) => a.status.localeCompare(b.status));
    expect(own).toMatchObject({ status: "sent" });
    expect(led).toMatchObject({ status: "skipped", campaignId: null, reasons: [{ code: "foreign_host" }] });
    const { message } = led!.reasons[0]!;
    expect(message).toContain("evil.example, which is neither of this site (localhost) nor allowed");
    expect(message).toContain("An owner can allow it");
    expect(await countRuns(fixture.app, publisher.siteId)).toBe(1);
  },
);

describe.each([false, true])("an item of the site's own host, with the override %j, is not sent", (override) => {
  test.each([
    ["another host", () => elsewhere("/stories/landing")],
    ["another host that answers with an error", () => elsewhere("/nothing")],
  ])("if it is redirected to %s", async (_, target) => {
    const publisher = await fixture.anotherPublisher();
    const feed = await fixture.feedWith(publisher, [], { override });
    fixture.server.publish("/stories/landing", "Win a car");
    const from = fixture.server.publish(`/go?${publisher.siteId}`);
    feed.put([{ link: from, guid: "go", title: "Go" }]);
    fixture.server.serve(`/go?${publisher.siteId}`, (_request, response) => {
      response.writeHead(302, { location: target() }).end();
    });
    expect(await feed.pollAndSend()).toMatchObject([{ status: "skipped", reasons: [{ code: "foreign_host" }] }]);
    expect(await countRuns(fixture.app, publisher.siteId)).toBe(0);
  });
});

test("an item that leads to a host which an owner has allowed is checked and sent like others", async () => {
  const publisher = await fixture.anotherPublisher();
  const feed = await fixture.feedWith(publisher, []);
  await changeFeed(fixture.app, publisher.actor, { feedId: feed.feedId, change: { allowedHosts: ["127.0.0.1"] } });
  feed.put([story(fixture, "allowed", { link: elsewhere("/stories/allowed") })]);
  expect(await feed.pollAndSend()).toMatchObject([{ status: "sent", url: elsewhere("/stories/allowed") }]);
});

describe("an address leads to a host", () => {
  test.each([
    ["https://news.example/a", true],
    ["https://www.news.example/a", true],
    ["https://SPORT.News.Example:8443/a", true],
    ["https://news.example.evil.example/", false],
    ["https://evilnews.example/", false],
    ["https://news.example@evil.example/", false],
    ["https://evil.example/?https://news.example/", false],
    ["https://evil.example\\.news.example/", false],
    ["nonsense", false],
  ])("of the site news.example: %s %j", (address, isOwn) => {
    expect(leadsTo(address, ["news.example"])).toBe(isOwn);
  });
});
