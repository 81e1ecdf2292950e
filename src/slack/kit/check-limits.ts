/** Checks every message and view against Slack's limits before it is sent. Pure. */
import type { HomeView, KnownBlock, ModalView } from '@slack/types';
import { GigdeskError } from '../../errors.ts';
import type { Message } from '../core/routes.ts';
import {
  asBlockFields,
  type BlockError,
  type BlockFields,
  blockErrorText,
  type Check,
  checkElement,
  ProblemCollector,
} from './check-elements.ts';
import { slackLimits } from './limits.ts';

/** The length of all strings that people see in a `rich_text` cell. */
function lengthOfRichText(value: unknown): number {
  if (Array.isArray(value)) return value.reduce((sum: number, each) => sum + lengthOfRichText(each), 0);
  const part = asBlockFields(value);
  if (!part) return 0;
  return (typeof part.text === 'string' ? part.text.length : 0) + lengthOfRichText(part.elements);
}

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
  if (type !== 'raw_text' && (type !== 'raw_number' || isHeader))
    return problems.add(place, `unknown cell: ${String(type)}`);
  if (type === 'raw_number' && !Number.isFinite(cell?.value))
    problems.add(`${place}.value`, 'must be a number');
  problems.checkString(`${place}.text`, cell?.text, 'tableText');
  const length = typeof cell?.text === 'string' ? cell.text.length : 0;
  problems.cellsLength += length;
  problems.textLength += length;
}

const checkDataTable: Check = (problems, place, block) => {
  problems.checkString(`${place}.caption`, block.caption, 'dataTableCaption');
  if (typeof block.caption === 'string') problems.textLength += block.caption.length;
  const size = block.page_size;
  if (size !== undefined) {
    if (typeof size === 'number' && Number.isInteger(size) && size >= 1)
      problems.checkSize(`${place}.page_size`, size, 'dataTablePage');
    else problems.add(`${place}.page_size`, 'must be a whole number from 1');
  }
  const widths = new Set<unknown>();
  const checkRow = (at: string, row: unknown, index: number) => {
    widths.add(Array.isArray(row) ? row.length : 0);
    problems.checkEach(at, row, 'dataTableColumns', (place, cell) =>
      checkCell(problems, place, cell, index === 0),
    );
  };
  problems.checkEach(`${place}.rows`, block.rows, 'dataTableRows', checkRow, 2);
  if (widths.size > 1) problems.add(`${place}.rows`, 'all rows need the same number of cells');
};

const LEVELS = ['default', 'info', 'warning', 'error', 'success'];

const checkAlert: Check = (problems, place, block) => {
  problems.checkText(`${place}.text`, block.text, 'alertText');
  if (block.level !== undefined && !LEVELS.some((each) => each === block.level))
    problems.add(`${place}.level`, `must be one of ${LEVELS.join(', ')}`);
};

/** A line or bar chart: each series has one point for each category. */
const checkChart: Check = (problems, place, block) => {
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
  problems.checkEach(`${at}.series`, chart?.series, 'chartSeries', (own, item) => {
    const series = asBlockFields(item);
    problems.checkString(`${own}.name`, series?.name, 'chartLabel');
    problems.checkUnique(own, 'series', series?.name, place);
    const points = problems.checkList(`${own}.data`, series?.data, 'chartPoints').map(asBlockFields);
    if (JSON.stringify(points.map((point) => point?.label)) !== wanted)
      problems.add(`${own}.data`, 'needs a point for each category');
    if (!points.every((point) => Number.isFinite(point?.value)))
      problems.add(`${own}.data`, 'every value must be a number');
  });
};

const checkSection: Check = (problems, place, block) => {
  const { text, fields, accessory } = block;
  if (text === undefined && fields === undefined) problems.add(place, 'needs text or fields');
  if (text !== undefined) problems.checkText(`${place}.text`, text, 'sectionText');
  if (fields !== undefined)
    problems.checkEach(`${place}.fields`, fields, 'sectionFields', (at, field) =>
      problems.checkText(at, field, 'sectionField'),
    );
  if (accessory !== undefined) checkElement(problems, `${place}.accessory`, accessory, 'section');
};

const checkContext: Check = (problems, place, block) =>
  problems.checkEach(`${place}.elements`, block.elements, 'contextElements', (at, item) =>
    problems.checkText(at, item, 'contextText'),
  );

const checkActions: Check = (problems, place, block) =>
  problems.checkEach(`${place}.elements`, block.elements, 'actionsElements', (at, item) =>
    checkElement(problems, at, item, 'actions'),
  );

const checkInput: Check = (problems, place, block) => {
  problems.checkText(`${place}.label`, block.label, 'inputLabel', 'plain_text');
  problems.checkOptionalPlainText(`${place}.hint`, block.hint, 'inputHint');
  checkElement(problems, `${place}.element`, block.element, 'input');
};

const CHECKS: Readonly<Record<string, Check>> = {
  section: checkSection,
  header: (problems, place, block) =>
    problems.checkText(`${place}.text`, block.text, 'headerText', 'plain_text'),
  divider: () => undefined,
  context: checkContext,
  actions: checkActions,
  input: checkInput,
  data_table: checkDataTable,
  alert: checkAlert,
  container: checkContainer,
  data_visualization: checkChart,
};

/** What a container may hold. Slack's documentation and its validator agree on these. */
const CONTAINED = new Set(['actions', 'context', 'divider', 'header', 'section']);

