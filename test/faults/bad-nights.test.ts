import { sql } from "kysely";
import { beforeAll, expect, test } from "vitest";
import type { App } from "../../src/app.ts";
import { createApi, openTestApp, settingsOf } from "../fixtures/app.ts";
import { eventually } from "../fixtures/eventually.ts";
import { createPublisher, type Publisher, subscribe } from "../fixtures/publisher.ts";
import { type PushService, startPushService } from "../fixtures/push-service/push-service.ts";
import { changePlannedSends } from "../fixtures/rows/campaigns.ts";
import { ahead } from "../fixtures/rows/change.ts";
import { startService } from "../fixtures/service-process.ts";

// Claims of docs/bad-nights.md about nights that no other test covers. Each runs against a real process.
let pushService: PushService;

beforeAll(async () => {
  pushService = await startPushService({});
});

type Night = { app: App; publisher: Publisher; settings: Record<string, string> };

async function openNight(subscribers: number): Promise<Night> {
  const app = await openTestApp({ PUSH_SERVICES: pushService.origin });
  const publisher = await createPublisher(app);
  const keyed = { applicationServerKey: publisher.vapidPublicKey };
  await subscribe(app, publisher.siteId, pushService.createSubscriptions(subscribers, keyed));
  const settings = { PUSH_SERVICES: pushService.origin, NODE_EXTRA_CA_CERTS: pushService.caFile };
  return { app, publisher, settings: { ...settingsOf(app), ...settings } };
}

/** Returns a function that calls the process at `url` as a CMS does. */
function callerOf(url: string, { tenantId, siteId, apiKey: key }: Publisher) {
  const api = createApi(url);
  const text = { siteId, mode: "manual", url: "https://news.example/a", title: "Title", body: "Body" };
  return {
    create: async () =>
      (await api.call("POST", `/v1/tenants/${tenantId}/campaigns`, { key, body: text })).body.campaignId,
    send: (campaignId: string) => api.call("POST", `/v1/campaigns/${campaignId}/send`, { key }),
    schedule: (campaignId: string, scheduleAt: string) =>
      api.call("POST", `/v1/campaigns/${campaignId}/schedule`, { key, body: { scheduleAt } }),
    read: async (campaignId: string) => (await api.call("GET", `/v1/campaigns/${campaignId}`, { key })).body,
    ended: (runId: string) =>
      eventually(async () => {
        const { body } = await api.call("GET", `/v1/runs/${runId}`, { key });
        return body.status === "completed" && body;
      }, 60_000),
  };
}

/** Makes each write to the tables fail as PostgreSQL does when the disk is full (53100), until `free`. */
async function fillDisk({ db }: App, ...tables: string[]): Promise<{ free(): Promise<void> }> {
  const define = (body: string) =>
    sql
      .raw(`create or replace function no_space() returns trigger language plpgsql as $$ begin ${body}; end $$`)
      .execute(db);
  await define("raise exception 'could not extend file: No space left on device' using errcode = 'disk_full'");
  for (const table of tables)
    await sql
      .raw(`create trigger full_disk before insert or update on ${table} execute function no_space()`)
      .execute(db);
  // The triggers stay: dropping them locks both tables at once, which can deadlock with the service.
  return { free: async () => void (await define("return new")) };
}

test("a full disk during a run: sends are 503, nothing is lost or repeated, then all goes on", async () => {
  const { app, publisher, settings } = await openNight(2_000);
  const service = await startService("start", settings);
  const cms = callerOf(service.url, publisher);
  const [first, second] = [await cms.create(), await cms.create()];
  const before = pushService.stats();
  const sent = await cms.send(first);
  await pushService.received(before.received + 100);
  const disk = await fillDisk(app, "runs", "run_batches");
  const refused = await cms.send(second);
  expect(refused).toMatchObject({ status: 503, body: { code: "unavailable" } });
  expect(refused.headers.get("retry-after")).toBe("1");
  await service.printed(/No space left on device/);
  await disk.free();
  expect(await cms.ended(sent.body.runId)).toMatchObject({ accepted: 2_000, repeated: 0 });
  const again = await cms.send(second);
  expect(again.status).toBe(202);
  expect(await cms.ended(again.body.runId)).toMatchObject({ accepted: 2_000, repeated: 0 });
  const { accepted, repeated } = pushService.stats();
  expect({ accepted: accepted - before.accepted, repeated }).toEqual({ accepted: 4_000, repeated: 0 });
});

/** Returns Node.js options that set the clock `ms` ahead of the machine's, also in threads. */
function clockAhead(ms: number): string {
  const code = `const Real = Date; globalThis.Date = class extends Real {
    constructor(...given) { if (given.length === 0) super(Real.now() + ${ms}); else super(...given); }
    static now() { return Real.now() + ${ms}; } };`;
  return `--import=data:text/javascript,${encodeURIComponent(code)}`;
}

test.each([
  ["ahead of", 90_000],
  ["behind", -90_000],
])("a machine whose clock is 90 s %s warns, delivers, and sends by the database's clock", async (apart, ms) => {
  const { app, publisher, settings } = await openNight(100);
  const service = await startService("start", { ...settings, NODE_OPTIONS: clockAhead(ms) });
  await service.printed(new RegExp(`this machine's clock is (89|90) s ${apart} the database's: switch on time`));
  const cms = callerOf(service.url, publisher);
  const sent = await cms.send(await cms.create());
  expect(await cms.ended(sent.body.runId)).toMatchObject({ accepted: 100, repeated: 0 });

  const campaignId = await cms.create();
  const inTenMinutes = new Date(Date.now() + 600_000).toISOString();
  expect(await cms.schedule(campaignId, inTenMinutes)).toMatchObject({ status: 200 });
  await changePlannedSends(app, { campaignId: campaignId, waitsFor: "time" }, { startsAt: ahead("1 second") });
  const { runId } = await eventually(async () => {
    const campaign = await cms.read(campaignId);
    return campaign.runId !== null && campaign;
  }, 60_000);
  expect(await cms.ended(runId)).toMatchObject({ accepted: 100 });
  const lateMs = await sql<{
    ms: number;
  }>`select (extract(epoch from r.created_at - c.scheduled_at) * 1000)::float8 as ms
    from runs r join campaign_states c on c.id = r.campaign_id where r.id = ${runId}`.execute(app.db);
  expect(lateMs.rows[0]!.ms).toBeGreaterThanOrEqual(0);
  expect(lateMs.rows[0]!.ms).toBeLessThan(60_000);
});
