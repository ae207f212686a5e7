import { sql } from "kysely";
import { beforeAll, expect, test } from "vitest";
import { addFeed } from "../../src/feeds/change-feeds.ts";
import { type CampaignFixture, openCampaignFixture } from "../campaigns/fixture.ts";
import { zoneFarFromMidnight } from "../fixtures/far-from-midnight.ts";
import { createSubscriptions, subscribe } from "../fixtures/publisher.ts";
import { ago, present } from "../fixtures/rows/change.ts";
import { changeFeeds } from "../fixtures/rows/feeds.ts";
import { addReceipts, addScreenTimes, changeReceipts } from "../fixtures/rows/receipts.ts";
import { changeMessage, changeRuns, insertTotals, setPushService } from "../fixtures/rows/runs.ts";
import { changeSites, changeTenants } from "../fixtures/rows/sites.ts";
import { changeSubscribers, deleteSubscribers } from "../fixtures/rows/subscribers.ts";
import { ownerEmail, signIn } from "../fixtures/sign-in.ts";
import { start } from "../runs/fixture.ts";

let fixture: CampaignFixture;
let site: string;
let cookie: string;
const get = (path: string) => fixture.api.call("GET", path, { headers: { cookie } });
const change = (body: unknown) => fixture.api.call("PATCH", site, { headers: { cookie }, body });
const text = async (path: string) => (await fetch(fixture.api.url + path, { headers: { cookie } })).text();
const tenant = () => `/dashboard/api/tenants/${fixture.publisher.tenantId}`;

beforeAll(async () => {
  fixture = await openCampaignFixture();
  cookie = await signIn(fixture.api, ownerEmail(fixture.publisher.tenantId));
  site = `${tenant()}/sites/${fixture.publisher.siteId}`;
  // This zone keeps the counts of today within today.
  await changeSites(fixture.app, {}, { timeZone: zoneFarFromMidnight().timeZone });
  const { topicId } = (
    await fixture.api.call("POST", `${site}/topics`, { headers: { cookie }, body: { name: "Sport" } })
  ).body;
  const [first, second, third] = createSubscriptions(3);
  await subscribe(fixture.app, fixture.publisher.siteId, [{ ...first!, topics: [topicId] }, second!, third!]);
  await subscribe(fixture.app, fixture.publisher.siteId, createSubscriptions(1), "Phone");
});

test("the overview counts subscribers in all and of today, and shows recent and scheduled sends", async () => {
  await fixture.campaignThatIs("sending");
  await fixture.campaignThatIs("scheduled");
  const { status, body } = await get(`${site}/overview`);
  expect(status).toBe(200);
  expect(body).toMatchObject({ reachable: 3, reachableExact: true, testDevices: 1, alerts: [] });
  expect(body.days).toHaveLength(30);
  expect(body.days.at(-1)).toMatchObject({ joined: 3, left: 0 });
  expect(body.recent).toMatchObject([{ status: "sending", run: { audience: 3, pending: 3, accepted: 0 } }]);
  expect(body.scheduled).toMatchObject([{ status: "scheduled" }]);
});

test("a subscriber who joined still counts after leaving; imports and repeats count once", async () => {
  const of = () => fixture.publisher.siteId;
  const today = async () => (await get(`${site}/overview`)).body.days.at(-1).joined;
  const before = await today();
  const [imported, registered] = createSubscriptions(2);
  for (const _ of [1, 2]) {
    await subscribe(fixture.app, of(), [imported!]);
    const answer = await fixture.api.call("POST", `/sdk/sites/${of()}/subscriptions`, {
      headers: { origin: "https://news.example" },
      body: { subscription: registered },
    });
    expect(answer.status).toBeLessThan(300);
  }
  expect(await today()).toBe(before + 2);
  await deleteSubscribers(fixture.app, { siteId: of(), isTest: false, newest: 2 });
  expect(await today()).toBe(before + 2);
});

