/** A condition variable: code waits until a predicate holds, and is notified when something may have changed. */
export type ConditionVariable = {
  /** Evaluates the predicates of all waiters. */
  notify(): void;
  /** Resolves with true when `isTrue` holds; each `notify` evaluates it. Resolves with false after `timeoutMs`. */
  waitUntil(isTrue: () => boolean, timeoutMs: number): Promise<boolean>;
};

type Waiter = { isTrue: () => boolean; resolve: (isTrue: boolean) => void; timer: NodeJS.Timeout };

/**
 * Returns a condition variable. An answer costs one call of `notify`. A promise per answer would be created thousands
 * of times a second.
 */
export function createConditionVariable(): ConditionVariable {
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
