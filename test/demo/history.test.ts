import { sql } from "kysely";
import { beforeAll, expect, test } from "vitest";
import { planHistory, planReceipts } from "../../demo/history/plan.ts";
import { createRandom } from "../../demo/history/random.ts";
import type { App } from "../../src/app.ts";
import { row, rows } from "../../src/db/pool.ts";
import { addFeed } from "../../src/feeds/change-feeds.ts";
import { learntOfSite } from "../../src/forecast/queries.ts";
import { type Api, openTestApp, serve, settingsOf } from "../fixtures/app.ts";
import { createPublisher, createSubscriptions, type Publisher, subscribe } from "../fixtures/publisher.ts";
import { ownerEmail, signIn } from "../fixtures/sign-in.ts";
import { spawnProcess } from "../fixtures/spawn-process.ts";

const main = new URL("../../demo/history/main.ts", import.meta.url).pathname;
const readers = 2_000;
let app: App;
let publisher: Publisher;
let api: Api;
let cookie: string;

beforeAll(async () => {
  app = await openTestApp({ ALLOW_HOSTS: "localhost:7" });
  const former = await createPublisher(app);
  for (const url of ["https://localhost:7/rss", "https://news.example/rss"])
    await addFeed(app, { kind: "operator", tenantId: former.tenantId }, { siteId: former.siteId, url });
  publisher = await createPublisher(app);
  api = await serve(app);
  cookie = await signIn(api, ownerEmail(publisher.tenantId));
  await subscribe(app, publisher.siteId, createSubscriptions(readers));
  const { tenantId, siteId, actor } = publisher;
  const keyId = actor.kind === "key" ? actor.keyId : "";
  const written = spawnProcess([tenantId, siteId, keyId, "https://localhost:1"], settingsOf(app), main);
  expect([await written.ended, written.output()]).toEqual([0, ""]);
});

test("the newspaper of a former demo is polled no more, and other feeds are", async () => {
  const feeds = await rows(sql<{ url: string }>`select url from feeds`, app.db);
  expect(feeds).toEqual([{ url: "https://news.example/rss" }]);
});

const page = async (path: string) =>
  (await api.call("GET", `/dashboard/api/tenants/${publisher.tenantId}${path}`, { headers: { cookie } })).body;

test("the plan is the same for the same day, and has a notification on every day", () => {
  const midnightMs = Date.UTC(2027, 2, 10);
  const plan = () => planHistory(createRandom(7), midnightMs + 15 * 3_600_000, midnightMs);
  const { sends } = plan();
  expect(plan().sends).toEqual(sends);
  expect(new Set(sends.map(({ atMs }) => Math.floor(atMs / 86_400_000))).size).toBe(61);
  expect(sends.filter(({ end }) => end === "stopped")).toHaveLength(1);
  expect(sends.findIndex(({ corrects }) => corrects)).toBe(sends.findIndex(({ end }) => end === "stopped") + 1);
  expect(Math.max(...sends.map(({ atMs }) => atMs))).toBeLessThan(midnightMs + 12 * 3_600_000);
  const receipts = planReceipts(createRandom(7), sends[0]!, 1_000, midnightMs);
  const clicked = receipts.reduce((sum, one) => sum + one.clicked, 0);
  expect(clicked).toBeGreaterThan(0);
  expect(clicked).toBeLessThan(receipts.reduce((sum, one) => sum + one.displayed, 0));
});

test("who joined, less who was found gone, are those who are there", async () => {
  const sums = await row(
    sql<{ joined: number; gone: number }>`select
      (select sum(n)::int from subscribers_joined where site_id = ${publisher.siteId}) as joined,
      (select sum(n)::int from run_totals where site_id = ${publisher.siteId} and code >> 4 = 3) as gone`,
    app.db,
  );
  expect(sums!.gone).toBeGreaterThan(0);
  expect(sums!.joined - sums!.gone).toBe(readers);
  const overview = await page(`/sites/${publisher.siteId}/overview`);
  expect(overview).toMatchObject({ reachable: readers, alerts: [] });
  expect(overview.recent).toHaveLength(6);
});

test("receipts by minute equal those by hour, and no more clicks than displays or readers", async () => {
  const runs = await rows(
    sql<Record<"accepted" | "displayed" | "clicked" | "minutes" | "early" | "size" | "audience", number>>`
      select s.accepted, s.size, r.expected_audience as audience, coalesce(sum(h.displayed), 0)::int as displayed,
        coalesce(sum(h.clicked), 0)::int as clicked,
        (select coalesce(sum(displayed), 0)::int from receipt_minutes where run_id = r.id) as minutes,
        coalesce(sum(h.displayed) filter (where h.hour < r.created_at + interval '4 hours'), 0)::int as early
      from runs r join run_sums s on s.run_id = r.id left join receipt_hours h on h.run_id = r.id
      group by r.id, r.expected_audience, s.accepted, s.size`,
    app.db,
  );
  expect(runs.length).toBeGreaterThan(90);
  for (const run of runs) {
    expect(run.size).toBe(run.audience);
    expect(run.displayed).toBeLessThan(run.accepted);
    expect(run.clicked).toBeLessThanOrEqual(run.displayed);
    expect(run.minutes).toBeLessThanOrEqual(run.early);
  }
  expect(runs.some(({ minutes }) => minutes > 0)).toBe(true);
});

