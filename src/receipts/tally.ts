/** Sums in memory that are waiting to be written to the database. */
export type Tally<Sum> = {
  /** Adds to the sum with the same key. Ignores a new key if the tally is full. */
  add(more: Sum): void;
  /** Returns all sums, and forgets them. */
  take(): Sum[];
};

/** Creates an empty tally of at most `most` sums. `keyOf`: the key of a sum. `add`: returns the total of two sums. */
export function createTally<Sum>(most: number, keyOf: (of: Sum) => string, add: (a: Sum, b: Sum) => Sum): Tally<Sum> {
  let sums = new Map<string, Sum>();
  return {
    add(more) {
      const key = keyOf(more);
      const now = sums.get(key);
      if (now === undefined && sums.size >= most) return;
      sums.set(key, now === undefined ? more : add(now, more));
    },
    take() {
      const taken = [...sums.values()];
      sums = new Map();
      return taken;
    },
  };
}
