import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type PollLoopOptions, startPollLoop, type WakeablePollLoop } from "../src/poll-loop.ts";

const everyMs = 1_001;
const stopWithinMs = 5_001;

// Only these two functions are faked, without spies or stubs. Other files of the same worker use the same globals.
// After the file, when the real timers are back, vitest would restore a spy of a fake timer once more
// (fixtures/each-file.ts detects that).
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
});

afterEach(() => {
  vi.useRealTimers();
});

/**
 * Starts a loop with a round every second. It counts the rounds and collects the faults. `work` is the work of a round.
 */
function startCounted(
  work: (round: number, stopping: AbortSignal) => Promise<void> | Promise<{ pauseMs: number }>,
  options: Partial<PollLoopOptions> = {},
): { loop: WakeablePollLoop; rounds(): number; faults: unknown[] } {
  let rounds = 0;
  const faults: unknown[] = [];
  const loop = startPollLoop({
    round: (stopping) => work(++rounds, stopping),
    everyMs,
    onFault: (error) => faults.push(error),
    ...options,
  });
  return { loop, rounds: () => rounds, faults };
}

/** Returns whether `work` has ended by now, after everything that can resolve has resolved. */
async function hasEnded(work: Promise<void>): Promise<boolean> {
  let isEnded = false;
  void work.then(() => {
    isEnded = true;
  });
  await vi.advanceTimersByTimeAsync(0);
  return isEnded;
}

test("rounds run one after another, the first at once, each after a pause", async () => {
  const ends: (() => void)[] = [];
  const { loop, rounds } = startCounted(() => new Promise<void>((resolve) => ends.push(resolve)));
  expect(rounds()).toBe(1);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(rounds()).toBe(1);
  ends.shift()!();
  await vi.advanceTimersByTimeAsync(everyMs - 1);
  expect(rounds()).toBe(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(rounds()).toBe(2);
  ends.shift()!();
  await loop.stop();
});

test("a fault is reported and the next round comes after the usual pause", async () => {
  const { loop, rounds, faults } = startCounted((round) => {
    if (round === 1) return Promise.reject<never>(new Error("rejected"));
    if (round === 2) throw new Error("thrown");
    return Promise.resolve();
  });
  await vi.advanceTimersByTimeAsync(2 * everyMs);
  expect(rounds()).toBe(3);
  expect(faults).toEqual([new Error("rejected"), new Error("thrown")]);
  await loop.stop();
});

test("stop ends the pause at once, no round follows, and no timer is left", async () => {
  const { loop, rounds } = startCounted(async () => {});
  await vi.advanceTimersByTimeAsync(500);
  expect(vi.getTimerCount()).toBe(1);
  expect(await hasEnded(loop.stop())).toBe(true);
  expect(vi.getTimerCount()).toBe(0);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(rounds()).toBe(1);
});

test("stop waits for the round under way, which it signals to end, and no round follows", async () => {
  const work = Promise.withResolvers<void>();
  let signal: AbortSignal | undefined;
  const { loop, rounds } = startCounted((_round, stopping) => {
    signal = stopping;
    return work.promise;
  });
  expect(signal!.aborted).toBe(false);
  const stopped = loop.stop();
  expect(signal!.aborted).toBe(true);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(await hasEnded(stopped)).toBe(false);
  work.resolve();
  expect(await hasEnded(stopped)).toBe(true);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(rounds()).toBe(1);
  expect(vi.getTimerCount()).toBe(0);
});

test("stop may be called twice, and both calls wait for the round under way", async () => {
  const work = Promise.withResolvers<void>();
  const { loop } = startCounted(() => work.promise);
  const stops = [loop.stop(), loop.stop()];
  for (const stopped of stops) expect(await hasEnded(stopped)).toBe(false);
  work.resolve();
  for (const stopped of stops) expect(await hasEnded(stopped)).toBe(true);
});

test("stop gives up on a round after stopWithinMs, and no round follows", async () => {
  const work = Promise.withResolvers<void>();
  const { loop, rounds } = startCounted(() => work.promise, { stopWithinMs });
  const stopped = loop.stop();
  await vi.advanceTimersByTimeAsync(stopWithinMs - 1);
  expect(await hasEnded(stopped)).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(await hasEnded(stopped)).toBe(true);
  work.resolve();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(rounds()).toBe(1);
});

test("stop with stopWithinMs does not wait any longer than the round takes, and leaves no timer", async () => {
  const work = Promise.withResolvers<void>();
  const { loop } = startCounted(() => work.promise, { stopWithinMs });
  const stopped = loop.stop();
  work.resolve();
  expect(await hasEnded(stopped)).toBe(true);
  expect(vi.getTimerCount()).toBe(0);
});

test("a round's own pause comes after it, and after a fault the usual pause", async () => {
  const { loop, rounds } = startCounted((round) =>
    round === 2 ? Promise.reject<never>(new Error("fault")) : Promise.resolve<{ pauseMs: number }>({ pauseMs: 10 }),
  );
  await vi.advanceTimersByTimeAsync(10);
  expect(rounds()).toBe(2);
  await vi.advanceTimersByTimeAsync(everyMs - 1);
  expect(rounds()).toBe(2);
  await vi.advanceTimersByTimeAsync(1);
  expect(rounds()).toBe(3);
  await vi.advanceTimersByTimeAsync(10);
  expect(rounds()).toBe(4);
  await loop.stop();
});

test("wake ends the pause, and during a round lets the next one follow without a pause", async () => {
  const ends: (() => void)[] = [];
  const { loop, rounds } = startCounted(() => new Promise<void>((resolve) => ends.push(resolve)));
  loop.wake();
  expect(rounds()).toBe(1);
  ends.shift()!();
  await vi.advanceTimersByTimeAsync(0);
  expect(rounds()).toBe(2);
  ends.shift()!();
  await vi.advanceTimersByTimeAsync(0);
  expect(rounds()).toBe(2);
  loop.wake();
  await vi.advanceTimersByTimeAsync(0);
  expect(rounds()).toBe(3);
  ends.shift()!();
  await loop.stop();
});

test("the first round comes after firstAfterMs, and never if the loop is stopped before", async () => {
  const { loop, rounds } = startCounted(async () => {}, { firstAfterMs: 60_000 });
  await vi.advanceTimersByTimeAsync(59_999);
  expect(rounds()).toBe(0);
  await vi.advanceTimersByTimeAsync(1);
  expect(rounds()).toBe(1);
  await vi.advanceTimersByTimeAsync(everyMs);
  expect(rounds()).toBe(2);
  await loop.stop();

  const stoppedBefore = startCounted(async () => {}, { firstAfterMs: 60_000 });
  expect(await hasEnded(stoppedBefore.loop.stop())).toBe(true);
  await vi.advanceTimersByTimeAsync(120_000);
  expect(stoppedBefore.rounds()).toBe(0);
});

test.for([
  [false, true],
  [true, false],
] as const)("pauses with unref %s keep the process alive: %s", async ([unref, keeps]) => {
  vi.useRealTimers();
  const keptAlive = () => process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;
  const before = keptAlive();
  const { loop } = startCounted(async () => {}, { firstAfterMs: 60_000, unref });
  expect(keptAlive() - before).toBe(keeps ? 1 : 0);
  await loop.stop();
});
