/**
 * The intents that this thread may have in the ledger without an outcome beside them: what is uncertain if it dies now.
 * They are shared by lane, so that a slow push service never holds those that the others need.
 */
export type Intents = {
  /** How many all lanes may hold together. */
  readonly total: number;
  /** How many this lane may hold: its share, as long as so many lanes are at work. */
  share(lane: string): number;
  /** How many more it may take now; below 0 where it holds more than its share, since others came. */
  room(lane: string): number;
  take(lane: string, count: number): void;
  give(lane: string, count: number): void;
  /** A batch of the lane begins or ends; lanes at work share alike. */
  enter(lane: string): void;
  leave(lane: string): void;
};

/** A lane that is alone leaves this part free: the next one to come need not wait for its answers. */
const aloneAtMost = 3 / 4;

export function createIntents(total: number): Intents {
  const held = new Map<string, number>();
  const batches = new Map<string, number>();
  let heldByAll = 0;
  const heldBy = (lane: string) => held.get(lane) ?? 0;
  const share = (lane: string) => {
    const lanes = Math.max(1, batches.has(lane) ? batches.size : batches.size + 1);
    return Math.max(1, Math.floor(lanes === 1 ? total * aloneAtMost : total / lanes));
  };
  return {
    total,
    share,
    room: (lane) => Math.min(total - heldByAll, share(lane) - heldBy(lane)),
    take(lane, count) {
      held.set(lane, heldBy(lane) + count);
      heldByAll += count;
    },
    give(lane, count) {
      held.set(lane, heldBy(lane) - count);
      heldByAll -= count;
    },
    enter: (lane) => void batches.set(lane, (batches.get(lane) ?? 0) + 1),
    leave(lane) {
      const left = batches.get(lane)! - 1;
      if (left > 0) batches.set(lane, left);
      else batches.delete(lane);
    },
  };
}
