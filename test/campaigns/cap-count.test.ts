import { sql } from "kysely";
import { expect, test } from "vitest";
import { changeTenant } from "../../src/tenants/tenants.ts";
import { addTopic } from "../../src/tenants/topics/topics.ts";
import { eventually } from "../fixtures/eventually.ts";
import { holdOpen } from "../fixtures/hold-open.ts";
import { countLockWaits } from "../fixtures/lock-waits.ts";
import { deleteSubscribers, insertSubscribers } from "../fixtures/rows/subscribers.ts";
import { openCampaignFixture } from "./fixture.ts";

const cap = 10_001;
const fixture = await openCampaignFixture({ PLANS: JSON.stringify({ unlimited: {}, large: { audienceCap: cap } }) });
const { app, publisher } = fixture;
await changeTenant(app, publisher.actor, { plan: "large" });

/** Waits until a statement of the service waits for a lock. */
const oneWaits = () => eventually(async () => (await countLockWaits(app.db)) > 0);

test("a campaign can change while its audience is counted; the send counts the new audience", async () => {
  const { topicId } = await addTopic(app, publisher.actor, { siteId: publisher.siteId, name: "Empty" });
  const campaign = await fixture.draft();
  let sent: ReturnType<typeof fixture.post> | undefined;
  await holdOpen(app, async (tx) => {
    await sql`lock table subscribers in access exclusive mode`.execute(tx);
    sent = fixture.post(campaign, "send");
    await oneWaits();
    const changed = { key: publisher.apiKey, body: { topicIds: [topicId] } };
    expect(await fixture.api.call("PATCH", `/v1/campaigns/${campaign}`, changed)).toMatchObject({ status: 200 });
  });
  expect(await sent).toMatchObject({ status: 202, body: { audience: 0 } });
});

test("a cap above what an answer shows refuses one reader more, with the exact count", async () => {
  await insertSubscribers(app, publisher.siteId, cap + 1);
  const campaign = await fixture.draft();
  expect(await fixture.post(campaign, "send")).toMatchObject({
    status: 402,
    body: { code: "billing", audience: cap + 1, audienceCap: cap },
  });
  await deleteSubscribers(app, { siteId: publisher.siteId, newest: 1 });
  expect(await fixture.post(campaign, "send")).toMatchObject({
    status: 202,
    body: { audience: 10_000, audienceExact: false },
  });
});
