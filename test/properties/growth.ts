import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect } from "vitest";

/** The CPU time of `work`, in ms. CPU time of this thread: a busy machine does not add to it. */
function cpuMs(work: () => unknown): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}

/** The least CPU time of `work` of three runs, in ms. */
export function leastCpuMs(work: () => unknown): number {
  return Math.min(...[1, 2, 3].map(() => cpuMs(work)));
}

/** Below this a measurement is noise: compilation and garbage collection. */
const noiseMs = 15;
/** A document of four times the size against four small ones: linear is 1, n·log n below 1.3, quadratic 4. */
const mostGrowth = 2;
const usualRounds = 3;
const mostRounds = 7;

type Work = (text: string) => unknown;
type Limits = { size: number; ceilingMs: number };

/**
 * Expects that the time of `work` grows with the document's length and no faster, and is at most `ceilingMs` for a document of
 * twice `size` characters. A result that fails is measured once more at twice the size: growth stays, and noise does not.
 */
export function expectLinear(make: (size: number) => string, work: Work, { size, ceilingMs }: Limits): void {
  if (growthOf(make, work, { size, ceilingMs }) < mostGrowth) return;
  expect(growthOf(make, work, { size: 2 * size, ceilingMs: 2 * ceilingMs })).toBeLessThan(mostGrowth);
}

/**
 * Runs `work` on a document of twice `size` characters, and four times on one of half of `size`. Returns the ratio: 1 is linear,
 * 4 quadratic; 0 if both are too short to tell. Both sides take as long and make as much garbage if `work` is linear, so the
 * steps of the CPU clock (10 ms on some systems) and garbage collection concern both. The median of several runs counts, and a
 * result that fails is measured again, without the garbage of former runs.
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
    // After the large one, so that it is not the one that pays for the compilation.
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
