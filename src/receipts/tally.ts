/** Sums in memory that are waiting to be written to the database. */
export type Tally<Sum> = {
  /** Adds to the sum with the same key. Ignores a new key when it has `most` sums. */
  add(more: Sum): void;
  /** Returns all sums, and forgets them. */
  take(): Sum[];
};

/** Creates an empty tally of at most `most` sums. `keyOf`: what tells two sums apart. `add`: returns one sum of two. */
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
