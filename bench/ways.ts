import { setTimeout as delay } from "node:timers/promises";
import { sql } from "kysely";
import type { App } from "../src/app.ts";
import { newId } from "../src/ids.ts";
import { addSegment } from "../src/subscribers/segments/segments.ts";
import type { Publisher } from "../test/fixtures/publisher.ts";
import type { Flags } from "./flags.ts";
import { median } from "./measure.ts";
import { cpuMsOf } from "./processes.ts";
import { createCampaign, type Service } from "./service.ts";

/** The cost of messages that are sent in one way: medians over the rounds. CPU in CPU-seconds per 1,000 messages. */
export type WayMeasurement = { way: string; serviceCpu: number; databaseCpu: number; ratio: number };

type Options = { flags: Flags; app: App; publisher: Publisher; service: Service; databasePid: number };

const waysOverZones = ["all at once", "local-time delivery"];

/**
 * Measures the cost of a message that is sent to all at once, with a headline test, to a segment, and by local-time
 * delivery to readers in twelve zones, and of the combinations with a segment. With `flags.zones`, measures only the
 * sends at once and the local-time delivery. Sends to `flags.n` readers alternately, after a warm-up. `ratio`: to the
 * cost of a send to all at once.
 */
export async function measureWays(options: Options): Promise<WayMeasurement[]> {
  const { flags, app, publisher, service, databasePid } = options;
  await spreadOverZones(app, publisher, flags.zones);
  const ways = {
    "all at once": () => sendToAll(options),
    "two headlines": () => sendDraft(options, twoHeadlines),
    "a segment": async () => sendDraft(options, await wholeSegment(options)),
    "two headlines to a segment": async () => sendDraft(options, { ...twoHeadlines, ...(await wholeSegment(options)) }),
    "local-time delivery": () => sendAtLocalTime(options, {}),
    "a segment by local-time delivery": async () => sendAtLocalTime(options, await wholeSegment(options)),
  };
  const wanted = Object.entries(ways).filter(([way]) => flags.zones === undefined || waysOverZones.includes(way));
  const rounds = wanted.map(([way, send]) => ({ way, send, costs: [] as [number, number][] }));
  for (let no = 0; no <= flags.rounds; no++) {
    for (const { send, costs } of rounds) {
      const cpuMs = async () => [await cpuMsOf(service.pid), await cpuMsOf(databasePid)] as const;
      const before = await cpuMs();
      const { accepted } = await service.ended(await send());
      const after = await cpuMs();
      // Milliseconds per message equal seconds per 1,000 messages.
      if (no > 0) costs.push([(after[0] - before[0]) / accepted, (after[1] - before[1]) / accepted]);
    }
  }
  const whole = ([ofService, ofDatabase]: [number, number]) => ofService + ofDatabase;
  return rounds.map(({ way, costs }) => ({
    way,
    serviceCpu: median(costs.map(([cost]) => cost)),
    databaseCpu: median(costs.map(([, cost]) => cost)),
    ratio: median(costs.map((cost, no) => whole(cost) / whole(rounds[0]!.costs[no]!))),
  }));
}

/**
 * Puts half of the readers in one zone, a quarter in the next, and so on to the twelfth, like the readers of a
 * newspaper. With `zones`, spreads them evenly over this many zones.
 */
async function spreadOverZones(app: App, { siteId }: Publisher, zones: number | undefined): Promise<void> {
  const hoursBehind =
    zones === undefined ? sql`least(11, log(2, (id & -id)::numeric)::int)` : sql`(id % ${zones}::int)::int - 11`;
  await sql`update subscribers set time_zone = 'Etc/GMT' || to_char(${hoursBehind}, 'SGFM99')
    where site_id = ${siteId}`.execute(app.db);
}

async function sendToAll({ service }: Options): Promise<string> {
  return (await service.send()).runId;
}

/**
 * All readers take part, because the others would wait for clicks, and nobody clicks here. The tests end before they
 * are checked often.
 */
const twoHeadlines = { variants: [{ title: "B" }], testShare: 100, testMinutes: 1 };

async function sendDraft({ service, publisher }: Options, fields: Record<string, unknown>): Promise<string> {
  const campaignId = await createCampaign(service.api, publisher, fields);
  return (await service.api.post<{ runId: string }>(`/v1/campaigns/${campaignId}/send`)).runId;
}

/** Adds a segment with all readers. Returns it as a field of a campaign. */
async function wholeSegment({ app, publisher }: Options): Promise<{ segment: string }> {
  const { siteId, actor } = publisher;
  const body = { name: newId(), rule: { subscribedWithinDays: 30 } };
  const { segmentId: segment } = await addSegment(app, actor, { siteId, body });
  return { segment };
}

/** Starts the run when the hour has come for the first readers, and then lets all hours pass at once. */
async function sendAtLocalTime(options: Options, fields: Record<string, unknown>): Promise<string> {
  const { app, service, publisher } = options;
  const campaignId = await createCampaign(service.api, publisher, fields);
  const [date, time] = new Date(Date.now() + 13.5 * 3_600_000).toISOString().split("T");
  const localTime = { date, time: time!.slice(0, 5) };
  await service.api.post(`/v1/campaigns/${campaignId}/schedule`, { localTime });
  const runId = await plannedRun(app, campaignId);
  await sql`update run_waves set opens_at = opens_at - interval '30 hours' where run_id = ${runId}`.execute(app.db);
  return runId;
}

async function plannedRun(app: App, campaignId: string): Promise<string> {
  for (;;) {
    const { rows } = await sql<{ id: string }>`select id from runs
      where campaign_id = ${campaignId} and planned_at is not null`.execute(app.db);
    if (rows[0] !== undefined) return rows[0].id;
    await delay(50);
  }
}
