/** The order of a data table's rows. Pure. */
import type { ShownCell } from '../protocol.ts';

export type Row = readonly ShownCell[];

export interface TableOrder {
  readonly column: number;
  readonly isDescending: boolean;
}

function compareCells(a: ShownCell | undefined, b: ShownCell | undefined): number {
  const [left, right] = [a?.sort ?? '', b?.sort ?? ''];
  return typeof left === 'number' && typeof right === 'number'
    ? left - right
    : String(left).localeCompare(String(right), 'en');
}

/** The rows in this order; as the app sent them without one. */
export function sortRows(rows: readonly Row[], order: TableOrder | undefined): readonly Row[] {
  if (!order) return rows;
  const sign = order.isDescending ? -1 : 1;
  return rows.toSorted((a, b) => sign * compareCells(a[order.column], b[order.column]));
}

/** A first press sorts a column upwards, a second downwards, a third restores the app's order. */
export function nextOrder(order: TableOrder | undefined, column: number): TableOrder | undefined {
  if (order?.column !== column) return { column, isDescending: false };
  return order.isDescending ? undefined : { column, isDescending: true };
}