test("the overview shows the receipts of the last notifications", async () => {
  const { runId } = await fixture.campaignThatIs("sending");
  await addReceipts(fixture.app, runId!, { displayed: 2, clicked: 1, dismissed: 1 }, ago("1 hour"), ago("2 hours"));
  const { recent } = (await get(`${site}/overview`)).body;
  const { reputation } = (await get(`${site}/overview`)).body;
  expect(reputation).toMatchObject({ displayed: 4, clicked: 2, dismissed: 2 });
  expect(recent[0].run).toMatchObject({ runId, displayed: 4, clicked: 2, dismissed: 2, unsubscribed: 0 });
  expect(recent[1].run).toMatchObject({ displayed: 0, clicked: 0 });
});

test("the overview has an alert for each condition that stops or hinders sends", async () => {
  const { tenantId, siteId, apiKey } = fixture.publisher;
  await fixture.api.call("GET", `/v1/tenants/${tenantId}/sites`, {
    key: apiKey,
    headers: { origin: "https://a.example" },
  });
  await changeTenants(fixture.app, { id: tenantId }, { isPaused: true, hasAgreement: false });
  await changeSites(fixture.app, { id: siteId }, { isPaused: true });
  await setPushService(fixture.app, siteId, "fcm", { blockedReason: "forbidden" });
  await setPushService(fixture.app, siteId, "apple", { rateLimitedAt: ago("23 hours") });
  const { runId } = await start(fixture.app, fixture.publisher);
  await insertTotals(fixture.app, runId, { mozilla: { unauthorized: 12 } });
  const { feedId } = await addFeed(fixture.app, fixture.publisher.actor, {
    siteId,
    url: "https://news.example/rss.xml",
  });
  await changeFeeds(fixture.app, { id: feedId }, { askedAt: present });
  const { alerts } = (await get(`${site}/overview`)).body;
  const codes = alerts.map(({ code }: { code: string }) => code);
  expect(codes).toEqual([
    "dpa_required",
    "tenant_paused",
    "site_paused",
    "key_in_browser",
    "feed_asks",
    "push_service_blocked",
    "push_service_limits",
    "push_service_refuses",
  ]);
  expect(JSON.stringify(alerts)).toContain("Mozilla (Firefox) refused 12 messages");
  await changeTenants(fixture.app, { id: tenantId }, { isPaused: false, hasAgreement: true });
  await changeSites(fixture.app, { id: siteId }, { isPaused: false });
});

test("the overview warns before a browser does, where readers pass most notifications over", async () => {
  await changeReceipts(fixture.app, {}, { displayed: 2_000, dismissed: 700 });
  const { alerts } = (await get(`${site}/overview`)).body;
  const found = alerts.filter(({ code }: { code: string }) => /^(few|many)_/.test(code));
  expect(found).toMatchObject([{ code: "few_clicks" }, { code: "many_dismissals" }]);
  expect(found[0].message).toContain("let readers choose topics");
});

test("the overview warns of notifications that missed the goal for the screen, if there is one", async () => {
  const { runId } = await start(fixture.app, fixture.publisher);
  await addScreenTimes(fixture.app, runId, { 5: 850, 600: 150 });
  const late = async (goal: unknown) => {
    expect((await change({ screenGoalSeconds: goal })).status).toBe(200);
    const { alerts } = (await get(`${site}/overview`)).body;
    return alerts.filter(({ code }: { code: string }) => code === "late_on_screen");
  };
  expect(await late(600)).toEqual([]);
  expect(await late(120)).toMatchObject([{ message: expect.stringContaining("within 120 seconds") }]);
  expect(await late(null)).toEqual([]);
  for (const wrong of [0, 86_401, 1.5, "120"]) {
    const { status, body } = await change({ screenGoalSeconds: wrong });
    expect([status, body.errors[0].path]).toEqual([400, "/screenGoalSeconds"]);
  }
});

