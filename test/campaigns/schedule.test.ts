import { sql } from "kysely";
import { afterEach, beforeAll, expect, test } from "vitest";
import { appError } from "../../src/errors.ts";
import { dueSends } from "../../src/sends/due-queries.ts";
import { startDueSends } from "../../src/sends/scheduler.ts";
import { checkDue, sendDue } from "../../src/sends/send-due.ts";
import { changeSite } from "../../src/tenants/sites/sites.ts";
import { changeTenant } from "../../src/tenants/tenants.ts";
import { createPublisher, createSubscriptions, subscribe } from "../fixtures/publisher.ts";
import { changeTenants } from "../fixtures/rows/sites.ts";
import { type CampaignFixture, campaignFixtureOf, inSeconds, makeDue, openCampaignFixture } from "./fixture.ts";

let fixture: CampaignFixture;

beforeAll(async () => {
  fixture = await openCampaignFixture({
    PLANS: JSON.stringify({ unlimited: {}, none: { audienceCap: 0 } }),
    GRACE_MINUTES: "30",
  });
  await subscribe(fixture.app, fixture.publisher.siteId, createSubscriptions(2));
});

afterEach(async () => {
  const { app, publisher } = fixture;
  await changeTenant(app, publisher.actor, { plan: "unlimited", paused: false, dpaAccepted: true });
  await changeSite(app, publisher.actor, { siteId: publisher.siteId, paused: false });
});

test("scheduling a draft answers 200 with its time in UTC, and no warning", async () => {
  const at = new Date(Math.trunc(Date.now() / 1_000) * 1_000 + 3_600_000);
  const withOffset = `${new Date(at.getTime() + 19_800_000).toISOString().slice(0, 19)}+05:30`;
  const { status, body } = await fixture.post(await fixture.draft(), "schedule", { scheduleAt: withOffset });
  expect(status).toBe(200);
  expect(body).toMatchObject({ status: "scheduled", scheduledAt: at.toISOString(), warnings: [], runId: null });
});

test("scheduling again replaces the time", async () => {
  const { campaignId } = await fixture.campaignThatIs("scheduled");
  await makeDue(fixture.app, campaignId, 60);
  const scheduleAt = inSeconds(5_000);
  expect((await fixture.post(campaignId, "schedule", { scheduleAt })).body.scheduledAt).toBe(scheduleAt);
  await startDueSends(fixture.app);
  expect(await fixture.read(campaignId)).toMatchObject({ status: "scheduled", scheduledAt: scheduleAt });
});

test.each(["2098-01-31T18:00Z", "20980131T190000+0100"])("scheduling takes ISO 8601 in other forms: %s", async (at) => {
  const { status, body } = await fixture.post(await fixture.draft(), "schedule", { scheduleAt: at });
  expect([status, body.scheduledAt]).toEqual([200, "2098-01-31T18:00:00.000Z"]);
});

test.for([
  ["nothing", {}, "/scheduleAt", "is required"],
  ["null", { scheduleAt: null }, "/scheduleAt", "is required"],
  ["a number", { scheduleAt: 1_899_999_999 }, "/scheduleAt", "must be a string"],
  ["a list", { scheduleAt: ["2030-01-31T18:00:00Z"] }, "/scheduleAt", "must be a string"],
  ["a time without offset", { scheduleAt: "2030-01-31T18:00:00" }, "/scheduleAt", "with an offset"],
  ["30 February", { scheduleAt: "2030-02-30T00:00:00Z" }, "/scheduleAt", "real date"],
  ["a time a year ago", { scheduleAt: "2020-01-01T00:00:00Z" }, "/scheduleAt", "in the future"],
  ["another name", { scheduledAt: "2030-01-31T18:00:00Z" }, "/scheduleAt", "is required"],
  ["a list as body", [], "", "must be a JSON object"],
] as const)("scheduling at %s answers 400", async ([_, body, path, message]) => {
  const answer = await fixture.post(await fixture.draft(), "schedule", body);
  expect(answer).toMatchObject({ status: 400, body: { code: "validation_failed" } });
  expect(answer.body.errors[0]).toMatchObject({ path, message: expect.stringContaining(message) });
});

test("scheduling at this moment of the database's clock answers 400", async () => {
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(fixture.app.db);
  const answer = await fixture.post(await fixture.draft(), "schedule", { scheduleAt: rows[0]!.now.toISOString() });
  expect(answer.body.errors).toMatchObject([
    { path: "/scheduleAt", message: expect.stringContaining("in the future") },
  ]);
});

