import type { Database } from "../../db/pool.ts";
import type { Logger } from "../../log.ts";
import { type RunSignal, signalsOfRuns } from "../../runs/ledger/run-signal.ts";
import type { RunRef } from "../../runs/queries.ts";

/**
 * The time between two queries for the runs at work. No POST starts on an answer that is older than `trustForMs`, so
 * a stop takes effect within this time. The API promises a second. `maxStartDelayMs` (egress/push/request-writer.ts)
 * is the other 200 ms.
 */
const askEveryMs = 250;
const trustForMs = 800;

type Watched = { run: RunRef; batches: number; signal: RunSignal; asOfMs: number };

/**
 * Watches the runs that this thread delivers, in one query every 250 ms, so that a stop or a pause takes effect within
 * a second, even when the database is away. All times are monotonic, taken before the query was sent.
 */
export type RunWatch = {
  /**
   * Starts the watch for one batch of the run; `close` ends it. `asOfMs`: when the batch was claimed, which counts as
   * a "go".
   */
  open(run: RunRef, asOfMs: number): void;
  close(run: RunRef): void;
  /** Records a signal that a flush returned. */
  record(run: RunRef, signal: RunSignal, asOfMs: number): void;
  /** Returns the last signal of a run, or "stale" if a "go" is too old to start a POST. */
  signalOf(run: RunRef): RunSignal | "stale";
  /** Resolves when the next query is answered, has failed, or is overdue. */
  nextAnswer(): Promise<void>;
  stop(): void;
};

export function createRunWatch(db: Database, log: Logger): RunWatch {
  const watched = new Map<string, Watched>();
  let waiters: (() => void)[] = [];
  let isAsking = false;

  async function ask(): Promise<void> {
    if (watched.size === 0 || isAsking) return;
    isAsking = true;
    const asOfMs = performance.now();
    // Only the runs that are asked for are updated. A run that opens meanwhile is missing from the answer, which must
    // not mean "stop".
    const asked = [...watched.values()];
    try {
      const signals = await signalsOfRuns(
        db,
        asked.map(({ run }) => run),
      );
      for (const entry of asked) update(entry, signals.get(entry.run.runId) ?? "stop", asOfMs);
    } catch (error) {
      log.warn({ err: error }, "the state of open runs could not be read: nothing new is posted until it can");
    } finally {
      isAsking = false;
      resolveWaiters();
    }
  }

  function resolveWaiters(): void {
    const resolved = waiters;
    waiters = [];
    for (const resolve of resolved) resolve();
  }

  function update(entry: Watched, signal: RunSignal, asOfMs: number): void {
    if (asOfMs < entry.asOfMs) return;
    entry.signal = signal;
    entry.asOfMs = asOfMs;
  }

  const timer = setInterval(() => {
    // A database that hangs must not block the waiters, because they have to notice that their lease runs out.
    if (isAsking) resolveWaiters();
    else void ask();
  }, askEveryMs);
  return {
    open(run, asOfMs) {
      const entry = watched.get(run.runId);
      if (entry === undefined) {
        watched.set(run.runId, { run, batches: 1, signal: "go", asOfMs });
      } else {
        entry.batches++;
        update(entry, "go", asOfMs);
      }
    },
    close(run) {
      const entry = watched.get(run.runId);
      if (entry !== undefined && --entry.batches === 0) watched.delete(run.runId);
    },
    record(run, signal, asOfMs) {
      const entry = watched.get(run.runId);
      // A fence concerns one batch, not its run.
      if (entry !== undefined && signal !== "fenced") update(entry, signal, asOfMs);
    },
    signalOf(run) {
      const entry = watched.get(run.runId);
      if (entry === undefined) return "stop";
      if (entry.signal !== "go") return entry.signal;
      return performance.now() - entry.asOfMs < trustForMs ? "go" : "stale";
    },
    nextAnswer: () => new Promise((resolve) => void waiters.push(resolve)),
    stop: () => clearInterval(timer),
  };
}
