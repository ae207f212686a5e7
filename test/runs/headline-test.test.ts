import { describe, expect, test } from "vitest";
import { type SimulatedCampaign, simulateMany } from "../../bench/headlines/simulate.ts";
import { findWinner, leaderOf, probabilitiesToBeBest } from "../../src/runs/headline-test/check-test.ts";
import { randomFrom } from "../faults/random.ts";

const counts = (...rates: [clicked: number, measured: number][]) =>
  rates.map(([clicked, measured]) => ({ clicked, measured }));

test("the probabilities to be best are those of Bayes' rule, and sum to one", () => {
  expect(probabilitiesToBeBest(counts([0, 0], [0, 0]))).toEqual([expect.closeTo(0.5), expect.closeTo(0.5)]);
  expect(probabilitiesToBeBest(counts([20, 1_000], [20, 1_000], [20, 1_000], [20, 1_000]))).toEqual(
    Array.from({ length: 4 }, () => expect.closeTo(0.25)),
  );
  // The expected value is the normal approximation: z = 10 / sqrt(1000 * (0.02 * 0.98 + 0.03 * 0.97)) = 1.43.
  const [lower, higher] = probabilitiesToBeBest(counts([20, 1_000], [30, 1_000]));
  expect(higher).toBeCloseTo(0.923, 2);
  expect(lower! + higher!).toBeCloseTo(1);
  expect(probabilitiesToBeBest(counts([5, 150], [60, 150]))[1]).toBeCloseTo(1, 6);
  expect(probabilitiesToBeBest(counts([1_000, 1_000], [0, 1_000]))).toEqual([expect.closeTo(1), expect.closeTo(0)]);
});

test("a winner needs clicks, and is found among up to four", () => {
  expect(findWinner(counts([0, 0], [0, 0]))).toBeUndefined();
  expect(findWinner(counts([0, 500], [20, 500]))).toBeUndefined();
  expect(findWinner(counts([0, 500], [40, 500]))).toBe(1);
  expect(findWinner(counts([100, 5_000], [105, 5_000], [200, 5_000], [98, 5_000]))).toBe(2);
  expect(findWinner(counts([100, 5_000], [190, 5_000], [200, 5_000]))).toBeUndefined();
  expect(leaderOf(counts([10, 500], [12, 500], [12, 500]))).toBe(1);
});

test("fewer displays are no reason for a variant that nobody clicked", () => {
  expect(leaderOf(counts([0, 300], [0, 0], [0, 100]))).toBe(0);
  expect(leaderOf(counts([0, 0], [1, 300], [0, 5]))).toBe(1);
});

describe("of 2,000 campaigns with known click rates", () => {
  const play = (of: SimulatedCampaign) => simulateMany(of, 2_000, randomFrom(23).unit);

  test.each([
    { rates: [0.02, 0.02], readers: 2_000 },
    { rates: [0.1, 0.1], readers: 1_000 },
    { rates: [0.03, 0.03, 0.03, 0.03], readers: 1_000 },
  ])("with no difference at most 5 % have a winner, however often they are looked at: $rates", (of) => {
    expect(play(of).falseWinners).toBeLessThan(0.05);
  });

  test("with a difference the better headline is sent as often as theory allows, less 3 %", () => {
    for (const rates of [
      [0.02, 0.022],
      [0.02, 0.03],
      [0.05, 0.06],
    ]) {
      const { best, bestInTheory, falseWinners } = play({ rates, readers: 2_000 });
      expect(best).toBeGreaterThan(bestInTheory - 0.03);
      expect(falseWinners).toBeLessThan(0.05);
    }
  });

  test("with twice the clicks nearly all have a winner before the deadline", () => {
    expect(play({ rates: [0.03, 0.06], readers: 2_000 }).winners).toBeGreaterThan(0.9);
  });
});
