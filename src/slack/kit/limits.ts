/** Slack's limits in one table, documented in docs/slack-limits.md. */

const BLOCKS = 'https://docs.slack.dev/reference/block-kit/blocks';
const ELEMENTS = 'https://docs.slack.dev/reference/block-kit/block-elements';
const OBJECTS = 'https://docs.slack.dev/reference/block-kit/composition-objects';
const VIEWS = 'https://docs.slack.dev/reference/views';
const POST = 'https://docs.slack.dev/reference/methods/chat.postMessage';

/** @param source where Slack documents the limit; starts with `assumed` where it doesn't */
function limit(max: number, unit: string, source: string) {
  return { max, unit, source } as const;
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
  inputLabel: limit(2_000, 'characters', `${BLOCKS}/input-block`),
  inputHint: limit(2_000, 'characters', `${BLOCKS}/input-block`),
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
} as const;

export type SlackLimitName = keyof typeof slackLimits;
