import type { Database } from "../db/pool.ts";
import type { Logger } from "../log.ts";
import { sweepRuns } from "./close-run.ts";
import { planNextPage } from "./plan-run.ts";

const lookEveryMs = 200;
const sweepEveryMs = 1_000;

/**
 * Keeps runs going: pages the audience of new ones into batches, and closes those that have nothing left to do. What
 * there is to do is read off the runs themselves, so any number of processes may do this, and one that dies leaves
 * nothing behind. `onBatches` is called when there is something to deliver.
 */
export function startRunPoller(db: Database, log: Logger, onBatches: () => void): { stop(): Promise<void> } {
  let isStopping = false;
  let sweptMs = 0;
  let endPause = () => {};

  async function look(): Promise<void> {
    try {
      await sweep();
      while (!isStopping && (await planNextPage(db))) {
        onBatches();
        // The pages of a large run take a minute, and others end meanwhile.
        await sweep();
      }
    } catch (error) {
      log.warn({ err: error }, "runs could not be looked after and will be again");
    }
  }

  async function sweep(): Promise<void> {
    if (performance.now() - sweptMs < sweepEveryMs) return;
    sweptMs = performance.now();
    for (const run of await sweepRuns(db)) log.info({ runId: run.runId }, "a run was closed");
  }

  const loop = (async () => {
    while (!isStopping) {
      await look();
      await new Promise<void>((resolve) => {
        endPause = resolve;
        setTimeout(resolve, lookEveryMs);
      });
    }
  })();
  return {
    async stop() {
      isStopping = true;
      endPause();
      await loop;
    },
  };
}
