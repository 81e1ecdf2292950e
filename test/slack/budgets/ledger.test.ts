/** What a channel's charges look like, and who may see them. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LedgerPage } from '../../../src/credits/create-credits.ts';
import { ChannelId } from '../../../src/ids.ts';
import {
  LEDGER_PAGE_SIZE,
  ledgerActions,
  ledgerMessage,
  ledgerPageValueCodec,
} from '../../../src/slack/budgets/ledger.ts';
import { membershipRefusal } from '../../../src/slack/core/request-errors.ts';
import { REPLACEABLE_BLOCKS } from '../../../src/slack/kit/chart-block.ts';
import { actionIds } from '../../../src/slack/kit/ids.ts';
import { toPlainBlocks } from '../../../src/slack/kit/plain-blocks.ts';
import { HOSTILE } from '../bids/bidding-samples.ts';
import { offers, valuesOf } from '../buttons.ts';
import { startDesk } from '../fakes.ts';
import { expectHarmless } from '../harmless.ts';
import { asText } from '../kit/as-text.ts';
import { BEN, CHANNEL, NOW } from '../samples.ts';

type Entry = LedgerPage['entries'][number];

const OTHER = ChannelId.parse('C0DEN');

function charge(change: Partial<Entry> = {}): Entry {
  return {
    at: NOW,
    cursor: [NOW, 7],
    purchase: { endpoint: 'filter-projects', subject: '101' },
    credits: 3,
    shares: [{ channel: CHANNEL, credits: 3 }],
    balance: 997,
    ...change,
  };
}

const PAGE = { entries: [charge()], pending: [], hasOlder: false, hasNewer: false, channel: CHANNEL };
const filterNames = new Map([[101, 'React work']]);

describe('the charges of a channel', () => {
  it('say when, for which filter or project, who, how much, and what is left', async () => {
    const shared = [
      { channel: CHANNEL, credits: 2 },
      { channel: OTHER, credits: 3 },
    ];
    const message = ledgerMessage({
      ...PAGE,
      filterNames,
      entries: [
        charge({
          user: BEN,
          purchase: { endpoint: 'lookup', subject: '~01abc' },
          credits: 5,
          shares: shared,
        }),
        charge({ isProvenLater: true }),
      ],
      pending: [
        {
          purchase: { endpoint: 'result-projects', subject: '55' },
          credits: 20,
          at: NOW,
          state: 'unanswered',
        },
      ],
    });
    expectHarmless(message);
    const text = asText(message);
    for (const fact of ['<@U0BEN>', '~01abc', '2 of 5', '“React work” (101)', '997', 'up to 20', '55'])
      expect(text).toContain(fact);
    // A private channel's name is not everyone's.
    expect(text).not.toContain(OTHER);
    await expect(text).toMatchFileSnapshot('__snapshots__/ledger.txt');
  });

  it('keep every row in each form, with the longest names and hostile ones', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...HOSTILE, 'N'.repeat(200)), {
          minLength: LEDGER_PAGE_SIZE,
          maxLength: LEDGER_PAGE_SIZE,
        }),
        fc.boolean(),
        (names, isProvenLater) => {
          const entries = names.map((subject, index) =>
            charge({
              cursor: [NOW, index],
              purchase: {
                endpoint: index % 2 ? 'filter-projects' : 'lookup',
                subject: index % 2 ? '101' : subject,
              },
              ...(isProvenLater ? { isProvenLater } : {}),
            }),
          );
          const pending = entries.map(({ purchase }) => ({
            purchase: purchase as LedgerPage['pending'][number]['purchase'],
            credits: 7,
            at: NOW,
            state: 'unproven' as const,
          }));
          const message = ledgerMessage({
            ...PAGE,
            entries,
            pending,
            hasOlder: true,
            filterNames: new Map([[101, names[0] ?? '']]),
          });
          expectHarmless(message);
          const plain = toPlainBlocks(message.blocks ?? [], new Set(REPLACEABLE_BLOCKS));
          const lines = asText({ text: 'x', blocks: plain }).match(/Account left: /gu);
          expect(lines).toHaveLength(entries.length + 10);
        },
      ),
      { numRuns: 20 },
    );
  });

  it('turn pages by the charge at the edge', () => {
    const [newest, oldest] = [charge({ cursor: [NOW, 9] }), charge({ cursor: [NOW - 5, 2] })];
    const message = ledgerMessage({
      ...PAGE,
      filterNames,
      entries: [newest, oldest],
      hasOlder: true,
      hasNewer: true,
    });
    const read = (id: string) => ledgerPageValueCodec.read(valuesOf(message, id)[0] ?? '');
    expect(read(actionIds.ledgerPage)).toEqual({ channel: CHANNEL, to: 'older', at: NOW - 5, order: 2 });
    expect(read(actionIds.ledgerBack)).toEqual({ channel: CHANNEL, to: 'newer', at: NOW, order: 9 });
    expect(offers(ledgerMessage({ ...PAGE, filterNames }), actionIds.ledgerPage)).toBe(false);
  });
});

describe('who may see them', () => {
  const [show, turn] = ledgerActions;

  async function press(value: string, route = show) {
    const desk = startDesk();
    desk.state.channels = [{ id: CHANNEL, name: 'web', isPrivate: true }];
    desk.state.ledger = { ...PAGE, entries: [charge()] };
    await route?.run(desk.press(value, undefined, BEN));
    return desk.take().at(-1)?.text ?? '';
  }

  it('is whoever is in the channel that the button names', async () => {
    expect(await press(CHANNEL)).toContain('997');
    for (const channel of [OTHER, 'D0SOMEONE']) {
      const refusal = await press(channel);
      expect(refusal).toContain(membershipRefusal('out'));
      expect(refusal).not.toContain('997');
    }
    const forged = ledgerPageValueCodec.write({ channel: OTHER, to: 'older', at: NOW, order: 1 });
    expect(await press(forged, turn)).toContain(membershipRefusal('out'));
    for (const nonsense of ['', '{}', '<!channel>', 'x'.repeat(2_000)]) {
      expect(await press(nonsense)).not.toContain('997');
      expect(await press(nonsense, turn)).not.toContain('997');
    }
  });
});
