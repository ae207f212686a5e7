import { sql } from "kysely";
import { beforeAll, expect, test } from "vitest";
import { row } from "../../src/db/pool.ts";
import { startDueSends } from "../../src/sends/scheduler.ts";
import { changeSite } from "../../src/tenants/sites/sites.ts";
import { changeTenant } from "../../src/tenants/tenants.ts";
import { createPublisher, createSubscriptions, subscribe } from "../fixtures/publisher.ts";
import { changePlannedSends } from "../fixtures/rows/campaigns.ts";
import { ago } from "../fixtures/rows/change.ts";
import { changeSubscribers } from "../fixtures/rows/subscribers.ts";
import { ownerEmail, signIn } from "../fixtures/sign-in.ts";
import { planAll } from "../runs/fixture.ts";
import { type CampaignFixture, campaignFixtureOf, inSeconds, makeDue, openCampaignFixture } from "./fixture.ts";

let fixture: CampaignFixture;

beforeAll(async () => {
  fixture = await openCampaignFixture({ GRACE_MINUTES: "30" });
  await subscribe(fixture.app, fixture.publisher.siteId, createSubscriptions(2));
  await changeSite(fixture.app, fixture.publisher.actor, {
    siteId: fixture.publisher.siteId,
    timeZone: "America/New_York",
  });
});

const localTime = { date: "2099-03-01", time: "07:00" };
const firstMoment = "2099-02-28T17:00:00.000Z";

test("a draft is scheduled for a local time, from its first zone on", async () => {
  const campaignId = await fixture.draft();
  const answer = await fixture.post(campaignId, "schedule", { localTime });
  expect(answer).toMatchObject({
    status: 200,
    body: { status: "scheduled", scheduledAt: firstMoment, localTime, warnings: [{ code: "far_ahead" }] },
  });
  expect(await fixture.read(campaignId)).toMatchObject({ scheduledAt: firstMoment, localTime });
  const event = await row(
    sql<{ details: object }>`select details from audit_events
      where subject_id = ${campaignId} and event = 'campaign.scheduled'`,
    fixture.app.db,
  );
  expect(event?.details).toEqual({ scheduledAt: firstMoment, localTime });
});

test("scheduling again for one moment takes the hour out, and for another hour replaces it", async () => {
  const campaignId = await fixture.draft();
  await fixture.post(campaignId, "schedule", { localTime });
  const scheduleAt = inSeconds(5_000);
  const moved = await fixture.post(campaignId, "schedule", { scheduleAt, localTime: null });
  expect(moved.body).toMatchObject({ scheduledAt: scheduleAt, localTime: null });
  const later = { date: "2099-03-02", time: "18:30" };
  expect((await fixture.post(campaignId, "schedule", { localTime: later, scheduleAt: null })).body).toMatchObject({
    scheduledAt: "2099-03-02T04:30:00.000Z",
    localTime: later,
  });
});

test("a draft has no hour, and a send at once has none, whatever was scheduled", async () => {
  const campaignId = await fixture.draft();
  expect(await fixture.read(campaignId)).toMatchObject({ localTime: null });
  await fixture.post(campaignId, "schedule", { localTime });
  const { runId } = (await fixture.post(campaignId, "send")).body;
  expect(await fixture.read(campaignId)).toMatchObject({ status: "sending", localTime: null });
  const run = (await fixture.api.call("GET", `/v1/runs/${runId}`, { key: fixture.publisher.apiKey })).body;
  expect(run).not.toHaveProperty("waves");
  expect(run).not.toHaveProperty("localTime");
});

