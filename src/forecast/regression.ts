/** One observation: `count` of `of` readers, with the values `x`. */
export type Observation = { x: number[]; count: number; of: number };

/** The normal distribution of an effect before any observation. */
export type Prior = { mean: number; variance: number };

/**
 * A fitted model. `effects`: the intercept, then one effect for each `x`. `between`: how much the means of
 * observations vary beyond what is fitted, as a variance of their ratio to the fitted mean.
 */
export type Fit = { effects: number[]; covariance: number[][]; between: number };

const minVariance = 1e-3;
/**
 * The variance between observations before any observation (they differ by about a third), and the number of
 * observations as which it counts.
 */
const usualBetween = 0.1;
const usualWeighs = 5;
/**
 * The weights, the variance between observations and the effects depend on each other. Several rounds settle all
 * three.
 */
const rounds = 5;
/**
 * The number of counts that is added to the whole history, in proportion to exposure. A share of zero has no
 * logarithm.
 */
const moreCounts = 0.5;

/**
 * Fits a linear model of the logarithm of a share (Poisson regression with normal priors, by reweighted least
 * squares). Estimates the variance between observations from what the effects do not explain. Weights come from the
 * fitted mean, not from the counts. Otherwise observations that are low by chance would weigh less, and shares of rare
 * outcomes would come out too high. So this is a model of the mean share. `priors`: of the intercept, then one for
 * each `x`.
 */
export function fitModel(observations: Observation[], priors: Prior[]): Fit {
  const all = observations.reduce((sum, { count, of }) => ({ count: sum.count + count, of: sum.of + of }), {
    count: moreCounts,
    of: 0,
  });
  let effects = priors.map(({ mean }, i) => (i === 0 && all.of > 0 ? Math.log(all.count / all.of) : mean));
  let between = usualBetween;
  let covariance: number[][] = [];
  for (let round = 0; round < rounds; round++) {
    const seen = observations.map((one) => linearize(one, effects, (moreCounts * one.of) / all.of));
    if (round > 0) between = varianceBetween(seen, effects, between);
    ({ effects, covariance } = solve(seen, priors, between));
  }
  return { effects, covariance, between };
}

/**
 * An observation on the scale of the model. `variance`: the variance by chance alone, without the variance between
 * observations.
 */
type Linear = { x: number[]; y: number; variance: number };

function linearize({ x, count, of }: Observation, effects: number[], more: number): Linear {
  const fitted = dot(effects, [1, ...x]);
  const expected = of * Math.exp(fitted);
  return { x, y: fitted + (count + more - expected) / expected, variance: 1 / expected };
}

/**
 * Predicts the logarithm of the mean share and of the median share, and the variance of a single observation on that
 * scale.
 */
export function predict(
  { effects, covariance, between }: Fit,
  x: number[],
): { mean: number; median: number; variance: number } {
  const row = [1, ...x];
  const spread = row.map((_, i) => dot(covariance[i]!, row));
  // The distribution of shares is skewed, but that of their logarithms is nearly normal.
  const ofLogarithm = Math.log1p(between);
  const mean = dot(effects, row);
  return { mean, median: mean - ofLogarithm / 2, variance: dot(row, spread) + ofLogarithm };
}

function solve(observations: Linear[], priors: Prior[], between: number) {
  const size = priors.length;
  const precision = priors.map(({ variance }, i) => priors.map((_, j) => (i === j ? 1 / variance : 0)));
  const weighted = priors.map(({ mean, variance }) => mean / variance);
  for (const { x, y, variance } of observations) {
    const row = [1, ...x];
    const weight = 1 / (variance + between);
    for (let i = 0; i < size; i++) {
      const [weighs, into] = [weight * row[i]!, precision[i]!];
      if (weighs === 0) continue;
      weighted[i]! += weighs * y;
      for (let j = 0; j <= i; j++) into[j]! += weighs * row[j]!;
    }
  }
  // The matrix is symmetric. Only its lower half was summed above.
  for (let i = 0; i < size; i++) for (let j = 0; j < i; j++) precision[j]![i] = precision[i]![j]!;
  const covariance = invert(precision);
  return { effects: covariance.map((row) => dot(row, weighted)), covariance };
}

/**
 * Returns the variance of the residuals beyond chance. An observation weighs less if chance explains more of its
 * residual.
 */
function varianceBetween(observations: Linear[], effects: number[], before: number): number {
  let [sum, weights] = [usualWeighs * usualBetween, usualWeighs];
  for (const { x, y, variance } of observations) {
    const weight = (before / (before + variance)) ** 2;
    sum += weight * ((y - dot(effects, [1, ...x])) ** 2 - variance);
    weights += weight;
  }
  return Math.max(minVariance, sum / Math.max(usualWeighs, weights - 1));
}

function dot(a: number[], b: number[]): number {
  return a.reduce((sum, value, i) => sum + value * b[i]!, 0);
}

/**
 * Inverts a symmetric positive definite matrix by Gauss-Jordan elimination, which needs no pivots for such a matrix.
 */
function invert(matrix: number[][]): number[][] {
  const size = matrix.length;
  const left = matrix.map((row) => [...row]);
  const right = matrix.map((_, i) => Array.from({ length: size }, (_, j) => (i === j ? 1 : 0)));
  for (let i = 0; i < size; i++) {
    const pivot = left[i]![i]!;
    for (let j = 0; j < size; j++) {
      left[i]![j]! /= pivot;
      right[i]![j]! /= pivot;
    }
    for (let row = 0; row < size; row++) {
      const factor = left[row]![i]!;
      if (row === i || factor === 0) continue;
      for (let j = 0; j < size; j++) {
        left[row]![j]! -= factor * left[i]![j]!;
        right[row]![j]! -= factor * right[i]![j]!;
      }
    }
  }
  return right;
}
