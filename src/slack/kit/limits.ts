/**
 * Slack's limits in one table, documented in docs/slack-limits.md, and what collects the problems that
 * `check-limits.ts` finds.
 */

export interface SlackLimit {
  readonly max: number;
  readonly unit:
    | 'characters'
    | 'blocks'
    | 'elements'
    | 'options'
    | 'rows'
    | 'columns'
    | 'series'
    | 'points'
    | 'bytes'
    | 'views';
  /** Where Slack documents the limit; starts with `assumed` where it doesn't. */
  readonly source: string;
}

const BLOCKS = 'https://docs.slack.dev/reference/block-kit/blocks';
const ELEMENTS = 'https://docs.slack.dev/reference/block-kit/block-elements';
const OBJECTS = 'https://docs.slack.dev/reference/block-kit/composition-objects';
const VIEWS = 'https://docs.slack.dev/reference/views';
const POST = 'https://docs.slack.dev/reference/methods/chat.postMessage';

function limit(max: number, unit: SlackLimit['unit'], source: string): SlackLimit {
  return { max, unit, source };
}

export const slackLimits = {
  messageBlocks: limit(50, 'blocks', BLOCKS),
  viewBlocks: limit(100, 'blocks', BLOCKS),
  messageText: limit(40_000, 'characters', POST),
  /** All text of one message's blocks combined. */
  allTextOfMessage: limit(13_000, 'characters', 'assumed: msg_blocks_too_long was met at about this size'),
  blockId: limit(255, 'characters', BLOCKS),
  actionId: limit(255, 'characters', ELEMENTS),
  callbackId: limit(255, 'characters', VIEWS),
  headerText: limit(150, 'characters', `${BLOCKS}/header-block`),
  sectionText: limit(3_000, 'characters', `${BLOCKS}/section-block`),
  sectionFields: limit(10, 'elements', `${BLOCKS}/section-block`),
  sectionField: limit(2_000, 'characters', `${BLOCKS}/section-block`),
  contextElements: limit(10, 'elements', `${BLOCKS}/context-block`),
  contextText: limit(3_000, 'characters', `${OBJECTS}/text-object`),
  actionsElements: limit(25, 'elements', `${BLOCKS}/actions-block`),
  imageAltText: limit(2_000, 'characters', `${BLOCKS}/image-block`),
  imageTitle: limit(2_000, 'characters', `${BLOCKS}/image-block`),
  imageUrl: limit(3_000, 'characters', `${BLOCKS}/image-block`),
  inputLabel: limit(2_000, 'characters', `${BLOCKS}/input-block`),
  inputHint: limit(2_000, 'characters', `${BLOCKS}/input-block`),
  tableRows: limit(100, 'rows', `${BLOCKS}/table-block`),
  tableColumns: limit(20, 'columns', `${BLOCKS}/table-block`),
  /** The cells of all tables of a message together. */
  tableText: limit(10_000, 'characters', `${BLOCKS}/table-block`),
  /** With the header row. */
  dataTableRows: limit(101, 'rows', `${BLOCKS}/data-table-block`),
  dataTableColumns: limit(20, 'columns', `${BLOCKS}/data-table-block`),
  dataTablePage: limit(100, 'rows', `${BLOCKS}/data-table-block`),
  dataTableCaption: limit(150, 'characters', 'assumed: as a header'),
  charts: limit(2, 'blocks', 'assumed: client libraries met a refusal of a third one in a message'),
  chartTitle: limit(50, 'characters', `${BLOCKS}/data-visualization-block`),
  chartSeries: limit(6, 'series', `${BLOCKS}/data-visualization-block`),
  chartPoints: limit(20, 'points', `${BLOCKS}/data-visualization-block`),
  /** The name of a series, or a category. */
  chartLabel: limit(20, 'characters', `${BLOCKS}/data-visualization-block`),
  chartAxisLabel: limit(50, 'characters', `${BLOCKS}/data-visualization-block`),
  alertText: limit(200, 'characters', `${BLOCKS}/alert-block`),
  containerBlocks: limit(10, 'blocks', `${BLOCKS}/container-block`),
  containerTitle: limit(150, 'characters', `${BLOCKS}/container-block`),
  markdownText: limit(12_000, 'characters', `${BLOCKS}/markdown-block`),
  buttonText: limit(75, 'characters', `${ELEMENTS}/button-element`),
  buttonValue: limit(2_000, 'characters', `${ELEMENTS}/button-element`),
  buttonUrl: limit(3_000, 'characters', `${ELEMENTS}/button-element`),
  accessibilityLabel: limit(75, 'characters', `${ELEMENTS}/button-element`),
  placeholder: limit(150, 'characters', ELEMENTS),
  selectOptions: limit(100, 'options', `${ELEMENTS}/select-menu-element`),
  overflowOptions: limit(5, 'options', `${ELEMENTS}/overflow-menu-element`),
  choices: limit(10, 'options', `${ELEMENTS}/checkboxes-element`),
  optionText: limit(75, 'characters', `${OBJECTS}/option-object`),
  optionValue: limit(75, 'characters', `${OBJECTS}/option-object`),
  optionDescription: limit(75, 'characters', `${OBJECTS}/option-object`),
  optionUrl: limit(3_000, 'characters', `${OBJECTS}/option-object`),
  plainTextInput: limit(3_000, 'characters', `${ELEMENTS}/plain-text-input-element`),
  confirmTitle: limit(100, 'characters', `${OBJECTS}/confirmation-dialog-object`),
  confirmText: limit(300, 'characters', `${OBJECTS}/confirmation-dialog-object`),
  confirmButton: limit(30, 'characters', `${OBJECTS}/confirmation-dialog-object`),
  viewTitle: limit(24, 'characters', VIEWS),
  viewButton: limit(24, 'characters', VIEWS),
  privateMetadata: limit(3_000, 'characters', VIEWS),
  viewSize: limit(250_000, 'bytes', VIEWS),
  viewStack: limit(3, 'views', 'https://docs.slack.dev/surfaces/modals'),
} as const satisfies Record<string, SlackLimit>;

