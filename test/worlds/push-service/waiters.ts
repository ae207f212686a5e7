import type { Stats } from "./receipts.ts";

export type Waiters = {
  /** Resolves once the counters are so, at once if they are; rejects when the service closes before. */
  until(condition: (stats: Stats) => boolean): Promise<void>;
  /** To be called whenever the counters have changed. */
  look(): void;
  close(): void;
};

/** Those who wait for a state of the counters: tests wait for this and never sleep. */
export function makeWaiters(stats: () => Stats): Waiters {
  type Waiter = { condition: (stats: Stats) => boolean; resolve: () => void; reject: (reason: Error) => void };
  const waiters = new Set<Waiter>();
  return {
    until: (condition) =>
      new Promise((resolve, reject) => {
        if (condition(stats())) resolve();
        else waiters.add({ condition, resolve, reject });
      }),
    look() {
      for (const waiter of waiters) {
        if (waiter.condition(stats()) && waiters.delete(waiter)) waiter.resolve();
      }
    },
    close() {
      for (const { reject } of waiters) reject(new Error("the push service was closed"));
      waiters.clear();
    },
  };
}
