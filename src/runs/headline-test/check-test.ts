/** The clicks on one variant. `measured`: the number of readers whose clicks are known, whether they clicked or not. */
export type VariantCounts = { measured: number; clicked: number };

/**
 * The highest error rate: the share of tests between equal variants that find a winner, however often they are
 * checked.
 */
const falseWinners = 0.05;
/** The usual difference between click rates, as the logarithm of their ratio. It is about a quarter more or less. */
const usualDifference = 0.25;
/** With fewer clicks on two variants the normal approximation is unreliable. */
const clicksNeeded = 30;
const gridPoints = 2_000;

/**
 * Returns the index of the variant that is beyond doubt the best; undefined while there is none. You may call it
 * after each click. The mixture sequential probability ratio test (Robbins 1970; Johari et al. 2017) errs in no more
 * than `falseWinners` of all tests, however often it runs. The test compares logarithms of click rates, because their
 * difference is nearly normal. The pairs of variants share the allowed error.
 */
export function findWinner(counts: VariantCounts[]): number | undefined {
  const leader = leaderOf(counts);
  const pairs = (counts.length * (counts.length - 1)) / 2;
  const beats = (other: VariantCounts) => evidenceBetween(counts[leader]!, other) >= pairs / falseWinners;
  return counts.every((other, i) => i === leader || beats(other)) ? leader : undefined;
}

/**
 * Returns the variant with the highest click rate, or the first of several that are equal. All variants without
 * clicks are equal. `rateOf` would prefer the one with the fewest displays, which proves nothing.
 */
export function leaderOf(counts: VariantCounts[]): number {
  const rates = counts.map((count) => (count.clicked === 0 ? 0 : rateOf(count)));
  return rates.indexOf(Math.max(...rates));
}

/**
 * Returns the click rate with half a click and half a miss added: Jeffreys' prior, which keeps the
 * rate off zero and one.
 */
const rateOf = ({ measured, clicked }: VariantCounts) => (clicked + 0.5) / (measured + 1);

/** Returns the mixture likelihood ratio of two hypotheses: the variants differ, or they do not. */
function evidenceBetween(a: VariantCounts, b: VariantCounts): number {
  const clicked = a.clicked + b.clicked;
  const measured = a.measured + b.measured;
  if (clicked < clicksNeeded || clicked === measured) return 0;
  const difference = Math.log(rateOf(a) / rateOf(b));
  const rate = clicked / measured;
  const variance = ((1 - rate) / rate) * (1 / (a.measured + 1) + 1 / (b.measured + 1));
  const mixed = variance + usualDifference ** 2;
  return Math.sqrt(variance / mixed) * Math.exp((difference ** 2 * usualDifference ** 2) / (2 * variance * mixed));
}

/**
 * Returns the probability of each variant to have the highest click rate, by Bayes' rule from Jeffreys' prior.
 * Integrates over a grid of rates, so that the same counts always give the same figures.
 */
export function probabilitiesToBeBest(counts: VariantCounts[]): number[] {
  const posteriors = counts.map(({ measured, clicked }) => ({ a: clicked + 0.5, b: measured - clicked + 0.5 }));
  const grid = gridOver(posteriors);
  const densities = posteriors.map((posterior) => densityOver(grid, posterior));
  const cumulative = densities.map(sumUp);
  const best = densities.map((density, i) =>
    density.reduce((sum, weight, at) => {
      const othersLower = cumulative.reduce((product, below, j) => (j === i ? product : product * below[at]!), 1);
      return sum + weight * othersLower;
    }, 0),
  );
  const total = best.reduce((sum, probability) => sum + probability, 0);
  return best.map((probability) => probability / total);
}

type Beta = { a: number; b: number };

/** Returns rates that cover all posteriors: eight standard deviations around each. */
function gridOver(posteriors: Beta[]): number[] {
  const ranges = posteriors.map(({ a, b }) => {
    const mean = a / (a + b);
    const deviation = Math.sqrt((mean * (1 - mean)) / (a + b + 1));
    return [mean - 8 * deviation, mean + 8 * deviation] as const;
  });
  const from = Math.max(0, Math.min(...ranges.map(([low]) => low)));
  const until = Math.min(1, Math.max(...ranges.map(([, high]) => high)));
  return Array.from({ length: gridPoints }, (_, i) => from + ((i + 0.5) / gridPoints) * (until - from));
}

/** Returns the weights of a beta distribution at the rates of a grid. They sum to one. */
function densityOver(grid: number[], { a, b }: Beta): number[] {
  const logs = grid.map((rate) => (a - 1) * Math.log(rate) + (b - 1) * Math.log1p(-rate));
  const highest = logs.reduce((max, log) => Math.max(max, log), Number.NEGATIVE_INFINITY);
  const weights = logs.map((log) => Math.exp(log - highest));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.map((weight) => weight / total);
}

/** Returns for each rate of the grid the sum of the weights below it plus half of its own weight. */
function sumUp(weights: number[]): number[] {
  let below = 0;
  return weights.map((weight) => {
    below += weight;
    return below - weight / 2;
  });
}
