import { expect } from "vitest";

/** The least CPU time of `work` of three runs, in ms. CPU time of this thread: a busy machine does not add to it. */
export function leastCpuMs(work: () => unknown): number {
  const runs = [1, 2, 3].map(() => {
    const before = process.threadCpuUsage();
    work();
    const { user, system } = process.threadCpuUsage(before);
    return (user + system) / 1_000;
  });
  return Math.min(...runs);
}

/** Below this a measurement is noise: compilation and garbage collection. */
const noiseMs = 15;

/**
 * Runs `work` on a document of `size` characters and on one of twice as many: twice the time is linear, four times
 * quadratic. Expects less than three times, and at most `ceilingMs` for the larger one.
 */
export function expectLinear(
  make: (size: number) => string,
  work: (text: string) => unknown,
  { size, ceilingMs }: { size: number; ceilingMs: number },
): void {
  const [once, twice] = [make(size), make(2 * size)];
  const onceMs = leastCpuMs(() => work(once));
  const twiceMs = leastCpuMs(() => work(twice));
  expect(twiceMs).toBeLessThan(ceilingMs);
  if (twiceMs > noiseMs) expect(twiceMs / onceMs).toBeLessThan(3);
}

/** Repeats `unit` to about `size` characters. */
export function fill(unit: string, size: number): string {
  return unit.repeat(Math.ceil(size / unit.length));
}
