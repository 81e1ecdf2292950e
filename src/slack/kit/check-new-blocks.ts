/** Checks tables, charts, alerts and rich text. Pure. */
import { checkText } from './check-elements.ts';
import { asBlockFields, type BlockFields, type ProblemCollector, type SlackLimitName } from './limits.ts';

type Check = (problems: ProblemCollector, place: string, block: BlockFields) => void;

/** The length of all strings that people see in a `rich_text` block. */
function lengthOfRichText(value: unknown): number {
  if (Array.isArray(value)) return value.reduce((sum: number, each) => sum + lengthOfRichText(each), 0);
  const part = asBlockFields(value);
  if (!part) return 0;
  const own = typeof part.text === 'string' ? part.text.length : 0;
  return own + lengthOfRichText(part.elements);
}

export const checkRichText: Check = (problems, place, block) => {
  if (!Array.isArray(block.elements) || block.elements.length === 0)
    problems.add(`${place}.elements`, 'must be a list of parts');
  problems.textLength += lengthOfRichText(block);
};

/** One cell: text, a number with its text, or rich text (not in a header). */
function checkCell(problems: ProblemCollector, place: string, value: unknown, isHeader: boolean): void {
  const cell = asBlockFields(value);
  const type = cell?.type;
  if (type === 'rich_text' && !isHeader) {
    if (!Array.isArray(cell?.elements) || cell.elements.length === 0)
      problems.add(place, 'must not be empty');
    problems.cellsLength += lengthOfRichText(cell);
    problems.textLength += lengthOfRichText(cell);
    return;
  }
  if (type !== 'raw_text' && (type !== 'raw_number' || isHeader)) {
    problems.add(place, `unknown cell: ${String(type)}`);
    return;
  }
  if (type === 'raw_number' && !Number.isFinite(cell?.value))
    problems.add(`${place}.value`, 'must be a number');
  problems.checkString(`${place}.text`, cell?.text, 'tableText');
  const length = typeof cell?.text === 'string' ? cell.text.length : 0;
  problems.cellsLength += length;
  problems.textLength += length;
}

interface TableLimits {
  readonly rows: SlackLimitName;
  readonly columns: SlackLimitName;
  readonly leastRows: number;
  readonly hasHeader: boolean;
}

function checkRows(problems: ProblemCollector, place: string, block: BlockFields, limits: TableLimits): void {
  const rows = problems.checkList(`${place}.rows`, block.rows, limits.rows, limits.leastRows);
  const widths = new Set<number>();
  for (const [index, row] of rows.entries()) {
    const at = `${place}.rows[${index}]`;
    const cells = problems.checkList(at, row, limits.columns);
    widths.add(cells.length);
    for (const [column, cell] of cells.entries())
      checkCell(problems, `${at}[${column}]`, cell, limits.hasHeader && index === 0);
  }
  if (widths.size > 1) problems.add(`${place}.rows`, 'all rows need the same number of cells');
}

export const checkTable: Check = (problems, place, block) =>
  checkRows(problems, place, block, {
    rows: 'tableRows',
    columns: 'tableColumns',
    leastRows: 1,
    hasHeader: false,
  });

export const checkDataTable: Check = (problems, place, block) => {
  problems.checkString(`${place}.caption`, block.caption, 'dataTableCaption');
  if (typeof block.caption === 'string') problems.textLength += block.caption.length;
  const size = block.page_size;
  if (size !== undefined) {
    if (typeof size === 'number' && Number.isInteger(size) && size >= 1)
      problems.checkSize(`${place}.page_size`, size, 'dataTablePage');
    else problems.add(`${place}.page_size`, 'must be a whole number from 1');
  }
  checkRows(problems, place, block, {
    rows: 'dataTableRows',
    columns: 'dataTableColumns',
    leastRows: 2,
    hasHeader: true,
  });
};

const LEVELS = ['default', 'info', 'warning', 'error', 'success'];

export const checkAlert: Check = (problems, place, block) => {
  checkText(problems, `${place}.text`, block.text, 'alertText');
  if (block.level !== undefined && !LEVELS.some((each) => each === block.level))
    problems.add(`${place}.level`, `must be one of ${LEVELS.join(', ')}`);
};

/** A line or bar chart: each series has one point for each category. */
export const checkChart: Check = (problems, place, block) => {
  problems.checkString(`${place}.title`, block.title, 'chartTitle');
  const at = `${place}.chart`;
  const chart = asBlockFields(block.chart);
  const axis = asBlockFields(chart?.axis_config);
  if (chart?.type !== 'line' && chart?.type !== 'bar')
    problems.add(at, `unknown chart: ${String(chart?.type)}`);
  problems.checkString(`${at}.axis_config.x_label`, axis?.x_label, 'chartAxisLabel');
  problems.checkString(`${at}.axis_config.y_label`, axis?.y_label, 'chartAxisLabel');
  const categories = problems.checkList(`${at}.axis_config.categories`, axis?.categories, 'chartPoints');
  for (const [index, category] of categories.entries()) {
    problems.checkString(`${at}.axis_config.categories[${index}]`, category, 'chartLabel');
    problems.checkUnique(`${at}.axis_config`, 'category', category, place);
  }
  const wanted = JSON.stringify(categories);
  for (const [index, item] of problems.checkList(`${at}.series`, chart?.series, 'chartSeries').entries()) {
    const series = asBlockFields(item);
    problems.checkString(`${at}.series[${index}].name`, series?.name, 'chartLabel');
    problems.checkUnique(`${at}.series[${index}]`, 'series', series?.name, place);
    const points = problems
      .checkList(`${at}.series[${index}].data`, series?.data, 'chartPoints')
      .map(asBlockFields);
    if (JSON.stringify(points.map((point) => point?.label)) !== wanted)
      problems.add(`${at}.series[${index}].data`, 'needs a point for each category');
    if (!points.every((point) => Number.isFinite(point?.value)))
      problems.add(`${at}.series[${index}].data`, 'every value must be a number');
  }
};
