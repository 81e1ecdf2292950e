/** The blocks, one rule each, and the rules that bind the blocks of one message or view together. */
import { isObject, listOf, objectOf, objectsOf } from '../reading.ts';
import { anyText, id, plainText, url } from './composition.ts';
import { ALLOWED, ELEMENTS, image } from './elements.ts';
import { BLOCK_LIMITS as LIMIT } from './limits.ts';
import { richText } from './rich-text-rules.ts';
import {
  among,
  byType,
  type Fields,
  flag,
  list,
  may,
  need,
  only,
  type Place,
  type Rule,
  shape,
  startAt,
  text,
} from './rules.ts';

function block(type: string, fields: Fields, ...also: readonly Rule[]): Rule {
  return shape({ type: need(among(type)), block_id: may(id), ...fields }, ...also);
}

const textOrFields: Rule = (value, place) => {
  const { text: words, fields } = objectOf(value);
  if (words === undefined && fields === undefined) place.report('must define either `text` or `fields`');
};

const uniqueActionIds: Rule = (value, place) => {
  const given = objectsOf(objectOf(value)['elements']).map((each) => each['action_id']);
  given.forEach((actionId, index) => {
    if (actionId !== undefined && given.indexOf(actionId) !== index)
      place.child('elements').child(index).child('action_id').report(`\`action_id\` already exists`);
  });
};

const imageOrFile: Rule = (value, place) => {
  const { image_url: address, slack_file: file } = objectOf(value);
  image({ type: 'image', alt_text: 'x', image_url: address, slack_file: file }, place);
};

const cell = byType({
  raw_text: shape({ type: need(among('raw_text')), text: need(text(LIMIT.sectionText)) }),
  raw_number: (value, place) => {
    if (typeof objectOf(value)['value'] !== 'number') place.report('missing required field: value');
  },
  rich_text: richText,
});

const sameWidth: Rule = (value, place) => {
  const widths = listOf(objectOf(value)['rows']).map((row) => listOf(row).length);
  if (new Set(widths).size > 1) place.child('rows').report('all rows must have the same number of cells');
};

const everywhere: Readonly<Record<string, Rule>> = {
  section: block(
    'section',
    {
      text: may(anyText(LIMIT.sectionText)),
      fields: may(list(anyText(LIMIT.fieldText), LIMIT.fields)),
      accessory: may(only(ELEMENTS, ALLOWED.accessory)),
      expand: may(flag),
    },
    textOrFields,
  ),
  header: block('header', { text: need(plainText(LIMIT.header)) }),
  divider: block('divider', {}),
  context: block('context', { elements: need(list(only(ELEMENTS, ALLOWED.context), LIMIT.contextElements)) }),
  actions: block(
    'actions',
    { elements: need(list(only(ELEMENTS, ALLOWED.actions), LIMIT.actions)) },
    uniqueActionIds,
  ),
  image: block(
    'image',
    {
      alt_text: need(text(LIMIT.altText)),
      title: may(plainText(LIMIT.imageTitle)),
      image_url: may(url()),
      slack_file: may(() => undefined),
    },
    imageOrFile,
  ),
  rich_text: richText,
  input: block('input', {
    label: need(plainText(LIMIT.inputLabel)),
    hint: may(plainText(LIMIT.inputLabel)),
    element: need(only(ELEMENTS, ALLOWED.input)),
    optional: may(flag),
    dispatch_action: may(flag),
  }),
};

const inMessages: Readonly<Record<string, Rule>> = {
  ...everywhere,
  context_actions: block(
    'context_actions',
    { elements: need(list(only(ELEMENTS, ALLOWED.contextActions), LIMIT.contextActions)) },
    uniqueActionIds,
  ),
  markdown: block('markdown', { text: need(text(LIMIT.markdownText)) }),
  table: block(
    'table',
    {
      rows: need(list(list(cell, LIMIT.tableColumns), LIMIT.tableRows)),
      column_settings: may(
        list(
          shape({ align: may(among('left', 'center', 'right')), is_wrapped: may(flag) }),
          LIMIT.tableColumns,
          0,
        ),
      ),
    },
    sameWidth,
  ),
};

function checkBlockIds(blocks: readonly unknown[], place: Place): void {
  const seen = new Set<unknown>();
  blocks.forEach((each, index) => {
    const blockId = objectOf(each)['block_id'];
    if (blockId !== undefined && seen.has(blockId))
      place.child(index).child('block_id').report('`block_id` already exists');
    seen.add(blockId);
  });
}

/** All texts that a message's blocks show, together. */
export function textLength(value: unknown): number {
  if (Array.isArray(value)) return value.reduce((sum: number, each) => sum + textLength(each), 0);
  if (!isObject(value)) return 0;
  return Object.entries(value).reduce(
    (sum, [key, field]) =>
      sum + (key === 'text' && typeof field === 'string' ? field.length : textLength(field)),
    0,
  );
}

/** What is wrong with a message's blocks, as Slack words it; empty when nothing is. `at` is where they stand. */
export function messageProblems(blocks: readonly unknown[], at = '/blocks'): readonly string[] {
  const problems: string[] = [];
  const place = startAt(at, problems);
  list(byType(inMessages), LIMIT.messageBlocks, 0)(blocks, place);
  checkBlockIds(blocks, place);
  const kinds = objectsOf(blocks);
  if (kinds.filter((each) => each['type'] === 'table').length > LIMIT.tablesPerMessage)
    place.report('only_one_table_allowed');
  const markdown = kinds.filter((each) => each['type'] === 'markdown');
  if (textLength(markdown) > LIMIT.markdownText)
    place.report(`markdown blocks must be less than ${LIMIT.markdownText + 1} characters together`);
  kinds.forEach((each, index) => {
    if (objectOf(each['element'])['type'] === 'file_input')
      place.child(index).child('element').report('unsupported type: file_input');
  });
  return problems;
}

/** What is wrong with a view's blocks. */
export function viewBlockProblems(blocks: unknown, place: Place): void {
  list(byType(everywhere), LIMIT.viewBlocks, 0)(blocks, place);
  checkBlockIds(listOf(blocks), place);
}
