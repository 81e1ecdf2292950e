/** Block Kit's limits, each tried at the limit and one beyond. */
import { expect } from 'vitest';
import { BLOCK_LIMITS } from '../../../src/workbench/slack/blocks/limits.ts';
import { chart, covers, type Exercise, modal, plain, section, send } from './stage.ts';

type Limit = keyof typeof BLOCK_LIMITS;
type Given = Record<string, unknown>;

const long = (length: number) => 'x'.repeat(length);
const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_none, index) => make(index));
const option = (value: string, text = 'An option') => ({ text: plain(text), value });
const button = (extra: Given = {}) => ({ type: 'button', text: plain('Bid'), ...extra });
const actions = (...elements: Given[]) => ({ type: 'actions', elements });
const message = (...blocks: Given[]) => ({ text: 'x', blocks });
const select = (extra: Given = {}) => actions({ type: 'static_select', options: [option('a')], ...extra });
const confirm = (extra: Given) =>
  message(
    actions(
      button({
        confirm: { title: plain('t'), text: plain('t'), confirm: plain('y'), deny: plain('n'), ...extra },
      }),
    ),
  );
const input = (element: Given, extra: Given = {}) => ({
  type: 'input',
  label: plain('Label'),
  element,
  ...extra,
});
const view = (...blocks: Given[]) => ({ view: modal({ blocks: blocks as never, submit: plain('Send') }) });
const cell = () => ({ type: 'raw_text', text: 'x' });
const table = (rows: number, columns: number) => ({
  type: 'table',
  rows: times(rows, () => times(columns, cell)),
});

const dataTable = (rows: number, extra: Given = {}) => ({
  type: 'data_table',
  caption: 'Rows',
  rows: times(rows, () => [cell()]),
  ...extra,
});
const container = (blocks: number, title = 'More') => ({
  type: 'container',
  title: plain(title),
  child_blocks: times(blocks, () => section('x')),
});

const chartOver = (labels: readonly string[], names: readonly string[]) =>
  message(
    chart({
      series: names.map((name) => ({ name, data: labels.map((label) => ({ label, value: 1 })) })),
      axis_config: { categories: labels },
    }),
  );
const numbered = (count: number) => times(count, (index) => String(index));