test("the overview names a notification whose clicks on Android fell", async () => {
  const addRun = async (hoursAgo: number, androidClicks: number) => {
    const { runId } = await start(fixture.app, fixture.publisher);
    const startedAt = sql<Date>`date_trunc('hour', now()) - make_interval(hours => ${hoursAgo})`;
    await changeRuns(fixture.app, { id: runId }, { startedAt });
    await changeMessage(fixture.app, runId, { title: `Of ${hoursAgo} hours ago` });
    const android = { androidDisplayed: 2_000, androidClicked: androidClicks };
    await addReceipts(fixture.app, runId, { displayed: 4_000, clicked: androidClicks + 50, ...android }, startedAt);
  };
  for (let i = 0; i < 12; i++) await addRun(100 - i, 60 + i);
  await addRun(4, 8);
  const { alerts } = (await get(`${site}/overview`)).body;
  const found = alerts.filter(({ code }: { code: string }) => code === "android_clicks_fell");
  expect(found).toMatchObject([{ params: { title: "Of 4 hours ago" } }]);
});

test("subscribers are counted by push service and by topic, without the test devices", async () => {
  const { body } = await get(`${site}/subscribers`);
  expect(body).toMatchObject({
    reachable: 3,
    exact: true,
    pushServices: [{ pushService: "fcm", n: 3 }],
    topics: [{ name: "Sport", n: 1 }],
    devices: [{ label: "Phone", pushService: "fcm" }],
  });
  const { topicId } = body.topics[0];
  expect((await get(`${site}/audience?topicIds=${topicId}`)).body).toEqual({
    audience: 1,
    exact: true,
    proven: 1,
    shut: [],
  });
  expect((await get(`${site}/audience`)).body).toEqual({ audience: 3, exact: true, proven: 3, shut: [] });
  expect((await get(`${site}/audience?topicIds=all`)).status).toBe(400);
  const topics = (count: number) => Array(count).fill(topicId).join(",");
  expect((await get(`${site}/audience?topicIds=${topics(100)}`)).status).toBe(200);
  expect((await get(`${site}/audience?topicIds=${topics(101)}`)).status).toBe(400);
});

test("what would refuse a send now is told with its audience", async () => {
  const { tenantId, siteId } = fixture.publisher;
  const shut = async () => (await get(`${site}/audience`)).body.shut;
  await changeSites(fixture.app, { id: siteId }, { isPaused: true });
  expect(await shut()).toEqual([{ code: "send_paused", scope: "site" }]);
  await changeTenants(fixture.app, { id: tenantId }, { isPaused: true, hasAgreement: false, plan: "gone" });
  const both = ["tenant", "site"].map((scope) => ({ code: "send_paused", scope }));
  expect(await shut()).toEqual([{ code: "dpa_required" }, ...both, { code: "billing" }]);
  await changeTenants(fixture.app, { id: tenantId }, { isPaused: false, hasAgreement: true, plan: "unlimited" });
  await changeSites(fixture.app, { id: siteId }, { isPaused: false });
  expect(await shut()).toEqual([]);
});

test("subscribers that their push service keeps refusing count nowhere, as they get no send", async () => {
  const { siteId } = fixture.publisher;
  const refuse = (runs: number) => changeSubscribers(fixture.app, { siteId }, { refusedRuns: runs });
  await refuse(3);
  const { body } = await get(`${site}/subscribers`);
  expect(body).toMatchObject({ isEmpty: false, reachable: 0, pushServices: [], topics: [{ name: "Sport", n: 0 }] });
  expect((await get(`${site}/audience`)).body).toEqual({ audience: 0, exact: true, proven: 0, shut: [] });
  await refuse(0);
});

test("the search for campaigns ignores case, covers title and URL, and takes % literally", async () => {
  await fixture.draft({ title: "100% Sure_thing" });
  const search = async (words: string) =>
    (await get(`${tenant()}/campaigns?search=${encodeURIComponent(words)}`)).body.data.map(
      ({ title }: { title: string }) => title,
    );
  expect(await search("100% sure_THING")).toEqual(["100% Sure_thing"]);
  expect(await search("100_ sure")).toEqual([]);
  expect((await search("NEWS.example")).length).toBeGreaterThan(1);
  expect((await get(`${tenant()}/campaigns?search=${"x".repeat(201)}`)).status).toBe(400);
  expect((await get(`${tenant()}/campaigns?sort=title`)).status).toBe(400);
});

