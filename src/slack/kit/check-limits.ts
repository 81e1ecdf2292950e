/** Checks every message and view against Slack's limits before it is sent. Pure. */
import type { HomeView, KnownBlock, ModalView } from '@slack/types';
import { GigdeskError } from '../../errors.ts';
import type { Message } from '../core/routes.ts';
import { checkElement, checkImage, checkOptionalPlainText, checkText } from './check-elements.ts';
import { checkAlert, checkChart, checkDataTable, checkRichText, checkTable } from './check-new-blocks.ts';
import {
  asBlockFields,
  type BlockError,
  type BlockFields,
  blockErrorText,
  ProblemCollector,
  slackLimits,
} from './limits.ts';

type Check = (problems: ProblemCollector, place: string, block: BlockFields) => void;

const checkSection: Check = (problems, place, block) => {
  const { text, fields, accessory } = block;
  if (text === undefined && fields === undefined) problems.add(place, 'needs text or fields');
  if (text !== undefined) checkText(problems, `${place}.text`, text, 'sectionText');
  if (fields !== undefined) {
    for (const [index, field] of problems.checkList(`${place}.fields`, fields, 'sectionFields').entries())
      checkText(problems, `${place}.fields[${index}]`, field, 'sectionField');
  }
  if (accessory !== undefined) checkElement(problems, `${place}.accessory`, accessory, 'section');
};

const checkContext: Check = (problems, place, block) => {
  for (const [index, item] of problems
    .checkList(`${place}.elements`, block.elements, 'contextElements')
    .entries()) {
    const at = `${place}.elements[${index}]`;
    const element = asBlockFields(item);
    if (element?.type === 'image') checkImage(problems, at, element);
    else checkText(problems, at, item, 'contextText');
  }
};

const checkActions: Check = (problems, place, block) => {
  for (const [index, item] of problems
    .checkList(`${place}.elements`, block.elements, 'actionsElements')
    .entries())
    checkElement(problems, `${place}.elements[${index}]`, item, 'actions');
};

const checkInput: Check = (problems, place, block) => {
  checkText(problems, `${place}.label`, block.label, 'inputLabel', 'plain_text');
  checkOptionalPlainText(problems, `${place}.hint`, block.hint, 'inputHint');
  checkElement(problems, `${place}.element`, block.element, 'input');
};

const checkImageBlock: Check = (problems, place, block) => {
  checkImage(problems, place, block);
  checkOptionalPlainText(problems, `${place}.title`, block.title, 'imageTitle');
};

const checkMarkdown: Check = (problems, place, block) => {
  problems.checkString(`${place}.text`, block.text, 'markdownText');
  if (typeof block.text === 'string') problems.textLength += block.text.length;
};

const CHECKS: Readonly<Record<string, Check>> = {
  section: checkSection,
  header: (problems, place, block) =>
    checkText(problems, `${place}.text`, block.text, 'headerText', 'plain_text'),
  divider: () => undefined,
  context: checkContext,
  actions: checkActions,
  input: checkInput,
  image: checkImageBlock,
  table: checkTable,
  data_table: checkDataTable,
  alert: checkAlert,
  markdown: checkMarkdown,
  rich_text: checkRichText,
  container: checkContainer,
  data_visualization: checkChart,
};

/** What a container may hold. Slack's documentation and its validator agree on these. */
const CONTAINED = new Set(['actions', 'context', 'divider', 'header', 'image', 'section']);

function checkContainer(problems: ProblemCollector, place: string, block: BlockFields): void {
  checkText(problems, `${place}.title`, block.title, 'containerTitle', 'plain_text');
  if (block.subtitle !== undefined)
    checkText(problems, `${place}.subtitle`, block.subtitle, 'containerTitle');
  if (block.default_collapsed === true && block.is_collapsible !== true)
    problems.add(`${place}.default_collapsed`, 'needs is_collapsible');
  const children = problems.checkList(`${place}.child_blocks`, block.child_blocks, 'containerBlocks');
  for (const [index, item] of children.entries()) {
    const at = `${place}.child_blocks[${index}]`;
    const type = asBlockFields(item)?.type;
    if (typeof type !== 'string' || !CONTAINED.has(type))
      problems.add(at, `not allowed in a container: ${String(type)}`);
    else checkBlock(problems, at, item);
  }
}

/** @returns the block's type, if it is known. */
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
  table: ['message'],
  markdown: ['message'],
  data_table: ['message', 'home'],
  container: ['message', 'home'],
  data_visualization: ['message'],
  alert: ['modal'],
};

function checkBlocks(problems: ProblemCollector, blocks: unknown, surface: Surface): void {
  const name = surface === 'message' ? 'messageBlocks' : 'viewBlocks';
  let tables = 0;
  let charts = 0;
  let markdown = 0;
  for (const [index, item] of problems.checkList('blocks', blocks, name).entries()) {
    const place = `blocks[${index}]`;
    const type = checkBlock(problems, place, item);
    if (type === undefined) continue;
    if (type === 'table') tables++;
    if (type === 'data_visualization') charts++;
    const text = asBlockFields(item)?.text;
    if (type === 'markdown' && typeof text === 'string') markdown += text.length;
    const allowed = SURFACES[type];
    if (allowed && !allowed.includes(surface)) problems.add(place, `${type} doesn't work in a ${surface}`);
  }
  if (tables > 1) problems.add('blocks', 'one table per message');
  problems.checkSize('blocks', charts, 'charts');
  problems.checkSize('blocks', markdown, 'markdownText');
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

/** The App Home has no title, submit or close text. */
function checkFrame(problems: ProblemCollector, { title, submit, close }: ModalView): void {
  checkText(problems, 'title', title, 'viewTitle', 'plain_text');
  if (submit !== undefined) checkText(problems, 'submit', submit, 'viewButton', 'plain_text');
  if (close !== undefined) checkText(problems, 'close', close, 'viewButton', 'plain_text');
}

/** What Slack would reject in a modal or an App Home, by place. Source: docs/slack-limits.md. */
export function findViewLimitProblems(view: ModalView | HomeView): readonly BlockError[] {
  const problems = new ProblemCollector();
  if (view.type === 'modal') checkFrame(problems, view);
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
