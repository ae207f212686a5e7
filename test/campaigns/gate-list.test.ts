import { beforeAll, expect, test } from "vitest";
import type { App } from "../../src/app.ts";
import { dueItem } from "../../src/feeds/items/queries.ts";
import { sendItem } from "../../src/feeds/items/send-item.ts";
import { feedById } from "../../src/feeds/queries.ts";
import { dueSends, recordNextDelay } from "../../src/sends/due-queries.ts";
import { gates } from "../../src/sends/gates.ts";
import { startDueSends } from "../../src/sends/scheduler.ts";
import { type FeedFixture, openFeedFixture, story } from "../feeds/fixture.ts";
import { type Api, serve } from "../fixtures/app.ts";
import { createPublisher } from "../fixtures/publisher.ts";
import { type CampaignFixture, campaignFixtureOf, inSeconds, makeDue } from "./fixture.ts";
import { PLANS, shut } from "./shut-gates.ts";

const graceMinutes = 30;

let feeds: FeedFixture;
let app: App;
let api: Api;

beforeAll(async () => {
  feeds = await openFeedFixture({ PLANS, GRACE_MINUTES: String(graceMinutes) });
  app = feeds.app;
  api = await serve(app);
});

async function scheduledIn(fixture: CampaignFixture, seconds: number): Promise<string> {
  const campaignId = await fixture.draft();
  await fixture.post(campaignId, "schedule", { scheduleAt: inSeconds(3_600) });
  await makeDue(app, campaignId, -seconds);
  return campaignId;
}

test("no two gates share a code: each is found by the code of its refusals", () => {
  expect(new Set(gates.map(({ code }) => code)).size).toBe(gates.length);
});

test.for(gates)("$code is checked in a send, a schedule, a due campaign and a feed alike", async (gate) => {
  const { code, whenDue, canReopen } = gate;
  const publisher = await feeds.anotherPublisher();
  const fixture = campaignFixtureOf(app, api, publisher);
  const [draft, other, due] = [await fixture.draft(), await fixture.draft(), await scheduledIn(fixture, -60)];
  const feed = await feeds.feedWith(publisher, []);
  feed.put([story(feeds, `gate-list-${code}`)]);
  await feed.poll();
  const item = (await dueItem(app.db, { siteId: publisher.siteId, itemId: (await feed.items())[0]!.itemId }))!;
  const feedRecord = (await feedById(app.db, feed.feedId))!;
  await shut[code](app, publisher);

  const sent = await fixture.post(draft, "send");
  expect(sent.body).toMatchObject({ code });
  expect(await fixture.read(draft)).toMatchObject({ status: "draft", runId: null });

  const scheduled = await fixture.post(other, "schedule", { scheduleAt: inSeconds(60) });
  expect(scheduled).toMatchObject({ status: 200, body: { warnings: [{ code, message: expect.any(String) }] } });

  await startDueSends(app);
  const outcome = whenDue === "delay" ? { status: "scheduled" } : { status: "failed", failure: { code } };
  expect(await fixture.read(due)).toMatchObject(outcome);

  expect(await sendItem(app, item, feedRecord)).toMatchObject({
    to: canReopen ? "waiting" : "skipped",
    reasons: [{ code }],
  });
});

/** Every combination of shut gates. */
const combinations = Array.from({ length: 2 ** gates.length }, (_, bits) =>
  gates.filter((_gate, index) => (bits >> index) % 2 === 1),
);

test("the database holds a due campaign exactly if the first shut gate holds it", async () => {
  const expected = new Map<string, string | null>();
  for (const combination of combinations) {
    const publisher = await createPublisher(app);
    const campaignId = await scheduledIn(campaignFixtureOf(app, api, publisher), -60);
    for (const { code } of combination) await shut[code](app, publisher);
    const [first] = combination;
    expected.set(campaignId, first?.whenDue === "delay" ? first.code : null);
  }
  const due = new Set((await dueSends(app.db, graceMinutes)).map(({ campaignId }) => campaignId));
  const held = new Map<string, string>();
  for (;;) {
    const next = await recordNextDelay(app.db, graceMinutes);
    if (next === undefined) break;
    held.set(next.id, next.gate);
  }
  for (const [campaignId, gate] of expected) {
    const shown = { isDue: due.has(campaignId), heldBy: held.get(campaignId) ?? null };
    expect(shown).toEqual({ isDue: gate === null, heldBy: gate });
  }
});
