import type { App } from "../src/app.ts";
import type { Publisher } from "../test/fixtures/publisher.ts";
import { holdToCoreShare } from "./core-share.ts";
import type { Flags } from "./flags.ts";
import { median } from "./measure.ts";
import { cpuMsOf } from "./processes.ts";
import { type ServiceOptions, startService, startWorker } from "./service.ts";

/** The measurement of one number of workers: medians over the rounds. CPU in CPU-seconds per 1,000 messages. */
export type GrowthMeasurement = { workers: number; perSecond: number; workersCpu: number; databaseCpu: number };

/** The measured numbers of `pressbell worker` processes, each with one delivery thread. */
const counts = [1, 2, 4, 8];

export type GrowthOptions = {
  flags: Flags;
  app: App;
  publisher: Publisher;
  databasePid: number;
  service: Omit<ServiceOptions, "workers" | "command">;
  onMeasured: (measurement: GrowthMeasurement) => void;
  /** The list of clean-up functions. A stop function of each started process is added to it. */
  cleanUps: (() => Promise<unknown>)[];
};

/**
 * Measures how the rate grows with the number of workers. There is one API, and each worker may use `flags.coreShare`
 * percent of a core, so that the workers and not the machine are the limit. Each number of workers sends to `flags.n`
 * readers in each round, after a warm-up.
 */
export async function measureGrowth(options: GrowthOptions): Promise<void> {
  const { flags, databasePid, onMeasured, cleanUps } = options;
  const api = await startService({ ...options.service, workers: 1, command: "api" });
  cleanUps.push(api.stop);
  for (const workers of counts) {
    const started = cleanUps.length;
    const pids: number[] = [];
    for (let i = 0; i < workers; i++) {
      const worker = await startWorker({ ...options.service, workers: 1 });
      cleanUps.push(worker.stop);
      cleanUps.splice(-1, 0, await holdToCoreShare(worker.pid, flags.coreShare));
      pids.push(worker.pid);
    }
    const rounds: Omit<GrowthMeasurement, "workers">[] = [];
    for (let no = 0; no <= flags.rounds; no++) {
      const cpuMs = async () => [await sumOf(pids), await cpuMsOf(databasePid)];
      const [workersBefore, databaseBefore] = await cpuMs();
      const { runId, sentMs } = await api.send();
      const { endedMs, accepted } = await api.ended(runId);
      const [workersAfter, databaseAfter] = await cpuMs();
      if (no === 0) continue;
      rounds.push({
        perSecond: (accepted / (endedMs - sentMs)) * 1_000,
        // Milliseconds per message equal seconds per 1,000 messages.
        workersCpu: (workersAfter! - workersBefore!) / accepted,
        databaseCpu: (databaseAfter! - databaseBefore!) / accepted,
      });
    }
    const of = (name: keyof (typeof rounds)[number]) => median(rounds.map((round) => round[name]));
    onMeasured({ workers, perSecond: of("perSecond"), workersCpu: of("workersCpu"), databaseCpu: of("databaseCpu") });
    for (const stop of cleanUps.splice(started).toReversed()) await stop();
  }
}

async function sumOf(pids: number[]): Promise<number> {
  return (await Promise.all(pids.map(cpuMsOf))).reduce((sum, ms) => sum + ms, 0);
}
