import { gzipSync } from "node:zlib";
import { beforeAll, expect, test } from "vitest";
import { createPageFetcher } from "../../src/egress/page/fetch-page.ts";
import { pollWork } from "../../src/feeds/poll/feed-poller.ts";
import { afterFile } from "../fixtures/cleanup.ts";
import { eventually } from "../fixtures/eventually.ts";
import { answerWith, type FeedAnswer, rss } from "../fixtures/feed-server.ts";
import { countRuns, type FeedFixture, makePollDue, openFeedFixture, story } from "./fixture.ts";

let fixture: FeedFixture;

beforeAll(async () => {
  fixture = await openFeedFixture();
});

const bodyOf = (...names: string[]) => rss(names.map((name) => story(fixture, name)));
const drop: FeedAnswer = (request) => void request.socket.destroy();
const half: FeedAnswer = (request, response) => {
  response.writeHead(200, { "content-length": "5000", "content-type": "text/xml" });
  response.write(rss([]).slice(0, 60), () => request.socket.destroy());
};
const to =
  (location: string): FeedAnswer =>
  (_request, response) =>
    void response.writeHead(302, { location }).end();
const htmlPage = answerWith("<!doctype html><title>Maintenance</title>", { "content-type": "text/html" });

test.for([
  ["is not found", (_request, response) => void response.writeHead(404).end(), "http_status"],
  ["answers with a page", htmlPage, "not_a_feed"],
  ["closes the connection", drop, "bad_answer"],
  ["breaks off half-way", half, "bad_answer"],
  ["redirects to http", to("http://localhost/feed.xml"), "unreachable"],
  ["redirects inside the network", to("https://169.254.169.254/latest/meta-data"), "unreachable"],
  ["redirects in a loop", (request, response) => to(request.url!)(request, response), "unreachable"],
  ["says gzip and is not", answerWith("<rss>", { "content-encoding": "gzip" }), "bad_answer"],
  ["says brotli and is not", answerWith("<rss>", { "content-encoding": "br" }), "bad_answer"],
  ["has an encoding that was not asked for", answerWith("<rss>", { "content-encoding": "zstd" }), "bad_answer"],
] as [string, FeedAnswer, string][])(
  "a feed that %s keeps its items, and the failure is shown",
  async ([, answer, code]) => {
    const publisher = await fixture.anotherPublisher();
    const feed = await fixture.feedWith(publisher, [story(fixture, "kept")]);
    fixture.server.serve(feed.path, answer);
    expect((await feed.poll()).lastPoll).toMatchObject({ outcome: "failed", code, failures: 1 });
    feed.put([story(fixture, "kept"), story(fixture, `after ${code}`.replace(/ /g, "-"))]);
    expect(await feed.pollAndSend()).toMatchObject([{ status: "sent" }]);
  },
);

test("a feed over 10 MB, here compressed: its first entries are read, the rest is cut off", async () => {
  const publisher = await fixture.anotherPublisher();
  const feed = await fixture.feedWith(publisher, [story(fixture, "first")]);
  const filler = `<item><title>Filler</title><guid>f</guid><description>${"x".repeat(200_000)}</description></item>`;
  const whole = rss([story(fixture, "new-of-large"), story(fixture, "first")], "").replace(
    "</channel>",
    `${filler.repeat(60)}</channel>`,
  );
  fixture.server.publish("/stories/new-of-large", "New of large");
  fixture.server.serve(feed.path, answerWith(gzipSync(whole), { "content-encoding": "gzip" }));
  const items = await feed.pollAndSend();
  expect(items.find(({ title }) => title === "The story of new-of-large")).toMatchObject({ status: "sent" });
  expect(whole.length).toBeGreaterThan(10 * 1024 * 1024);
});

test("a feed whose answer never ends: its poll fails after 8 s, and others are polled meanwhile", async () => {
  const publisher = await fixture.anotherPublisher();
  const slow = await fixture.feedWith(publisher, []);
  const quick = await fixture.feedWith(fixture.publisher, []);
  fixture.server.serve(slow.path, (_request, response) => {
    response.writeHead(200, { "content-type": "text/xml" });
    response.write("<rss>");
  });
  const pages = createPageFetcher({ allowHosts: [fixture.server.allowHost], connectTimeoutMs: 8_000 });
  afterFile(() => pages.close());
  const app = { ...fixture.app, pages };
  await makePollDue(app, slow.feedId);
  const polling = pollWork(app).untilIdle();
  await eventually(async () => fixture.server.asked(slow.path).length > 1);
  fixture.server.serve(quick.path, bodyOf("quick"));
  await makePollDue(app, quick.feedId);
  await pollWork(app).untilIdle();
  expect((await quick.view()).lastPoll).toMatchObject({ outcome: "read", newItems: 1 });
  expect((await slow.view()).lastPoll).toMatchObject({ outcome: "read" });
  await polling;
  expect((await slow.view()).lastPoll).toMatchObject({ outcome: "failed", code: "timeout" });
});

test("a feed that leaves out items, brings them back, and changes their order: nothing is new", async () => {
  const publisher = await fixture.anotherPublisher();
  const names = ["p1", "p2", "p3", "p4"];
  const feed = await fixture.feedWith(
    publisher,
    names.map((name) => story(fixture, name)),
  );
  for (const shown of [["p4", "p1"], [], ["p3", "p2", "p1", "p4"]]) {
    feed.put(shown.map((name) => story(fixture, name)));
    await feed.pollAndSend();
  }
  expect(await feed.items()).toEqual([]);
  expect(await countRuns(fixture.app, publisher.siteId)).toBe(0);
});
