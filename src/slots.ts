/** Limits how much runs at once: in total, and per requester. */
export type Slots = {
  /**
   * Waits for a slot of `requester`. Slots are granted in the order of the calls, skipping requesters that are at
   * their limit. Resolves to false if `signal` aborts first.
   */
  acquire(requester: string, signal: AbortSignal): Promise<boolean>;
  /** Releases a slot that was acquired. */
  release(requester: string): void;
};

/**
 * Creates the slots. One requester occupies at most `maxPerRequester` of them, so that its slow work leaves the others
 * free.
 */
export function createSlots(limits: { maxConcurrent: number; maxPerRequester: number }): Slots {
  const { maxConcurrent, maxPerRequester } = limits;
  const acquired = new Map<string, number>();
  const waiting: { requester: string; grant: () => void }[] = [];
  let total = 0;

  const isFree = (requester: string): boolean =>
    total < maxConcurrent && (acquired.get(requester) ?? 0) < maxPerRequester;
  const count = (requester: string, change: 1 | -1): void => {
    const left = (acquired.get(requester) ?? 0) + change;
    total += change;
    if (left === 0) acquired.delete(requester);
    else acquired.set(requester, left);
  };

  async function acquire(requester: string, signal: AbortSignal): Promise<boolean> {
    if (signal.aborted) return false;
    if (isFree(requester)) {
      count(requester, 1);
      return true;
    }
    const slot = Promise.withResolvers<boolean>();
    const waiter = { requester, grant: () => slot.resolve(true) };
    const leave = () => {
      const index = waiting.indexOf(waiter);
      // The slot may have been granted just before the abort. If so, the caller has acquired it, and has to release
      // it.
      if (index === -1) return;
      waiting.splice(index, 1);
      slot.resolve(false);
    };
    waiting.push(waiter);
    signal.addEventListener("abort", leave, { once: true });
    return slot.promise.finally(() => signal.removeEventListener("abort", leave));
  }

  function release(requester: string): void {
    count(requester, -1);
    const next = waiting.findIndex((waiter) => isFree(waiter.requester));
    if (next === -1) return;
    const [waiter] = waiting.splice(next, 1);
    count(waiter!.requester, 1);
    waiter!.grant();
  }

  return { acquire, release };
}