test("scheduling an unknown campaign answers 404 before its body is parsed", async () => {
  const stranger = campaignFixtureOf(fixture.app, fixture.api, await createPublisher(fixture.app));
  expect((await stranger.post(await fixture.draft(), "schedule", {})).status).toBe(404);
  expect((await fixture.post("no-uuid", "schedule", {})).status).toBe(404);
});

test("scheduling a cancelled campaign at an invalid time answers 400: fields come first", async () => {
  const { campaignId } = await fixture.campaignThatIs("cancelled");
  expect((await fixture.post(campaignId, "schedule", { scheduleAt: "tomorrow" })).status).toBe(400);
});

test("scheduling more than a year ahead is accepted, with a warning", async () => {
  const answer = await fixture.post(await fixture.draft(), "schedule", { scheduleAt: "9999-12-31T23:59:59Z" });
  expect(answer).toMatchObject({ status: 200, body: { status: "scheduled", warnings: [{ code: "far_ahead" }] } });
});

test("scheduling while gates are shut is accepted, with a warning for each", async () => {
  const { app, publisher } = fixture;
  await changeTenant(app, publisher.actor, { plan: "none", paused: true, dpaAccepted: false });
  await changeSite(app, publisher.actor, { siteId: publisher.siteId, paused: true });
  const { status, body } = await fixture.post(await fixture.draft(), "schedule", { scheduleAt: inSeconds(60) });
  expect(status).toBe(200);
  expect(body.status).toBe("scheduled");
  const codes = body.warnings.map((warning: { code: string }) => warning.code);
  expect(codes).toEqual(["dpa_required", "send_paused", "send_paused", "billing"]);
  for (const warning of body.warnings)
    expect(Object.keys(warning)).toEqual(["code", "message", "messageCode", "params"]);
});

const scheduled = async () => (await fixture.campaignThatIs("scheduled")).campaignId;

test("a due campaign is sent once, however many processes look for it at the same time", async () => {
  const ids = await Promise.all(Array.from({ length: 10 }, scheduled));
  await Promise.all(ids.map((id) => makeDue(fixture.app, id)));
  await Promise.all(Array.from({ length: 12 }, () => startDueSends(fixture.app)));
  for (const id of ids) expect(await fixture.read(id)).toMatchObject({ status: "sending", runId: expect.any(String) });
  const runs = await sql`select id from runs where campaign_id = any(${ids})`.execute(fixture.app.db);
  expect(runs.rows).toHaveLength(10);
});

test("a scheduled campaign is not sent before its time", async () => {
  const id = await scheduled();
  await makeDue(fixture.app, id, -30);
  await startDueSends(fixture.app);
  expect(await fixture.read(id)).toMatchObject({ status: "scheduled" });
});

test("a cancelled campaign stays cancelled when its time comes", async () => {
  const id = await scheduled();
  await makeDue(fixture.app, id);
  await fixture.post(id, "cancel");
  await startDueSends(fixture.app);
  expect(await fixture.read(id)).toMatchObject({ status: "cancelled", runId: null });
});

test("a due campaign that is sent or cancelled at once is sent or cancelled, never both", async () => {
  const ids = await Promise.all(Array.from({ length: 8 }, scheduled));
  await Promise.all(ids.map((id) => makeDue(fixture.app, id)));
  const byHand = ids.map((id, n) => fixture.post(id, n % 2 === 0 ? "cancel" : "send"));
  const [answers] = await Promise.all([Promise.all(byHand), startDueSends(fixture.app)]);
  await startDueSends(fixture.app);
  for (const [n, id] of ids.entries()) {
    const { status, runId } = await fixture.read(id);
    const cancelled = n % 2 === 0 && answers[n]!.status === 200;
    expect({ status, hasRun: runId !== null }).toEqual(
      cancelled ? { status: "cancelled", hasRun: false } : { status: "sending", hasRun: true },
    );
  }
});

test.for(["tenant", "site"] as const)(
  "a due campaign is held while the %s is paused, and sent when the pause is lifted",
  async (of) => {
    const { app, publisher } = fixture;
    const pause = (paused: boolean) =>
      of === "tenant"
        ? changeTenant(app, publisher.actor, { paused })
        : changeSite(app, publisher.actor, { siteId: publisher.siteId, paused });
    const id = await scheduled();
    await pause(true);
    await makeDue(app, id, 29 * 60);
    await startDueSends(app);
    // A pause also delays the campaign if it begins after the campaign was found due.
    await pause(false);
    const [due] = await dueSends(app.db, 30);
    await pause(true);
    expect(await sendDue(app, due!)).toEqual({ kind: "delayed" });
    expect(await fixture.read(id)).toMatchObject({ status: "scheduled", failure: null });
    await pause(false);
    await startDueSends(app);
    expect(await fixture.read(id)).toMatchObject({ status: "sending" });
  },
);

