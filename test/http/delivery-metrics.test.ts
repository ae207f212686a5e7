import { sql } from "kysely";
import { expect, test } from "vitest";
import { createCampaign } from "../../src/campaigns/create-campaign.ts";
import { row } from "../../src/db/pool.ts";
import { sendCampaign } from "../../src/sends/send-campaign.ts";
import { openTestApp, serve } from "../fixtures/app.ts";
import { createPublisher, createSubscriptions, subscribe } from "../fixtures/publisher.ts";
import { scheduleCampaigns } from "../fixtures/rows/campaigns.ts";
import { ago } from "../fixtures/rows/change.ts";
import { changeRuns, claimByDead, setPushService } from "../fixtures/rows/runs.ts";
import { changeSites } from "../fixtures/rows/sites.ts";
import { planAll } from "../runs/fixture.ts";

test("metrics have the work of all processes: batches, messages, holds and the oldest run", async () => {
  const app = await openTestApp();
  const { url } = await serve(app);
  const figures = async () => {
    const text = await (await fetch(`${url}/metrics`)).text();
    const lines = text.matchAll(
      /^pressbell_(batches|messages_pending|push_services_blocked|oldest_\w+_seconds|schedule\w+)(.*) (\S+)$/gm,
    );
    return Object.fromEntries([...lines].map(([, name, label, value]) => [`${name}${label}`, Number(value)]));
  };
  const none = {
    'batches{state="ready"}': 0,
    'batches{state="open"}': 0,
    'batches{state="lapsed"}': 0,
    'batches{state="delayed"}': 0,
    messages_pending: 0,
    push_services_blocked: 0,
    oldest_run_seconds: 0,
    oldest_lapse_seconds: 0,
    schedule_lag_seconds: 0,
    schedules_delayed: 0,
  };
  expect(await figures()).toEqual(none);

  const { actor, siteId } = await createPublisher(app);
  await subscribe(app, siteId, createSubscriptions(3));
  const body = { siteId, mode: "manual", url: "https://news.example/a", title: "Title", body: "Body" };
  const { campaignId } = await createCampaign(app, actor, { body, idempotencyKey: null });
  await sendCampaign(app, actor, { campaignId, idempotencyKey: null });
  await planAll(app);
  await changeRuns(app, {}, { createdEarlier: "1 hour" });
  const first = await row(sql<{ no: number }>`select min(no) as no from run_batches`, app.db);
  await claimByDead(app, { no: first!.no }, { owner: "1.1", leaseUntil: ago("1 second") });
  await setPushService(app, siteId, "https://push.example", { blockedReason: "forbidden" });
  const now = await figures();
  expect(now).toMatchObject({ 'batches{state="lapsed"}': 1, messages_pending: 3, push_services_blocked: 1 });
  expect(now.oldest_run_seconds).toBeGreaterThanOrEqual(3_600);
  expect(now.oldest_lapse_seconds).toBeGreaterThanOrEqual(1);

  const due = await createCampaign(app, actor, {
    body: { ...body, url: "https://news.example/b" },
    idempotencyKey: null,
  });
  await scheduleCampaigns(app, [due.campaignId], ago("90 seconds"));
  const late = await figures();
  expect(late.schedules_delayed).toBe(0);
  expect(late.schedule_lag_seconds).toBeGreaterThanOrEqual(90);
  await changeSites(app, { id: siteId }, { isPaused: true });
  expect(await figures()).toMatchObject({ schedules_delayed: 1, schedule_lag_seconds: 0 });
});
