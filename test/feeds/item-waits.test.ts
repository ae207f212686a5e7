import { beforeAll, expect, test } from "vitest";
import { itemWork } from "../../src/feeds/items/send-due-items.ts";
import { changeSite } from "../../src/tenants/sites/sites.ts";
import { present } from "../fixtures/rows/change.ts";
import { changeItems } from "../fixtures/rows/feeds.ts";
import { changeRuns } from "../fixtures/rows/runs.ts";
import { countRuns, type FeedFixture, makeItemsDue, openFeedFixture, story } from "./fixture.ts";

let fixture: FeedFixture;

beforeAll(async () => {
  fixture = await openFeedFixture();
});

test("the override waits for a page while the story is fresh, and sends it when it answers", async () => {
  const publisher = await fixture.anotherPublisher();
  const { siteId, actor } = publisher;
  const feed = await fixture.feedWith(publisher, [], { override: true });
  // The override ignores quiet hours, so they are no reason to give up the page.
  await changeSite(fixture.app, actor, { siteId, dailyLimit: 1, minGapMinutes: 60 });
  const broken = { "error-404": 404, "error-503": 503, hangup: null, "never-up": 503 };
  const names = Object.keys(broken);
  feed.put([story(fixture, "first"), ...names.map((name) => story(fixture, name))]);
  for (const [name, status] of Object.entries(broken)) {
    fixture.server.serve(`/stories/${name}`, (request, response) => {
      if (status === null) request.socket.destroy();
      else response.writeHead(status, { "content-type": "text/html" }).end("<title>Sorry</title>");
    });
  }
  await feed.pollAndSend();
  for (let again = 0; again < 5; again++) {
    await checkAgain();
  }
  const codes = async () => (await feed.items()).map(({ status, reasons }) => [status, reasons[0]?.code]);
  expect(await codes()).toEqual([
    ["waiting", "http_status"],
    ["waiting", "unreachable"],
    ["waiting", "http_status"],
    ["waiting", "http_status"],
    ["sent", undefined],
  ]);
  for (const name of names.slice(0, 3)) fixture.server.publish(`/stories/${name}`, name);
  await changeItems(fixture.app, { title: "The story of never-up" }, { foundEarlier: "49 hours" });
  await checkAgain();
  expect(await codes()).toEqual([
    ["skipped", "waited_too_long"],
    ...Array.from({ length: 4 }, () => ["sent", undefined]),
  ]);
  expect(await countRuns(fixture.app, siteId)).toBe(4);
});

test("the time at a shut gate uses up no try of a page that does not answer", async () => {
  const publisher = await fixture.anotherPublisher();
  const { siteId, actor } = publisher;
  const feed = await fixture.feedWith(publisher, []);
  await changeSite(fixture.app, actor, { siteId, paused: true });
  feed.put([story(fixture, "behind", { link: `${fixture.server.origin}/behind` })]);
  await feed.pollAndSend();
  for (let again = 0; again < 8; again++) await checkAgain();
  await changeSite(fixture.app, actor, { siteId, paused: false });
  for (let again = 0; again < 4; again++) await checkAgain();
  expect(await feed.items()).toMatchObject([{ status: "waiting", reasons: [{ code: "http_status" }] }]);
  fixture.server.publish("/behind");
  await checkAgain();
  expect(await feed.items()).toMatchObject([{ status: "sent" }]);
  expect(fixture.server.asked("/behind")).toHaveLength(5);
});

test("an item with a date in the future is checked then, and its freshness counts from there", async () => {
  const publisher = await fixture.anotherPublisher();
  const feed = await fixture.feedWith(publisher, []);
  const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000);
  feed.put([story(fixture, "embargoed", { date: inHours(5).toUTCString() })]);
  const [item] = await feed.pollAndSend();
  expect(item).toMatchObject({ status: "waiting", reasons: [{ code: "embargo", effect: "blocks" }] });
  expect(Math.abs(Date.parse(item!.dueAt!) - Date.parse(item!.publishedAt!))).toBeLessThan(60_000);
  expect(item!.reasons[0]!.message).toContain(item!.publishedAt!);
  await checkAgain();
  expect(await feed.items()).toMatchObject([{ status: "waiting" }]);
  expect(fixture.server.asked("/stories/embargoed")).toEqual([]);
  // The embargo ends 49 hours after the story was found. A story without an embargo is no longer fresh then.
  await changeItems(fixture.app, { siteId: publisher.siteId }, { foundEarlier: "49 hours", publishedAt: present });
  await checkAgain();
  expect(await feed.items()).toMatchObject([{ status: "sent" }]);
});

test("an item with a future date without time or zone is sent at once", async () => {
  const feed = await fixture.feedWith(await fixture.anotherPublisher(), []);
  const inThreeHours = new Date(Date.now() + 3 * 3_600_000).toISOString();
  const inADay = new Date(Date.now() + 24 * 3_600_000).toISOString();
  feed.put([
    story(fixture, "local-time", { date: inThreeHours.slice(0, 19).replace("T", " ") }),
    story(fixture, "day-only", { date: inADay.slice(0, 10) }),
  ]);
  expect(await feed.pollAndSend()).toMatchObject([{ status: "sent" }, { status: "sent" }]);
});

test("with --at-limit wait, items wait over limits without a request, then go out or end", async () => {
  const publisher = await fixture.anotherPublisher();
  const { siteId, actor } = publisher;
  const feed = await fixture.feedWith(publisher, [], { hourlyLimit: 2, atLimit: "wait" });
  const clock = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString().slice(11, 16);
  const states = async () =>
    (await feed.items()).map(({ status, reasons }) => [status, ...reasons.map(({ code }) => code)]).toReversed();
  await changeSite(fixture.app, actor, { siteId, quietHours: { from: clock(-1), until: clock(1) } });
  feed.put([1, 2, 3, 4].map((n) => story(fixture, `patient-${n}`)));
  await feed.pollAndSend();
  expect(await states()).toEqual(Array.from({ length: 4 }, () => ["waiting", "quiet_hours"]));
  expect(fixture.server.asked("/stories/patient-1")).toEqual([]);
  await changeSite(fixture.app, actor, { siteId, quietHours: null, minGapMinutes: 30 });
  await checkAgain();
  expect(await states()).toEqual([["sent"], ...Array.from({ length: 3 }, () => ["waiting", "min_gap"])]);
  await changeSite(fixture.app, actor, { siteId, minGapMinutes: null, dailyLimit: 2 });
  await checkAgain();
  const rateLimited = [["sent"], ["sent"], ["waiting", "feed_hourly_limit"], ["waiting", "feed_hourly_limit"]];
  expect(await states()).toEqual(rateLimited);
  await changeRuns(fixture.app, { siteId }, { createdEarlier: "61 minutes" });
  await checkAgain();
  expect((await states()).slice(2)).toEqual([
    ["waiting", "daily_limit"],
    ["waiting", "daily_limit"],
  ]);
  await changeItems(fixture.app, { siteId, title: "The story of patient-4" }, { foundEarlier: "49 hours" });
  await changeSite(fixture.app, actor, { siteId, dailyLimit: null });
  await checkAgain();
  expect(await states()).toEqual([["sent"], ["sent"], ["sent"], ["skipped", "waited_too_long"]]);
});

/** Makes all waiting items due, and checks them. */
async function checkAgain(): Promise<void> {
  await makeItemsDue(fixture.app);
  await itemWork(fixture.app).untilIdle();
}
