import type { Database } from "../../db/pool.ts";
import type { Logger } from "../../log.ts";
import { type RunSignal, signalsOfRuns } from "../../runs/batches.ts";
import type { RunRef } from "../../runs/queries.ts";

/** How often the runs at work are asked for, and how old an answer may be for a POST to start on it. */
const askEveryMs = 250;
const trustForMs = 800;

type Watched = { run: RunRef; batches: number; signal: RunSignal; asOfMs: number };

/**
 * Watches the runs that this thread delivers for, in one query every 250 ms: so a stop or a pause holds everywhere
 * within a second, also where the database has gone away. All times are monotonic, taken before the question was sent.
 */
export type RunWatch = {
  /** Begins or ends to watch for one batch; a claim or a flush is an answer too. */
  open(run: RunRef, asOfMs: number): void;
  close(run: RunRef): void;
  note(run: RunRef, signal: RunSignal, asOfMs: number): void;
  /** The last word on a run, or "stale" when that is too old to start a POST on. */
  signalOf(run: RunRef): RunSignal | "stale";
  /** Resolves when the next question was answered, failed, or is overdue. */
  nextAnswer(): Promise<void>;
  stop(): void;
};

export function createRunWatch(db: Database, log: Logger): RunWatch {
  const watched = new Map<string, Watched>();
  let waiting: (() => void)[] = [];
  let isAsking = false;

  async function ask(): Promise<void> {
    if (watched.size === 0 || isAsking) return;
    isAsking = true;
    const asOfMs = performance.now();
    // Only those asked for: to a run that is opened meanwhile the answer says nothing, which is not "stop".
    const asked = [...watched.values()];
    try {
      const signals = await signalsOfRuns(
        db,
        asked.map(({ run }) => run),
      );
      for (const entry of asked) note(entry, signals.get(entry.run.runId) ?? "stop", asOfMs);
    } catch (error) {
      log.warn({ err: error }, "the state of open runs could not be read: nothing new is posted until it can");
    } finally {
      isAsking = false;
      endWaiting();
    }
  }

  function endWaiting(): void {
    const resolved = waiting;
    waiting = [];
    for (const resolve of resolved) resolve();
  }

  function note(entry: Watched, signal: RunSignal, asOfMs: number): void {
    if (asOfMs < entry.asOfMs) return;
    entry.signal = signal;
    entry.asOfMs = asOfMs;
  }

  const timer = setInterval(() => {
    // A database that hangs must not hang those who wait: their lease runs out, and they have to see it.
    if (isAsking) endWaiting();
    else void ask();
  }, askEveryMs);
  return {
    open(run, asOfMs) {
      const entry = watched.get(run.runId);
      if (entry === undefined) watched.set(run.runId, { run, batches: 1, signal: "go", asOfMs });
      else entry.batches++;
      if (entry !== undefined) note(entry, "go", asOfMs);
    },
    close(run) {
      const entry = watched.get(run.runId);
      if (entry !== undefined && --entry.batches === 0) watched.delete(run.runId);
    },
    note(run, signal, asOfMs) {
      const entry = watched.get(run.runId);
      // A fence is about one batch, not about its run.
      if (entry !== undefined && signal !== "fenced") note(entry, signal, asOfMs);
    },
    signalOf(run) {
      const entry = watched.get(run.runId);
      if (entry === undefined) return "stop";
      if (entry.signal !== "go") return entry.signal;
      return performance.now() - entry.asOfMs < trustForMs ? "go" : "stale";
    },
    nextAnswer: () => new Promise((resolve) => void waiting.push(resolve)),
    stop: () => clearInterval(timer),
  };
}
