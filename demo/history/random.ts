/** A source of numbers that look random and are the same at each run of the demo. */
export type Random = {
  /** Returns a number from `min` to below `max`. */
  between(min: number, max: number): number;
  /** Returns a whole number from `min` to `max`, both included. */
  whole(min: number, max: number): number;
  pick<Item>(items: readonly Item[]): Item;
};

/** Creates the source by the algorithm mulberry32 from `seed`, a whole number. */
export function createRandom(seed: number): Random {
  let state = seed;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const between = (min: number, max: number) => min + next() * (max - min);
  const whole = (min: number, max: number) => Math.floor(between(min, max + 1));
  return { between, whole, pick: (items) => items[whole(0, items.length - 1)]! };
}
