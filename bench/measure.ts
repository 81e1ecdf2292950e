/** Statistics over a list of measured figures. */

/** The smallest figure that is at least as large as this share of all. NaN for an empty list. */
export function quantile(figures: readonly number[], share: number): number {
  const sorted = figures.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

/** The mean of the two middle figures when their number is even. NaN for an empty list. */
export function median(figures: readonly number[]): number {
  const sorted = figures.toSorted((a, b) => a - b);
  const [low, high] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]];
  return low === undefined || high === undefined ? Number.NaN : (low + high) / 2;
}

/** "1.02 to 1.31": the range of the rounds. */
export function spread(figures: readonly number[], digits = 2): string {
  return `${Math.min(...figures).toFixed(digits)} to ${Math.max(...figures).toFixed(digits)}`;
}

/**
 * The exponent b of cost = a * size^b with the best fit (least squares of the logarithms): 0 is flat, 1 is
 * proportional. Sizes and costs are above 0, with at least two different sizes; else NaN.
 */
export function fitExponent(points: readonly { readonly size: number; readonly cost: number }[]): number {
  const logs = points.map(({ size, cost }) => ({ x: Math.log(size), y: Math.log(cost) }));
  const mean = (of: (point: { x: number; y: number }) => number) =>
    logs.reduce((sum, point) => sum + of(point), 0) / logs.length;
  const x = mean((point) => point.x);
  const y = mean((point) => point.y);
  return mean((point) => (point.x - x) * (point.y - y)) / mean((point) => (point.x - x) ** 2);
}
