import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect } from "vitest";

/** Returns the CPU time of `work` in ms. It is that of this thread, so a busy machine does not add to it. */
function cpuMs(work: () => unknown): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}

/** Returns the lowest CPU time of three runs of `work`, in ms. */
export function leastCpuMs(work: () => unknown): number {
  return Math.min(...[1, 2, 3].map(() => cpuMs(work)));
}

/** A shorter measurement is noise: compilation and garbage collection. */
const noiseMs = 15;
/**
 * The most that one large document may take, relative to four small ones of a quarter of its size. Linear time is 1,
 * n·log n is below 1.3, and quadratic time is 4.
 */
const mostGrowth = 2;
const usualRounds = 3;
const mostRounds = 7;

type Work = (text: string) => unknown;
type Limits = { size: number; ceilingMs: number };

/**
 * Expects that the time of `work` grows no faster than the document's length. A document of twice `size` characters may
 * take at most `ceilingMs`. A result that fails is measured once more at twice the size, because growth stays and noise
 * does not.
 */
export function expectLinear(make: (size: number) => string, work: Work, { size, ceilingMs }: Limits): void {
  if (growthOf(make, work, { size, ceilingMs }) < mostGrowth) return;
  expect(growthOf(make, work, { size: 2 * size, ceilingMs: 2 * ceilingMs })).toBeLessThan(mostGrowth);
}

/**
 * Runs `work` on a document of twice `size` characters, and four times on one of half of `size`. Returns the ratio of
 * the times: 1 is linear, 4 is quadratic, and 0 means that both are too short to tell. If `work` is linear, both sides
 * take equally long and make the same amount of garbage. So the steps of the CPU clock (10 ms on some systems) and
 * garbage collection affect both. The median of several runs counts. A result that fails is measured again, without the
 * garbage of former runs.
 */
function growthOf(make: (size: number) => string, work: Work, { size, ceilingMs }: Limits): number {
  const [small, large] = [make(size / 2), make(2 * size)];
  const smallMs: number[] = [];
  const largeMs: number[] = [];
  const growth = () => median(largeMs) / median(smallMs);
  for (let round = 1; round <= mostRounds; round += 1) {
    if (round > usualRounds && Math.min(...largeMs) < ceilingMs && growth() < mostGrowth) break;
    if (round > usualRounds) collectGarbage();
    largeMs.push(cpuMs(() => work(large)));
    if (Math.min(...largeMs) <= noiseMs) return 0;
    // The small documents come after the large one, so that compilation does not count for them.
    smallMs.push(cpuMs(() => [1, 2, 3, 4].map(() => work(small))));
  }
  expect(Math.min(...largeMs)).toBeLessThan(ceilingMs);
  return growth();
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
}

function collectGarbage(): void {
  setFlagsFromString("--expose-gc");
  runInNewContext("gc")();
}

/** Repeats `unit` to about `size` characters. */
export function fill(unit: string, size: number): string {
  return unit.repeat(Math.ceil(size / unit.length));
}
