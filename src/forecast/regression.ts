/** One observation. `y`: what was seen; `variance`: of its chance alone, beside that between observations. */
export type Observation = { x: number[]; y: number; variance: number };

/** What is thought of an effect before anything was seen: normally distributed. */
export type Prior = { mean: number; variance: number };

/** A fitted model. `effects`: the intercept, then one for each `x`. `between`: the variance between observations. */
export type Fit = { effects: number[]; covariance: number[][]; between: number };

const minVariance = 1e-3;
/** Before anything was seen, observations differ by about a third; that weighs as much as so many of them. */
const usualBetween = 0.1;
const usualWeighs = 5;
/** The variance between observations and the effects depend on each other: two more rounds settle both. */
const rounds = 3;

/**
 * Fits a linear model (Bayesian ridge regression: normal priors and noise), and estimates the variance between observations
 * from what the effects do not explain. `priors`: of the intercept, then one for each `x`.
 */
export function fitModel(observations: Observation[], priors: Prior[]): Fit {
  let between = usualBetween;
  let solved = solve(observations, priors, between);
  for (let round = 1; round < rounds; round++) {
    between = varianceBetween(observations, solved.effects);
    solved = solve(observations, priors, between);
  }
  return { ...solved, between };
}

/** Predicts a value, with the variance of the prediction, that between observations included. */
export function predict({ effects, covariance, between }: Fit, x: number[]): { mean: number; variance: number } {
  const row = [1, ...x];
  const spread = row.map((_, i) => dot(covariance[i]!, row));
  return { mean: dot(effects, row), variance: dot(row, spread) + between };
}

function solve(observations: Observation[], priors: Prior[], between: number) {
  const size = priors.length;
  const precision = priors.map(({ variance }, i) => priors.map((_, j) => (i === j ? 1 / variance : 0)));
  const weighted = priors.map(({ mean, variance }) => mean / variance);
  for (const { x, y, variance } of observations) {
    const row = [1, ...x];
    const weight = 1 / (variance + between);
    for (let i = 0; i < size; i++) {
      weighted[i]! += weight * row[i]! * y;
      for (let j = 0; j < size; j++) precision[i]![j]! += weight * row[i]! * row[j]!;
    }
  }
  const covariance = invert(precision);
  return { effects: covariance.map((row) => dot(row, weighted)), covariance };
}

/** What the residuals vary by beyond chance. */
function varianceBetween(observations: Observation[], effects: number[]): number {
  const excess = observations.map(({ x, y, variance }) => (y - dot(effects, [1, ...x])) ** 2 - variance);
  const sum = excess.reduce((total, one) => total + one, usualWeighs * usualBetween);
  return Math.max(minVariance, sum / (usualWeighs + Math.max(0, observations.length - 1)));
}

function dot(a: number[], b: number[]): number {
  return a.reduce((sum, value, i) => sum + value * b[i]!, 0);
}

/** Inverts a symmetric positive definite matrix by Gauss-Jordan elimination; it needs no pivots. */
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
