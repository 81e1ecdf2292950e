/** How a filter is called. */
import type { FilterId } from '../../ids.ts';
import { safeLine } from '../blocks/mrkdwn.ts';
import { formatNumber } from '../blocks/numbers.ts';

/** A filter with its name where that is known; records carry it as possibly undefined. */
export interface FilterLabel {
  readonly id: FilterId;
  readonly name?: string | undefined;
}

/** `“Node jobs” (12)`, or `filter 12` while its name is not known. mrkdwn. */
export function filterName(filter: FilterLabel): string {
  return filter.name ? `“${safeLine(filter.name, 80)}” (${filter.id})` : `filter ${filter.id}`;
}

/** For a line of many: the name alone. mrkdwn. */
function shortFilterName(filter: FilterLabel): string {
  return filter.name ? safeLine(filter.name, 60) : `filter ${filter.id}`;
}

/** All of them, named; after the first ten the rest are counted. mrkdwn. */
export function filterNames(filters: readonly FilterLabel[]): string {
  const names = filters.slice(0, 10).map(shortFilterName);
  const more = filters.length - names.length;
  return [...names, ...(more > 0 ? [`${formatNumber(more)} more`] : [])].join(', ');
}
