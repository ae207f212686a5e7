/**
 * The intents that this thread may have in the ledger without an outcome beside them: what is uncertain if it dies now.
 * Lanes share them alike, and so do the runs of a lane: neither a slow push service nor a large run holds those that the
 * others need.
 */
export type InFlightBudget = {
  /** How many all may hold together. */
  readonly total: number;
  /** A batch of the run begins on this lane. It shares with the others until it leaves. */
  enter(lane: string, runId: string): Reservation;
};

/** What one batch holds of them. */
export type Reservation = {
  readonly count: number;
  /** How many its run may hold on its lane. */
  share(): number;
  /** How many more it may take now; below 0 where its run holds more than its share, since others came. */
  room(): number;
  /** Takes more, or gives back, so that it holds this many. */
  hold(count: number): void;
  /** Gives all back. */
  leave(): void;
};

/** A lane that is alone leaves this part free: the next one to come need not wait for its answers. */
const aloneAtMost = 3 / 4;

/** What the batches of a run hold on a lane. */
type Part = { lane: string; batches: number; held: number; share: number };

export function createInFlightBudget(total: number): InFlightBudget {
  const parts = new Map<string, Part>();
  let heldByAll = 0;

  function shareAnew(): void {
    const byLane = Map.groupBy(parts.values(), ({ lane }) => lane);
    const laneShare = byLane.size === 1 ? total * aloneAtMost : total / byLane.size;
    for (const runs of byLane.values()) {
      for (const part of runs) part.share = Math.max(1, Math.floor(laneShare / runs.length));
    }
  }

  return {
    total,
    enter(lane, runId) {
      const name = `${runId} ${lane}`;
      const part = parts.get(name) ?? { lane, batches: 0, held: 0, share: 0 };
      part.batches++;
      parts.set(name, part);
      shareAnew();
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
          shareAnew();
        },
      };
    },
  };
}
