import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ProjectBidding } from '../../../src/bidding/project-bidding.ts';
import type { CardView } from '../../../src/feed/feed.ts';
import { cardMessage } from '../../../src/slack/messages/card.ts';
import { anyFilters, anyListed } from '../arbitraries.ts';
import { expectHarmless } from '../harmless.ts';
import { ANA, BEN, listed, NOW, view } from '../samples.ts';
import { NO_BIDDING } from './bidding-samples.ts';

function card(shown: CardView, bidding: ProjectBidding = NO_BIDDING) {
  return cardMessage(shown, bidding);
}

function labels(message: ReturnType<typeof cardMessage>): string[] {
  const last = message.blocks?.at(-1);
  if (last?.type !== 'actions') return [];
  return last.elements.flatMap((element) => {
    if (element.type === 'button') return [element.text.text];
    return element.type === 'overflow' ? element.options.map((each) => each.text.text) : [];
  });
}

describe('a card', () => {
  it('leads with what decides', () => {
    const message = card(
      view({ project: { verdict: { decision: 'Qualified', reason: 'Fits the portfolio', other: {} } } }),
    );
    expect(message.text).toBe('New project: Rebuild our checkout in React · $1,500 fixed · Norway');
    expect(message.blocks?.slice(0, -1)).toEqual([
      {
        type: 'section',
        text: {
          type: 'mrkdwn',
          verbatim: true,
          text: [
            '*<https://www.marketplace.example/jobs/~0123456789?a=1&amp;b=2|Rebuild our checkout in React>*',
            '*$1,500 fixed* · 2 screening questions · posted <!date^1795165020^{ago}|20 Nov 2026, 08:57 UTC>',
          ].join('\n'),
        },
      },
      {
        type: 'section',
        text: {
          type: 'mrkdwn',
          verbatim: true,
          text: [
            'Client: Norway · ★ 4.9 (32 reviews) · $12.3K spent · 45 hires · 80% hire rate · payment verified',
            ':white_check_mark: *AI: qualified* – Fits the portfolio',
          ].join('\n'),
        },
      },
      {
        type: 'section',
        text: {
          type: 'plain_text',
          emoji: false,
          text: 'We sell garden furniture and lose every third customer at the checkout. Help us.',
        },
      },
      {
        type: 'context',
        elements: [
          {
            type: 'mrkdwn',
            verbatim: true,
            text: 'Skills: React, TypeScript\nFound by React work, Node work',
          },
        ],
      },
    ]);
  });

  it('offers Bid, Details, Claim and a menu while nobody has it', () => {
    expect(labels(card(view()))).toEqual([
      'Bid',
      'Details',
      'Claim',
      'Skip: not a fit',
      'Skip for another reason…',
      'Mute country or word…',
      'Copy link',
    ]);
  });

  it('says who claimed it, and offers Release instead', () => {
    const message = card(view({ card: { claim: { by: ANA, at: NOW } } }));
    expect(JSON.stringify(message.blocks)).toContain(`:raised_hand: Claimed by <@${ANA}>`);
    expect(labels(message)).toEqual(['Bid', 'Details', 'Release', 'Mute country or word…', 'Copy link']);
  });

  it('shrinks to a line with the way back once skipped', () => {
    const message = card(view({ card: { skip: { by: BEN, at: NOW, reason: 'budget-too-low' } } }));
    expect(message.blocks).toHaveLength(3);
    expect(JSON.stringify(message.blocks)).toContain(`Skipped by <@${BEN}>: budget too low`);
    expect(labels(message)).toEqual(['Undo skip']);
  });

  it('says when the description was cut', () => {
    const text = JSON.stringify(card(view({ project: { description: 'word '.repeat(400) } })).blocks);
    expect(text).toContain('[300 of 1,999 characters]');
  });

  it('shows red flags with their evidence', () => {
    const client = { verified: false, totalHires: 0, totalSpent: 0 };
    expect(JSON.stringify(card(view({ project: { client } })).blocks)).toContain(
      ':triangular_flag_on_post: Payment not verified · No hires yet, nothing spent',
    );
  });

  it.each([
    [{ totalSpentLabel: '$450.0', totalHires: 2 }, '$450 spent · 2 hires'],
    [{ totalSpentLabel: '$12.0K+', hireRate: 0.5 }, '$12K+ spent · 50% hire rate'],
    [{ totalSpent: 450.4, totalHires: 1 }, '$450 spent · 1 hire'],
    [{ country: 'Norway', totalSpent: 0, totalHires: 0, hireRate: 0 }, 'Client: Norway\n'],
    [{ totalSpent: 0, totalHires: 2 }, '$0 spent · 2 hires'],
  ])('counts of %o as “%s”', (client, told) => {
    expect(JSON.stringify(card(view({ project: { client } })))).toContain(JSON.stringify(told).slice(1, -1));
  });

  it('of a project that tells nothing but its title still stands', () => {
    const bare = listed({ description: '', skills: [], categories: [], questions: [], client: {} });
    const { budget: _budget, publishedAt: _publishedAt, ...project } = bare;
    const whole = { ...view(), seen: { ...view().seen, project }, filters: [] };
    expectHarmless(card(whole));
    expect(JSON.stringify(card(whole).blocks)).toContain('no budget given');
  });
});

describe('a compact card', () => {
  it('is two lines and the buttons', () => {
    const { blocks } = card(view({ density: 'compact' }));
    expect(blocks).toHaveLength(2);
    expect(blocks?.[0]).toEqual({
      type: 'section',
      text: {
        type: 'mrkdwn',
        verbatim: true,
        text: [
          '*<https://www.marketplace.example/jobs/~0123456789?a=1&amp;b=2|Rebuild our checkout in React>* · $1,500 fixed',
          'Norway · ★ 4.9 (32 reviews) · $12.3K spent · <!date^1795165020^{ago}|20 Nov 2026, 08:57 UTC> · React work, Node work',
        ].join('\n'),
      },
    });
  });
});

describe('whatever strangers wrote', () => {
  it.each(['full', 'compact'] as const)('a %s card is harmless and within the limits', (density) => {
    fc.assert(
      fc.property(anyListed, anyFilters, (project, filters) => {
        const given = view({ density });
        expectHarmless(card({ ...given, seen: { ...given.seen, project }, filters }));
      }),
      { numRuns: 60 },
    );
  });

  it('a card shows it without calling anyone or leading anywhere', () => {
    const hostile = {
      title: '<!channel> <https://evil.example|Pay here> \u202Egnp.exe\u0000',
      description: `<!here> & <@U0ANA> ${'y'.repeat(100_000)}`,
      skills: ['<!everyone>', '*bold*'],
      url: 'javascript:alert(1)',
    };
    const message = card(view({ project: hostile }));
    expectHarmless(message);
    expect(JSON.stringify(message.blocks)).toContain(
      '&lt;!channel&gt; &lt;https://evil.example|Pay here&gt; gnp.exe',
    );
    expect(JSON.stringify(message.blocks)).not.toContain('javascript:');
  });
});
