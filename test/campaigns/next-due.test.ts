import { beforeAll, expect, test } from "vitest";
import type { App } from "../../src/app.ts";
import { createCampaign } from "../../src/campaigns/create-campaign.ts";
import { nextDueInMs } from "../../src/sends/due-queries.ts";
import { openTestApp } from "../fixtures/app.ts";
import { createPublisher, type Publisher } from "../fixtures/publisher.ts";
import { scheduleCampaigns } from "../fixtures/rows/campaigns.ts";
import { ahead } from "../fixtures/rows/change.ts";

let app: App;
let publisher: Publisher;

beforeAll(async () => {
  app = await openTestApp();
  publisher = await createPublisher(app);
});

async function schedule(inSeconds: number): Promise<void> {
  const body = {
    siteId: publisher.siteId,
    mode: "manual",
    url: "https://news.example/a",
    title: "Title",
    body: "Body",
  };
  const { campaignId } = await createCampaign(app, publisher.actor, { body, idempotencyKey: null });
  await scheduleCampaigns(app, [campaignId], ahead(`${inSeconds} seconds`));
}

test("without scheduled campaigns the next due time is infinitely far", async () => {
  expect(await nextDueInMs(app.db)).toBe(Number.POSITIVE_INFINITY);
});

test("campaigns that are due already do not count: only the next one does", async () => {
  await schedule(-5);
  expect(await nextDueInMs(app.db)).toBe(Number.POSITIVE_INFINITY);
  await schedule(60);
  const ms = await nextDueInMs(app.db);
  expect(ms).toBeGreaterThan(50_000);
  expect(ms).toBeLessThanOrEqual(60_000);
});
