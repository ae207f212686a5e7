import { setTimeout as delay } from "node:timers/promises";
import type { Job, Journal } from "./journal.ts";
import type { Outcome } from "./send-post.ts";

export type Queue = {
  /** Starts a job that is in the journal. */
  start(job: Job): void;
  /** Stops the work. Unfinished jobs stay in the journal. */
  stop(): Promise<void>;
};

const maxWaitMs = 60_000;

/**
 * Works on the jobs of the journal, those of an earlier process first. Repeats a failed job after 1 s, 2 s, 4 s and
 * so on, up to 60 s. Gives it up `giveUpMs` after its webhook, because late news is not news.
 */
export function startQueue(
  journal: Journal,
  send: (job: Job, signal: AbortSignal) => Promise<Outcome>,
  { giveUpMs, log }: { giveUpMs: number; log: (line: string) => void },
): Queue {
  const stopping = new AbortController();
  const running = new Set<Promise<void>>();
  async function work(job: Job): Promise<void> {
    for (let waitMs = 1_000; ; waitMs = Math.min(maxWaitMs, waitMs * 2)) {
      const { kind, message } = await send(job, stopping.signal);
      const isLate = Date.now() + waitMs > job.receivedMs + giveUpMs;
      log(`post ${job.id} ${kind === "again" ? (isLate ? "given up" : "not yet sent") : kind}: ${message}`);
      if (kind !== "again" || isLate) return journal.end(job.id);
      await delay(waitMs, undefined, { signal: stopping.signal });
    }
  }
  const start = (job: Job) => {
    const done = work(job)
      .catch((error: Error) => {
        if (!stopping.signal.aborted) log(`post ${job.id} stays in the journal: ${error.message}`);
      })
      .finally(() => running.delete(done));
    running.add(done);
  };
  for (const job of journal.pending.values()) start(job);
  return {
    start,
    async stop() {
      stopping.abort();
      await Promise.all(running);
    },
  };
}
