import { findWinner, leaderOf, type VariantCounts } from "../../src/runs/headline-test/check-test.ts";

/** A campaign whose variants have known click rates. */
export type SimulatedCampaign = {
  /** The probability of a click on each variant, once it is shown. */
  rates: number[];
  /** How many readers see each variant. */
  readers: number;
};

export type SimulatedTest = {
  /** The variant that the rest of the audience gets, as an index. */
  chosen: number;
  /** Whether it was declared the winner before the deadline. */
  isWinner: boolean;
  /** Whether another variant has a lower rate and none has a higher one. */
  isBest: boolean;
};

const looks = 60;

/**
 * Simulates a test of headlines to its end. Readers see the notification early and click later. The test is checked
 * sixty times, with the same functions as in the service. `random` returns numbers from 0 to below 1.
 */
export function simulateTest({ rates, readers }: SimulatedCampaign, random: () => number): SimulatedTest {
  const shown = rates.map(() => new Uint32Array(looks));
  const clicked = rates.map(() => new Uint32Array(looks));
  rates.forEach((rate, variant) => {
    for (let reader = 0; reader < readers; reader++) {
      const shownAt = Math.floor(looks * random() ** 3);
      shown[variant]![shownAt]!++;
      const clickedAt = shownAt + Math.floor(-5 * Math.log(1 - random()));
      if (random() < rate && clickedAt < looks) clicked[variant]![clickedAt]!++;
    }
  });
  const counts: VariantCounts[] = rates.map(() => ({ measured: 0, clicked: 0 }));
  for (let look = 0; look < looks; look++) {
    counts.forEach((count, variant) => {
      count.measured += shown[variant]![look]!;
      count.clicked += clicked[variant]![look]!;
    });
    const winner = findWinner(counts);
    if (winner !== undefined) return endOf(rates, winner, true);
  }
  return endOf(rates, leaderOf(counts), false);
}

function endOf(rates: number[], chosen: number, isWinner: boolean): SimulatedTest {
  return { chosen, isWinner, isBest: rates[chosen] === Math.max(...rates) };
}

/** The results of many tests of one kind of campaign, as shares of the tests. */
export type Summary = { winners: number; falseWinners: number; best: number; bestInTheory: number };

/**
 * Simulates `campaigns` tests of one kind. `bestInTheory`: how often the better of two variants is chosen by somebody
 * who waits for all clicks and takes the higher rate (normal approximation).
 */
export function simulateMany(of: SimulatedCampaign, campaigns: number, random: () => number): Summary {
  const tests = Array.from({ length: campaigns }, () => simulateTest(of, random));
  const share = (holds: (test: SimulatedTest) => boolean) => tests.filter(holds).length / campaigns;
  const isEqual = new Set(of.rates).size === 1;
  return {
    winners: share(({ isWinner }) => isWinner),
    falseWinners: share(({ isWinner, isBest }) => isWinner && (isEqual || !isBest)),
    best: share(({ isBest }) => isBest),
    bestInTheory: isEqual ? 1 : bestOfTwo(of),
  };
}

function bestOfTwo({ rates, readers }: SimulatedCampaign): number {
  const [a, b] = [Math.max(...rates), Math.min(...rates)];
  const deviation = Math.sqrt((a * (1 - a) + b * (1 - b)) / readers);
  return normalCumulative((a - b) / deviation);
}

/** Returns the probability of a standard normal value below `z` (Abramowitz and Stegun 26.2.17; error under 1e-7). */
function normalCumulative(z: number): number {
  if (z < 0) return 1 - normalCumulative(-z);
  const t = 1 / (1 + 0.2316419 * z);
  const polynomial = t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  return 1 - (Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)) * polynomial;
}
