import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Block, SlackMessage, SlackView } from '../../../src/workbench/slack/objects.ts';
import { displayWidth } from '../../../src/workbench/slack/text/wrap.ts';
import { renderMessageText, renderViewText } from '../../../src/workbench/slack/text.ts';

function message(text: string, blocks: readonly object[] = []): SlackMessage {
  return {
    channel: 'C1',
    ts: '1.000100',
    user: 'U1',
    byBot: true,
    text,
    blocks: blocks.map((block, index) => ({ type: '', block_id: `b${index}`, ...block }) as Block),
    attachments: [],
    metadata: undefined,
    edited: false,
    threadTs: undefined,
    broadcast: false,
    ephemeralFor: undefined,
    fileIds: [],
    reactions: [],
    unfurls: {},
  };
}

const names: Readonly<Record<string, string>> = { U1: 'ada', C1: 'projects' };
const nameOf = (id: string) => names[id];
const words = (text: string) => ({ type: 'mrkdwn', text });
const button = (text: string) => ({ type: 'button', text: { type: 'plain_text', text } });

/** Any characters, with many control characters and direction marks. */
const hostile = fc
  .array(
    fc.oneof(fc.integer({ min: 0, max: 0x9f }), fc.integer({ min: 0x2000, max: 0x206f }), fc.nat(0x1ffff)),
  )
  .map((points) => String.fromCodePoint(...points));

describe('a message as text', () => {
  it('shows mentions, links and entities as words', () => {
    const text =
      'Hi <@U1> in <#C1>, <!here>: <https://x.y/~01|R&amp;D &lt;job&gt;> or <https://x.y> at ' +
      '<!date^1^{date}|noon>';
    expect(renderMessageText(message(text), { nameOf, width: 200 })).toBe(
      'Hi @ada in #projects, @here: R&D <job> (https://x.y/~01) or https://x.y at noon',
    );
  });

  it('shows a card with its fields and buttons', () => {
    const blocks = [
      { type: 'header', text: { type: 'plain_text', text: 'React dashboard' } },
      {
        type: 'section',
        text: words('*$500* fixed'),
        fields: [words('Client: DE'), words('Rating: 4.9')],
        accessory: button('Open'),
      },
      { type: 'divider' },
      {
        type: 'context',
        elements: [words('Skills: React\nFound by *web*'), { type: 'image', alt_text: 'a flag' }],
      },
      {
        type: 'actions',
        elements: [
          button('Bid'),
          button('Details'),
          { type: 'overflow', options: [{ text: { type: 'plain_text', text: 'Mute' }, value: 'm' }] },
        ],
      },
      { type: 'image', alt_text: 'a chart', image_url: 'https://x.y/c.png' },
    ];
    expect(renderMessageText(message('fallback', blocks), { width: 30 })).toBe(
      [
        '# React dashboard',
        '*$500* fixed',
        'Client: DE      Rating: 4.9',
        '[Open]',
        '─'.repeat(30),
        'Skills: React',
        'Found by *web* · (image: a',
        'flag)',
        '[Bid] [Details] [… Mute]',
        '(image: a chart)',
      ].join('\n'),
    );
  });

  it('shows rich text, tables and markdown', () => {
    const item = (text: string) => ({ type: 'rich_text_section', elements: [{ type: 'text', text }] });
    const blocks = [
      {
        type: 'rich_text',
        elements: [
          {
            type: 'rich_text_section',
            elements: [
              { type: 'user', user_id: 'U1' },
              { type: 'text', text: ' says' },
            ],
          },
          { type: 'rich_text_list', style: 'ordered', elements: [item('one'), item('two')] },
        ],
      },
      {
        type: 'table',
        rows: [
          [
            { type: 'raw_text', text: 'Template' },
            { type: 'raw_text', text: 'Hired' },
          ],
          [
            { type: 'raw_text', text: 'A' },
            { type: 'raw_number', value: 12 },
          ],
        ],
      },
      { type: 'markdown', text: '**done**' },
    ];
    expect(renderMessageText(message('', blocks), { nameOf })).toBe(
      ['@ada says', '1. one', '2. two', 'Template | Hired', 'A        | 12', '**done**'].join('\n'),
    );
  });

  it('lets no text, however hostile, reach the terminal as more than text of the width', () => {
    fc.assert(
      fc.property(hostile, fc.integer({ min: 20, max: 60 }), (text, width) => {
        const shown = renderMessageText(message(text), { width });
        expect(shown.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u);
        for (const line of shown.split('\n')) expect(displayWidth(line)).toBeLessThanOrEqual(width);
      }),
    );
  });
});

it('shows a modal in a frame with its inputs and buttons', () => {
  const view: SlackView = {
    id: 'V1',
    type: 'modal',
    userId: 'U1',
    callbackId: 'bid',
    externalId: '',
    title: 'Bid',
    submit: 'Send',
    close: undefined,
    blocks: [
      {
        type: 'input',
        block_id: 'amount',
        optional: true,
        label: { type: 'plain_text', text: 'Amount' },
        hint: { type: 'plain_text', text: 'In dollars' },
        element: { type: 'number_input', action_id: 'a', is_decimal_allowed: false, initial_value: '50' },
      },
      {
        type: 'actions',
        block_id: 'when',
        elements: [
          {
            type: 'radio_buttons',
            options: [
              { text: { type: 'plain_text', text: 'Now' }, value: 'now' },
              { text: { type: 'plain_text', text: 'Later' }, value: 'later' },
            ],
            initial_option: { text: { type: 'plain_text', text: 'Now' }, value: 'now' },
          },
          { type: 'static_select', placeholder: { type: 'plain_text', text: 'Setup' } },
        ],
      },
    ],
    privateMetadata: '',
    notifyOnClose: false,
    clearOnClose: false,
    hash: 'h',
    previousViewId: undefined,
    rootViewId: 'V1',
  };
  expect(renderViewText(view, { width: 40 })).toBe(
    [
      `┌ Bid ${'─'.repeat(34)}`,
      '│ Amount (optional)',
      '│ [50]',
      '│   In dollars',
      '│ (•) Now  ( ) Later [Setup ▾]',
      `└ [Cancel] [Send] ${'─'.repeat(22)}`,
    ].join('\n'),
  );
});
