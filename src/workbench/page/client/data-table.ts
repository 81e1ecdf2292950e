/** A table that sorts by its columns and shows one page of rows, as in Slack. */
import type { ShownBlock } from '../protocol.ts';
import { createDomElement, createElementFromHtml } from './dom.ts';
import { nextOrder, type Row, sortRows, type TableOrder } from './sort-rows.ts';

type DataTable = Extract<ShownBlock, { kind: 'data-table' }>;
export function drawDataTable(table: DataTable): HTMLElement {
  const { caption, columns, rows, pageSize } = table;
  const pages = Math.max(1, Math.ceil(rows.length / pageSize));
  let order: TableOrder | undefined;
  let page = 1;
  const whole = createDomElement('div', { class: 'block data-table' });

  const turn = (label: string, to: number) =>
    createDomElement(
      'button',
      {
        type: 'button',
        class: 'table-turn',
        disabled: to < 1 || to > pages,
        onclick: () => {
          page = to;
          draw(`[data-turn="${label}"]`);
        },
        'data-turn': label,
      },
      label,
    );

  const drawHead = (name: string, column: number) => {
    const isSorted = order?.column === column;
    const sign = isSorted ? (order?.isDescending ? ' ↓' : ' ↑') : '';
    const direction = order?.isDescending ? 'descending' : 'ascending';
    const sort = createDomElement(
      'button',
      {
        type: 'button',
        class: 'table-sort',
        'data-column': column,
        onclick: () => {
          order = nextOrder(order, column);
          page = 1;
          draw(`[data-column="${column}"]`);
        },
      },
      `${name}${sign}`,
    );
    return createDomElement('th', { scope: 'col', 'aria-sort': isSorted ? direction : undefined }, sort);
  };

  const drawRow = (row: Row) =>
    createDomElement(
      'tr',
      {},
      ...row.map((cell, column) => {
        const content = createElementFromHtml(cell.html, 'cell rich');
        return column === 0
          ? createDomElement('th', { scope: 'row' }, content)
          : createDomElement('td', {}, content);
      }),
    );

  const draw = (focused?: string) => {
    const shown = sortRows(rows, order).slice((page - 1) * pageSize, page * pageSize);
    const head = createDomElement('tr', {}, ...columns.map(drawHead));
    whole.replaceChildren(
      createDomElement(
        'div',
        { class: 'table-scroll', tabindex: 0, role: 'region', 'aria-label': caption },
        createDomElement(
          'table',
          {},
          createDomElement('caption', {}, caption),
          createDomElement('thead', {}, head),
          createDomElement('tbody', {}, ...shown.map(drawRow)),
        ),
      ),
    );
    if (pages > 1) {
      const place = createDomElement('span', {}, `${page} of ${pages}`);
      const turns = [turn('Previous', page - 1), place, turn('Next', page + 1)];
      whole.append(createDomElement('div', { class: 'table-pages' }, ...turns));
    }
    if (focused !== undefined) whole.querySelector<HTMLElement>(focused)?.focus();
  };
  draw();
  return whole;
}
