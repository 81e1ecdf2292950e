/** One rule per block type, and the rules for all blocks of a message or view together. */
import { isJsonObject, listOrEmpty, objectOrEmpty, objectsInList } from '../json-reading.ts';
import { anyTextRule, idRule, plainTextRule, urlRule } from './composition.ts';
import { ALLOWED_ELEMENTS, ELEMENT_RULES, imageRule } from './elements.ts';
import { BLOCK_LIMITS as LIMIT } from './limits.ts';
import { richTextRule } from './rich-text-rules.ts';
import {
  allowedTypesRule,
  booleanRule,
  byTypeRule,
  createRootLocation,
  type FieldRules,
  integerRule,
  type JsonLocation,
  type JsonRule,
  listRule,
  objectRule,
  oneOfRule,
  optionalField,
  requiredField,
  textRule,
} from './rules.ts';

function block(type: string, fields: FieldRules, ...also: readonly JsonRule[]): JsonRule {
  return objectRule(
    { type: requiredField(oneOfRule(type)), block_id: optionalField(idRule), ...fields },
    ...also,
  );
}

const textOrFields: JsonRule = (value, place) => {
  const { text: words, fields } = objectOrEmpty(value);
  if (words === undefined && fields === undefined)
    place.reportProblem('must define either `text` or `fields`');
};

const uniqueActionIds: JsonRule = (value, place) => {
  const given = objectsInList(objectOrEmpty(value)['elements']).map((each) => each['action_id']);
  given.forEach((actionId, index) => {
    if (actionId !== undefined && given.indexOf(actionId) !== index)
      place.child('elements').child(index).child('action_id').reportProblem(`\`action_id\` already exists`);
  });
};

const imageOrFile: JsonRule = (value, place) => {
  const { image_url: address, slack_file: file } = objectOrEmpty(value);
  imageRule({ type: 'image', alt_text: 'x', image_url: address, slack_file: file }, place);
};

const cell = byTypeRule({
  raw_text: objectRule({
    type: requiredField(oneOfRule('raw_text')),
    text: requiredField(textRule(LIMIT.sectionText)),
  }),
  raw_number: (value, place) => {
    if (typeof objectOrEmpty(value)['value'] !== 'number')
      place.reportProblem('missing required field: value');
  },
  rich_text: richTextRule,
});

const sameWidth: JsonRule = (value, place) => {
  const widths = listOrEmpty(objectOrEmpty(value)['rows']).map((row) => listOrEmpty(row).length);
  if (new Set(widths).size > 1)
    place.child('rows').reportProblem('all rows must have the same number of cells');
};

const everywhere: Readonly<Record<string, JsonRule>> = {
  section: block(
    'section',
    {
      text: optionalField(anyTextRule(LIMIT.sectionText)),
      fields: optionalField(listRule(anyTextRule(LIMIT.fieldText), LIMIT.fields)),
      accessory: optionalField(allowedTypesRule(ELEMENT_RULES, ALLOWED_ELEMENTS.accessory)),
      expand: optionalField(booleanRule),
    },
    textOrFields,
  ),
  header: block('header', { text: requiredField(plainTextRule(LIMIT.header)) }),
  divider: block('divider', {}),
  context: block('context', {
    elements: requiredField(
      listRule(allowedTypesRule(ELEMENT_RULES, ALLOWED_ELEMENTS.context), LIMIT.contextElements),
    ),
  }),
  actions: block(
    'actions',
    {
      elements: requiredField(
        listRule(allowedTypesRule(ELEMENT_RULES, ALLOWED_ELEMENTS.actions), LIMIT.actions),
      ),
    },
    uniqueActionIds,
  ),
  image: block(
    'image',
    {
      alt_text: requiredField(textRule(LIMIT.altText)),
      title: optionalField(plainTextRule(LIMIT.imageTitle)),
      image_url: optionalField(urlRule()),
      slack_file: optionalField(() => undefined),
    },
    imageOrFile,
  ),
  rich_text: richTextRule,
  input: block('input', {
    label: requiredField(plainTextRule(LIMIT.inputLabel)),
    hint: optionalField(plainTextRule(LIMIT.inputLabel)),
    element: requiredField(allowedTypesRule(ELEMENT_RULES, ALLOWED_ELEMENTS.input)),
    optional: optionalField(booleanRule),
    dispatch_action: optionalField(booleanRule),
  }),
};