test("the CSV file of campaigns has each campaign once, and no formula", async () => {
  await fixture.draft({ title: '=HYPERLINK("https://evil.example")' });
  for (let i = 0; i < 105; i++) await fixture.draft({ title: `Campaign ${i}` });
  const lines = (await text(`${tenant()}/campaigns.csv?siteId=${fixture.publisher.siteId}`)).trim().split("\r\n");
  const [{ n }] = (await sql<{ n: number }>`select count(*) as n from campaigns`.execute(fixture.app.db)).rows as [
    { n: number },
  ];
  expect(lines).toHaveLength(n + 1);
  expect(new Set(lines).size).toBe(n + 1);
  // A campaign without a run has empty cells for its figures.
  expect(lines.find((line) => line.includes("Campaign 7"))).toMatch(/,{13},normal,{6}$/);
  expect(lines.find((line) => line.includes("HYPERLINK"))).toContain(`"'=HYPERLINK(""https://evil.example"")"`);
});

test("the file of subscribers has the format of the import, and no test device", async () => {
  const lines = (await text(`${site}/subscribers.ndjson`))
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(lines).toHaveLength(3);
  expect(lines[0]).toMatchObject({ endpoint: expect.any(String), keys: { p256dh: expect.any(String) } });
  expect(lines.flatMap(({ topics }) => topics)).toHaveLength(1);
});

test("a site's limits are changed and removed, and a fault is reported by its field", async () => {
  const set = await change({ dailyLimit: 5, quietHours: { from: "22:00", until: "06:30" }, timeZone: "Europe/Paris" });
  expect(set).toMatchObject({
    status: 200,
    body: { dailyLimit: 5, quietHours: { from: "22:00" }, timeZone: "Europe/Paris" },
  });
  expect((await change({ dailyLimit: null })).body).toMatchObject({ dailyLimit: null, timeZone: "Europe/Paris" });
  expect(await change({ dailyLimit: 0 })).toMatchObject({ status: 400, body: { errors: [{ path: "/dailyLimit" }] } });
  expect((await change([])).status).toBe(400);
});

test("the settings for readers have defaults, change in part, and are refused by field", async () => {
  const change = (body: unknown) => fixture.api.call("PATCH", site, { headers: { cookie }, body });
  expect((await get(`${site}/readers`)).body).toMatchObject({
    origins: [],
    iconUrl: null,
    prompt: {},
    linkMode: "token",
    dormantMonths: 12,
    onUncertain: "resend",
    usualPrompt: { mode: "soft", later: "Not now" },
  });
  await change({ prompt: { title: "News?", repeatDays: 7 }, utm: { source: "bell" } });
  await change({ prompt: { title: null } });
  expect((await get(`${site}/readers`)).body).toMatchObject({ prompt: { repeatDays: 7 }, utm: { source: "bell" } });
  expect(await change({ prompt: { delaySeconds: -1 }, iconUrl: "http://news.example/i.png" })).toMatchObject({
    status: 400,
    body: { errors: [{ path: "/iconUrl" }, { path: "/prompt/delaySeconds" }] },
  });
});

test("an owner pauses and accepts the agreement, but cannot withdraw it in the dashboard", async () => {
  const change = (body: unknown) => fixture.api.call("PATCH", tenant(), { headers: { cookie }, body });
  expect((await change({ paused: true })).body).toMatchObject({ paused: true, dpaAcceptedAt: expect.any(String) });
  expect((await change({ paused: false })).body).toMatchObject({ paused: false });
  expect((await change({ dpaAccepted: false })).status).toBe(400);
  expect((await change({ plan: "unlimited" })).status).toBe(400);
});