function checkContainer(problems: ProblemCollector, place: string, block: BlockFields): void {
  problems.checkText(`${place}.title`, block.title, 'containerTitle', 'plain_text');
  if (block.subtitle !== undefined) problems.checkText(`${place}.subtitle`, block.subtitle, 'containerTitle');
  if (block.default_collapsed === true && block.is_collapsible !== true)
    problems.add(`${place}.default_collapsed`, 'needs is_collapsible');
  problems.checkEach(`${place}.child_blocks`, block.child_blocks, 'containerBlocks', (at, item) => {
    const type = asBlockFields(item)?.type;
    if (typeof type !== 'string' || !CONTAINED.has(type))
      problems.add(at, `not allowed in a container: ${String(type)}`);
    else checkBlock(problems, at, item);
  });
}

function checkBlock(problems: ProblemCollector, place: string, item: unknown): string | undefined {
  const block = asBlockFields(item);
  const type = block?.type;
  const check = typeof type === 'string' ? CHECKS[type] : undefined;
  if (!block || !check || typeof type !== 'string') {
    problems.add(place, `unknown block: ${String(type)}`);
    return undefined;
  }
  problems.checkOptionalString(`${place}.block_id`, block.block_id, 'blockId');
  problems.checkUnique(place, 'block_id', block.block_id);
  check(problems, place, block);
  return type;
}

type Surface = 'message' | 'modal' | 'home';

/** The surfaces of blocks that don't exist everywhere. Source: docs/slack-limits.md, "Newer blocks". */
const SURFACES: Readonly<Record<string, readonly Surface[]>> = {
  data_table: ['message', 'home'],
  container: ['message', 'home'],
  data_visualization: ['message'],
  alert: ['modal'],
};

function checkBlocks(problems: ProblemCollector, blocks: unknown, surface: Surface): void {
  const name = surface === 'message' ? 'messageBlocks' : 'viewBlocks';
  let charts = 0;
  problems.checkEach('blocks', blocks, name, (place, item) => {
    const type = checkBlock(problems, place, item);
    if (type === undefined) return;
    if (type === 'data_visualization') charts++;
    const allowed = SURFACES[type];
    if (allowed && !allowed.includes(surface)) problems.add(place, `${type} doesn't work in a ${surface}`);
  });
  problems.checkSize('blocks', charts, 'charts');
  problems.checkSize('blocks', problems.cellsLength, 'tableText');
}

/** Slack would reject this. It is always our bug, so it lists every place at once. Contains no texts. */
export class SlackLimitError extends GigdeskError {
  override readonly name = 'LimitError';
  readonly code = 'limits';
  readonly problems: readonly BlockError[];
  constructor(what: string, problems: readonly BlockError[]) {
    super(`Slack would reject this ${what}: ${problems.map(blockErrorText).join('; ')}`);
    this.problems = problems;
  }
}

/** What Slack would reject in a message, by place. Source: docs/slack-limits.md. */
export function findMessageLimitProblems(message: Message): readonly BlockError[] {
  const problems = new ProblemCollector();
  if (message.text.trim() === '') problems.add('text', 'must not be empty, notifications show it');
  problems.checkSize('text', message.text.length, 'messageText');
  if (message.blocks !== undefined) checkBlocks(problems, message.blocks, 'message');
  problems.checkSize('blocks', problems.textLength, 'allTextOfMessage');
  return problems.found;
}

/** What Slack would reject in a modal or an App Home, by place. Source: docs/slack-limits.md. */
export function findViewLimitProblems(view: ModalView | HomeView): readonly BlockError[] {
  const problems = new ProblemCollector();
  // The App Home has no title, submit or close text.
  if (view.type === 'modal') {
    problems.checkText('title', view.title, 'viewTitle', 'plain_text');
    problems.checkOptionalPlainText('submit', view.submit, 'viewButton');
    problems.checkOptionalPlainText('close', view.close, 'viewButton');
  }
  problems.checkOptionalString('callback_id', view.callback_id, 'callbackId');
  if (view.private_metadata !== undefined)
    problems.checkString('private_metadata', view.private_metadata, 'privateMetadata', 0);
  checkBlocks(problems, view.blocks, view.type);
  if (!('submit' in view && view.submit) && view.blocks.some((block) => block.type === 'input'))
    problems.add('submit', 'inputs need a submit button');
  const bytes = Buffer.byteLength(JSON.stringify(view));
  if (bytes > slackLimits.viewSize.max) problems.checkSize('view', bytes, 'viewSize');
  return problems.found;
}

/** @throws LimitError when Slack would reject the message. */
export function checkMessage(message: Message): void {
  const problems = findMessageLimitProblems(message);
  if (problems.length > 0) throw new SlackLimitError('message', problems);
}

/** @throws LimitError when Slack would reject the view. */
export function checkView(view: ModalView | HomeView): void {
  const problems = findViewLimitProblems(view);
  if (problems.length > 0) throw new SlackLimitError('view', problems);
}

/** @throws LimitError when Slack would reject the blocks of an unfurl. */
export function checkUnfurl(blocks: readonly KnownBlock[]): void {
  const problems = new ProblemCollector();
  checkBlocks(problems, blocks, 'message');
  if (problems.found.length > 0) throw new SlackLimitError('unfurl', problems.found);
}
