/** Tells those who wait for room that something has changed: an answer came, a flush returned, a batch ended. */
export type Condition = {
  notify(): void;
  /** Resolves with true once `isTrue` holds, looked at whenever something changed; with false after `timeoutMs`. */
  waitUntil(isTrue: () => boolean, timeoutMs: number): Promise<boolean>;
};

type Waiter = { isTrue: () => boolean; resolve: (isTrue: boolean) => void; timer: NodeJS.Timeout };

/** A promise for each answer would be made thousands of times a second: only a condition is looked at. */
export function createCondition(): Condition {
  const waiters = new Set<Waiter>();
  return {
    notify() {
      for (const waiter of waiters) {
        if (!waiter.isTrue()) continue;
        waiters.delete(waiter);
        clearTimeout(waiter.timer);
        waiter.resolve(true);
      }
    },
    waitUntil(isTrue, timeoutMs) {
      if (isTrue()) return Promise.resolve(true);
      return new Promise((resolve) => {
        const timer = setTimeout(() => {
          waiters.delete(waiter);
          resolve(false);
        }, timeoutMs);
        const waiter = { isTrue, resolve, timer };
        waiters.add(waiter);
      });
    },
  };
}
