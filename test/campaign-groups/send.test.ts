import { sql } from "kysely";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { newId } from "../../src/ids.ts";
import { endRuns } from "../campaigns/fixture.ts";
import { atOnce } from "../fixtures/at-once.ts";
import { createPublisher } from "../fixtures/publisher.ts";
import { present } from "../fixtures/rows/change.ts";
import { addReceipts } from "../fixtures/rows/receipts.ts";
import { changeSites } from "../fixtures/rows/sites.ts";
import { type GroupFixture, openGroupFixture } from "./fixture.ts";

let fixture: GroupFixture;
beforeAll(async () => {
  fixture = await openGroupFixture();
});
beforeEach(() => Promise.all(fixture.sites.map((id) => changeSites(fixture.app, { id }, { isPaused: false }))));

const runs = async (groupId: string) =>
  (
    await sql`select r.id from runs r join campaigns c on c.id = r.campaign_id
      where c.group_id = ${groupId} and r.kind = 'live'`.execute(fixture.app.db)
  ).rows.length;
const withKey = { "idempotency-key": "send-4711" };
const events = async (event: string) =>
  (
    await sql<{ siteId: string }>`select site_id as "siteId" from audit_events where event = ${event}`.execute(
      fixture.app.db,
    )
  ).rows.map(({ siteId }) => siteId);

test("a send starts a run at each site, and records it as the send of one campaign", async () => {
  const groupId = await fixture.group();
  const sent = await fixture.callGroup(groupId, "send");
  expect(sent).toMatchObject({ status: 202, body: { groupId } });
  for (const [i, at] of sent.body.sites.entries()) {
    expect(at).toMatchObject({ siteId: fixture.sites[i], error: null });
    expect(at.result).toMatchObject({
      campaignId: at.campaignId,
      status: "sending",
      audience: i + 1,
      duplicate: false,
    });
  }
  expect(await events("campaign.sent")).toEqual(fixture.sites);
});

test("a paused site, one whose campaign is cancelled and one that has sent hold back no other", async () => {
  const { app, sites } = fixture;
  await changeSites(app, { id: sites[0]! }, { isPaused: true });
  const { body } = await fixture.createGroup();
  const [paused, cancelled, open] = body.campaigns;
  await fixture.post(cancelled.campaignId, "cancel");
  const sent = (await fixture.callGroup(body.groupId, "send", withKey)).body.sites;
  for (const [i, { campaignId }] of [paused, cancelled].entries()) {
    const alone = await fixture.post(campaignId, "send");
    const { requestId: _, ...error } = alone.body;
    expect(sent[i]).toEqual({ siteId: sites[i], campaignId, result: null, error });
  }
  expect(sent.map(({ error }: { error: { code: string } | null }) => error?.code)).toEqual([
    "send_paused",
    "illegal_transition",
    undefined,
  ]);
  await changeSites(app, { id: sites[0]! }, { isPaused: false });
  const again = (await fixture.callGroup(body.groupId, "send", withKey)).body.sites;
  expect(again[0].result).toMatchObject({ duplicate: false });
  expect(again[2].result).toMatchObject({ runId: sent[2].result.runId, duplicate: true });
  expect((await fixture.post(open.campaignId, "send")).body.code).toBe("illegal_transition");
  expect(await runs(body.groupId)).toBe(2);
});

test("ten sends at the same time, with and without a key, start one run at each site", async () => {
  const groupId = await fixture.group();
  const answers = await atOnce(10, (n) => fixture.callGroup(groupId, "send", n < 5 ? withKey : {}));
  expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(202));
  expect(await runs(groupId)).toBe(3);
});

test("the totals of a group are the sums of its campaigns' pages", async () => {
  const { app } = fixture;
  const groupId = await fixture.group();
  const none = (await fixture.callGroup(groupId)).body;
  expect(none.totals).toMatchObject({ audience: 0, accepted: 0, clicked: 0 });
  expect(none.campaigns.map(({ run }: { run: null }) => run)).toEqual([null, null, null]);
  await changeSites(app, { id: fixture.sites[2]! }, { isPaused: true });
  await fixture.callGroup(groupId, "send");
  const compare = async () => {
    const { campaigns, totals } = (await fixture.callGroup(groupId)).body;
    const pages = await fixture.runsOf(campaigns.filter(({ run }: { run: unknown }) => run !== null));
    expect(pages).toHaveLength(2);
    for (const name of Object.keys(totals)) {
      const sum = pages.reduce((all, page) => all + page[name], 0);
      expect([name, totals[name]]).toEqual([name, sum]);
    }
    return totals;
  };
  expect(await compare()).toMatchObject({ audience: 3, pending: 3 });
  await endRuns(app);
  const { campaigns } = (await fixture.callGroup(groupId)).body;
  await addReceipts(app, campaigns[0].runId, { displayed: 1, clicked: 1 }, present);
  await addReceipts(app, campaigns[1].runId, { displayed: 2, clicked: 1, unsubscribed: 1 }, present);
  expect(await compare()).toMatchObject({ displayed: 3, clicked: 2, unsubscribed: 1 });
});

test("a stop stops each run that goes on, and a second stop gives the same answer", async () => {
  const groupId = await fixture.group();
  await fixture.callGroup(groupId, "send");
  const [first] = (await fixture.callGroup(groupId)).body.campaigns;
  await fixture.stop(first.runId);
  const stopped = await fixture.callGroup(groupId, "stop");
  expect(stopped.status).toBe(200);
  expect(stopped.body.campaigns.map(({ status }: { status: string }) => status)).toEqual(Array(3).fill("stopped"));
  expect((await fixture.callGroup(groupId, "stop")).body).toEqual(stopped.body);
  expect(await events("run.stopped")).toEqual(fixture.sites);
});

test("a stop before the send changes nothing: the group can still be sent", async () => {
  const groupId = await fixture.group();
  expect((await fixture.callGroup(groupId, "stop")).status).toBe(200);
  expect((await fixture.callGroup(groupId, "send")).body.sites[2].error).toBeNull();
});

test("an unknown group and one of another publisher are answered alike", async () => {
  const { app, api } = fixture;
  const groupId = await fixture.group();
  const { apiKey: key } = await createPublisher(app);
  for (const id of [groupId, newId(), "x"]) {
    for (const [method, verb] of [
      ["GET", ""],
      ["POST", "/send"],
      ["POST", "/stop"],
    ]) {
      const answer = await api.call(method!, `/v1/campaign-groups/${id}${verb}`, { key });
      expect(answer).toMatchObject({ status: 404, body: { code: "not_found" } });
    }
  }
  expect(await runs(groupId)).toBe(0);
});
