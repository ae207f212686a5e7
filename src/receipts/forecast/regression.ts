/** One observation. `y`: what was seen; `variance`: of its chance alone, beside that between observations. */
export type Observation = { x: number[]; y: number; variance: number };

/** A fitted model: predicts a value with the variance of the prediction, that between observations included. */
export type Model = (x: number[]) => { mean: number; variance: number };

/** Effects are a priori about this large, on the scale of `y`. */
const effectVariance = 0.3 ** 2;
const minVariance = 1e-3;
/** The variance between observations and the effects depend on each other: two more rounds settle both. */
const rounds = 3;

/**
 * Fits a linear model with a free intercept and shrunken effects (Bayesian ridge regression: normal prior and noise), and
 * estimates the variance between observations from what the effects do not explain. `x` may be empty: then the model is
 * the mean.
 */
export function fitModel(observations: Observation[]): Model {
  const size = (observations[0]?.x.length ?? 0) + 1;
  let between = 0.1;
  let solved = solve(observations, size, between);
  for (let round = 1; round < rounds; round++) {
    between = varianceBetween(observations, solved.effects);
    solved = solve(observations, size, between);
  }
  const { effects, covariance } = solved;
  return (x) => {
    const row = [1, ...x];
    const spread = row.map((_, i) => dot(covariance[i]!, row));
    return { mean: dot(effects, row), variance: dot(row, spread) + between };
  };
}

function solve(observations: Observation[], size: number, between: number) {
  const precision = Array.from({ length: size }, (_, i) =>
    Array.from({ length: size }, (_, j) => (i === j && i > 0 ? 1 / effectVariance : 0)),
  );
  // Keeps the matrix regular without any observation.
  precision[0]![0] = 1e-6;
  const weighted = Array.from({ length: size }, () => 0);
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
  return Math.max(minVariance, excess.reduce((sum, one) => sum + one, 0) / Math.max(1, observations.length - 1));
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
