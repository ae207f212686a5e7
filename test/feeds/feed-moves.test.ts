import { sql } from "kysely";
import { beforeAll, describe, expect, test } from "vitest";
import { createMailer } from "../../src/egress/smtp.ts";
import { changeFeed } from "../../src/feeds/change-feeds.ts";
import { itemWork } from "../../src/feeds/items/send-due-items.ts";
import { sendDueEmails } from "../../src/mail/email-poller.ts";
import { changeTenant } from "../../src/tenants/tenants.ts";
import { type FeedAnswer, type FeedServer, rss, startFeedServer } from "../fixtures/feed-server.ts";
import { startMailServer } from "../fixtures/mail-server.ts";
import { createPublisher } from "../fixtures/publisher.ts";
import { ownerEmail } from "../fixtures/sign-in.ts";
import { type FeedFixture, openFeedFixture, story } from "./fixture.ts";

const mail = await startMailServer();
let fixture: FeedFixture;
let elsewhere: FeedServer;

beforeAll(async () => {
  fixture = await openFeedFixture({
    ALLOW_HOSTS: "localhost",
    SMTP_URL: `smtp://127.0.0.1:${mail.port}`,
    MAIL_FROM: "push@example.org",
    PUBLIC_URL: "https://push.example.org",
  });
  elsewhere = await startFeedServer();
});

const to =
  (status: number, location: string): FeedAnswer =>
  (_request, response) =>
    void response.writeHead(status, { location }).end();
const eventsOf = async (feedId: string) =>
  (
    await sql<{ actor: string; details: unknown }>`select actor, details from audit_events
      where subject_id = ${feedId} and event = 'feed.changed' order by id`.execute(fixture.app.db)
  ).rows;

describe("a feed whose server redirects it", () => {
  test.each([301, 308])("with %i is polled at its new address from then on, and keeps its items", async (status) => {
    const publisher = await fixture.anotherPublisher();
    const feed = await fixture.feedWith(publisher, [story(fixture, `known-${status}`)]);
    const path = `/moved-${status}.xml`;
    const url = fixture.server.origin + path;
    fixture.server.serve(feed.path, to(status, path));
    fixture.server.serve(path, rss([story(fixture, `known-${status}`), story(fixture, `news-${status}`)]));
    fixture.server.publish(`/stories/news-${status}`);
    expect(await feed.pollAndSend()).toMatchObject([{ status: "sent", title: `The story of news-${status}` }]);
    expect(await feed.view()).toMatchObject({ url, enabled: true });
    const asked = fixture.server.asked(feed.path).length;
    expect((await feed.poll()).lastPoll).toMatchObject({ outcome: "unchanged" });
    expect(fixture.server.asked(feed.path)).toHaveLength(asked);
    const before = fixture.server.origin + feed.path;
    expect(await eventsOf(feed.feedId)).toEqual([
      { actor: `feed:${feed.feedId}`, details: { url: before, change: { url } } },
    ]);
  });

  test("for the time being, or to what is no feed, keeps its address", async () => {
    const feed = await fixture.feedWith(fixture.publisher, []);
    const url = fixture.server.origin + feed.path;
    fixture.server.serve(feed.path, to(302, "/for-now.xml"));
    fixture.server.serve("/for-now.xml", rss([]));
    expect(await feed.poll()).toMatchObject({ url, lastPoll: { outcome: "read" } });
    fixture.server.serve(feed.path, to(301, "/page"));
    fixture.server.publish("/page");
    expect(await feed.poll()).toMatchObject({ url, lastPoll: { outcome: "failed", code: "not_a_feed" } });
  });

  test("to the address of another feed of the site keeps its own", async () => {
    const [feed, other] = [
      await fixture.feedWith(fixture.publisher, []),
      await fixture.feedWith(fixture.publisher, []),
    ];
    fixture.server.serve(feed.path, to(301, other.path));
    const { url, lastPoll } = await feed.poll();
    expect([url, lastPoll?.outcome]).toEqual([fixture.server.origin + feed.path, "read"]);
  });

  test("to another host keeps its address, unless its items may lead there", async () => {
    const publisher = await createPublisher(fixture.app, { siteUrl: "https://herald.example" });
    const feed = await fixture.feedWith(publisher, [], { allowedHosts: [] });
    fixture.server.serve(feed.path, to(301, `${elsewhere.origin}/all.xml`));
    elsewhere.serve("/all.xml", rss([]));
    const kept = { url: fixture.server.origin + feed.path, lastPoll: { outcome: "read" }, allowedHosts: [] };
    expect(await feed.poll()).toMatchObject(kept);
    expect((await feed.poll()).url).toBe(kept.url);
    const allowed = { allowedHosts: ["localhost"] };
    await changeFeed(fixture.app, publisher.actor, { feedId: feed.feedId, change: allowed });
    expect(await feed.poll()).toMatchObject({ url: `${elsewhere.origin}/all.xml`, ...allowed });
  });
});

describe("a feed whose server answers 410", () => {
  test("is switched off with what waits of it, and the owners get one e-mail", async () => {
    const publisher = await fixture.anotherPublisher();
    const feed = await fixture.feedWith(publisher, []);
    await changeTenant(fixture.app, publisher.actor, { paused: true });
    feed.put([story(fixture, "waiting-of-gone")]);
    expect(await feed.pollAndSend()).toMatchObject([{ status: "waiting" }]);
    fixture.server.serve(feed.path, (_request, response) => void response.writeHead(410).end());
    expect(await feed.poll()).toMatchObject({
      enabled: false,
      nextPollAt: null,
      lastPoll: { outcome: "failed", code: "gone" },
    });
    await itemWork(fixture.app).untilIdle();
    expect(await feed.items()).toMatchObject([{ status: "skipped", reasons: [{ code: "feed_off" }] }]);
    const asked = fixture.server.asked(feed.path).length;
    await feed.poll();
    expect(fixture.server.asked(feed.path)).toHaveLength(asked);
    expect(await eventsOf(feed.feedId)).toMatchObject([{ actor: `feed:${feed.feedId}`, details: { status: 410 } }]);
    await sendDueEmails(fixture.app, createMailer(fixture.app.config.SMTP_URL!, fixture.app.config.MAIL_FROM!));
    const emails = mail.emails.filter((email) => email.to.includes(ownerEmail(publisher.tenantId)));
    expect(emails).toHaveLength(1);
    expect(emails[0]!.subject).toBe("A feed is gone, and was switched off");
    expect(emails[0]!.text).toContain(fixture.server.origin + feed.path);
    expect(emails[0]!.text).toContain(`https://push.example.org/sites/${publisher.siteId}/feeds/${feed.feedId}`);
  });

  test("at the end of a redirect for the time being only fails", async () => {
    const feed = await fixture.feedWith(fixture.publisher, []);
    fixture.server.serve(feed.path, to(302, "/gone-for-now.xml"));
    fixture.server.serve("/gone-for-now.xml", (_request, response) => void response.writeHead(410).end());
    expect(await feed.poll()).toMatchObject({ enabled: true, lastPoll: { outcome: "failed", code: "http_status" } });
  });
});