test.for([
  ["a text", "07:00", "/localTime", "must be an object with date and time"],
  ["nothing in it", {}, "/localTime/date", "is required"],
  ["no time", { date: "2099-03-01" }, "/localTime/time", "is required"],
  ["no day", { time: "07:00" }, "/localTime/date", "is required"],
  ["30 February", { date: "2099-02-30", time: "07:00" }, "/localTime/date", "real date"],
  ["a day and a time", { date: "2099-02-28T07:00", time: "07:00" }, "/localTime/date", "real date"],
  ["a time with seconds", { date: "2099-02-28", time: "07:00:00" }, "/localTime/time", "HH:MM"],
  ["25 o'clock", { date: "2099-02-28", time: "25:00" }, "/localTime/time", "HH:MM"],
  ["a zone", { ...localTime, timeZone: "UTC" }, "/localTime/timeZone", "is not a field"],
  ["the last year", { date: "9999-12-31", time: "23:59" }, "/localTime/date", "must be before the year 9999"],
  ["a day that is over everywhere", { date: "2020-03-01", time: "07:00" }, "/localTime", "has passed everywhere"],
] as const)("an hour with %s answers 400", async ([_, value, path, message]) => {
  const answer = await fixture.post(await fixture.draft(), "schedule", { localTime: value });
  expect(answer).toMatchObject({ status: 400, body: { code: "validation_failed" } });
  expect(answer.body.errors).toContainEqual(
    expect.objectContaining({ path, message: expect.stringContaining(message) }),
  );
});

test("an hour and a moment together answer 400", async () => {
  const answer = await fixture.post(await fixture.draft(), "schedule", { localTime, scheduleAt: inSeconds(60) });
  expect(answer.body.errors).toMatchObject([
    { path: "/scheduleAt", message: "cannot be given together with localTime" },
  ]);
});

test("local-time delivery and a headline test exclude each other, in either order", async () => {
  const fault = [{ path: "/localTime", message: expect.stringContaining("tests headlines") }];
  const variants = [{ title: "Ferry is back" }];
  const tested = await fixture.post(await fixture.draft({ variants }), "schedule", { localTime });
  expect(tested).toMatchObject({ status: 400, body: { errors: fault } });
  const campaignId = await fixture.draft();
  await fixture.post(campaignId, "schedule", { localTime });
  const { tenantId } = fixture.publisher;
  const cookie = await signIn(fixture.api, ownerEmail(tenantId));
  const path = `/dashboard/api/tenants/${tenantId}/campaigns/${campaignId}/scheduled`;
  const changed = await fixture.api.call("PATCH", path, { headers: { cookie }, body: { variants } });
  expect(changed).toMatchObject({ status: 400, body: { errors: fault } });
  expect(await fixture.read(campaignId)).toMatchObject({ status: "scheduled", localTime });
});

test("the answer names the zones where the time has passed, and what their readers get", async () => {
  const inTwoHoursUtc = new Date(Date.now() + 2 * 3_600_000).toISOString();
  const hour = { date: inTwoHoursUtc.slice(0, 10), time: inTwoHoursUtc.slice(11, 16) };
  const { body } = await fixture.post(await fixture.draft(), "schedule", { localTime: hour });
  expect(Date.parse(body.scheduledAt)).toBeLessThanOrEqual(Date.now() + 1_000);
  const said = `It is past ${hour.time} already where clocks are at UTC+02:00 or ahead of that. These readers get it at once.`;
  expect(body.warnings).toEqual([
    { code: "hour_passed", message: said, messageCode: "hour_passed", params: { time: hour.time, offset: "+02:00" } },
  ]);
  const hoursAgo = new Date(Date.now() - 6 * 3_600_000).toISOString();
  const past = { date: hoursAgo.slice(0, 10), time: hoursAgo.slice(11, 16) };
  const late = (await fixture.post(await fixture.draft(), "schedule", { localTime: past })).body;
  expect(late.warnings[0].message).toContain(
    "so it is for readers whose zone is not known, who count as being in America/New_York",
  );
});

