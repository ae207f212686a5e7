import { sql } from "kysely";
import { expect, test } from "vitest";
import { createCampaign } from "../../src/campaigns/create-campaign.ts";
import { sendCampaign } from "../../src/campaigns/send-campaign.ts";
import { planNextPage } from "../../src/runs/plan-run.ts";
import { openTestApp, serve } from "../fixtures/app.ts";
import { createPublisher, createSubscriptions, subscribe } from "../fixtures/publisher.ts";

test("metrics have what all processes have to deliver: batches, messages, held lanes and the oldest run", async () => {
  const app = await openTestApp();
  const { url } = await serve(app);
  const figures = async () => {
    const text = await (await fetch(`${url}/metrics`)).text();
    const lines = text.matchAll(/^pressbell_(batches|messages_pending|lanes_held|oldest_run_seconds)(.*) (\S+)$/gm);
    return Object.fromEntries([...lines].map(([, name, label, value]) => [`${name}${label}`, Number(value)]));
  };
  const none = {
    'batches{state="ready"}': 0,
    'batches{state="open"}': 0,
    'batches{state="lapsed"}': 0,
    'batches{state="parked"}': 0,
    ...{ messages_pending: 0, lanes_held: 0, oldest_run_seconds: 0 },
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
});
