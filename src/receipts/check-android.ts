/** Displays of a run, and the clicks among them, on Android and elsewhere. */
export type PlatformClicks = {
  android: { displayed: number; clicked: number };
  others: { displayed: number; clicked: number };
};

/** With fewer displays on one side a run says nothing. */
const displayedAtLeast = 200;
/** With fewer earlier runs it is not known how much the ratio varies from story to story. */
const runsAtLeast = 10;
/** A smaller fall, a third at most, is not worth a warning, however sure it is. */
const oddsAtMost = 2 / 3;
/** The 0.995 quantile of the normal distribution: one false alarm in 200, fewer with the conditions beside it. */
const quantile = 2.576;

/**
 * Checks whether Android's clicks have fallen in a run while others hold, as they do where Chrome hides a site's
 * notifications for spam. `before`: earlier runs of the site. At most one run in 200 without a fall is taken for one.
 *
 * Compares the log odds ratio of clicks, Android to others, with those of the earlier runs: stories differ in how many
 * click, and less in who does. Their variance beyond that of counting is estimated as by DerSimonian and Laird (1986),
 * and the run is checked by the prediction interval of Higgins, Thompson and Spiegelhalter (2009), one-sided.
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

/** With half an event added to each count (Haldane and Anscombe), so that none is zero. */
function logOddsRatio({ android, others }: PlatformClicks): Estimate {
  const counts = [android, others].map(({ displayed, clicked }) => [
    clicked + 0.5,
    Math.max(displayed - clicked, 0) + 0.5,
  ]);
  const [[a, b], [c, d]] = counts as [[number, number], [number, number]];
  return { value: Math.log((a * d) / (b * c)), variance: 1 / a + 1 / b + 1 / c + 1 / d };
}

/** The mean of estimates, its variance, and the variance between them beyond their own. */
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
 * The quantile of Student's distribution, by its expansion (Abramowitz and Stegun 26.7.5): from 9 degrees on within 1
 * %.
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
