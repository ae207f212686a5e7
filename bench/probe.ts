import { setTimeout as delay } from "node:timers/promises";
import { createApiClient } from "../demo/api-client.ts";
import type { App } from "../src/app.ts";
import { makePublisher } from "../test/fixtures/publisher.ts";
import { memoryMbOf } from "./processes.ts";
import { createCampaign, type Service } from "./service.ts";
import type { Sink } from "./sink.ts";

/** What is felt while a large run is on; times in ms, ascending. */
export type Probe = {
  /** From POST /send to the first message at the push service, of sends that were stopped then. */
  firstNudgeMs: number[];
  /** Of further sends, and of GET /v1/runs/:id, while the run is on. */
  sendMs: number[];
  readMs: number[];
  /** MB before the run and at most during it. */
  memory: Record<"service" | "database", { startMb: number; peakMb: number }>;
};

const firstNudgesPerRound = 3;
const lookEveryMs = 2;
const readEveryMs = 25;
const sendEveryMs = 100;
const memoryEveryMs = 500;

export type ProbeFixture = { app: App; service: Service; sink: Sink; databasePid: number; rounds: number };

/**
 * Sends to the whole audience once more and looks at it from outside. The further sends are of another publisher, whose
 * site has no subscribers: what they take is the request alone.
 */
export async function probe(fixture: ProbeFixture): Promise<Probe> {
  const { app, service, databasePid } = fixture;
  const firstNudgeMs = await timeFirstNudges(fixture);
  const other = await makePublisher(app);
  const api = createApiClient(service.url, other.apiKey);
  const memory = await watchMemory({ service: service.pid, database: databasePid });
  const { runId } = await service.send();
  const run = { isOn: true };
  const lookingOn = Promise.all([
    every(readEveryMs, run, () => timed(() => service.api.get(`/v1/runs/${runId}`))),
    every(sendEveryMs, run, async () => {
      const campaignId = await createCampaign(api, other.tenantId, other.siteId);
      return timed(() => api.post(`/v1/campaigns/${campaignId}/send`));
    }),
    every(memoryEveryMs, run, memory.look),
  ]);
  await service.ended(runId).finally(() => {
    run.isOn = false;
  });
  const [readMs, sendMs] = await lookingOn;
  return { firstNudgeMs, readMs, sendMs, memory: memory.seen };
}

async function timeFirstNudges({ service, sink, rounds }: ProbeFixture): Promise<number[]> {
  const times: number[] = [];
  while (times.length < firstNudgesPerRound * rounds) {
    const before = await sink.received();
    const { runId, sentMs } = await service.send();
    while ((await sink.received()) === before) await delay(lookEveryMs);
    times.push(Date.now() - sentMs);
    // One that is small enough may have ended meanwhile: that is as good.
    await service.api.post(`/v1/runs/${runId}/stop`).catch(() => {});
    while (!(await hasEnded(service, runId))) await delay(lookEveryMs * 10);
  }
  return times.toSorted((a, b) => a - b);
}

async function hasEnded(service: Service, runId: string): Promise<boolean> {
  const { status } = await service.api.get<{ status: string }>(`/v1/runs/${runId}`);
  return status === "stopped" || status === "completed";
}

/** Does `work` again and again while the run is on; returns what came of it, ascending. */
async function every(pauseMs: number, run: { isOn: boolean }, work: () => Promise<number>): Promise<number[]> {
  const results: number[] = [];
  while (run.isOn) {
    results.push(await work());
    await delay(pauseMs);
  }
  return results.toSorted((a, b) => a - b);
}

/** How long `work` takes, ms. */
async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedMs = performance.now();
  await work();
  return performance.now() - startedMs;
}

async function watchMemory(pids: Record<"service" | "database", number>) {
  const sizesNow = async () => [await memoryMbOf(pids.service), await memoryMbOf(pids.database)] as const;
  const [service, database] = await sizesNow();
  const seen = {
    service: { startMb: service, peakMb: service },
    database: { startMb: database, peakMb: database },
  };
  return {
    seen,
    /** Returns the sum of both, MB. */
    async look() {
      const [serviceNow, databaseNow] = await sizesNow();
      seen.service.peakMb = Math.max(seen.service.peakMb, serviceNow);
      seen.database.peakMb = Math.max(seen.database.peakMb, databaseNow);
      return serviceNow + databaseNow;
    },
  };
}