const numberRule: JsonRule = (value, place) => {
  if (typeof value !== 'number') place.reportProblem('must be a number');
};

const number = objectRule({
  type: requiredField(oneOfRule('raw_number')),
  value: requiredField(numberRule),
  text: requiredField(textRule(LIMIT.sectionText)),
});
const words = objectRule({
  type: requiredField(oneOfRule('raw_text')),
  text: requiredField(textRule(LIMIT.sectionText)),
});
const headerRow = listRule(byTypeRule({ raw_text: words }), LIMIT.tableColumns);
const dataRow = listRule(
  byTypeRule({ raw_text: words, raw_number: number, rich_text: richTextRule }),
  LIMIT.tableColumns,
);

/** The first row is the header, without rich text. */
const dataRows: JsonRule = (value, place) => {
  listRule(() => undefined, LIMIT.dataTableRows, 2)(value, place);
  listOrEmpty(value).forEach((row, index) => {
    (index === 0 ? headerRow : dataRow)(row, place.child(index));
  });
};

const dataTable = block(
  'data_table',
  {
    caption: requiredField(textRule(LIMIT.header)),
    rows: requiredField(dataRows),
    page_size: optionalField(integerRule(1, LIMIT.dataTablePage)),
    row_header_column_index: optionalField(integerRule(0, LIMIT.tableColumns - 1)),
  },
  sameWidth,
);

const chartLabel = textRule(LIMIT.chartLabel);

/** Of the documented charts, the simulator knows those with axes. */
const seriesChart = objectRule(
  {
    type: requiredField(oneOfRule('bar', 'area', 'line')),
    series: requiredField(
      listRule(
        objectRule({
          name: requiredField(chartLabel),
          data: requiredField(
            listRule(
              objectRule({ label: requiredField(chartLabel), value: requiredField(numberRule) }),
              LIMIT.chartPoints,
            ),
          ),
        }),
        LIMIT.chartSeries,
      ),
    ),
    axis_config: requiredField(
      objectRule({
        categories: requiredField(listRule(chartLabel, LIMIT.chartPoints)),
        x_label: optionalField(textRule(LIMIT.chartAxisLabel)),
        y_label: optionalField(textRule(LIMIT.chartAxisLabel)),
      }),
    ),
  },
  (value, place) => {
    const { series, axis_config: axis } = objectOrEmpty(value);
    const categories = listOrEmpty(objectOrEmpty(axis)['categories']);
    if (new Set(categories).size < categories.length)
      place.child('axis_config').child('categories').reportProblem('must not contain duplicates');
    const names = objectsInList(series).map(({ name }) => name);
    if (new Set(names).size < names.length) place.child('series').reportProblem('names must be unique');
    objectsInList(series).forEach((each, index) => {
      const labels = objectsInList(each['data']).map(({ label }) => label);
      const isComplete = labels.length === categories.length && categories.every((it) => labels.includes(it));
      if (!isComplete)
        place.child('series').child(index).child('data').reportProblem('must have one point per category');
    });
  },
);

const chart = block('data_visualization', {
  title: requiredField(textRule(LIMIT.chartTitle)),
  chart: requiredField(seriesChart),
});

const foldNeedsCollapsible: JsonRule = (value, place) => {
  const { default_collapsed: folded, is_collapsible: collapsible } = objectOrEmpty(value);
  if (folded === true && collapsible !== true)
    place.child('default_collapsed').reportProblem('requires `is_collapsible`');
};

/** The types that both Slack's documentation and its validator take in a container. */
const CONTAINED = ['actions', 'context', 'divider', 'header', 'image', 'section'];

const container = block(
  'container',
  {
    title: requiredField(plainTextRule(LIMIT.containerTitle)),
    subtitle: optionalField(anyTextRule(LIMIT.containerTitle)),
    child_blocks: requiredField(listRule(allowedTypesRule(everywhere, CONTAINED), LIMIT.containerBlocks)),
    width: optionalField(oneOfRule('narrow', 'standard', 'wide', 'full')),
    is_collapsible: optionalField(booleanRule),
    default_collapsed: optionalField(booleanRule),
    has_header_divider: optionalField(booleanRule),
  },
  foldNeedsCollapsible,
);

