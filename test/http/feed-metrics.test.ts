import { sql } from "kysely";
import { expect, test } from "vitest";
import { openFeedFixture, story } from "../feeds/fixture.ts";
import { serve } from "../fixtures/app.ts";
import { ago } from "../fixtures/rows/change.ts";
import { changeFeeds } from "../fixtures/rows/feeds.ts";

test("GET /metrics has the figures of all feeds that are on, without a name of any", async () => {
  const fixture = await openFeedFixture();
  const { app, server, publisher } = fixture;
  const api = await serve(app);
  const figures = async () => {
    const text = await (await fetch(`${api.url}/metrics`)).text();
    return text.split("\n").filter((line) => line.startsWith("pressbell_feed"));
  };
  expect(await figures()).toEqual([
    ...['pressbell_feeds{poll="none"} 0', 'pressbell_feeds{poll="read"} 0', 'pressbell_feeds{poll="unchanged"} 0'],
    ...['pressbell_feeds{poll="failed"} 0', "pressbell_feeds_asking 0", "pressbell_feeds_late 0"],
    "pressbell_feed_poll_delay_seconds 0",
    ...["seen", "new", "asked", "waiting", "suggested", "sent", "skipped"].map(
      (s) => `pressbell_feed_items{status="${s}"} 0`,
    ),
  ]);

  const quick = await fixture.feedWith(publisher, [story(fixture, "seen")]);
  quick.put([story(fixture, "seen"), story(fixture, "of-today")]);
  await quick.pollAndSend();
  const failing = await fixture.feedWith(await fixture.anotherPublisher(), []);
  server.serve(failing.path, (_request, response) => void response.writeHead(500).end());
  await failing.poll();
  const asking = await fixture.feedWith(publisher, []);
  asking.put(Array.from({ length: 60 }, (_, n) => story(fixture, `archive-${n}`)));
  await asking.poll();
  const off = await fixture.feedWith(publisher, []);
  await changeFeeds(app, { id: off.feedId }, { isEnabled: false, nextPollAt: ago("1 day") });
  await changeFeeds(app, { id: failing.feedId }, { nextPollAt: ago("90 seconds") });
  const lines = await figures();
  expect(lines).toEqual(
    expect.arrayContaining([
      ...['pressbell_feeds{poll="read"} 2', 'pressbell_feeds{poll="failed"} 1', "pressbell_feeds_asking 1"],
      ...['pressbell_feed_items{status="asked"} 60', 'pressbell_feed_items{status="sent"} 1'],
      'pressbell_feed_items{status="seen"} 1',
      "pressbell_feeds_late 1",
    ]),
  );
  const delay = Number(lines.find((line) => line.startsWith("pressbell_feed_poll_delay_seconds"))!.split(" ")[1]);
  expect(delay).toBeGreaterThanOrEqual(90);
  expect(delay).toBeLessThan(150);
  expect(lines.join()).not.toContain(publisher.tenantId);
});

test("GET /metrics answers without the figures of feeds while the database does not", async () => {
  const { app } = await openFeedFixture();
  const api = await serve(app);
  await sql`alter table feeds rename to feeds_away`.execute(app.db);
  const answer = await fetch(`${api.url}/metrics`);
  expect(answer.status).toBe(200);
  const text = await answer.text();
  expect(text).toContain("process_cpu_seconds_total");
  expect(text).not.toMatch(/^pressbell_feed.* \d/m);
});
