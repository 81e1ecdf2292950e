/** Whether a week says enough of a channel's filters to be told. Pure. */
import type { FilterTuningFacts } from './facts.ts';

/** Below this a week is chance. */
const LEAST_PROJECTS = 10;

/** Something came, and something of it was not wanted: else there is nothing to improve. */
export function isTuningNoteUseful({ filters }: FilterTuningFacts): boolean {
  if (filters.some(({ advice }) => advice !== undefined)) return true;
  const sum = (count: (filter: FilterTuningFacts['filters'][number]) => number) =>
    filters.reduce((total, filter) => total + count(filter), 0);
  const unwanted = sum(({ skipped, left }) => left + Object.values(skipped).reduce((a, b) => a + b, 0));
  const muted = sum((filter) => filter.muted);
  return sum(({ told }) => told) + muted >= LEAST_PROJECTS && unwanted + muted > 0;
}