const inHome: Readonly<Record<string, JsonRule>> = { ...everywhere, data_table: dataTable, container };

const inModals: Readonly<Record<string, JsonRule>> = {
  ...everywhere,
  alert: block('alert', {
    text: requiredField(anyTextRule(LIMIT.alertText)),
    level: optionalField(oneOfRule('default', 'info', 'warning', 'error', 'success')),
  }),
};

const inMessages: Readonly<Record<string, JsonRule>> = {
  ...inHome,
  data_visualization: chart,
  context_actions: block(
    'context_actions',
    {
      elements: requiredField(
        listRule(allowedTypesRule(ELEMENT_RULES, ALLOWED_ELEMENTS.contextActions), LIMIT.contextActions),
      ),
    },
    uniqueActionIds,
  ),
  markdown: block('markdown', { text: requiredField(textRule(LIMIT.markdownText)) }),
  table: block(
    'table',
    {
      rows: requiredField(listRule(listRule(cell, LIMIT.tableColumns), LIMIT.tableRows)),
      column_settings: optionalField(
        listRule(
          objectRule({
            align: optionalField(oneOfRule('left', 'center', 'right')),
            is_wrapped: optionalField(booleanRule),
          }),
          LIMIT.tableColumns,
          0,
        ),
      ),
    },
    sameWidth,
  ),
};

function checkBlockIds(blocks: readonly unknown[], place: JsonLocation): void {
  const seen = new Set<unknown>();
  blocks.forEach((each, index) => {
    const blockId = objectOrEmpty(each)['block_id'];
    if (blockId !== undefined && seen.has(blockId))
      place.child(index).child('block_id').reportProblem('`block_id` already exists');
    seen.add(blockId);
  });
}

/** The total length of all texts in a message's blocks. */
export function totalTextLength(value: unknown): number {
  if (Array.isArray(value)) return value.reduce((sum: number, each) => sum + totalTextLength(each), 0);
  if (!isJsonObject(value)) return 0;
  return Object.entries(value).reduce(
    (sum, [key, field]) =>
      sum + (key === 'text' && typeof field === 'string' ? field.length : totalTextLength(field)),
    0,
  );
}

/** Problems of a message's blocks, in Slack's words. `at` is their JSON pointer. */
export function findMessageBlockProblems(blocks: readonly unknown[], at = '/blocks'): readonly string[] {
  const problems: string[] = [];
  const place = createRootLocation(at, problems);
  listRule(byTypeRule(inMessages), LIMIT.messageBlocks, 0)(blocks, place);
  checkBlockIds(blocks, place);
  const kinds = objectsInList(blocks);
  if (kinds.filter((each) => each['type'] === 'table').length > LIMIT.tablesPerMessage)
    place.reportProblem('only_one_table_allowed');
  if (kinds.filter((each) => each['type'] === 'data_visualization').length > LIMIT.charts)
    place.reportProblem(`no more than ${LIMIT.charts} data_visualization blocks`);
  const cells = kinds.flatMap((each) => listOrEmpty(each['rows']));
  if (totalTextLength(cells) > LIMIT.tableText)
    place.reportProblem(`table cells must be less than ${LIMIT.tableText + 1} characters together`);
  const markdown = kinds.filter((each) => each['type'] === 'markdown');
  if (totalTextLength(markdown) > LIMIT.markdownText)
    place.reportProblem(`markdown blocks must be less than ${LIMIT.markdownText + 1} characters together`);
  kinds.forEach((each, index) => {
    if (objectOrEmpty(each['element'])['type'] === 'file_input')
      place.child(index).child('element').reportProblem('unsupported type: file_input');
  });
  return problems;
}

export const checkModalBlocks: JsonRule = (blocks, place) => checkViewBlocks(inModals, blocks, place);
export const checkHomeBlocks: JsonRule = (blocks, place) => checkViewBlocks(inHome, blocks, place);

function checkViewBlocks(
  kinds: Readonly<Record<string, JsonRule>>,
  blocks: unknown,
  place: JsonLocation,
): void {
  listRule(byTypeRule(kinds), LIMIT.viewBlocks, 0)(blocks, place);
  checkBlockIds(listOrEmpty(blocks), place);
}