test("a due campaign fails with send_paused if the pause outlasts the grace time", async () => {
  const id = await scheduled();
  await changeSite(fixture.app, fixture.publisher.actor, { siteId: fixture.publisher.siteId, paused: true });
  await makeDue(fixture.app, id, 31 * 60);
  await startDueSends(fixture.app);
  const failure = { code: "send_paused", message: expect.stringContaining("30 minutes") };
  expect(await fixture.read(id)).toMatchObject({ status: "failed", failure, runId: null });
});

test("a due campaign is sent late within the grace time", async () => {
  const id = await scheduled();
  await makeDue(fixture.app, id, 29 * 60);
  await startDueSends(fixture.app);
  expect(await fixture.read(id)).toMatchObject({ status: "sending" });
});

test("a due campaign fails with missed after the grace time", async () => {
  const id = await scheduled();
  await makeDue(fixture.app, id, 31 * 60);
  await startDueSends(fixture.app);
  expect(await fixture.read(id)).toMatchObject({ status: "failed", failure: { code: "missed" }, runId: null });
});

test.for([
  ["dpa_required", { dpaAccepted: false }],
  ["billing", { plan: "none" }],
  // Here, as in a send, the agreement is checked before the pause.
  ["dpa_required", { dpaAccepted: false, paused: true }],
] as const)("a due campaign fails at once with %s if that gate is shut", async ([code, change]) => {
  const id = await scheduled();
  await changeTenant(fixture.app, fixture.publisher.actor, { ...change });
  await makeDue(fixture.app, id);
  await startDueSends(fixture.app);
  const campaign = await fixture.read(id);
  expect(campaign).toMatchObject({ status: "failed", runId: null });
  expect(campaign.failure).toEqual({ code, message: expect.any(String), messageCode: code, params: {} });
});

test("a plan that PLANS no longer names has words of its own, when scheduled and when it fails", async () => {
  const ownWords = { code: "plan_gone", params: { plan: "former" } };
  const { app, publisher } = fixture;
  await changeTenants(app, { id: publisher.tenantId }, { plan: "former" });
  const id = await fixture.draft();
  const { body } = await fixture.post(id, "schedule", { scheduleAt: inSeconds(60) });
  expect(body.warnings).toMatchObject([{ code: "billing", messageCode: "will_fail", params: { cause: ownWords } }]);
  await makeDue(app, id);
  await startDueSends(app);
  const { failure } = await fixture.read(id);
  expect(failure).toMatchObject({ code: "billing", messageCode: ownWords.code, params: ownWords.params });
  expect(failure!.message).toBe(body.warnings[0].params.cause.message);
});

test("held campaigns do not delay a due campaign of another tenant", async () => {
  const stranger = campaignFixtureOf(fixture.app, fixture.api, await createPublisher(fixture.app));
  const held = await Promise.all(Array.from({ length: 5 }, scheduled));
  await changeTenant(fixture.app, fixture.publisher.actor, { paused: true });
  await Promise.all(held.map((id) => makeDue(fixture.app, id, 600)));
  const { campaignId } = await stranger.campaignThatIs("scheduled");
  await makeDue(stranger.app, campaignId);
  const due = await dueSends(fixture.app.db, 30);
  expect(due).toMatchObject([{ campaignId, tenantId: stranger.publisher.tenantId }]);
  await startDueSends(fixture.app);
  expect(await stranger.read(campaignId)).toMatchObject({ status: "sent", runId: expect.any(String) });
  await Promise.all(held.map((id) => fixture.post(id, "cancel")));
});

test("without a grace time, the scheduler's own delay does not count as missed", () => {
  const facts = { graceMinutes: 0, refusal: undefined };
  expect(checkDue({ ...facts, lateMs: 900 })).toEqual({ kind: "send" });
  expect(checkDue({ ...facts, lateMs: 3_000 })).toMatchObject({ kind: "fail", failure: { code: "missed" } });
});

test("a late campaign behind a shut gate fails with the gate's code, not with missed", () => {
  const late = { lateMs: 86_400_000, graceMinutes: 30 };
  expect(checkDue({ ...late, refusal: appError("dpa_required") })).toMatchObject({ failure: { code: "dpa_required" } });
});