/** The request with this many characters or items. */
const SENT: Readonly<Record<Limit, (size: number) => Given>> = {
  messageBlocks: (size) => message(...times(size, () => ({ type: 'divider' }))),
  viewBlocks: (size) => view(...times(size, () => ({ type: 'divider' }))),
  id: (size) => message({ type: 'divider', block_id: long(size) }),
  header: (size) => message({ type: 'header', text: plain(long(size)) }),
  sectionText: (size) => message(section(long(size))),
  fields: (size) => message({ type: 'section', fields: times(size, () => plain('x')) }),
  fieldText: (size) => message({ type: 'section', fields: [plain(long(size))] }),
  contextElements: (size) => message({ type: 'context', elements: times(size, () => plain('x')) }),
  contextText: (size) => message({ type: 'context', elements: [plain(long(size))] }),
  actions: (size) => message(actions(...times(size, () => button()))),
  contextActions: (size) =>
    message({
      type: 'context_actions',
      elements: times(size, () => ({ type: 'icon_button', icon: 'trash', text: plain('x') })),
    }),
  altText: (size) => message({ type: 'image', image_url: 'https://a.b/c.png', alt_text: long(size) }),
  imageTitle: (size) =>
    message({ type: 'image', image_url: 'https://a.b/c.png', alt_text: 'x', title: plain(long(size)) }),
  buttonText: (size) => message(actions(button({ text: plain(long(size)) }))),
  buttonValue: (size) => message(actions(button({ value: long(size) }))),
  url: (size) => message(actions(button({ url: `https://a.b/${long(size - 12)}` }))),
  accessibilityLabel: (size) => message(actions(button({ accessibility_label: long(size) }))),
  selectOptions: (size) => message(select({ options: times(size, (index) => option(String(index))) })),
  optionGroups: (size) =>
    message(
      actions({
        type: 'static_select',
        option_groups: times(size, (index) => ({ label: plain('Group'), options: [option(String(index))] })),
      }),
    ),
  optionText: (size) => message(select({ options: [option('a', long(size))] })),
  optionValue: (size) => message(select({ options: [option(long(size))] })),
  overflowOptions: (size) =>
    message(actions({ type: 'overflow', options: times(size, (index) => option(String(index))) })),
  checkOptions: (size) =>
    message(actions({ type: 'checkboxes', options: times(size, (index) => option(String(index))) })),
  placeholder: (size) => message(select({ placeholder: plain(long(size)) })),
  confirmTitle: (size) => confirm({ title: plain(long(size)) }),
  confirmText: (size) => confirm({ text: plain(long(size)) }),
  confirmButton: (size) => confirm({ deny: plain(long(size)) }),
  inputText: (size) => view(input({ type: 'plain_text_input', initial_value: long(size) })),
  inputLabel: (size) =>
    view(input({ type: 'plain_text_input' }, { label: plain(long(size)), hint: plain(long(size)) })),
  viewTitle: (size) => ({ view: modal({ title: plain(long(size)) }) }),
  privateMetadata: (size) => ({ view: modal({ private_metadata: long(size) }) }),
  viewBytes: (size) => {
    const count = 84;
    const bare = Buffer.byteLength(JSON.stringify(modal({ blocks: times(count, () => section('')) })));
    const share = Math.floor((size - bare) / count);
    const rest = size - bare - share * (count - 1);
    return { view: modal({ blocks: times(count, (index) => section(long(index === 0 ? rest : share))) }) };
  },
  tableRows: (size) => message(table(size, 1)),
  tableColumns: (size) => message(table(1, size)),
  tablesPerMessage: (size) => message(...times(size, () => table(1, 1))),
  tableText: (size) =>
    message({
      type: 'data_table',
      caption: 'Rows',
      rows: [
        [{ type: 'raw_text', text: 'Text' }],
        ...times(4, (index) => [{ type: 'raw_text', text: long(index < 3 ? 3_000 : size - 9_004) }]),
      ],
    }),
  dataTableRows: (size) => message(dataTable(size)),
  dataTablePage: (size) => message(dataTable(2, { page_size: size })),
  charts: (size) => message(...times(size, () => chart())),
  chartTitle: (size) => message(chart({}, long(size))),
  chartSeries: (size) => chartOver(['Mon'], numbered(size)),
  chartPoints: (size) => chartOver(numbered(size), ['Bids']),
  chartLabel: (size) => chartOver([long(size)], ['Bids']),
  chartAxisLabel: (size) => message(chart({ axis_config: { categories: ['Mon'], x_label: long(size) } })),
  alertText: (size) => view({ type: 'alert', text: plain(long(size)) }),
  containerBlocks: (size) => message(container(size)),
  containerTitle: (size) => message(container(1, long(size))),
  markdownText: (size) => message({ type: 'markdown', text: long(size) }),
  inputFiles: (size) => view(input({ type: 'file_input', max_files: size })),
  messageBlocksText: (size) => message(...times(4, () => section(long(3000))), section(long(size - 12_000))),
  messageText: (size) => ({ text: long(size) }),
  attachments: (size) => ({ text: 'x', attachments: times(size, () => ({ text: 'x' })) }),
  metadataBytes: (size) => ({
    text: 'x',
    metadata: { event_type: 'card', event_payload: { long: long(size - '{"long":""}'.length) } },
  }),
};

function exercise(limit: Limit): Exercise {
  return async (stage) => {
    const size = BLOCK_LIMITS[limit];
    expect(await send(stage, SENT[limit](size))).toBe('ok');
    expect(await send(stage, SENT[limit](size + 1))).not.toBe('ok');
  };
}

covers(Object.fromEntries(Object.keys(SENT).map((limit) => [limit, exercise(limit as Limit)])));
