import { sql } from "kysely";
import { beforeAll, expect, test } from "vitest";
import { pollWork } from "../../src/feeds/poll/feed-poller.ts";
import { type FeedFixture, makePollDue, openFeedFixture, story } from "./fixture.ts";

let fixture: FeedFixture;

beforeAll(async () => {
  fixture = await openFeedFixture();
});

/** Makes the database refuse each row of feed_items that has this text in its title, before it is written. */
async function refuseRows(event: "insert" | "update", text: string): Promise<void> {
  await sql
    .raw(`create or replace function refuse_${event}() returns trigger language plpgsql as $$ begin
        if new.title like '%${text}%' and new.tries > ${event === "insert" ? -1 : 0} then raise 'refused by the test'; end if;
        return new; end $$;
      create or replace trigger refuse_${event} before ${event} on feed_items for each row execute function refuse_${event}()`)
    .execute(fixture.app.db);
}

test.for([
  "Fri, 31 Dec 9999 23:59:59 -1400",
  "9999-12-31T23:59:59-14:00",
  "9999-12-31T23:59:59Z",
  "-0001-01-01T00:00:00Z",
  "+275760-09-13T00:00:00Z",
  "0000-00-00T00:00:00Z",
  "9999999999999",
])("an item with the date %s is sent as one without a date, and the feed is polled on", async (date) => {
  const publisher = await fixture.anotherPublisher();
  const feed = await fixture.feedWith(publisher, [story(fixture, "known")]);
  const name = `strange-${date.replace(/\W/g, "")}`;
  feed.put([story(fixture, "known"), story(fixture, name, { date })]);
  expect(await feed.pollAndSend()).toMatchObject([{ status: "sent", publishedAt: null }]);
  expect((await feed.view()).lastPoll).toMatchObject({ outcome: "read", failures: 0 });
});

test("a date up to a week ahead is kept, and one beyond is not stored", async () => {
  const publisher = await fixture.anotherPublisher();
  const feed = await fixture.feedWith(publisher, []);
  const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toUTCString();
  feed.put([story(fixture, "soon", { date: inHours(6 * 24) }), story(fixture, "far", { date: inHours(8 * 24) })]);
  await feed.poll();
  const dates = new Map((await feed.items()).map(({ title, publishedAt }) => [title, publishedAt]));
  expect(dates.get("The story of soon")).not.toBeNull();
  expect(dates.get("The story of far")).toBeNull();
});

test("a feed that cannot be stored backs off and says so, and the others are polled", async () => {
  const publisher = await fixture.anotherPublisher();
  const broken = await fixture.feedWith(publisher, []);
  const others = await Promise.all(Array.from({ length: 8 }, () => fixture.feedWith(publisher, [])));
  await refuseRows("insert", "unstorable");
  broken.put([story(fixture, "unstorable")]);
  others.forEach((other, i) => {
    other.put([story(fixture, `of-other-${i}`)]);
  });
  for (const { feedId } of [broken, ...others]) await makePollDue(fixture.app, feedId);
  await pollWork(fixture.app).untilIdle();
  for (const other of others) expect((await other.view()).lastPoll).toMatchObject({ outcome: "read", newItems: 1 });
  const { lastPoll, nextPollAt } = await broken.view();
  expect(lastPoll).toMatchObject({
    outcome: "failed",
    code: "internal",
    failures: 1,
    because: { messageCode: "poll_failed" },
  });
  expect(Date.parse(nextPollAt!) - Date.parse(lastPoll!.at)).toBeGreaterThan(20_000);
});

test("an item whose outcome cannot be written is due again later, and others are sent", async () => {
  const publisher = await fixture.anotherPublisher();
  const feed = await fixture.feedWith(publisher, []);
  await refuseRows("update", "unwritable");
  feed.put([story(fixture, "after-it"), story(fixture, "unwritable")]);
  const beganMs = Date.now();
  const items = await feed.pollAndSend();
  const of = (name: string) => items.find(({ title }) => title === `The story of ${name}`)!;
  expect(of("after-it")).toMatchObject({ status: "sent" });
  expect(of("unwritable")).toMatchObject({ status: "new" });
  expect(Date.parse(of("unwritable").dueAt!)).toBeGreaterThan(beganMs + 30_000);
});
