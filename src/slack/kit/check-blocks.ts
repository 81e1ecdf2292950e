/** Checks Block Kit's blocks. */
import { checkOptionalPlainText, checkText } from './check-composition.ts';
import { checkElement, checkImage } from './check-elements.ts';
import { asBlockFields, type BlockFields, type ProblemCollector } from './problems.ts';

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

const checkTable: Check = (problems, place, block) => {
  for (const [index, row] of problems.checkList(`${place}.rows`, block.rows, 'tableRows').entries())
    problems.checkList(`${place}.rows[${index}]`, row, 'tableColumns');
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
  markdown: checkMarkdown,
};

/** Tables and markdown blocks exist only in messages. */
export function checkBlocks(problems: ProblemCollector, blocks: unknown, surface: 'message' | 'view'): void {
  const name = surface === 'message' ? 'messageBlocks' : 'viewBlocks';
  let tables = 0;
  let markdown = 0;
  for (const [index, item] of problems.checkList('blocks', blocks, name).entries()) {
    const place = `blocks[${index}]`;
    const block = asBlockFields(item);
    const type = block?.type;
    const check = typeof type === 'string' ? CHECKS[type] : undefined;
    if (!block || !check) {
      problems.add(place, `unknown block: ${String(type)}`);
      continue;
    }
    problems.checkOptionalString(`${place}.block_id`, block.block_id, 'blockId');
    problems.checkUnique(place, 'block_id', block.block_id);
    check(problems, place, block);
    if (type === 'table') tables++;
    if (type === 'markdown' && typeof block.text === 'string') markdown += block.text.length;
  }
  if (tables > 1) problems.add('blocks', 'one table per message');
  problems.checkSize('blocks', markdown, 'markdownText');
  if (surface === 'view' && tables + markdown > 0)
    problems.add('blocks', 'tables and markdown only work in messages');
}
