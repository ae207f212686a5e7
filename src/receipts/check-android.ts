/** Displays of a run, and the clicks among them, on Android and elsewhere. */
export type PlatformClicks = {
  android: { displayed: number; clicked: number };
  others: { displayed: number; clicked: number };
};

/** A run with fewer displays on Android or elsewhere is not judged. */
const displayedAtLeast = 200;
/** With fewer earlier runs, nobody can tell how much the ratio varies from story to story. */
const runsAtLeast = 10;
/** A fall of the odds by less than a third is not worth a warning, however certain it is. */
const oddsAtMost = 2 / 3;
/**
 * The 0.995 quantile of the normal distribution. It allows one false alarm in 200 runs; the other conditions make
 * that fewer.
 */
const quantile = 2.576;

/**
 * Returns whether a run's clicks have fallen on Android and not elsewhere. This happens when Chrome hides a site's
 * notifications as spam. `before`: earlier runs of the site. The error rate is at most one false alarm in 200 runs.
 *
 * Compares the log odds ratio of clicks, Android to others, with the ratios of the earlier runs. Stories differ in
 * how many readers click, but less in which platform the clicks come from. The variance between runs is estimated by
 * the method of DerSimonian and Laird (1986). The run is checked with the one-sided prediction interval of Higgins,
 * Thompson and Spiegelhalter (2009).
 */
export function hasAndroidFallen(run: PlatformClicks, before: PlatformClicks[]): boolean {
  const known = before.filter(hasEnough).map(logOddsRatio);
  if (!hasEnough(run) || known.length < runsAtLeast) return false;
  const { mean, meanVariance, between } = combine(known);
  const { value, variance } = logOddsRatio(run);
  const deviation = Math.sqrt(variance + between + meanVariance);
  const isRare = value - mean < -studentQuantile(known.length - 1) * deviation;
  return isRare && value - mean < Math.log(oddsAtMost) && oddsOf(run.android) < meanOdds(before);
}

function hasEnough({ android, others }: PlatformClicks): boolean {
  return Math.min(android.displayed, others.displayed) >= displayedAtLeast;
}

type Estimate = { value: number; variance: number };

/**
 * Returns the log odds ratio with half an event added to each count (Haldane and Anscombe), so that no count is zero.
 */
function logOddsRatio({ android, others }: PlatformClicks): Estimate {
  const counts = [android, others].map(({ displayed, clicked }) => [
    clicked + 0.5,
    Math.max(displayed - clicked, 0) + 0.5,
  ]);
  const [[a, b], [c, d]] = counts as [[number, number], [number, number]];
  return { value: Math.log((a * d) / (b * c)), variance: 1 / a + 1 / b + 1 / c + 1 / d };
}

/** Returns the mean of the estimates, its variance, and the variance between the estimates beyond their own. */
function combine(estimates: Estimate[]): { mean: number; meanVariance: number; between: number } {
  const fixed = weightedMean(estimates, 0);
  const spread = estimates.reduce((sum, { value, variance }) => sum + (value - fixed.mean) ** 2 / variance, 0);
  const squares = estimates.reduce((sum, { variance }) => sum + 1 / variance ** 2, 0);
  const scale = fixed.weight - squares / fixed.weight;
  const between = Math.max(0, (spread - (estimates.length - 1)) / scale);
  const { mean, weight } = weightedMean(estimates, between);
  return { mean, meanVariance: 1 / weight, between };
}

function weightedMean(estimates: Estimate[], between: number): { mean: number; weight: number } {
  let weight = 0;
  let sum = 0;
  for (const { value, variance } of estimates) {
    weight += 1 / (variance + between);
    sum += value / (variance + between);
  }
  return { mean: sum / weight, weight };
}

/**
 * Returns the quantile of Student's distribution by its expansion (Abramowitz and Stegun 26.7.5). The error is below
 * 1 % from 9 degrees of freedom.
 */
function studentQuantile(degrees: number): number {
  const [z, z3, z5] = [quantile, quantile ** 3, quantile ** 5];
  return z + (z3 + z) / (4 * degrees) + (5 * z5 + 16 * z3 + 3 * z) / (96 * degrees ** 2);
}

function oddsOf({ displayed, clicked }: { displayed: number; clicked: number }): number {
  return (clicked + 0.5) / (Math.max(displayed - clicked, 0) + 0.5);
}

function meanOdds(runs: PlatformClicks[]): number {
  const sum = (name: "displayed" | "clicked") => runs.reduce((total, { android }) => total + android[name], 0);
  return oddsOf({ displayed: sum("displayed"), clicked: sum("clicked") });
}