export type SlackLimitName = keyof typeof slackLimits;

type FieldName =
  | 'accessibility_label'
  | 'accessory'
  | 'action_id'
  | 'alt_text'
  | 'axis_config'
  | 'block_id'
  | 'caption'
  | 'categories'
  | 'chart'
  | 'child_blocks'
  | 'confirm'
  | 'data'
  | 'default_collapsed'
  | 'deny'
  | 'description'
  | 'element'
  | 'elements'
  | 'emoji'
  | 'fields'
  | 'hint'
  | 'image_url'
  | 'initial_date_time'
  | 'initial_option'
  | 'initial_options'
  | 'initial_users'
  | 'initial_value'
  | 'is_collapsible'
  | 'is_decimal_allowed'
  | 'label'
  | 'level'
  | 'max_length'
  | 'max_value'
  | 'min_length'
  | 'min_value'
  | 'name'
  | 'option_groups'
  | 'options'
  | 'page_size'
  | 'placeholder'
  | 'rows'
  | 'series'
  | 'slack_file'
  | 'style'
  | 'subtitle'
  | 'text'
  | 'title'
  | 'type'
  | 'url'
  | 'value'
  | 'verbatim'
  | 'x_label'
  | 'y_label';

/** A JSON object with the Block Kit fields that the checks read, with values of any type. */
export type BlockFields = { readonly [name in FieldName]?: unknown };

export function asBlockFields(value: unknown): BlockFields | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as BlockFields)
    : undefined;
}

/**
 * What Slack would refuse, in the shape of the errors of its `blocks.validate`. `pointer` is the JSON pointer
 * of the place. `failed_constraint` is the only code that Slack documents.
 */
export interface BlockError {
  readonly pointer: string;
  readonly code: 'failed_constraint';
  /** Names sizes and types, and never contains a text of the message. */
  readonly message: string;
}

/** `blocks[0].fields[1]` becomes `/blocks/0/fields/1`. */
function pointerOf(place: string): string {
  return `/${place.replaceAll(/\[(\d+)\]/gu, '/$1').replaceAll('.', '/')}`;
}

/** For logs and errors: `/blocks/0/text: 3,001 characters, …` */
export function blockErrorText({ pointer, message }: BlockError): string {
  return `${pointer}: ${message}`;
}

export class ProblemCollector {
  readonly found: BlockError[] = [];
  readonly #seen = new Map<string, Set<string>>();
  /** Total length of all checked texts. */
  textLength = 0;
  /** Total length of the cells of all tables. */
  cellsLength = 0;

  add(place: string, problem: string): void {
    this.found.push({ pointer: pointerOf(place), code: 'failed_constraint', message: problem });
  }

  checkSize(place: string, size: number, name: SlackLimitName): void {
    const { max, unit } = slackLimits[name];
    if (size > max) this.add(place, `${size} ${unit}, at most ${max} (${name})`);
  }

  /** Checks a string against a limit; `min` 1 rejects an empty one. */
  checkString(place: string, value: unknown, name: SlackLimitName, min = 1): void {
    if (typeof value !== 'string') {
      this.add(place, 'must be a string');
      return;
    }
    if (value.length < min) this.add(place, 'must not be empty');
    this.checkSize(place, value.length, name);
  }

  checkOptionalString(place: string, value: unknown, name: SlackLimitName): void {
    if (value !== undefined) this.checkString(place, value, name);
  }

  /** Checks for `min` to the limit's number of items. @returns an empty list where the value is no list. */
  checkList(place: string, value: unknown, name: SlackLimitName, min = 1): readonly unknown[] {
    if (!Array.isArray(value)) {
      this.add(place, 'must be a list');
      return [];
    }
    if (value.length < min) this.add(place, `at least ${min}`);
    this.checkSize(place, value.length, name);
    return value;
  }

  /** Reports a repeated ID of a `kind`, within `holder` where one is given. */
  checkUnique(place: string, kind: string, id: unknown, holder = ''): void {
    if (typeof id !== 'string') return;
    const scope = `${kind} ${holder}`;
    const seen = this.#seen.get(scope) ?? new Set<string>();
    this.#seen.set(scope, seen);
    if (seen.has(id)) this.add(place, `${kind} "${id}" appears twice`);
    seen.add(id);
  }
}
