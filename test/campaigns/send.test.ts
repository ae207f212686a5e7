import { sql } from "kysely";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { changeSite } from "../../src/tenants/sites/sites.ts";
import { changeTenant } from "../../src/tenants/tenants.ts";
import { addTopic } from "../../src/tenants/topics/topics.ts";
import { atOnce } from "../fixtures/at-once.ts";
import { createPublisher, createSubscriptions, subscribe } from "../fixtures/publisher.ts";
import { changeTenants } from "../fixtures/rows/sites.ts";
import { deleteSubscribers, giveTopic } from "../fixtures/rows/subscribers.ts";
import { subscriberIds } from "../runs/fixture.ts";
import { type CampaignFixture, campaignFixtureOf, endRuns, openCampaignFixture } from "./fixture.ts";

const plans = JSON.stringify({ unlimited: {}, small: { audienceCap: 2 }, none: { audienceCap: 0 } });

async function liveRuns(fixture: CampaignFixture, campaignId: string): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*) as n from runs where campaign_id = ${campaignId}`.execute(
    fixture.app.db,
  );
  return rows[0]!.n;
}

const withKey = (key: string) => ({ "idempotency-key": key });

let fixture: CampaignFixture;
let other: CampaignFixture;

beforeAll(async () => {
  const first = await openCampaignFixture({ PLANS: plans });
  other = campaignFixtureOf(first.app, first.api, await createPublisher(first.app));
  fixture = first;
  await subscribe(fixture.app, fixture.publisher.siteId, createSubscriptions(3));
});

beforeEach(async () => {
  const { app, publisher } = fixture;
  await changeTenant(app, publisher.actor, { plan: "unlimited", paused: false, dpaAccepted: true });
  await changeSite(app, publisher.actor, { siteId: publisher.siteId, paused: false });
});

const shutGates = async () => {
  const { app, publisher } = fixture;
  await changeTenant(app, publisher.actor, { plan: "small", paused: true, dpaAccepted: false });
  await changeSite(app, publisher.actor, { siteId: publisher.siteId, paused: true });
};

test("a send answers 202 with its run, and the campaign shows sending", async () => {
  const id = await fixture.draft();
  const { status, body, headers } = await fixture.post(id, "send");
  expect(status).toBe(202);
  expect(body).toEqual({
    campaignId: id,
    runId: expect.any(String),
    status: "sending",
    audience: 3,
    audienceExact: true,
    duplicate: false,
  });
  expect(headers.get("idempotent-replayed")).toBeNull();
  expect(await fixture.read(id)).toMatchObject({ status: "sending", runId: body.runId });
});

test.for([
  ["the same key", () => withKey("the-same")],
  ["a different key each", (n: number) => withKey(`key-${n}`)],
  ["no key", () => ({})],
] as const)("a hundred sends at the same time with %s start one run", async ([how, headersOf]) => {
  const id = await fixture.draft();
  const sendWith = (n: number) => fixture.post(id, "send", undefined, headersOf(n));
  const answers = await atOnce(100, sendWith);
  const started = answers.filter(({ status, body }) => status === 202 && !body.duplicate);
  expect(started).toHaveLength(1);
  expect(await liveRuns(fixture, id)).toBe(1);
  const rest = answers.filter((answer) => answer !== started[0]);
  if (how !== "the same key") {
    expect(rest.map(({ body }) => body.code)).toEqual(Array(99).fill("illegal_transition"));
    return;
  }
  for (const { status, body, headers } of rest) {
    expect(status).toBe(202);
    expect(body).toEqual({ ...started[0]!.body, duplicate: true });
    expect(headers.get("idempotent-replayed")).toBe("true");
  }
});

test("a send checks in order: agreement, tenant's pause, site's pause, plan, state", async () => {
  const { app, publisher } = fixture;
  const { campaignId: id } = await fixture.campaignThatIs("cancelled");
  await shutGates();
  expect(await fixture.post(id, "send")).toMatchObject({ status: 403, body: { code: "dpa_required" } });
  await changeTenant(app, publisher.actor, { dpaAccepted: true });
  expect(await fixture.post(id, "send")).toMatchObject({ status: 423, body: { code: "send_paused", scope: "tenant" } });
  await changeTenant(app, publisher.actor, { paused: false });
  expect(await fixture.post(id, "send")).toMatchObject({ status: 423, body: { code: "send_paused", scope: "site" } });
  await changeSite(app, publisher.actor, { siteId: publisher.siteId, paused: false });
  expect(await fixture.post(id, "send")).toMatchObject({ status: 402, body: { code: "billing" } });
  await changeTenant(app, publisher.actor, { plan: "unlimited" });
  expect(await fixture.post(id, "send")).toMatchObject({
    status: 409,
    body: { code: "illegal_transition", from: "cancelled", to: "sending", allowed: [] },
  });
});

test("a malformed send answers 400 before any look-up, an unknown campaign 404 before any gate", async () => {
  await shutGates();
  const nowhere = "018f0000-0000-7000-8000-000000000000";
  expect((await fixture.post(nowhere, "send", undefined, withKey("two words"))).status).toBe(400);
  expect((await fixture.post(nowhere, "send")).status).toBe(404);
  expect((await fixture.post("no-uuid", "send")).status).toBe(404);
  expect((await other.post(await fixture.draft(), "send")).status).toBe(404);
});

test("a send over the plan's cap answers 402 with plan, cap, and the audience to cap plus one", async () => {
  await changeTenant(fixture.app, fixture.publisher.actor, { plan: "none" });
  const id = await fixture.draft();
  expect(await fixture.post(id, "send")).toMatchObject({
    status: 402,
    body: { code: "billing", plan: "none", audience: 1, audienceCap: 0 },
  });
  await changeTenant(fixture.app, fixture.publisher.actor, { plan: "small" });
  expect((await fixture.post(id, "send")).body).toMatchObject({ plan: "small", audience: 3, audienceCap: 2 });
  expect(await fixture.read(id)).toMatchObject({ status: "draft", runId: null });
});

test("a send to exactly the cap is accepted, and test devices do not count", async () => {
  const { siteId } = other.publisher;
  await subscribe(other.app, siteId, createSubscriptions(2));
  await subscribe(other.app, siteId, createSubscriptions(3), "Phone");
  await changeTenant(other.app, other.publisher.actor, { plan: "small" });
  expect(await other.post(await other.draft(), "send")).toMatchObject({ status: 202, body: { audience: 2 } });
});

test("a send on a plan that PLANS no longer has answers 402 and names PLANS", async () => {
  await changeTenants(fixture.app, { id: fixture.publisher.tenantId }, { plan: "constructor" });
  const { status, body } = await fixture.post(await fixture.draft(), "send");
  expect(status).toBe(402);
  expect(body).toMatchObject({ code: "billing", plan: "constructor", message: expect.stringContaining("PLANS") });
});

test("a refused send is not remembered: the same key succeeds when the gate is open", async () => {
  const id = await fixture.draft();
  await changeSite(fixture.app, fixture.publisher.actor, { siteId: fixture.publisher.siteId, paused: true });
  expect((await fixture.post(id, "send", undefined, withKey("again"))).status).toBe(423);
  await changeSite(fixture.app, fixture.publisher.actor, { siteId: fixture.publisher.siteId, paused: false });
  const sent = await fixture.post(id, "send", undefined, withKey("again"));
  expect(sent).toMatchObject({ status: 202, body: { duplicate: false } });
});

test("a replay returns the first send during a pause, after a stop and after the run's end", async () => {
  const [stopped, ended] = [await fixture.draft(), await fixture.draft()];
  const key = withKey("k".repeat(255));
  const first = await fixture.post(stopped, "send", undefined, key);
  await shutGates();
  const replay = await fixture.post(stopped, "send", undefined, key);
  expect(replay).toMatchObject({ status: 202, body: { ...first.body, duplicate: true } });
  await fixture.api.call("POST", `/v1/runs/${first.body.runId}/stop`, { key: fixture.publisher.apiKey });
  const { runId } = first.body;
  const afterStop = await fixture.post(stopped, "send", undefined, key);
  expect(afterStop).toMatchObject({ status: 202, body: { runId, status: "stopped", duplicate: true } });

  // This site gets no readers, so its run completes without a worker.
  const sentTo = await other.draft();
  await deleteSubscribers(other.app, { siteId: other.publisher.siteId });
  const sent = await other.post(sentTo, "send", undefined, key);
  const afterEnd = await other.post(sentTo, "send", undefined, key);
  expect(afterEnd).toMatchObject({ status: 202, body: { runId: sent.body.runId, status: "sent", duplicate: true } });
  expect((await other.post(sentTo, "send")).body).toMatchObject({ code: "illegal_transition", from: "sent" });
  expect((await fixture.post(ended, "send", undefined, key)).body.code).toBe("dpa_required");
});

test("a key that was used for another campaign, or in another case, is a different key", async () => {
  const [one, two] = [await fixture.draft(), await fixture.draft()];
  const first = await fixture.post(one, "send", undefined, withKey("Morning"));
  const second = await fixture.post(two, "send", undefined, withKey("Morning"));
  expect(second).toMatchObject({ status: 202, body: { duplicate: false } });
  expect(second.body.runId).not.toBe(first.body.runId);
  expect((await fixture.post(one, "send", undefined, withKey("morning"))).status).toBe(409);
});

test.for([
  ["an empty key", { "idempotency-key": "" }],
  ["256 characters", { "idempotency-key": "k".repeat(256) }],
  ["a space", { "idempotency-key": "a b" }],
  ["a character beyond ASCII", { "idempotency-key": "é" }],
] as const)("a send with %s as Idempotency-Key answers 400", async ([_, headers]) => {
  const { status, body } = await fixture.post(await fixture.draft(), "send", undefined, headers);
  expect(status).toBe(400);
  expect(body).toMatchObject({ code: "validation_failed", errors: [{ path: "/headers/idempotency-key" }] });
});

test("a send of a scheduled campaign starts at once and ends the schedule", async () => {
  const { campaignId } = await fixture.campaignThatIs("scheduled");
  expect((await fixture.post(campaignId, "send")).status).toBe(202);
  expect(await fixture.read(campaignId)).toMatchObject({ status: "sending" });
});

test("a send to an empty audience completes at once, without a worker, and cannot be stopped", async () => {
  const lonely = campaignFixtureOf(fixture.app, fixture.api, await createPublisher(fixture.app));
  const runOf = async (runId: string) =>
    (await lonely.api.call("GET", `/v1/runs/${runId}`, { key: lonely.publisher.apiKey })).body;
  const id = await lonely.draft();
  const sent = await lonely.post(id, "send", undefined, withKey("nobody"));
  expect(sent).toMatchObject({ status: 202, body: { status: "sent", audience: 0, audienceExact: true } });
  const { runId } = sent.body;
  const run = await runOf(runId);
  const zeros = { audience: 0, pending: 0, accepted: 0, gone: 0, failed: 0, expired: 0, notSent: 0, unknown: 0 };
  expect(run).toMatchObject({ status: "completed", ...zeros, reasons: [], startedAt: null, stoppedAt: null });
  expect(run.finishedAt).toEqual(expect.any(String));
  expect(await lonely.read(id)).toMatchObject({ status: "sent", runId });
  const stop = await lonely.api.call("POST", `/v1/runs/${runId}/stop`, { key: lonely.publisher.apiKey });
  expect(stop).toMatchObject({ status: 409, body: { code: "illegal_transition", from: "completed" } });
  const replay = await lonely.post(id, "send", undefined, withKey("nobody"));
  expect(replay).toMatchObject({ status: 202, body: { ...sent.body, duplicate: true } });
  await endRuns(lonely.app);
  expect(await runOf(runId)).toEqual(run);
});

test("a send to topics without subscribers completes at once, and not with a subscriber", async () => {
  const { app, publisher } = fixture;
  const input = { siteId: publisher.siteId, name: "Sailing" };
  const { topicId } = await addTopic(app, publisher.actor, input);
  expect((await fixture.post(await fixture.draft({ topicIds: [topicId] }), "send")).body).toMatchObject({
    status: "sent",
  });
  const [someone] = await subscriberIds(app, publisher.siteId);
  await giveTopic(app, publisher.siteId, topicId, [someone!]);
  expect((await fixture.post(await fixture.draft({ topicIds: [topicId] }), "send")).body).toMatchObject({
    status: "sending",
    audience: 1,
  });
});
