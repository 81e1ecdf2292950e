/** How filters are named. Pure. */
import type { FilterId } from '../../../ids.ts';
import { safeLine } from '../mrkdwn.ts';
import { formatNumber } from '../numbers.ts';

/** A filter with its name if known; records may contain an undefined name. */
export interface FilterLabel {
  readonly id: FilterId;
  readonly name?: string | undefined;
}

/** `“Node jobs” (12)`, or `filter 12` while its name is unknown. mrkdwn. */
export function filterName(filter: FilterLabel): string {
  return filter.name ? `“${safeLine(filter.name, 80)}” (${filter.id})` : `filter ${filter.id}`;
}

/** Only the name, for a line with many. mrkdwn. */
function shortFilterName(filter: FilterLabel): string {
  return filter.name ? safeLine(filter.name, 60) : `filter ${filter.id}`;
}

/** The first ten names, then a count of the rest. mrkdwn. */
export function filterNames(filters: readonly FilterLabel[]): string {
  const names = filters.slice(0, 10).map(shortFilterName);
  const more = filters.length - names.length;
  return [...names, ...(more > 0 ? [`${formatNumber(more)} more`] : [])].join(', ');
}
