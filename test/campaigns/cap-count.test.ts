import { sql } from "kysely";
import { expect, test } from "vitest";
import { changeTenant } from "../../src/tenants/tenants.ts";
import { addTopic } from "../../src/tenants/topics/topics.ts";
import { eventually } from "../fixtures/eventually.ts";
import { countLockWaits } from "../fixtures/lock-waits.ts";
import { openCampaignFixture } from "./fixture.ts";

const cap = 10_001;
const fixture = await openCampaignFixture({ PLANS: JSON.stringify({ unlimited: {}, large: { audienceCap: cap } }) });
const { app, publisher } = fixture;
await changeTenant(app, publisher.actor, { plan: "large" });

/** Waits until a statement of the service waits for a lock. */
const oneWaits = () => eventually(async () => (await countLockWaits(app.db)) > 0);

test("a campaign can be changed while its audience is counted for the cap, and the send counts the audience it has then", async () => {
  const { topicId } = await addTopic(app, publisher.actor, { siteId: publisher.siteId, name: "Empty" });
  const campaign = await fixture.draft();
  let sent: ReturnType<typeof fixture.post> | undefined;
  await app.db.transaction().execute(async (tx) => {
    await sql`lock table subscribers in access exclusive mode`.execute(tx);
    sent = fixture.post(campaign, "send");
    await oneWaits();
    const changed = { key: publisher.apiKey, body: { topicIds: [topicId] } };
    expect(await fixture.api.call("PATCH", `/v1/campaigns/${campaign}`, changed)).toMatchObject({ status: 200 });
  });
  expect(await sent).toMatchObject({ status: 202, body: { audience: 0 } });
});

test("a cap above what an answer shows refuses one reader more, with the exact count", async () => {
  const insert = (from: number, to: number) =>
    sql`insert into subscribers (site_id, endpoint, endpoint_hash, p256dh, auth, lane)
      select ${publisher.siteId}, 'https://push.example/' || i, decode(md5('cap' || i), 'hex'),
        decode(repeat('04', 65), 'hex'), decode(repeat('04', 16), 'hex'), 'fcm'
      from generate_series(${from}::int, ${to}::int) i`.execute(app.db);
  await insert(1, cap + 1);
  const campaign = await fixture.draft();
  expect(await fixture.post(campaign, "send")).toMatchObject({
    status: 402,
    body: { code: "billing", audience: cap + 1, audienceCap: cap },
  });
  await sql`delete from subscribers where id = (select max(id) from subscribers)`.execute(app.db);
  expect(await fixture.post(campaign, "send")).toMatchObject({
    status: 202,
    body: { audience: 10_000, audienceExact: false },
  });
});
