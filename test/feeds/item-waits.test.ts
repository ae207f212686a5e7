import { sql } from "kysely";
import { beforeAll, expect, test } from "vitest";
import { itemWork } from "../../src/feeds/items/send-due-items.ts";
import { changeSite } from "../../src/tenants/sites/sites.ts";
import { countRuns, type FeedFixture, makeItemsDue, openFeedFixture, story } from "./fixture.ts";

let fixture: FeedFixture;

beforeAll(async () => {
  fixture = await openFeedFixture();
});

test("the override waits for a page that answers, as long as the story is fresh, and sends it then", async () => {
  const publisher = await fixture.anotherPublisher();
  const { siteId, actor } = publisher;
  const feed = await fixture.feedWith(publisher, [], { override: true });
  // The override does not heed quiet hours: they are no reason to give the page up.
  await changeSite(fixture.app, actor, { siteId, dailyCap: 1, minGapMinutes: 60 });
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
    await makeItemsDue(fixture.app);
    await itemWork(fixture.app).untilIdle();
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
  await sql`update feed_items set found_at = found_at - interval '49 hours' where title = 'The story of never-up'`.execute(
    fixture.app.db,
  );
  await makeItemsDue(fixture.app);
  await itemWork(fixture.app).untilIdle();
  expect(await codes()).toEqual([
    ["skipped", "waited_too_long"],
    ...Array.from({ length: 4 }, () => ["sent", undefined]),
  ]);
  expect(await countRuns(fixture.app, siteId)).toBe(4);
});