test("a pause halts it until half an hour after it was that hour at the site, and no longer", async () => {
  const { app, publisher } = fixture;
  await changeTenant(app, publisher.actor, { paused: true });
  const campaignId = await fixture.draft();
  await fixture.post(campaignId, "schedule", { localTime });
  await makeDue(app, campaignId, 10 * 3_600);
  await changePlannedSends(app, { campaignId: campaignId, waitsFor: "time" }, { lateFrom: ago("29 minutes") });
  await startDueSends(app);
  expect(await fixture.read(campaignId)).toMatchObject({ status: "scheduled" });
  await changePlannedSends(app, { campaignId: campaignId, waitsFor: "time" }, { lateFrom: ago("31 minutes") });
  await startDueSends(app);
  expect(await fixture.read(campaignId)).toMatchObject({ status: "failed", failure: { code: "send_paused" } });
  await changeTenant(app, publisher.actor, { paused: false });
});

/** The time zones of the readers' browsers. One browser names none. The site is in Berlin. */
const zones = ["Europe/Berlin", "America/New_York", "Asia/Kolkata", null];

test.for([
  [
    "the day on which it begins in Berlin",
    "2099-03-29",
    "07:00",
    ["03-29 05:00 +120", "03-29 11:00 -240", "03-29 01:30 +330"],
  ],
  [
    "the time that is skipped in Berlin",
    "2099-03-29",
    "02:30",
    ["03-29 01:30 +120", "03-29 06:30 -240", "03-28 21:00 +330"],
  ],
  [
    "the time that Berlin has twice",
    "2099-10-25",
    "02:30",
    ["10-25 00:30 +120", "10-25 06:30 -240", "10-24 21:00 +330"],
  ],
  [
    "the day on which it has ended in Berlin",
    "2099-10-25",
    "07:00",
    ["10-25 06:00 +60", "10-25 11:00 -240", "10-25 01:30 +330"],
  ],
  [
    "the time that is skipped in New York",
    "2099-03-08",
    "02:30",
    ["03-08 01:30 +60", "03-08 07:30 -240", "03-07 21:00 +330"],
  ],
  [
    "the day before it begins in New York",
    "2099-03-07",
    "23:30",
    ["03-07 22:30 +60", "03-08 04:30 -300", "03-07 18:00 +330"],
  ],
  [
    "the time that New York has twice",
    "2099-11-01",
    "01:30",
    ["11-01 00:30 +60", "11-01 05:30 -240", "10-31 20:00 +330"],
  ],
] as const)(
  "summer time: on %s each reader is planned for the hour of their own clocks",
  async ([_, date, time, moments]) => {
    const { app } = fixture;
    const publisher = await createPublisher(app);
    const { siteId } = publisher;
    const of = campaignFixtureOf(app, fixture.api, publisher);
    await changeSite(app, publisher.actor, { siteId, timeZone: "Europe/Berlin" });
    for (const zone of zones) {
      const [reader] = createSubscriptions(1);
      await subscribe(app, siteId, [reader!]);
      await changeSubscribers(app, { endpoint: reader!.endpoint }, { timeZone: zone });
    }
    const campaignId = await of.draft();
    expect((await of.post(campaignId, "schedule", { localTime: { date, time } })).status).toBe(200);
    await makeDue(app, campaignId);
    await startDueSends(app);
    await planAll(app);
    const planned = await sql<{ moment: string; readers: number; isOfSite: boolean }>`
    select to_char(v.opens_at at time zone 'UTC', 'MM-DD HH24:MI ') || to_char(v.utc_offset, 'FMSG999') as moment, v.readers,
      v.opens_at = r.counts_at as "isOfSite"
    from run_waves v join runs r on r.site_id = v.site_id and r.id = v.run_id where v.site_id = ${siteId}`.execute(
      app.db,
    );
    const expected = moments.map((moment, at) => ({ moment, readers: at === 0 ? 2 : 1, isOfSite: at === 0 }));
    expect(planned.rows).toHaveLength(expected.length);
    expect(planned.rows).toEqual(expect.arrayContaining(expected));
  },
);
