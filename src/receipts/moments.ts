/** Mean and variance of a sample. */
export type Moments = { n: number; mean: number; variance: number };

export function momentsOf(values: number[]): Moments {
  const n = values.length;
  const mean = values.reduce((total, value) => total + value, 0) / n;
  const variance = values.reduce((total, value) => total + (value - mean) ** 2, 0) / (n - 1);
  return { n, mean, variance };
}

/** Returns the mean of `b` minus the mean of `a`, and the standard error of this difference (Welch's test). */
export function compareMeans(a: Moments, b: Moments): { difference: number; error: number } {
  return { difference: b.mean - a.mean, error: Math.sqrt(a.variance / a.n + b.variance / b.n) };
}
