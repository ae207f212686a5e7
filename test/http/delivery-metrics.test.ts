import { sql } from "kysely";
import { expect, test } from "vitest";
import { createCampaign } from "../../src/campaigns/create-campaign.ts";
import { sendCampaign } from "../../src/campaigns/send-campaign.ts";
import { planNextPage } from "../../src/runs/plan/plan-run.ts";
import { openTestApp, serve } from "../fixtures/app.ts";
import { createPublisher, createSubscriptions, subscribe } from "../fixtures/publisher.ts";

test("metrics have what all processes have to deliver: batches, messages, held lanes and the oldest run", async () => {
  const app = await openTestApp();
  const { url } = await serve(app);
  const figures = async () => {
    const text = await (await fetch(`${url}/metrics`)).text();
    const lines = text.matchAll(
      /^pressbell_(batches|messages_pending|lanes_held|oldest_\w+_seconds|schedule\w+)(.*) (\S+)$/gm,
    );
    return Object.fromEntries([...lines].map(([, name, label, value]) => [`${name}${label}`, Number(value)]));
  };
  const none = {
    'batches{state="ready"}': 0,
    'batches{state="open"}': 0,
    'batches{state="lapsed"}': 0,
    'batches{state="parked"}': 0,
    ...{ messages_pending: 0, lanes_held: 0, oldest_run_seconds: 0, oldest_lapse_seconds: 0 },
    ...{ schedule_lag_seconds: 0, schedules_held: 0 },
  };
  expect(await figures()).toEqual(none);

  const { actor, siteId } = await createPublisher(app);
  await subscribe(app, siteId, createSubscriptions(3));
  const body = { siteId, mode: "manual", url: "https://news.example/a", title: "Title", body: "Body" };
  const { campaignId } = await createCampaign(app, actor, { body, idempotencyKey: null });
  await sendCampaign(app, actor, { campaignId, idempotencyKey: null });
  while (await planNextPage(app.db));
  await sql`update runs set created_at = created_at - interval '1 hour'`.execute(app.db);
  await sql`update run_batches set state = 'open', owner = '1.1', lease_until = now() - interval '1 second'
    where no = (select min(no) from run_batches)`.execute(app.db);
  await sql`insert into lanes (site_id, origin, held_reason) values (${siteId}, 'https://push.example', 'forbidden')`.execute(
    app.db,
  );
  const now = await figures();
  expect(now).toMatchObject({ 'batches{state="lapsed"}': 1, messages_pending: 3, lanes_held: 1 });
  expect(now.oldest_run_seconds).toBeGreaterThanOrEqual(3_600);
  expect(now.oldest_lapse_seconds).toBeGreaterThanOrEqual(1);

  const due = await createCampaign(app, actor, {
    body: { ...body, url: "https://news.example/b" },
    idempotencyKey: null,
  });
  await sql`update campaigns set status = 'scheduled', scheduled_at = now() - interval '90 seconds'
    where id = ${due.campaignId}`.execute(app.db);
  const late = await figures();
  expect(late.schedules_held).toBe(0);
  expect(late.schedule_lag_seconds).toBeGreaterThanOrEqual(90);
  await sql`update sites set paused_at = now() where id = ${siteId}`.execute(app.db);
  expect(await figures()).toMatchObject({ schedules_held: 1, schedule_lag_seconds: 0 });
});
