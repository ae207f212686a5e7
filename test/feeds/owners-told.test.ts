import { beforeAll, describe, expect, test, vi } from "vitest";
import { createMailer } from "../../src/egress/smtp.ts";
import { changeFeed } from "../../src/feeds/change-feeds.ts";
import { areTooMany } from "../../src/feeds/items/many-items.ts";
import { sendDueEmails } from "../../src/mail/email-poller.ts";
import { rss } from "../fixtures/feed-server.ts";
import { startMailServer } from "../fixtures/mail-server.ts";
import { ago, present } from "../fixtures/rows/change.ts";
import { changeFeeds } from "../fixtures/rows/feeds.ts";
import { countRuns, type FeedFixture, openFeedFixture, story } from "./fixture.ts";

const mail = await startMailServer();
let fixture: FeedFixture;

beforeAll(async () => {
  fixture = await openFeedFixture({
    SMTP_URL: `smtp://127.0.0.1:${mail.port}`,
    MAIL_FROM: "push@example.org",
    PUBLIC_URL: "https://push.example.org",
  });
});

/** Sends the e-mails that are due. Returns the texts of all e-mails so far that name this feed. */
async function emailsOf(feedId: string): Promise<string[]> {
  await sendDueEmails(fixture.app, createMailer(fixture.app.config.SMTP_URL!, fixture.app.config.MAIL_FROM!));
  return mail.emails.map(({ text }) => text).filter((text) => text.includes(`/feeds/${feedId}`));
}

const minuteMs = 60_000;
const stories = (from: number, to: number, date?: string) =>
  Array.from({ length: to - from }, (_, n) => story(fixture, `told-${from + n}`, date === undefined ? {} : { date }));

describe("very many new items", () => {
  test("are asked about by one e-mail to the owners and one log line, with the page to answer", async () => {
    const publisher = await fixture.anotherPublisher();
    const feed = await fixture.feedWith(publisher, stories(0, 3));
    const warn = vi.spyOn(fixture.app.log, "warn");
    feed.put(stories(100, 160));
    await feed.pollAndSend();
    feed.put(stories(200, 230));
    await feed.pollAndSend();
    const emails = await emailsOf(feed.feedId);
    expect(emails).toHaveLength(1);
    expect(warn.mock.calls).toEqual([
      [{ feedId: feed.feedId, items: 60 }, expect.stringContaining("very many new items")],
    ]);
    expect(emails[0]).toContain("60 new items of the feed The Herald");
    expect(emails[0]).toContain(`https://push.example.org/sites/${publisher.siteId}/feeds/${feed.feedId}`);
    await changeFeed(fixture.app, publisher.actor, { feedId: feed.feedId, change: { newItems: "skip" } });
    feed.put(stories(300, 360));
    await feed.pollAndSend();
    expect(await emailsOf(feed.feedId)).toHaveLength(2);
  });

  test("are twelve that replace a feed, though one is of another feed or of the last poll", async () => {
    const publisher = await fixture.anotherPublisher();
    await fixture.feedWith(publisher, stories(500, 501));
    const feed = await fixture.feedWith(publisher, stories(400, 412));
    feed.put([...stories(420, 432), ...stories(500, 501), ...stories(400, 401)]);
    await feed.pollAndSend();
    expect((await feed.view()).question).toMatchObject({ items: 12 });
  });

  test("are not ten that were written within the hour since the last poll that succeeded", async () => {
    const publisher = await fixture.anotherPublisher();
    const feed = await fixture.feedWith(publisher, stories(600, 610));
    const hourAgo = () => changeFeeds(fixture.app, { id: feed.feedId }, { workedAt: ago("1 hour"), polledAt: present });
    await hourAgo();
    feed.put(stories(620, 630, new Date(Date.now() - 30 * minuteMs).toUTCString()));
    await feed.pollAndSend();
    expect((await feed.view()).question).toBeNull();
    expect(await countRuns(fixture.app, publisher.siteId)).toBe(10);
    await hourAgo();
    feed.put(stories(640, 650, new Date(Date.now() - 120 * minuteMs).toUTCString()));
    await feed.pollAndSend();
    expect((await feed.view()).question).toMatchObject({ items: 10 });
  });

  test("are not ten of many that a feed holds, at the first poll after an update of Pressbell", async () => {
    const feed = await fixture.feedWith(await fixture.anotherPublisher(), stories(700, 720));
    await changeFeeds(fixture.app, { id: feed.feedId }, { listedKeys: null });
    feed.put([...stories(730, 740), ...stories(700, 720)]);
    await feed.pollAndSend();
    expect((await feed.view()).question).toBeNull();
  });
});

