/** Who may fetch now: so many at once, and so many of them for one. */
export type FetchSlots = {
  /** Waits for a turn of `who`, first come first served among those who may. False: `signal` aborted before it came. */
  take(who: string, signal: AbortSignal): Promise<boolean>;
  /** Gives a turn back that was taken. */
  give(who: string): void;
};

/** A tarpit that one tenant names holds `maxEach` turns and leaves the others to the others. */
export function createFetchSlots({ maxAtOnce, maxEach }: { maxAtOnce: number; maxEach: number }): FetchSlots {
  const taken = new Map<string, number>();
  const waiting: { who: string; start: () => void }[] = [];
  let total = 0;

  const isFree = (who: string): boolean => total < maxAtOnce && (taken.get(who) ?? 0) < maxEach;
  const count = (who: string, change: 1 | -1): void => {
    const left = (taken.get(who) ?? 0) + change;
    total += change;
    if (left === 0) taken.delete(who);
    else taken.set(who, left);
  };

  async function take(who: string, signal: AbortSignal): Promise<boolean> {
    if (signal.aborted) return false;
    if (isFree(who)) {
      count(who, 1);
      return true;
    }
    const turn = Promise.withResolvers<boolean>();
    const waiter = { who, start: () => turn.resolve(true) };
    const leave = () => {
      const place = waiting.indexOf(waiter);
      // The turn may have come in this very moment: then it is taken, and given back by who took it.
      if (place === -1) return;
      waiting.splice(place, 1);
      turn.resolve(false);
    };
    waiting.push(waiter);
    signal.addEventListener("abort", leave, { once: true });
    return turn.promise.finally(() => signal.removeEventListener("abort", leave));
  }

  function give(who: string): void {
    count(who, -1);
    const next = waiting.findIndex((waiter) => isFree(waiter.who));
    if (next === -1) return;
    const [waiter] = waiting.splice(next, 1);
    count(waiter!.who, 1);
    waiter!.start();
  }

  return { take, give };
}
