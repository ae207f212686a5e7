/**
 * How many messages of this thread may be uncertain at once: their intents are committed and their outcomes are not.
 * That is what may be sent twice if the thread dies now. Push services share the budget alike, and so do the runs of a
 * push service, so that neither a slow push service nor a large run holds what the others need.
 */
export type InFlightBudget = {
  /** How many messages all batches may hold together. */
  readonly total: number;
  /**
   * Starts a batch of the run on this push service with an empty reservation. It shares with the others until it
   * leaves.
   */
  enter(pushService: string, runId: string): Reservation;
};

/** What one batch holds of the budget. */
export type Reservation = {
  readonly count: number;
  /** How many messages its run may hold on its push service. */
  share(): number;
  /** How many more it may take now; below 0 where its run holds more than its share, since others came. */
  room(): number;
  /** Takes more, or gives back, so that it holds `count`. */
  hold(count: number): void;
  /** Gives everything back and leaves the shares to the others. */
  leave(): void;
};

/** What a thread may have in flight by default: enough for answers that take 200 ms (docs/decisions/0014). */
const threadAtMost = 10_000;
/** With less, a flush would carry so few messages that the database costs more than the messages. */
const threadAtLeast = 100;

/**
 * How `workers` threads share IN_FLIGHT_MAX: the number of threads to start, fewer where each would get too little, and
 * the budget of each.
 */
export function shareOut(inFlightMax: number | undefined, workers: number): { threads: number; budget: number } {
  if (inFlightMax === undefined) return { threads: workers, budget: threadAtMost };
  const threads = Math.min(workers, Math.max(1, Math.floor(inFlightMax / threadAtLeast)));
  return { threads, budget: Math.floor(inFlightMax / threads) };
}

/**
 * A thread plans with four sub-batches. A push service that is alone gets three of them: one is committed and
 * encrypted, one is on the wire, one is being answered. The fourth stays free, so that the next push service to come
 * need not wait for answers.
 */
const subBatches = 4;
const aloneAtMost = (subBatches - 1) / subBatches;

/** How many intents one flush writes at most, in a thread with this budget. */
export function subBatchOf(total: number): number {
  return Math.max(1, Math.floor(total / subBatches));
}

/** What the batches of a run hold on a push service. */
type Part = { pushService: string; batches: number; held: number; share: number };

export function createInFlightBudget(total: number): InFlightBudget {
  const parts = new Map<string, Part>();
  let heldByAll = 0;

  function computeShares(): void {
    const byPushService = Map.groupBy(parts.values(), ({ pushService }) => pushService);
    const laneShare = byPushService.size === 1 ? total * aloneAtMost : total / byPushService.size;
    for (const runs of byPushService.values()) {
      for (const part of runs) part.share = Math.max(1, Math.floor(laneShare / runs.length));
    }
  }

  return {
    total,
    enter(pushService, runId) {
      const name = `${runId} ${pushService}`;
      const part = parts.get(name) ?? { pushService, batches: 0, held: 0, share: 0 };
      part.batches++;
      parts.set(name, part);
      computeShares();
      let count = 0;
      const hold = (wanted: number) => {
        part.held += wanted - count;
        heldByAll += wanted - count;
        count = wanted;
      };
      return {
        get count() {
          return count;
        },
        share: () => part.share,
        room: () => Math.min(total - heldByAll, part.share - part.held),
        hold,
        leave() {
          hold(0);
          part.batches--;
          if (part.batches === 0) parts.delete(name);
          computeShares();
        },
      };
    },
  };
}
