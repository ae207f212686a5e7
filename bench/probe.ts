import { setTimeout as delay } from "node:timers/promises";
import type { App } from "../src/app.ts";
import { createPublisher, type Publisher } from "../test/fixtures/publisher.ts";
import { createApiClient } from "./api-client.ts";
import { memoryMbOf } from "./processes.ts";
import type { PushService } from "./push-service.ts";
import { createCampaign, type Service } from "./service.ts";

/** Latency and memory of the service during a large run. Times in ms, ascending. */
export type Probe = {
  /** From POST /send to the first message at the push service. Each of these sends was then stopped. */
  firstNudgeMs: number[];
  /** From the scheduled second of a campaign to its first message. */
  scheduledMs: number[];
  /** The durations of further sends during the run. `readMs`: those of GET /v1/runs/:id. */
  sendMs: number[];
  readMs: number[];
  /** Memory before the run, and its maximum during the run. */
  memory: Record<"service" | "database", { startMb: number; peakMb: number }>;
};

const firstNudgesPerRound = 3;
const pollEveryMs = 2;
const readEveryMs = 25;
const sendEveryMs = 100;
const memoryEveryMs = 500;

export type ProbeFixture = {
  app: App;
  service: Service;
  publisher: Publisher;
  pushService: PushService;
  databasePid: number;
  rounds: number;
};

/**
 * Sends to the whole audience once more, and measures latency and memory from outside. The further sends belong to
 * another publisher, whose site has no subscribers, so that they measure only the request.
 */
export async function probe(fixture: ProbeFixture): Promise<Probe> {
  const { app, service, databasePid } = fixture;
  const sendNow = async () => {
    const { runId, sentMs } = await service.send();
    return { runId: async () => runId, fromMs: sentMs };
  };
  const firstNudgeMs = await timeFirstNudges(fixture, sendNow);
  const scheduledMs = await timeFirstNudges(fixture, () => schedule(fixture));
  const other = await createPublisher(app);
  const api = createApiClient(service.url, other.apiKey);
  const memory = await watchMemory({ service: service.pid, database: databasePid });
  const { runId } = await service.send();
  const run = { isOpen: true };
  const measuring = Promise.all([
    every(readEveryMs, run, () => timed(() => service.api.get(`/v1/runs/${runId}`))),
    every(sendEveryMs, run, async () => {
      const campaignId = await createCampaign(api, other);
      return timed(() => api.post(`/v1/campaigns/${campaignId}/send`));
    }),
    every(memoryEveryMs, run, memory.measure),
  ]);
  await service.ended(runId).finally(() => {
    run.isOpen = false;
  });
  const [readMs, sendMs] = await measuring;
  return { firstNudgeMs, scheduledMs, readMs, sendMs, memory: memory.sizes };
}

/** A send whose run may not exist yet. `fromMs`: the time from which the wait for its first message counts. */
type Begun = { fromMs: number; runId(): Promise<string> };

async function timeFirstNudges(
  { service, pushService, rounds }: ProbeFixture,
  begin: () => Promise<Begun>,
): Promise<number[]> {
  const times: number[] = [];
  while (times.length < firstNudgesPerRound * rounds) {
    const before = await pushService.received();
    const { fromMs, runId: readRunId } = await begin();
    while ((await pushService.received()) === before) await delay(pollEveryMs);
    times.push(Date.now() - fromMs);
    const runId = await readRunId();
    // A small run may have ended already. The stop is then refused, which is no fault.
    await service.api.post(`/v1/runs/${runId}/stop`).catch(() => {});
    while (!(await hasEnded(service, runId))) await delay(pollEveryMs * 10);
  }
  return times.toSorted((a, b) => a - b);
}

/** Schedules a campaign for the second after next. */
async function schedule({ service, publisher }: ProbeFixture): Promise<Begun> {
  const campaignId = await createCampaign(service.api, publisher);
  const fromMs = Math.ceil(Date.now() / 1_000 + 1) * 1_000;
  await service.api.post(`/v1/campaigns/${campaignId}/schedule`, { scheduleAt: new Date(fromMs).toISOString() });
  return {
    fromMs,
    async runId() {
      return (await service.api.get<{ runId: string }>(`/v1/campaigns/${campaignId}`)).runId;
    },
  };
}

async function hasEnded(service: Service, runId: string): Promise<boolean> {
  const { status } = await service.api.get<{ status: string }>(`/v1/runs/${runId}`);
  return status === "stopped" || status === "completed";
}

/** Repeats `work`, with a pause, while the run is open. Returns its results, ascending. */
export async function every(pauseMs: number, run: { isOpen: boolean }, work: () => Promise<number>): Promise<number[]> {
  const results: number[] = [];
  while (run.isOpen) {
    results.push(await work());
    await delay(pauseMs);
  }
  return results.toSorted((a, b) => a - b);
}

/** Measures how long `work` takes, ms. */
async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedMs = performance.now();
  await work();
  return performance.now() - startedMs;
}

/** Reads the memory of both processes now. Returns the sizes, and a function that updates their maxima. */
export async function watchMemory(pids: Record<"service" | "database", number>) {
  const currentSizes = async () => [await memoryMbOf(pids.service), await memoryMbOf(pids.database)] as const;
  const [service, database] = await currentSizes();
  const sizes = {
    service: { startMb: service, peakMb: service },
    database: { startMb: database, peakMb: database },
  };
  return {
    sizes,
    /** Updates the maxima. Returns the sum of both, MB. */
    async measure() {
      const [serviceNow, databaseNow] = await currentSizes();
      sizes.service.peakMb = Math.max(sizes.service.peakMb, serviceNow);
      sizes.database.peakMb = Math.max(sizes.database.peakMb, databaseNow);
      return serviceNow + databaseNow;
    },
  };
}
