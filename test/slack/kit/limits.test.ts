import { readFileSync } from 'node:fs';
import type { KnownBlock, ModalView } from '@slack/types';
import { describe, expect, it } from 'vitest';
import { blockErrorText } from '../../../src/slack/kit/check-elements.ts';
import {
  checkMessage,
  checkUnfurl,
  checkView,
  findMessageLimitProblems,
  findViewLimitProblems,
  SlackLimitError,
} from '../../../src/slack/kit/check-limits.ts';
import { slackLimits } from '../../../src/slack/kit/limits.ts';

const plain = (text: string) => ({ type: 'plain_text', text }) as const;
const mrkdwn = (text: string) => ({ type: 'mrkdwn', text }) as const;
const section = (text: string): KnownBlock => ({ type: 'section', text: mrkdwn(text) });
const button = (id: string, more: object = {}) =>
  ({ type: 'button', action_id: id, text: plain('Press'), ...more }) as const;
const option = (value: string) => ({ text: plain('Option'), value });

function problemsOf(...blocks: unknown[]): readonly string[] {
  const found = findMessageLimitProblems({ text: 'fallback', blocks: blocks as KnownBlock[] });
  return found.map(blockErrorText);
}

const words = (text: string) => ({ type: 'raw_text', text });
const dataTable = (rows: readonly unknown[], more: object = {}) => ({
  type: 'data_table',
  caption: 'Rows',
  rows,
  ...more,
});
const chart = (more: object = {}) => ({
  type: 'data_visualization',
  title: 'Bids',
  chart: {
    type: 'bar',
    series: [{ name: 'Bids', data: [{ label: 'Mon', value: 1 }] }],
    axis_config: { categories: ['Mon'], x_label: 'Day', y_label: 'Bids' },
    ...more,
  },
});
const container = (more: object) => ({
  type: 'container',
  title: plain('More'),
  child_blocks: [section('x')],
  ...more,
});

describe('a message within all limits', () => {
  it('passes', () => {
    const blocks: KnownBlock[] = [
      { type: 'header', text: plain('Header') },
      { ...section('x'.repeat(3_000)), block_id: 'one' },
      { type: 'divider' },
      { type: 'context', elements: [mrkdwn('a'), mrkdwn('b')] },
      {
        type: 'actions',
        elements: [
          button('a', { style: 'primary', value: 'v' }),
          { type: 'overflow', action_id: 'b', options: [option('1'), option('2')] },
        ],
      },
    ];
    expect(() => checkMessage({ text: 'fallback', blocks })).not.toThrow();
    expect(() => checkUnfurl(blocks)).not.toThrow();
  });
});

