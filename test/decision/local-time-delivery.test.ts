import { beforeAll, beforeEach, expect, test } from "vitest";
import type { App } from "../../src/app.ts";
import { readSiteFacts } from "../../src/decision/queries.ts";
import { openTestApp } from "../fixtures/app.ts";
import { createPublisher, type Publisher } from "../fixtures/publisher.ts";
import { changeCampaigns } from "../fixtures/rows/campaigns.ts";
import { changeRuns } from "../fixtures/rows/runs.ts";
import { message, start } from "../runs/fixture.ts";

/** Tests local-time runs among the facts of a site. */
let app: App;
let publisher: Publisher;
const now = Date.now();

beforeAll(async () => {
  app = await openTestApp();
});

beforeEach(async () => {
  publisher = await createPublisher(app);
});

const agoOf = (hours: number) => new Date(now - hours * 3_600_000);

/**
 * Adds a run that began `began` hours ago. `nudged` is how many hours ago its local time came at the site. null: the
 * run is not a local-time delivery.
 */
async function ran(began: number, nudged: number | null): Promise<void> {
  const { runId } = await start(app, publisher);
  await changeRuns(
    app,
    { id: runId },
    { expectedAudience: 1, beganAt: agoOf(began), nudgedAt: agoOf(nudged ?? began) },
  );
}

async function facts() {
  const wanted = {
    siteId: publisher.siteId,
    topicIds: [],
    segment: null,
    followersOf: null,
    addresses: [message.url],
    imageUrl: null,
  };
  await changeCampaigns(app, { siteId: publisher.siteId }, { canonicalUrl: message.url });
  const { sentLast24Hours, lastSentAt, storySentAt } = (await readSiteFacts(app.db, {
    ...wanted,
    countAtMost: 1,
    now,
  }))!;
  return { sentLast24Hours, lastSentAt, storySentAt };
}

test("a site that has sent nothing has no last send", async () => {
  expect(await facts()).toEqual({ sentLast24Hours: 0, lastSentAt: null, storySentAt: null });
});

test("a notification counts from its local time at the site, not from the start of its run", async () => {
  await ran(13, 0.1);
  await ran(2, null);
  expect(await facts()).toEqual({ sentLast24Hours: 2, lastSentAt: agoOf(0.1), storySentAt: agoOf(0.1) });
});

test("the last 24 hours have the notifications whose hour at the site is within them", async () => {
  await ran(25, 20);
  await ran(49, 23.5);
  await ran(30, 25);
  await ran(26, null);
  expect(await facts()).toMatchObject({ sentLast24Hours: 2, lastSentAt: agoOf(20) });
});

test("a notification whose hour at the site is still to come counts for its story only", async () => {
  await ran(5, null);
  await ran(1, -12);
  expect(await facts()).toEqual({ sentLast24Hours: 1, lastSentAt: agoOf(5), storySentAt: agoOf(1) });
});
