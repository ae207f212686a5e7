import { setTimeout as delay } from "node:timers/promises";
import type { Actor } from "../actor.ts";
import type { App } from "../app.ts";
import { newWaitBudget, withWaitBudget } from "../db/wait-budget.ts";
import { readRun } from "../runs/read-run.ts";
import type { RunView } from "../runs/view-run.ts";

/**
 * The shared reads of runs. A run is read once for all clients of this process that follow it, because counting a
 * large run for each client would take seconds.
 */
export type RunSnapshots = {
  /** Adds a follower to a run of the actor's tenant. Reads nothing yet. */
  follow(app: App, actor: Actor, runId: string): RunFollower;
  /** Returns the number of runs that have a follower. */
  followedRuns(): number;
};

export type RunFollower = {
  /** Returns the run as it is now. Shares a read that is in progress. Throws `not_found`. */
  current(): Promise<RunView>;
  /** Returns the run at the next read. Throws an `AbortError` if the last follower leaves before it. */
  next(): Promise<RunView>;
  /** Ends following. Call it once. The reads stop when the last follower leaves. */
  leave(): void;
};

type SharedReads = Pick<RunFollower, "current" | "next"> & { followers: number; stop(): void };

/** Creates snapshots without followers. `intervalMs`: the pause between the end of a read and the start of the next. */
export function createRunSnapshots(intervalMs = 500): RunSnapshots {
  const readsByRun = new Map<string, SharedReads>();
  return {
    follow(app, actor, runId) {
      // The result of `readRun` depends only on the actor's tenant, so members of a tenant can share a read.
      const key = `${actor.tenantId} ${runId}`;
      // Each read has a wait budget of its own, because the budget of the request that starts it may be used up.
      const read = () => withWaitBudget(newWaitBudget("general", actor.tenantId), () => readRun(app, actor, { runId }));
      const reads = readsByRun.get(key) ?? shareReads(read, intervalMs);
      readsByRun.set(key, reads);
      reads.followers++;
      return {
        current: reads.current,
        next: reads.next,
        leave() {
          reads.followers--;
          if (reads.followers > 0) return;
          readsByRun.delete(key);
          reads.stop();
        },
      };
    },
    followedRuns: () => readsByRun.size,
  };
}

/** Shares reads: at most one read and one wait for the next are pending at a time, however many followers ask. */
function shareReads(read: () => Promise<RunView>, intervalMs: number): SharedReads {
  const stopped = new AbortController();
  let currentRead: Promise<RunView> | undefined;
  let nextRead: Promise<RunView> | undefined;
  const current = () => {
    currentRead ??= read().finally(() => {
      currentRead = undefined;
    });
    return currentRead;
  };
  const next = () => {
    nextRead ??= delay(intervalMs, undefined, { signal: stopped.signal })
      .then(current)
      .finally(() => {
        nextRead = undefined;
      });
    return nextRead;
  };
  return { current, next, followers: 0, stop: () => stopped.abort() };
}
