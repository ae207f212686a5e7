import { sql } from "kysely";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { startDueSends } from "../../src/sends/scheduler.ts";
import { createSubscriptions, subscribe } from "../fixtures/publisher.ts";
import { changePlannedSends } from "../fixtures/rows/campaigns.ts";
import { present } from "../fixtures/rows/change.ts";
import { ownerEmail, signIn, signInAs } from "../fixtures/sign-in.ts";
import { type CampaignFixture, inSeconds, makeDue, openCampaignFixture } from "./fixture.ts";

let fixture: CampaignFixture;
let tenant: string;
const cookies = {} as Record<"owner" | "editor" | "viewer", string>;
type Member = keyof typeof cookies;

const as = (member: Member, method: string, path: string, body?: unknown) =>
  fixture.api.call(method, `${tenant}${path}`, { headers: { cookie: cookies[member] }, body });
const ask = (member: Member, campaignId: string, body: unknown = {}) =>
  as(member, "POST", `/campaigns/${campaignId}/approval-request`, body);
const decide = (member: Member, campaignId: string, verb: "approve" | "refuse", requestId: string) =>
  as(member, "POST", `/campaigns/${campaignId}/approval-request/${verb}`, { requestId });
const send = (member: Member, campaignId: string) => as(member, "POST", `/campaigns/${campaignId}/send`);
const waiting = async (campaignId: string) =>
  (await as("viewer", "GET", `/campaigns/${campaignId}/approval-request`)).body.request;
const events = async () =>
  (await as("owner", "GET", "/audit-log?kind=sends")).body.data.map(({ event }: { event: string }) => event);

beforeAll(async () => {
  fixture = await openCampaignFixture();
  tenant = `/dashboard/api/tenants/${fixture.publisher.tenantId}`;
  cookies.owner = await signIn(fixture.api, ownerEmail(fixture.publisher.tenantId));
  cookies.editor = await signInAs(fixture.app, fixture.api, fixture.publisher.tenantId, "editor");
  cookies.viewer = await signInAs(fixture.app, fixture.api, fixture.publisher.tenantId, "viewer");
  await subscribe(fixture.app, fixture.publisher.siteId, createSubscriptions(4));
});

beforeEach(async () => {
  await as("owner", "PATCH", "", { confirmAbove: 3, paused: false });
});

test("a member alone can send or schedule up to the limit, and not above it", async () => {
  const campaignId = await fixture.draft();
  const refused = { status: 409, body: { code: "confirmation_required", confirmAbove: 3 } };
  expect(await send("owner", campaignId)).toMatchObject(refused);
  const schedule = () => as("editor", "POST", `/campaigns/${campaignId}/schedule`, { scheduleAt: inSeconds(60) });
  expect(await schedule()).toMatchObject(refused);
  expect((await fixture.read(campaignId)).status).toBe("draft");
  await as("owner", "PATCH", "", { confirmAbove: 4 });
  expect((await schedule()).status).toBe(200);
  await as("owner", "PATCH", "", { confirmAbove: null });
  expect((await send("editor", campaignId)).status).toBe(202);
});

test("the limit does not apply to API keys, tests and scheduled campaigns that are due", async () => {
  expect((await fixture.post(await fixture.draft(), "send")).status).toBe(202);
  const { campaignId } = await fixture.campaignThatIs("scheduled");
  await makeDue(fixture.app, campaignId);
  await startDueSends(fixture.app);
  expect((await fixture.read(campaignId)).status).toBe("sending");
  const test = await as("editor", "POST", `/campaigns/${await fixture.draft()}/test`);
  expect(test.body.code).toBe("no_test_subscribers");
});

