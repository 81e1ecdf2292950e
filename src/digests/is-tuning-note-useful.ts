/** Whether a weekly note has enough data to be posted. Pure. */
import type { FilterTuningFacts } from './facts.ts';

/** Fewer projects prove nothing. */
const LEAST_PROJECTS = 10;

/**
 * Useful if there are enough projects and some of them were unwanted: otherwise there is nothing to improve.
 */
export function isTuningNoteUseful({ filters }: FilterTuningFacts): boolean {
  if (filters.some(({ advice }) => advice !== undefined)) return true;
  const sum = (count: (filter: FilterTuningFacts['filters'][number]) => number) =>
    filters.reduce((total, filter) => total + count(filter), 0);
  const unwanted = sum(({ skipped, left }) => left + Object.values(skipped).reduce((a, b) => a + b, 0));
  const muted = sum((filter) => filter.muted);
  return sum(({ told }) => told) + muted >= LEAST_PROJECTS && unwanted + muted > 0;
}
