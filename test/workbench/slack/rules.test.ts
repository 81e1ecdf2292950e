/** What Block Kit refuses in messages and views. */
import { expect } from 'vitest';
import { chart, covers, type Exercise, modal, plain, section, send } from './stage.ts';

type Given = Record<string, unknown>;

const option = (value: string) => ({ text: plain('An option'), value });
const actions = (...elements: Given[]) => ({ type: 'actions', elements });
const input = (element: Given) => ({ type: 'input', label: plain('Label'), element });

const SERIES = { name: 'Bids', data: [{ label: 'Mon', value: 1 }] };

/** A message with these blocks is rejected, for this reason. */
function broken(reason: string, ...blocks: Given[]): Exercise {
  return async (stage) => {
    expect(await send(stage, { text: 'x', blocks })).toBe('invalid_blocks');
    expect(stage.slack.failedCalls()[0]?.messages.join('\n')).toContain(reason);
    expect(stage.slack.messages('C1')).toEqual([]);
  };
}

function brokenView(reason: string, view: object): Exercise {
  return async (stage) => {
    expect(await send(stage, { view })).toBe('invalid_arguments');
    expect(stage.slack.failedCalls()[0]?.messages.join('\n')).toContain(reason);
    expect(stage.slack.view('ada')).toBeUndefined();
  };
}

covers({
  'required fields': broken('missing required field: text [json-pointer:/blocks/0]', { type: 'header' }),
  'unknown fields': broken('invalid additional property: color', {
    type: 'header',
    text: plain('x'),
    color: 'red',
  }),
  'unknown blocks': broken('unsupported type: sections [json-pointer:/blocks/0]', { type: 'sections' }),
  'unknown elements': broken('unsupported type: knob', actions({ type: 'knob' })),
  'elements in allowed places': broken(
    'unsupported type: plain_text_input',
    actions({ type: 'plain_text_input' }),
  ),
  'plain_text where required': broken('unsupported type: mrkdwn [json-pointer:/blocks/0/text]', {
    type: 'header',
    text: { type: 'mrkdwn', text: 'x' },
  }),
  'empty texts': broken('must be more than 0 characters [json-pointer:/blocks/0/text/text]', section('')),
  'text or fields': broken('must define either `text` or `fields`', { type: 'section' }),
  'unique block_id': broken(
    '`block_id` already exists [json-pointer:/blocks/1/block_id]',
    { type: 'divider', block_id: 'a' },
    { type: 'divider', block_id: 'a' },
  ),
  'unique action_id': broken(
    '`action_id` already exists',
    actions(
      { type: 'button', text: plain('A'), action_id: 'a' },
      { type: 'button', text: plain('B'), action_id: 'a' },
    ),
  ),
  'initial option among options': broken(
    'must be one of the provided options',
    actions({ type: 'static_select', options: [option('a')], initial_option: option('b') }),
  ),
  'options or groups': broken(
    'must define either `options` or `option_groups`',
    actions({ type: 'static_select' }),
  ),
  'unique option values': broken(
    'option values must be unique',
    actions({ type: 'overflow', options: [option('a'), option('a')] }),
  ),
  'complete confirmations': broken(
    'missing required field: text',
    actions({
      type: 'button',
      text: plain('A'),
      confirm: { title: plain('t'), confirm: plain('y'), deny: plain('n') },
    }),
  ),
  'button style': broken(
    'must be one of primary, danger',
    actions({ type: 'button', text: plain('A'), style: 'loud' }),
  ),
  'image source': broken('must define either `image_url` or `slack_file`', { type: 'image', alt_text: 'x' }),
  'valid URLs': broken(
    'must be a valid URL',
    actions({ type: 'button', text: plain('A'), url: 'over there' }),
  ),
  'data tables': broken('unsupported type: rich_text', {
    type: 'data_table',
    caption: 'Rows',
    rows: [[{ type: 'rich_text', elements: [] }], [{ type: 'raw_number', value: 1, text: '1' }]],
  }),
  'folded containers': broken('requires `is_collapsible`', {
    type: 'container',
    title: plain('More'),
    child_blocks: [section('x')],
    default_collapsed: true,
  }),
  'blocks in a container': broken('unsupported type: table', {
    type: 'container',
    title: plain('More'),
    child_blocks: [{ type: 'table', rows: [[{ type: 'raw_text', text: 'a' }]] }],
  }),
  'series of a chart': broken('names must be unique', chart({ series: [SERIES, SERIES] })),
  'points of a chart': broken(
    'must have one point per category',
    chart({ axis_config: { categories: ['Mon', 'Tue'] } }),
  ),
  'charts only in messages': brokenView('unsupported type: data_visualization', {
    ...modal(),
    blocks: [chart()],
  }),
  'alerts only in modals': broken('unsupported type: alert', { type: 'alert', text: plain('x') }),
  'even tables': broken('all rows must have the same number of cells', {
    type: 'table',
    rows: [
      [{ type: 'raw_text', text: 'a' }],
      [
        { type: 'raw_text', text: 'a' },
        { type: 'raw_text', text: 'b' },
      ],
    ],
  }),
  'empty lists': broken('no fewer than 1 items allowed', actions()),
  'file inputs only in views': broken('unsupported type: file_input', input({ type: 'file_input' })),
  'markdown only in messages': brokenView('unsupported type: markdown', {
    ...modal(),
    blocks: [{ type: 'markdown', text: 'x' }],
  }),
  'submit with input': brokenView('missing required field: submit', {
    ...modal(),
    blocks: [input({ type: 'plain_text_input' })],
  }),
  'one focused element': brokenView('only one element can be focused on load', {
    ...modal(),
    submit: plain('Send'),
    blocks: [1, 2].map(() => input({ type: 'plain_text_input', focus_on_load: true })),
  }),
});
