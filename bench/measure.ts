/** What is done with a list of measured figures. */

/** The smallest figure that so large a share of all is not above. NaN of an empty list. */
export function quantile(figures: readonly number[], share: number): number {
  const sorted = figures.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

/** Of an even number of figures, the mean of the two in the middle. NaN of an empty list. */
export function median(figures: readonly number[]): number {
  const sorted = figures.toSorted((a, b) => a - b);
  const [low, high] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]];
  return low === undefined || high === undefined ? Number.NaN : (low + high) / 2;
}

/** "1.02 to 1.31": between which figures the rounds lay. */
export function spread(figures: readonly number[], digits = 2): string {
  return `${Math.min(...figures).toFixed(digits)} to ${Math.max(...figures).toFixed(digits)}`;
}

/**
 * The exponent b of cost = a * size^b that fits best (least squares of the logarithms): 0 says flat, 1 says in proportion.
 * Sizes and costs are above 0, and there are at least two different sizes; else NaN.
 */
export function fitExponent(points: readonly { readonly size: number; readonly cost: number }[]): number {
  const logs = points.map(({ size, cost }) => ({ x: Math.log(size), y: Math.log(cost) }));
  const mean = (of: (point: { x: number; y: number }) => number) =>
    logs.reduce((sum, point) => sum + of(point), 0) / logs.length;
  const x = mean((point) => point.x);
  const y = mean((point) => point.y);
  return mean((point) => (point.x - x) * (point.y - y)) / mean((point) => (point.x - x) ** 2);
}
