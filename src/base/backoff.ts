/** The pause after a number of consecutive failures: doubles from `firstMs` up to `longestMs`. Pure. */
export function backoffMs(failures: number, firstMs: number, longestMs: number): number {
  return Math.min(firstMs * 2 ** Math.max(failures - 1, 0), longestMs);
}