describe('what Slack would refuse in a message', () => {
  const refused: readonly [what: string, blocks: readonly unknown[], problem: RegExp][] = [
    ['too many blocks', Array.from({ length: 51 }, () => ({ type: 'divider' })), /\b51\b.*\b50\b/],
    ['no block at all', [], /\b1\b/],
    ['an unknown block', [{ type: 'hologram' }], /./],
    ['a section without text', [{ type: 'section' }], /./],
    ['an empty section', [section('')], /./],
    ['a long section', [section('x'.repeat(3_001))], /sectionText/],
    ['a long field', [{ type: 'section', fields: [mrkdwn('x'.repeat(2_001))] }], /sectionField/],
    ['11 fields', [{ type: 'section', fields: Array(11).fill(mrkdwn('x')) }], /sectionFields/],
    ['a long header', [{ type: 'header', text: plain('x'.repeat(151)) }], /headerText/],
    ['a header in mrkdwn', [{ type: 'header', text: mrkdwn('x') }], /plain_text/],
    ['11 context elements', [{ type: 'context', elements: Array(11).fill(mrkdwn('x')) }], /contextElements/],
    ['a button in a context', [{ type: 'context', elements: [button('a')] }], /./],
    [
      '26 buttons',
      [{ type: 'actions', elements: Array.from({ length: 26 }, (_, n) => button(`b${n}`)) }],
      /actionsElements/,
    ],
    ['the same action_id twice', [{ type: 'actions', elements: [button('a'), button('a')] }], /"a"/],
    [
      'the same block_id twice',
      [
        { type: 'divider', block_id: 'x' },
        { type: 'divider', block_id: 'x' },
      ],
      /./,
    ],
    ['a long action_id', [{ type: 'actions', elements: [button('a'.repeat(256))] }], /actionId/],
    [
      'a long button',
      [{ type: 'actions', elements: [button('a', { text: plain('x'.repeat(76)) })] }],
      /buttonText/,
    ],
    [
      'a long value',
      [{ type: 'actions', elements: [button('a', { value: 'x'.repeat(2_001) })] }],
      /buttonValue/,
    ],
    ['a long url', [{ type: 'actions', elements: [button('a', { url: 'x'.repeat(3_001) })] }], /buttonUrl/],
    ['a wrong style', [{ type: 'actions', elements: [button('a', { style: 'loud' })] }], /primary.*danger/],
    [
      'a long confirmation',
      [
        {
          type: 'actions',
          elements: [
            button('a', {
              confirm: {
                title: plain('t'),
                text: mrkdwn('x'.repeat(301)),
                confirm: plain('Yes'),
                deny: plain('No'),
              },
            }),
          ],
        },
      ],
      /confirmText/,
    ],
    [
      '6 overflow options',
      [
        {
          type: 'section',
          text: mrkdwn('x'),
          accessory: {
            type: 'overflow',
            action_id: 'o',
            options: Array.from({ length: 6 }, (_, n) => option(`${n}`)),
          },
        },
      ],
      /overflowOptions/,
    ],
    [
      'an option value twice',
      [
        {
          type: 'actions',
          elements: [{ type: 'static_select', action_id: 's', options: [option('1'), option('1')] }],
        },
      ],
      /./,
    ],
    [
      'an input element among actions',
      [{ type: 'actions', elements: [{ type: 'plain_text_input', action_id: 'i' }] }],
      /plain_text_input.*actions/,
    ],
    ['too much text in all', Array.from({ length: 5 }, () => section('x'.repeat(2_900))), /allTextOfMessage/],
    ['too many rows', [dataTable(Array(102).fill([words('x')]))], /dataTableRows/],
    ['a table without a row', [dataTable([[words('x')]])], /at least 2/],
    ['too much in a table', [dataTable(Array(5).fill([words('x'.repeat(2_500))]))], /tableText/],
    ['an empty cell', [dataTable([[words('x')], [words('')]])], /empty/],
    [
      'a number in the header',
      [dataTable(Array(2).fill([{ type: 'raw_number', value: 1, text: '1' }]))],
      /cell/,
    ],
    ['a long page', [dataTable(Array(2).fill([words('x')]), { page_size: 101 })], /dataTablePage/],
    ['uneven rows', [dataTable([[words('x')], [words('x'), words('x')]])], /same number/],
    ['an alert', [{ type: 'alert', text: plain('x') }], /message/],
    [
      '11 blocks in a container',
      [container({ child_blocks: Array(11).fill(section('x')) })],
      /containerBlocks/,
    ],
    ['a table in a container', [container({ child_blocks: [dataTable([])] })], /not allowed/],
    ['three charts', [chart(), chart(), chart()], /charts/],
    ['a chart of an unknown kind', [chart({ type: 'radar' })], /unknown chart: radar/],
    [
      'two series with one name',
      [chart({ series: Array(2).fill({ name: 'Bids', data: [{ label: 'Mon', value: 1 }] }) })],
      /series "Bids" appears twice/,
    ],
    [
      'a series without a point for a category',
      [chart({ series: [{ name: 'Bids', data: [{ label: 'Tue', value: 1 }] }] })],
      /a point for each category/,
    ],
    [
      'a point without a number',
      [chart({ series: [{ name: 'Bids', data: [{ label: 'Mon', value: Number.NaN }] }] })],
      /must be a number/,
    ],
    [
      'a category twice, too long, or without the title of its axis',
      [chart({ axis_config: { categories: ['Mon', 'Mon', 'x'.repeat(21)], x_label: '' } })],
      /category "Mon" appears twice/,
    ],
    ['a container that never opens', [container({ default_collapsed: true })], /is_collapsible/],
    ['21 columns', [dataTable(Array(2).fill(Array(21).fill(words('x'))))], /dataTableColumns/],
  ];

  it.each(refused)('%s', (_, blocks, problem) => {
    expect(problemsOf(...blocks).join('\n')).toMatch(problem);
    expect(problemsOf(...blocks)).toMatchSnapshot();
  });

  it('a message without text for notifications, or with too long a one', () => {
    expect(() => checkMessage({ text: ' ' })).toThrow(SlackLimitError);
    expect(() => checkMessage({ text: 'x'.repeat(40_001) })).toThrow(/messageText/);
  });

  it('in the shape of the errors of `blocks.validate`', () => {
    const blocks = [section('fine'), section('')] as KnownBlock[];
    expect(findMessageLimitProblems({ text: 'x', blocks })).toEqual([
      { pointer: '/blocks/1/text/text', code: 'failed_constraint', message: expect.any(String) },
    ]);
  });

  it('and the error names places and sizes, but none of the text', () => {
    expect(problemsOf(section(`secret ${'x'.repeat(3_000)}`)).join()).not.toContain('secret');
  });
});

