/** The plain form of blocks that a workspace's Slack refuses, and that nothing is ever posted twice. */
import type { KnownBlock } from '@slack/types';
import { describe, expect, it } from 'vitest';
import { DAY } from '../../../src/clock.ts';
import { UserId } from '../../../src/ids.ts';
import {
  createBlockSupport,
  sendOrSendPlain,
  toAcknowledgedView,
} from '../../../src/slack/core/block-support.ts';
import { SlackCallError } from '../../../src/slack/core/errors.ts';
import type { Message } from '../../../src/slack/core/routes.ts';
import { sectionBlock } from '../../../src/slack/kit/block-builders.ts';
import { findMessageLimitProblems } from '../../../src/slack/kit/check-limits.ts';
import { toPlainBlocks } from '../../../src/slack/kit/plain-blocks.ts';
import {
  alertBlock,
  dataTableBlock,
  dateCell,
  foldedBlock,
  numberCell,
  personCell,
  textCell,
} from '../../../src/slack/kit/rich-blocks.ts';
import { ManualClock } from '../../../src/workbench/clocks.ts';
import { createMemoryStore } from '../../memory-store.ts';

const table = dataTableBlock({
  caption: 'Setups',
  columns: ['Name', 'Sent today', 'Person', 'Last run'],
  rows: [
    [textCell('<Node> & co'), numberCell(1_200), personCell(UserId.parse('U1')), dateCell(0)],
    [textCell(''), numberCell(3), textCell('*not bold* <!channel>'), textCell(undefined)],
  ],
});
const folded = foldedBlock('Details', [sectionBlock('inside')]);
const message: Message = { text: 'Setups', blocks: [sectionBlock('Setups'), table, folded] };

function start(version = '1.0.0', clock = new ManualClock(), store = createMemoryStore()) {
  const log = { debug() {}, info() {}, warn() {}, error() {} };
  return { clock, store, support: createBlockSupport({ version, store, clock, log: log as never }) };
}

const typesOf = (sent: Message) => (sent.blocks ?? []).map(({ type }) => type);

/** A Slack that refuses these block types; it records what it was sent. */
function slackRefusing(types: readonly string[], details: (type: string) => readonly string[] = () => []) {
  const sent: Message[] = [];
  const send = async (form: Message) => {
    sent.push(form);
    const bad = typesOf(form).find((type) => types.includes(type));
    if (bad) throw new SlackCallError('invalid_blocks', 'refused', { details: details(bad) });
    return 'posted';
  };
  return { sent, send };
}

describe('a workspace that refuses a block', () => {
  it('gets the plain form at once, and from then on without a refusal', async () => {
    const { support } = start();
    const slack = slackRefusing(['data_table'], (type) => [`[ERROR] unsupported type: ${type}`]);
    expect(await sendOrSendPlain(message, support, slack.send)).toBe('posted');
    expect(slack.sent.map(typesOf)).toEqual([
      ['section', 'data_table', 'container'],
      ['section', 'context', 'section', 'container'],
    ]);
    await sendOrSendPlain(message, support, slack.send);
    expect(typesOf(slack.sent[2] ?? { text: '' })).toEqual(['section', 'context', 'section', 'container']);
    expect(slack.sent).toHaveLength(3);
  });

  it('gets lines of text, without any word of the table lost', async () => {
    const { support } = start();
    const slack = slackRefusing(['data_table', 'container']);
    await sendOrSendPlain(message, support, slack.send);
    const last = slack.sent.at(-1);
    expect(new Set(typesOf(last ?? message))).toEqual(new Set(['section', 'context']));
    const text = JSON.stringify(last);
    for (const word of ['&lt;Node&gt; &amp; co', '1,200', '<@U1>', '<!date^0^', '&lt;!channel&gt;', 'inside'])
      expect(text).toContain(word);
    expect(findMessageLimitProblems(last ?? message)).toEqual([]);
  });

  it('gets the new block again after a week, and after an update of Gigdesk', async () => {
    const { support, clock, store } = start();
    const slack = slackRefusing(['data_table', 'container']);
    await sendOrSendPlain(message, support, slack.send);
    expect([...(await support.readRefused())].toSorted()).toEqual(['container', 'data_table']);
    expect((await start('1.1.0', clock, store).support.readRefused()).size).toBe(0);
    clock.moveBy(7 * DAY);
    expect((await support.readRefused()).size).toBe(0);
  });
});

describe('what is no refusal of a block', () => {
  it.each([
    ['a lost answer', new SlackCallError('network', 'unknown')],
    ['another refusal', new SlackCallError('channel_not_found', 'refused')],
    ['a rate limit', new SlackCallError('ratelimited', 'rate-limited')],
  ])('%s sends nothing again', async (_, error) => {
    const { support } = start();
    let calls = 0;
    const send = async () => {
      calls++;
      throw error;
    };
    await expect(sendOrSendPlain(message, support, send)).rejects.toBe(error);
    expect(calls).toBe(1);
    expect((await support.readRefused()).size).toBe(0);
  });

  it('a message that is refused in its plain form, too', async () => {
    const { support } = start();
    const slack = slackRefusing(['section', 'data_table']);
    await expect(sendOrSendPlain(message, support, slack.send)).rejects.toThrow('invalid_blocks');
    expect((await support.readRefused()).size).toBe(0);
  });

  it('a lost answer to the plain form', async () => {
    const { support } = start();
    let calls = 0;
    const send = async () => {
      calls++;
      throw calls === 1
        ? new SlackCallError('invalid_blocks', 'refused')
        : new SlackCallError('network', 'unknown');
    };
    await expect(sendOrSendPlain(message, support, send)).rejects.toThrow('network');
    expect(calls).toBe(2);
  });
});

it('an acknowledgement has an alert only after Slack accepted one', async () => {
  const { support } = start();
  const view = {
    type: 'modal' as const,
    title: { type: 'plain_text' as const, text: 'Bid' },
    blocks: [alertBlock('warning', 'Daily limit reached')] as KnownBlock[],
  };
  expect(toAcknowledgedView(view, support).blocks[0]?.type).toBe('section');
  expect(toAcknowledgedView(view, undefined).blocks[0]?.type).toBe('section');
  await sendOrSendPlain(view, support, async () => undefined);
  expect(toAcknowledgedView(view, support).blocks[0]?.type).toBe('alert');
});

it('long tables stay within the limits, in all their forms', () => {
  const row = () => [textCell('x'.repeat(60)), ...Array.from({ length: 3 }, () => textCell('y'.repeat(10)))];
  const long = dataTableBlock({
    caption: 'c'.repeat(500),
    columns: ['A long name of a column', 'B', 'C', 'D'],
    rows: Array.from({ length: 200 }, row),
  });
  const blocks = [long];
  for (const refused of [[], ['data_table']] as const) {
    const shown = toPlainBlocks(blocks, new Set(refused));
    expect(findMessageLimitProblems({ text: 'x', blocks: shown })).toEqual([]);
  }
});