test("a request waits until another person approves it, then the campaign is sent once", async () => {
  const campaignId = await fixture.draft();
  const asked = await ask("editor", campaignId);
  expect(asked).toMatchObject({ status: 201, body: { campaignId, audience: 4, scheduleAt: null } });
  const { requestId } = asked.body;
  expect(await waiting(campaignId)).toEqual(asked.body);
  const { requests } = (await as("viewer", "GET", `/sites/${fixture.publisher.siteId}/overview`)).body;
  expect(requests).toEqual([asked.body]);

  const own = await decide("editor", campaignId, "approve", requestId);
  expect(own).toMatchObject({ status: 403, body: { code: "own_request" } });
  expect((await decide("viewer", campaignId, "approve", requestId)).status).toBe(403);
  expect((await fixture.read(campaignId)).status).toBe("draft");

  const approvals = await Promise.all([1, 2, 3].map(() => decide("owner", campaignId, "approve", requestId)));
  expect(approvals.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect((await fixture.read(campaignId)).status).toBe("sending");
  expect(await waiting(campaignId)).toBeNull();
  expect((await events()).slice(0, 3)).toEqual(["campaign.sent", "send.approved", "send.requested"]);
  const { rows } = await sql`select 1 from runs where campaign_id = ${campaignId}`.execute(fixture.app.db);
  expect(rows).toHaveLength(1);
});

test("the database refuses approval of one's own request, and a decided request stays decided", async () => {
  const campaignId = await fixture.draft();
  await ask("editor", campaignId);
  const cheat = sql`update planned_sends set status = 'approved', decided_by = user_id, ended_at = now()
    where campaign_id = ${campaignId}`.execute(fixture.app.db);
  await expect(cheat).rejects.toThrow(/check constraint/);
  const { requestId } = await waiting(campaignId);
  await decide("owner", campaignId, "refuse", requestId);
  const revive = sql`update planned_sends set status = 'waiting', decided_by = null, ended_at = null
    where id = ${requestId}`.execute(fixture.app.db);
  await expect(revive).rejects.toThrow("may not move from refused to waiting");
});

test("a request with a time expires at that time, and its approval schedules the campaign", async () => {
  const campaignId = await fixture.draft();
  const scheduleAt = inSeconds(3_600);
  const { requestId, expiresAt } = (await ask("owner", campaignId, { scheduleAt })).body;
  expect(expiresAt).toBe(scheduleAt);
  expect((await decide("editor", campaignId, "approve", requestId)).status).toBe(200);
  expect(await fixture.read(campaignId)).toMatchObject({ status: "scheduled", scheduledAt: scheduleAt });
  const past = await ask("owner", await fixture.draft(), { scheduleAt: inSeconds(-60) });
  expect(past).toMatchObject({ status: 400, body: { errors: [{ path: "/scheduleAt" }] } });
});

test("another member refuses a request, its author withdraws it; both end it", async () => {
  const campaignId = await fixture.draft();
  const first = (await ask("editor", campaignId)).body.requestId;
  expect((await decide("owner", campaignId, "refuse", first)).status).toBe(200);
  expect((await events())[0]).toBe("send.refused");
  const second = (await ask("editor", campaignId)).body.requestId;
  expect((await decide("editor", campaignId, "refuse", second)).status).toBe(200);
  expect((await events())[0]).toBe("send.withdrawn");
  for (const requestId of [first, second]) {
    expect(await decide("owner", campaignId, "approve", requestId)).toMatchObject({
      status: 409,
      body: { code: "request_over" },
    });
  }
  expect((await fixture.read(campaignId)).status).toBe("draft");
});

test("an edit, a schedule or another request withdraws an open request", async () => {
  const edited = await fixture.draft();
  const asked = (await ask("editor", edited)).body.requestId;
  await as("editor", "PATCH", `/campaigns/${edited}`, { title: "Something else" });
  expect(await waiting(edited)).toBeNull();
  expect((await decide("owner", edited, "approve", asked)).body.code).toBe("request_over");

  const scheduled = await fixture.draft();
  const before = (await ask("editor", scheduled)).body.requestId;
  await fixture.post(scheduled, "schedule", { scheduleAt: inSeconds(3_600) });
  expect((await decide("owner", scheduled, "approve", before)).body.code).toBe("request_over");

  const again = await fixture.draft();
  const older = (await ask("editor", again)).body.requestId;
  const newer = (await ask("editor", again)).body.requestId;
  expect((await decide("owner", again, "approve", older)).body.code).toBe("request_over");
  expect((await decide("owner", again, "approve", newer)).status).toBe(200);
});

test("another member's request does not replace one that waits, and says why", async () => {
  const campaignId = await fixture.draft();
  const { requestId } = (await ask("editor", campaignId)).body;
  expect(await ask("owner", campaignId)).toMatchObject({
    status: 409,
    body: { code: "illegal_transition", from: "draft", meanwhile: "asked" },
  });
  expect((await waiting(campaignId)).requestId).toBe(requestId);
  expect((await decide("owner", campaignId, "approve", requestId)).status).toBe(200);
});

test("a request expires after 24 hours, at the freshness limit, or with its campaign", async () => {
  const campaignId = await fixture.draft();
  const hoursOf = async () => {
    const { askedAt, expiresAt } = (await ask("editor", campaignId)).body;
    return Math.round((Date.parse(expiresAt) - Date.parse(askedAt)) / 3_600_000);
  };
  expect(await hoursOf()).toBe(24);
  await as("owner", "PATCH", `/sites/${fixture.publisher.siteId}`, { freshnessHours: 6 });
  expect(await hoursOf()).toBe(6);
  await as("owner", "PATCH", `/sites/${fixture.publisher.siteId}`, { freshnessHours: 48 });
  const { requestId } = await waiting(campaignId);
  await changePlannedSends(fixture.app, { waitsFor: "approval" }, { expiresAt: present });
  expect(await waiting(campaignId)).toBeNull();
  expect((await decide("owner", campaignId, "approve", requestId)).body.code).toBe("request_over");

  const cancelled = await fixture.draft();
  const asked = (await ask("editor", cancelled)).body.requestId;
  await fixture.post(cancelled, "cancel");
  expect((await decide("owner", cancelled, "approve", asked)).body.code).toBe("request_over");
  expect((await ask("editor", cancelled)).body.code).toBe("illegal_transition");
});

test("gates are checked at request and approval; a shut gate leaves the request open", async () => {
  const campaignId = await fixture.draft();
  const { requestId } = (await ask("editor", campaignId)).body;
  await as("owner", "PATCH", "", { paused: true });
  expect(await decide("owner", campaignId, "approve", requestId)).toMatchObject({ status: 423 });
  expect((await ask("editor", await fixture.draft())).status).toBe(423);
  await as("owner", "PATCH", "", { paused: false });
  expect((await decide("owner", campaignId, "approve", requestId)).status).toBe(200);
});

test("a request without another member who may send is refused, and the limit is a whole number", async () => {
  const alone = await openCampaignFixture();
  const headers = { cookie: await signIn(alone.api, ownerEmail(alone.publisher.tenantId)) };
  const root = `/dashboard/api/tenants/${alone.publisher.tenantId}`;
  const path = `${root}/campaigns/${await alone.draft()}/approval-request`;
  const refused = await alone.api.call("POST", path, { headers, body: {} });
  expect(refused).toMatchObject({
    status: 409,
    body: { code: "nobody_else", message: expect.stringMatching(/^Only you may send here\. Invite an editor/) },
  });
  for (const confirmAbove of [-1, 1.5, 1_000_001, "3"]) {
    const answer = await alone.api.call("PATCH", root, { headers, body: { confirmAbove } });
    expect(answer).toMatchObject({ status: 400, body: { errors: [{ path: "/confirmAbove" }] } });
  }
  expect((await alone.api.call("GET", root, { headers })).body).toMatchObject({ confirmAbove: null, senders: 1 });
});

test("an hour of the readers can be asked for, and is scheduled when it is approved", async () => {
  const campaignId = await fixture.draft();
  const localTime = { date: "2099-03-01", time: "07:00" };
  expect(await as("editor", "POST", `/campaigns/${campaignId}/schedule`, { localTime })).toMatchObject({
    status: 409,
  });
  const asked = await ask("editor", campaignId, { localTime });
  expect(asked).toMatchObject({ status: 201, body: { localTime, scheduleAt: "2099-02-28T17:00:00.000Z" } });
  expect(await waiting(campaignId)).toMatchObject({ localTime });
  expect((await decide("owner", campaignId, "approve", asked.body.requestId)).status).toBe(200);
  expect(await fixture.read(campaignId)).toMatchObject({
    status: "scheduled",
    localTime,
    scheduledAt: "2099-02-28T17:00:00.000Z",
  });
  const both = await ask("editor", await fixture.draft(), { localTime, scheduleAt: inSeconds(60) });
  expect(both).toMatchObject({ status: 400, body: { errors: [{ path: "/scheduleAt" }] } });
  const none = await ask("editor", await fixture.draft(), { localTime: null, scheduleAt: null });
  expect(none).toMatchObject({ status: 201, body: { localTime: null, scheduleAt: null } });
});