describe('what Slack would refuse in a view', () => {
  const view: ModalView = { type: 'modal', title: plain('Title'), blocks: [section('x')] };
  const input = {
    type: 'input',
    label: plain('Label'),
    element: { type: 'plain_text_input', action_id: 'i' },
  } as const;

  const select = (more: object) => ({
    type: 'static_select',
    action_id: 'i',
    options: [option('1'), option('2')],
    ...more,
  });
  function viewWith(element: object): ModalView {
    const block = { ...input, element } as unknown as KnownBlock;
    return { ...view, submit: plain('Send'), blocks: [block] };
  }

  it('nothing of an input that is filled in, either', () => {
    const groups = [{ label: plain('Group'), options: [option('1')] }];
    for (const element of [
      select({ initial_option: option('2') }),
      { type: 'static_select', option_groups: groups, initial_option: option('1') },
      { type: 'number_input', is_decimal_allowed: true, initial_value: '-1.5', min_value: '-2' },
      { type: 'datetimepicker', initial_date_time: 1_795_165_000 },
      { type: 'plain_text_input', initial_value: 'abc', max_length: 3 },
    ])
      expect(findViewLimitProblems(viewWith(element))).toEqual([]);
  });

  it('nothing, when it is within all limits', () => {
    expect(() => checkView({ ...view, submit: plain('Send'), blocks: [input] })).not.toThrow();
  });

  it.each<[string, ModalView, RegExp]>([
    ['a long alert', { ...view, blocks: [{ type: 'alert', text: mrkdwn('x'.repeat(201)) }] }, /alertText/],
    ['a container', { ...view, blocks: [container({}) as unknown as KnownBlock] }, /modal/],
    ['a long title', { ...view, title: plain('x'.repeat(25)) }, /viewTitle/],
    ['a long submit', { ...view, submit: plain('x'.repeat(25)) }, /viewButton/],
    ['inputs without submit', { ...view, blocks: [input] }, /submit/],
    ['long private metadata', { ...view, private_metadata: 'x'.repeat(3_001) }, /privateMetadata/],
    ['long callback id', { ...view, callback_id: 'x'.repeat(256) }, /callbackId/],
    ['101 blocks', { ...view, blocks: Array.from({ length: 101 }, () => section('x')) }, /viewBlocks/],
    ['an initial option that is not offered', viewWith(select({ initial_option: option('3') })), /./],
    [
      'an initial option in other words',
      viewWith(select({ initial_option: { text: plain('Other'), value: '1' } })),
      /./,
    ],
    [
      'an initial checkbox that is not offered',
      viewWith({
        type: 'checkboxes',
        action_id: 'i',
        options: [option('1')],
        initial_options: [option('2')],
      }),
      /initial_options\/0/,
    ],
    [
      'a number input that says nothing of decimals',
      viewWith({ type: 'number_input' }),
      /is_decimal_allowed/,
    ],
    [
      'words for a number',
      viewWith({ type: 'number_input', is_decimal_allowed: true, initial_value: 'x' }),
      /initial_value/,
    ],
    [
      'a first text over its own maximum',
      viewWith({ type: 'plain_text_input', initial_value: 'four', max_length: 3 }),
      /at most 3 \(max_length\)/,
    ],
    [
      'a moment in milliseconds',
      viewWith({ type: 'datetimepicker', initial_date_time: 1_795_165_000_000 }),
      /10 digits/,
    ],
    ['250 kB', { ...view, blocks: Array.from({ length: 90 }, () => section('é'.repeat(2_999))) }, /viewSize/],
  ])('%s', (_, wrong, problem) => {
    const found = findViewLimitProblems(wrong).map(blockErrorText);
    expect(found.join('\n')).toMatch(problem);
    expect(found).toMatchSnapshot();
  });
});

describe('the page about limits', () => {
  it('tells every row of the table', () => {
    const page = readFileSync('docs/slack-limits.md', 'utf8');
    for (const [name, { max, unit }] of Object.entries(slackLimits))
      expect(page).toContain(`| \`${name}\` | ${max.toLocaleString('en-US')} ${unit} |`);
  });
});
