import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CardData } from '../../../src/feed/feed.ts';
import { CardButton } from '../../../src/feed/records.ts';
import { UserId } from '../../../src/ids.ts';
import { cardDetailsMessage, cardMessage } from '../../../src/slack/cards/card-message.ts';
import { cardSummaryMessage } from '../../../src/slack/cards/card-summary.ts';
import type { Message } from '../../../src/slack/core/routes.ts';
import { actionIds } from '../../../src/slack/kit/ids.ts';
import { anyListed } from '../arbitraries.ts';
import { bid, NO_BIDDING } from '../bids/bidding-samples.ts';
import { expectHarmless } from '../harmless.ts';
import { asText, presses } from '../kit/as-text.ts';
import { BEN, listed, NOW, view } from '../samples.ts';

const LEADS = 'S0LEADS';

function told(
  change: Parameters<typeof view>[0] & { readonly hidden?: readonly CardButton[] } = {},
): CardData {
  const shown = view(change);
  return { ...shown, settings: { ...shown.settings, hiddenButtons: [...(change.hidden ?? [])] } };
}

const card = (shown: CardData) => cardMessage(shown, NO_BIDDING);
const called = { mention: { users: [BEN], groups: [LEADS] } };

/** Removes mentions, which only the channel's own rules may add. */
function withoutCalls(message: Message): Message {
  return JSON.parse(JSON.stringify(message).replaceAll(`<!subteam^${LEADS}>`, '@leads'));
}

describe('a card that calls people', () => {
  it('names them below what decides, and at the end of its notification', () => {
    const message = card(told({ card: called }));
    expect(message.text.endsWith(` <@${BEN}> <!subteam^${LEADS}>`)).toBe(true);
    expect(asText(message)).toContain(`:bell: <@${BEN}> <!subteam^${LEADS}>`);
    expect(asText(message)).toMatchSnapshot();
  });

  it('keeps the line when it is skipped, so that Undo calls nobody again', () => {
    const skip = { by: BEN, at: NOW, reason: 'not-a-fit' } as const;
    expect(asText(card(told({ card: { ...called, skip } })))).toContain(`<!subteam^${LEADS}>`);
  });

  it('calls nobody by what is no id', () => {
    const mention = { users: [UserId.parse('U1> <!channel')], groups: ['S1> <!here'] };
    expectHarmless(card(told({ card: { mention } })));
  });
});

describe('hidden buttons', () => {
  const pressable = (shown: CardData) => presses(card(shown));

  it.each(['bid', 'details', 'claim', 'more'] as const)('%s is not offered', (hidden) => {
    expect(pressable(told())).toContain(actionIds[hidden]);
    expect(pressable(told({ hidden: [hidden] }))).not.toContain(actionIds[hidden]);
  });

  it('leave no empty row', () => {
    const message = card(told({ hidden: CardButton.options }));
    expect(message.blocks?.some(({ type }) => type === 'actions')).toBe(false);
    expectHarmless(message);
  });

  it('leave what takes something back, and what goes on with a bid', () => {
    const hidden = CardButton.options;
    expect(pressable(told({ hidden, card: { claim: { by: BEN, at: NOW } } }))).toEqual([actionIds.release]);
    const skip = { by: BEN, at: NOW, reason: 'not-a-fit' } as const;
    expect(pressable(told({ hidden, card: { skip } }))).toEqual([actionIds.unskip]);
    const refused = { bids: [{ bid: bid({ state: 'unknown' }) }], otherJobs: [] };
    expect(presses(cardMessage(told({ hidden }), refused))).toEqual([actionIds.bidCheck, actionIds.bid]);
  });
});

describe('details below the card', () => {
  const project = { verdict: { decision: 'Qualified', reason: 'Fits the portfolio', other: {} } };
  const lean: CardData = { ...told({ project }), hasDetailsInThread: true };

  it('are left out on the card, which keeps what decides', () => {
    const words = asText(card(lean));
    expect(words).toContain('$1,500');
    expect(words).toContain(':white_check_mark:');
    expect(words).toMatchSnapshot();
    for (const part of ['Fits the portfolio', 'garden furniture', 'TypeScript'])
      expect(words).not.toContain(part);
  });

  it('are told in the thread', () => {
    const words = asText(cardDetailsMessage(lean) ?? expect.fail('nothing'));
    for (const part of ['Fits the portfolio', 'garden furniture', 'React, TypeScript'])
      expect(words).toContain(part);
    expect(words).toMatchSnapshot();
  });

  it('are none where a project has none', () => {
    const bare = told({ project: { description: ' ', skills: [] } });
    expect(cardDetailsMessage(bare)).toBeUndefined();
  });

  it('and the card are harmless and within the limits, whatever strangers wrote', () => {
    fc.assert(
      fc.property(anyListed, (strange) => {
        const shown = { ...told({ project: strange, card: called }), detailsBelow: true } as const;
        expectHarmless(withoutCalls(card(shown)));
        const below = cardDetailsMessage(shown);
        if (below) expectHarmless(below);
      }),
      { numRuns: 50 },
    );
  });
});

describe('the summary of quiet hours', () => {
  it('says when its projects came, and offers them as cards', () => {
    const message = cardSummaryMessage({
      best: [{ project: listed() }],
      waiting: 7,
      total: 7,
      isQuiet: true,
    });
    expect(asText(message)).toMatchSnapshot();
    expect(message.text).toContain('7');
    expect(message.text).not.toBe(
      cardSummaryMessage({ best: [{ project: listed() }], waiting: 7, total: 7 }).text,
    );
    expect(presses(message)).toEqual([actionIds.showMore]);
  });
});