test("pages of a stopped run, its correction and a planned notification say what happened", async () => {
  const { data } = await page(`/campaigns?siteId=${publisher.siteId}&limit=100`);
  const stopped = data.find(({ status }: { status: string }) => status === "stopped");
  expect(stopped.run.notSent).toBeGreaterThan(stopped.run.accepted);
  const correction = data.find(({ corrects }: { corrects: string | null }) => corrects !== null);
  expect(correction).toMatchObject({ corrects: stopped.campaignId, status: "sent" });
  expect((await page(`/campaigns/${stopped.campaignId}/send-facts`)).sentBy.name).toMatch(/^editor-/);
  const scheduled = data.filter(({ status }: { status: string }) => status === "scheduled");
  expect(scheduled).toHaveLength(2);
  const log = await page("/audit-log?kind=sends&limit=100");
  const times = log.data.map(({ at }: { at: string }) => at);
  expect(times).toEqual(times.toSorted().reverse());
});

test("what readers clicked in these weeks is learnt, so that the score takes it into account", async () => {
  const learnt = await learntOfSite(app.db, publisher.siteId);
  expect(learnt).toMatchObject({ learnt: { tenants: 0, evaluation: { isUsed: true } } });
});

test("readers have visits, clicks and zones for segments, and a welcome and a win-back wait", async () => {
  const path = `/sites/${publisher.siteId}/segments`;
  const { data } = await page(path);
  const readersOf = async (name: string) => {
    const { rule } = data.find((segment: { name: string }) => segment.name === name);
    const url = `/dashboard/api/tenants/${publisher.tenantId}${path}/count`;
    return (await api.call("POST", url, { body: { rule }, headers: { cookie } })).body.readers;
  };
  for (const [name, share] of [
    ["Here this week", 0.5],
    ["Not here for a month", 0.25],
    ["Clicks often", 0.2],
    ["Reads in Portuguese or Japanese", 0.2],
    ["Subscribers who read in English", 0.23],
  ] as const) {
    expect(await readersOf(name)).toBeGreaterThan(0.6 * share * readers);
    expect(await readersOf(name)).toBeLessThan(1.4 * share * readers);
  }
  const { zones } = (await row(
    sql<{ zones: number }>`select count(distinct time_zone)::int as zones from subscribers
      where site_id = ${publisher.siteId}`,
    app.db,
  ))!;
  expect(zones).toBe(4);
  expect(await page(`/sites/${publisher.siteId}/welcome`)).toMatchObject({ enabled: false, steps: [{}, {}] });
  expect(await page(`/sites/${publisher.siteId}/win-back`)).toMatchObject({ enabled: false, afterDays: 60 });
});

test("less important notifications win visits, as readers left out of them show", async () => {
  const { classes } = await page(`/sites/${publisher.siteId}/holdouts`);
  expect(classes).toMatchObject([{ class: "low", visits: { difference: {} } }]);
  expect(classes[0].heldOut).toBeGreaterThan(0.07 * readers);
  expect(classes[0].visits.difference.middle).toBeGreaterThan(10);
});

test("one notification tested two headlines, and one went out at the hour of its readers", async () => {
  const { data } = await page(`/campaigns?siteId=${publisher.siteId}&limit=100`);
  const runOf = (campaign: { run: { runId: string } }) => page(`/runs/${campaign.run.runId}`);
  const atTheirHour = await runOf(data.find(({ localTime }: { localTime: object | null }) => localTime !== null));
  const sum = (name: string) => atTheirHour.waves.reduce((all: number, one: never) => all + one[name], 0);
  expect(atTheirHour.waves.length).toBeGreaterThan(2);
  expect(atTheirHour.waves.every(({ state }: { state: string }) => state === "done")).toBe(true);
  expect([sum("readers"), sum("accepted")]).toEqual([atTheirHour.audience, atTheirHour.accepted]);
  const runs = await Promise.all(data.filter(({ run }: { run: object | null }) => run !== null).map(runOf));
  const [tested, ...others] = runs.filter(({ headlineTest }) => headlineTest !== undefined);
  expect(others).toEqual([]);
  const { status, chosen, variants } = tested.headlineTest;
  expect(status).toMatch(/^(winner|no_difference)$/);
  expect([variants.length, chosen]).toEqual([2, 1]);
  for (const { recipients, accepted, shown, clicked } of variants) {
    expect([recipients, accepted, shown, clicked].toSorted((a, b) => b - a)).toEqual([
      recipients,
      accepted,
      shown,
      clicked,
    ]);
    expect(recipients).toBeLessThanOrEqual(tested.audience / 4);
  }
});
