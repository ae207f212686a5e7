/** Random choices. The same seed makes the same choices. */
export type Random = {
  /** A number from 0 (inclusive) to 1 (exclusive). */
  unit(): number;
  /** A whole number from `from` to `to`, both inclusive. */
  between(from: number, to: number): number;
  /** Returns one element, or undefined if the array is empty. */
  pick<T>(all: readonly T[]): T;
  shuffled<T>(all: readonly T[]): T[];
};

/** Mulberry32: a small generator, good enough to choose faults. */
export function randomFrom(seed: number): Random {
  let state = seed | 0;
  const unit = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const between = (from: number, to: number) => from + Math.floor(unit() * (to - from + 1));
  return {
    unit,
    between,
    pick: (all) => all[between(0, all.length - 1)]!,
    shuffled(all) {
      const left = [...all];
      return all.map(() => left.splice(between(0, left.length - 1), 1)[0]!);
    },
  };
}
