import { sql } from "kysely";
import { beforeAll, expect, test } from "vitest";
import { type CampaignFixture, campaignFixtureOf, openCampaignFixture } from "../campaigns/fixture.ts";
import { zoneFarFromMidnight } from "../fixtures/far-from-midnight.ts";
import { createPublisher, createSubscriptions, subscribe } from "../fixtures/publisher.ts";
import { ago, present } from "../fixtures/rows/change.ts";
import { addReceiptMinutes, addReceipts, insertJoined } from "../fixtures/rows/receipts.ts";
import { changeRuns } from "../fixtures/rows/runs.ts";
import { changeSites } from "../fixtures/rows/sites.ts";
import { ownerEmail, signIn } from "../fixtures/sign-in.ts";

const { timeZone, hoursAhead } = zoneFarFromMidnight();
let fixture: CampaignFixture;
let cookie: string;

beforeAll(async () => {
  fixture = await openCampaignFixture();
  cookie = await signIn(fixture.api, ownerEmail(fixture.publisher.tenantId));
  await subscribe(fixture.app, fixture.publisher.siteId, createSubscriptions(5));
  await changeSites(fixture.app, { id: fixture.publisher.siteId }, { timeZone });
});

const get = (path: string) => {
  const { tenantId, siteId } = fixture.publisher;
  return fixture.api.call("GET", `/dashboard/api/tenants/${tenantId}/sites/${siteId}/${path}`, { headers: { cookie } });
};

const atSite = (localTime: string) => sql`${localTime}::timestamp at time zone ${timeZone}`;

const runs = new Map<string, string>();

/** Sends a campaign, and moves its run to this local time of the site. */
async function sentAt(localTime: string, clicks = 0): Promise<string> {
  const { campaignId, runId } = await fixture.campaignThatIs("sending");
  await changeRuns(fixture.app, { id: runId! }, { createdAt: atSite(localTime) });
  await addReceipts(fixture.app, runId!, { displayed: 2 * clicks, clicked: clicks }, present);
  runs.set(campaignId, runId!);
  return campaignId;
}

/** Moves a run's first notifications to this local time of the site, as in a local-time delivery. */
const nudgedAt = (campaignId: string, localTime: string) =>
  changeRuns(fixture.app, { campaignId }, { nudgedAt: atSite(localTime) });

const dayOf = (daysAgo: number) =>
  new Intl.DateTimeFormat("en-CA", { timeZone, dateStyle: "short" }).format(Date.now() - daysAgo * 86_400_000);

test("a period ends today and is compared with as many days before, by the site's clocks", async () => {
  await sentAt(`${dayOf(0)} 00:00`, 4);
  await sentAt(`${dayOf(6)} 00:00`, 8);
  await sentAt(`${dayOf(7)} 23:59`, 16);
  await sentAt(`${dayOf(13)} 00:00`, 32);
  await sentAt(`${dayOf(14)} 23:59`, 64);
  await insertJoined(fixture.app, fixture.publisher.siteId, { [dayOf(7)]: 3, [dayOf(14)]: 9 });
  const { status, body } = await get("period?days=7");
  expect(status).toBe(200);
  expect(body.days.map(({ day }: { day: string }) => day)).toEqual([6, 5, 4, 3, 2, 1, 0].map(dayOf));
  expect(body.now).toMatchObject({ sends: 2, clicked: 12, displayed: 24 });
  expect(body.sent.map(({ clicked }: { clicked: number }) => clicked)).toEqual([8, 0, 0, 0, 0, 0, 4]);
  expect(body.before).toMatchObject({ sends: 2, clicked: 48, displayed: 96, joined: 3 });
  expect((await get("period")).body.now).toMatchObject({ sends: 5, clicked: 124 });
  const refused = await get("period?days=8");
  expect(refused).toMatchObject({ status: 400, body: { errors: [{ path: "/days" }] } });
});

