import { setTimeout as delay } from "node:timers/promises";
import type { Actor } from "../actor.ts";
import type { App } from "../app.ts";
import { newWaitBudget, withWaitBudget } from "../db/wait-budget.ts";
import type { RunView } from "../runs/run.ts";
import { readRun } from "../runs/view-run.ts";

/** Looks at runs for all in this process who follow one: counting a large run again for each of them would take seconds. */
export type RunLooks = {
  /** Joins those who follow a run of the actor's tenant. */
  follow(app: App, actor: Actor, runId: string): RunFollower;
  /** How many runs are followed just now. */
  followed(): number;
};

export type RunFollower = {
  /** The run, by the look that is under way or by a new one. Throws `not_found`. */
  now(): Promise<RunView>;
  /** The run as it is at the next look. Throws an `AbortError` where everybody has left before it. */
  next(): Promise<RunView>;
  /** To be called once. With the last one the looks end. */
  leave(): void;
};

type Looks = Pick<RunFollower, "now" | "next"> & { followers: number; end(): void };

/** Follows nothing yet. `everyMs`: between a look's end and the next one's begin. */
export function createRunLooks(everyMs = 500): RunLooks {
  const looksByRun = new Map<string, Looks>();
  return {
    follow(app, actor, runId) {
      // What is read of a run goes by the tenant and by nothing else of who asks.
      const key = `${actor.tenantId} ${runId}`;
      const looks = looksByRun.get(key) ?? lookAt(() => readRun(app, actor, { runId }), everyMs);
      looksByRun.set(key, looks);
      looks.followers++;
      return {
        now: looks.now,
        next: looks.next,
        leave() {
          looks.followers--;
          if (looks.followers > 0) return;
          looksByRun.delete(key);
          looks.end();
        },
      };
    },
    followed: () => looksByRun.size,
  };
}

/** One look at a time, and one wait for the next, whoever asks. */
function lookAt(read: () => Promise<RunView>, everyMs: number): Looks {
  const ending = new AbortController();
  let looking: Promise<RunView> | undefined;
  let coming: Promise<RunView> | undefined;
  const now = () => {
    // With a patience of its own: that of who happened to ask first may be used up.
    looking ??= withWaitBudget(newWaitBudget(), read).finally(() => {
      looking = undefined;
    });
    return looking;
  };
  const next = () => {
    coming ??= delay(everyMs, undefined, { signal: ending.signal })
      .then(now)
      .finally(() => {
        coming = undefined;
      });
    return coming;
  };
  return { now, next, followers: 0, end: () => ending.abort() };
}
