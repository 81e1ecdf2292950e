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

const actions = (...elements: readonly object[]) => ({ type: 'actions', elements });
const many = <T>(count: number, of: (n: number) => T) => Array.from({ length: count }, (_, n) => of(n));

describe('what Slack would refuse in a message', () => {
  const refused: readonly (readonly [problem: string, ...blocks: unknown[]])[] = [
    ['51 blocks, at most 50', ...many(51, () => ({ type: 'divider' }))],
    ['/blocks: at least 1'],
    ['unknown block: hologram', { type: 'hologram' }],
    ['needs text or fields', { type: 'section' }],
    ['must not be empty', section('')],
    ['(sectionText)', section('x'.repeat(3_001))],
    ['(sectionField)', { type: 'section', fields: [mrkdwn('x'.repeat(2_001))] }],
    ['(sectionFields)', { type: 'section', fields: many(11, () => mrkdwn('x')) }],
    ['(headerText)', { type: 'header', text: plain('x'.repeat(151)) }],
    ['must be plain_text', { type: 'header', text: mrkdwn('x') }],
    ['(contextElements)', { type: 'context', elements: many(11, () => mrkdwn('x')) }],
    ['unknown text type: button', { type: 'context', elements: [button('a')] }],
    ['(actionsElements)', actions(...many(26, (n) => button(`b${n}`)))],
    ['action_id "a" appears twice', actions(button('a'), button('a'))],
    ['block_id "x" appears twice', ...many(2, () => ({ type: 'divider', block_id: 'x' }))],
    ['(actionId)', actions(button('a'.repeat(256)))],
    ['(buttonText)', actions(button('a', { text: plain('x'.repeat(76)) }))],
    ['(buttonValue)', actions(button('a', { value: 'x'.repeat(2_001) }))],
    ['(buttonUrl)', actions(button('a', { url: 'x'.repeat(3_001) }))],
    ['must be primary or danger', actions(button('a', { style: 'loud' }))],
    ['(confirmText)', actions(button('a', { confirm: { text: mrkdwn('x'.repeat(301)) } }))],
    [
      '(overflowOptions)',
      actions({ type: 'overflow', action_id: 'o', options: many(6, (n) => option(`${n}`)) }),
    ],
    [
      'value "1" appears twice',
      actions({ type: 'static_select', action_id: 's', options: [option('1'), option('1')] }),
    ],
    [
      "plain_text_input isn't allowed in a block of type actions",
      actions({ type: 'plain_text_input', action_id: 'i' }),
    ],
    ['(allTextOfMessage)', ...many(5, () => section('x'.repeat(2_900)))],
    ['(dataTableRows)', dataTable(many(102, () => [words('x')]))],
    ['rows: at least 2', dataTable([[words('x')]])],
    ['(tableText)', dataTable(many(5, () => [words('x'.repeat(2_500))]))],
    ['must not be empty', dataTable([[words('x')], [words('')]])],
    ['unknown cell: raw_number', dataTable(many(2, () => [{ type: 'raw_number', value: 1, text: '1' }]))],
    [
      '(dataTablePage)',
      dataTable(
        many(2, () => [words('x')]),
        { page_size: 101 },
      ),
    ],
    ['all rows need the same number', dataTable([[words('x')], [words('x'), words('x')]])],
    ['(dataTableColumns)', dataTable(many(2, () => many(21, () => words('x'))))],
    ["alert doesn't work in a message", { type: 'alert', text: plain('x') }],
    ['(containerBlocks)', container({ child_blocks: many(11, () => section('x')) })],
    ['not allowed in a container: data_table', container({ child_blocks: [dataTable([])] })],
    ['needs is_collapsible', container({ default_collapsed: true })],
    ['(charts)', chart(), chart(), chart()],
    ['unknown chart: radar', chart({ type: 'radar' })],
    [
      'series "Bids" appears twice',
      chart({ series: many(2, () => ({ name: 'Bids', data: [{ label: 'Mon', value: 1 }] })) }),
    ],
    [
      'needs a point for each category',
      chart({ series: [{ name: 'Bids', data: [{ label: 'Tue', value: 1 }] }] }),
    ],
    [
      'every value must be a number',
      chart({ series: [{ name: 'Bids', data: [{ label: 'Mon', value: Number.NaN }] }] }),
    ],
    ['category "Mon" appears twice', chart({ axis_config: { categories: ['Mon', 'Mon'], x_label: 'Day' } })],
    ['(chartLabel)', chart({ axis_config: { categories: ['x'.repeat(21)], x_label: 'Day' } })],
    ['x_label: must not be empty', chart({ axis_config: { categories: ['Mon'], x_label: '' } })],
  ];

  it.each(refused)('%s', (problem, ...blocks) => {
    expect(problemsOf(...blocks).join('\n')).toContain(problem);
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

  it.each<[problem: string, ModalView]>([
    ['(alertText)', { ...view, blocks: [{ type: 'alert', text: mrkdwn('x'.repeat(201)) }] }],
    ["container doesn't work in a modal", { ...view, blocks: [container({}) as unknown as KnownBlock] }],
    ['(viewTitle)', { ...view, title: plain('x'.repeat(25)) }],
    ['(viewButton)', { ...view, submit: plain('x'.repeat(25)) }],
    ['inputs need a submit button', { ...view, blocks: [input] }],
    ['(privateMetadata)', { ...view, private_metadata: 'x'.repeat(3_001) }],
    ['(callbackId)', { ...view, callback_id: 'x'.repeat(256) }],
    ['(viewBlocks)', { ...view, blocks: many(101, () => section('x')) }],
    ['(viewSize)', { ...view, blocks: many(90, () => section('é'.repeat(2_999))) }],
    ["initial_option: isn't one of", viewWith(select({ initial_option: option('3') }))],
    [
      "initial_option: isn't one of the options",
      viewWith(select({ initial_option: { text: plain('Other'), value: '1' } })),
    ],
    [
      "initial_options/0: isn't one of",
      viewWith({ type: 'checkboxes', options: [option('1')], initial_options: [option('2')] }),
    ],
    ['is_decimal_allowed: must be true or false', viewWith({ type: 'number_input' })],
    [
      'must be a number as a string',
      viewWith({ type: 'number_input', is_decimal_allowed: true, initial_value: 'x' }),
    ],
    ['at most 3 (max_length)', viewWith({ type: 'plain_text_input', initial_value: 'four', max_length: 3 })],
    ['of 10 digits', viewWith({ type: 'datetimepicker', initial_date_time: 1_795_165_000_000 })],
  ])('%s', (problem, wrong) => {
    expect(findViewLimitProblems(wrong).map(blockErrorText).join('\n')).toContain(problem);
  });
});

describe('the page about limits', () => {
  it('tells every row of the table', () => {
    const page = readFileSync('docs/slack-limits.md', 'utf8');
    for (const [name, { max, unit }] of Object.entries(slackLimits))
      expect(page).toContain(`| \`${name}\` | ${max.toLocaleString('en-US')} ${unit} |`);
  });
});