test("the calendar has what was sent and what is planned on the days of the site's clocks", async () => {
  const first = await sentAt("2026-02-01 00:00");
  const last = await sentAt("2026-02-28 23:59");
  await sentAt("2026-01-31 23:59");
  await sentAt("2026-03-01 00:00");
  const { body } = await get("calendar?month=2026-02");
  expect(body).toMatchObject({
    month: "2026-02",
    today: dayOf(0),
    entries: [
      { campaignId: first, day: "2026-02-01", status: "sending", title: "Bridge opens" },
      { campaignId: last, day: "2026-02-28", at: new Date(Date.UTC(2026, 1, 28, 23 - hoursAhead, 59)).toISOString() },
    ],
  });
  const { campaignId } = await fixture.campaignThatIs("scheduled");
  const { scheduledAt } = await fixture.read(campaignId);
  const day = new Intl.DateTimeFormat("en-CA", { timeZone, dateStyle: "short" });
  const planned = (await get(`calendar?month=${day.format(new Date(scheduledAt)).slice(0, 7)}`)).body.entries;
  expect(planned).toContainEqual(expect.objectContaining({ campaignId, status: "scheduled", at: scheduledAt }));
  await fixture.post(campaignId, "cancel");
  expect(JSON.stringify((await get("calendar")).body)).not.toContain(campaignId);
  expect(await get("calendar?month=2026-13")).toMatchObject({ status: 400 });
});

test("the worth of notifications is added up by week, and says if days are too few", async () => {
  const { status, body } = await get("send-frequency");
  expect(status).toBe(200);
  expect(body.weeks[0]).toMatchObject({ to: dayOf(0), from: dayOf(6) });
  expect(body.advice).toEqual({ says: "too_few_days", days: 7 });
});

test("at which hours notifications were clicked most is not said of a few", async () => {
  const { status, body } = await get("send-hours");
  expect(status).toBe(200);
  expect(body).toEqual({ nudges: 0, needed: 20, hours: [], isClear: false });
});

test("a site with few notifications has no forecast; another tenant's campaign is not found", async () => {
  const { tenantId } = fixture.publisher;
  const read = (campaignId: string) =>
    fixture.api.call("GET", `/dashboard/api/tenants/${tenantId}/campaigns/${campaignId}/forecast`, {
      headers: { cookie },
    });
  expect(await read(await fixture.draft())).toMatchObject({ status: 200, body: { readers: 5, expected: null } });
  const other = campaignFixtureOf(fixture.app, fixture.api, await createPublisher(fixture.app));
  expect(await read(await other.draft())).toMatchObject({ status: 404 });
});

test("the screen shows who can be reached, the sends since midnight and the last hour", async () => {
  await sentAt(`${dayOf(1)} 23:59`);
  const today = await sentAt(`${dayOf(0)} 00:01`, 3);
  await addReceiptMinutes(fixture.app, runs.get(today)!, { displayed: 2, clicked: 1 }, ago("70 minutes"), 80);
  const { status, body } = await get("screen");
  expect(status).toBe(200);
  expect(body).toMatchObject({ reachable: 5, reachableExact: true });
  expect(body.today[0]).toMatchObject({ campaignId: today, run: { clicked: 3 } });
  expect(body.minutes).toHaveLength(60);
  const clicks = body.minutes.reduce((sum: number, { clicked }: { clicked: number }) => sum + clicked, 0);
  expect(clicks).toBe(60);
  expect(
    await fixture.api.call("GET", `/dashboard/api/tenants/${fixture.publisher.tenantId}/sites/x/screen`, {
      headers: { cookie },
    }),
  ).toMatchObject({ status: 404 });
});

test("a local-time delivery belongs to the period and day of its time at the site", async () => {
  const before = (await get("period?days=7")).body;
  const [early, morning, tomorrow] = [
    await sentAt(`${dayOf(8)} 17:00`),
    await sentAt(`${dayOf(1)} 17:00`),
    await sentAt(`${dayOf(0)} 00:00`),
  ];
  await nudgedAt(early, `${dayOf(7)} 07:00`);
  await nudgedAt(morning, `${dayOf(0)} 00:02`);
  await nudgedAt(tomorrow, `${dayOf(-1)} 01:00`);
  const { body } = await get("period?days=7");
  expect(body.now.sends - before.now.sends).toBe(1);
  expect(body.before.sends - before.before.sends).toBe(1);
  const { today } = (await get("screen")).body;
  expect(today.slice(0, 2).map(({ campaignId }: { campaignId: string }) => campaignId)).toEqual([tomorrow, morning]);
});