describe("too many new items", () => {
  const nowMs = Date.UTC(2026, 10, 22);
  const dated = (count: number, minutesAgo: number | null) =>
    Array.from({ length: count }, () => ({ publishedMs: minutesAgo === null ? null : nowMs - minutesAgo * minuteMs }));
  const poll = (kept: number, gapMinutes: number | null) => ({
    kept,
    nowMs,
    sinceMs: gapMinutes === null ? null : nowMs - gapMinutes * minuteMs,
  });
  test.each([
    ["51 of any age", true, dated(51, 1), poll(500, 60)],
    ["50 beside as many as before", false, dated(50, null), poll(50, 1)],
    ["9 that replace all", false, dated(9, null), poll(0, 1)],
    ["10 that replace all", true, dated(10, null), poll(0, 60)],
    ["10 that replace all, for the first time", true, dated(10, 5), poll(0, null)],
    ["10 that a hub pushes", false, dated(10, null), null],
    ["20 beside 2 of before", true, dated(20, null), poll(2, 60)],
    ["20 beside 3 of before", false, dated(20, null), poll(3, 60)],
    ["10 of the last hour", false, dated(10, 59), poll(0, 60)],
    ["10 that came into the feed some minutes late", false, dated(10, 69), poll(0, 60)],
    ["10 that are older than the gap", true, dated(10, 71), poll(0, 60)],
    ["10 dated in the future", true, dated(10, -30), poll(0, 60)],
    ["10 of the last half minute", true, dated(10, 0), poll(0, 0.5)],
    ["20, one of them old", false, [...dated(19, 30), ...dated(1, 999)], poll(0, 60)],
    ["20, three of them old", true, [...dated(17, 30), ...dated(3, 999)], poll(0, 60)],
  ])("are %s: %j", (_, expected, fresh, brought) => {
    expect(areTooMany(fresh, brought)).toBe(expected);
  });
});

describe("a feed that fails", () => {
  test("for a day is told to the owners once, and again only after it has worked", async () => {
    const feed = await fixture.feedWith(fixture.publisher, []);
    const fail = () => fixture.server.serve(feed.path, (_request, response) => void response.writeHead(503).end());
    const dayLater = () => changeFeeds(fixture.app, { id: feed.feedId }, { failingEarlier: "1 day" });
    fail();
    await feed.poll();
    expect(await emailsOf(feed.feedId)).toEqual([]);
    await dayLater();
    await feed.poll();
    await feed.poll();
    const emails = await emailsOf(feed.feedId);
    expect(emails).toHaveLength(1);
    expect(emails[0]).toContain("The feed The Herald could not be read for a day");
    expect(emails[0]).toContain("HTTP status 503");
    fixture.server.serve(feed.path, rss([]));
    await feed.poll();
    fail();
    await feed.poll();
    expect(await emailsOf(feed.feedId)).toHaveLength(1);
    await dayLater();
    await feed.poll();
    expect(await emailsOf(feed.feedId)).toHaveLength(2);
  });

  test("is not told about for the time before it was switched off and on again", async () => {
    const { actor } = fixture.publisher;
    const feed = await fixture.feedWith(fixture.publisher, []);
    fixture.server.serve(feed.path, (_request, response) => void response.writeHead(503).end());
    await feed.poll();
    await changeFeeds(fixture.app, { id: feed.feedId }, { failingEarlier: "30 days" });
    for (const enabled of [false, true])
      await changeFeed(fixture.app, actor, { feedId: feed.feedId, change: { enabled } });
    await feed.poll();
    expect(await emailsOf(feed.feedId)).toEqual([]);
  });
});
