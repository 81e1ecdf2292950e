import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ProjectBidsAndJobs } from '../../../src/bidding/project-bidding.ts';
import type { CardData } from '../../../src/feed/feed.ts';
import { assessFit } from '../../../src/feed/fit.ts';
import type { ProjectFit } from '../../../src/feed/fit-reasons.ts';
import { cardMessage } from '../../../src/slack/cards/card-message.ts';
import { cardMenuValues } from '../../../src/slack/kit/button-values.ts';
import { actionIds } from '../../../src/slack/kit/ids.ts';
import { excerptText } from '../../../src/slack/kit/long-text.ts';
import { listProjectRedFlags } from '../../../src/slack/kit/project/red-flags.ts';
import { SKIP_REASON_LABELS } from '../../../src/slack/kit/words/labels.ts';
import { anyFilters, anyListed } from '../arbitraries.ts';
import { NO_BIDDING } from '../bids/bidding-samples.ts';
import { expectHarmless } from '../harmless.ts';
import { asText, textOf } from '../kit/as-text.ts';
import { ANA, BEN, listed, NOW, view } from '../samples.ts';

/** In every menu. */
const ALWAYS = [cardMenuValues.mute, cardMenuValues.assign];

function card(shown: CardData, bidding: ProjectBidsAndJobs = NO_BIDDING) {
  return cardMessage(shown, bidding);
}

/** The ids of the buttons, and the values of the menu's options. */
function choices(message: ReturnType<typeof cardMessage>): readonly (string | undefined)[] {
  const last = message.blocks?.at(-1);
  if (last?.type !== 'actions') return [];
  return last.elements.flatMap((element) => {
    if (element.type === 'button') return [element.action_id];
    return element.type === 'overflow' ? element.options.map((each) => each.value) : [];
  });
}

/** The second section: the client and the AI's verdict. */
function clientLines({ blocks = [] }: ReturnType<typeof cardMessage>): readonly string[] {
  return textOf(blocks[1]).split('\n');
}

describe('a card', () => {
  it('leads with what decides', () => {
    const message = card(
      view({ project: { verdict: { decision: 'Qualified', reason: 'Fits the portfolio', other: {} } } }),
    );
    expect(asText(message)).toMatchSnapshot();
    for (const fact of ['Rebuild our checkout in React', '$1,500', 'Norway'])
      expect(message.text).toContain(fact);
    const [head = '', client = '', description] = (message.blocks ?? []).map(textOf);
    expect(head).toContain(
      '*<https://www.marketplace.example/jobs/~0123456789?a=1&amp;b=2|Rebuild our checkout in React>*',
    );
    for (const fact of ['$1,500', ' 2 ', '<!date^1795165020^{ago}|Nov 20, 2026, 8:57 AM UTC>'])
      expect(head).toContain(fact);
    for (const fact of ['Norway', '★ 4.9', '32', '$12.3K', '45', '80%', 'Fits the portfolio'])
      expect(client).toContain(fact);
    expect(description).toBe(
      'We sell garden furniture and lose every third customer at the checkout. Help us.',
    );
    expect(message.blocks?.map(({ type }) => type)).toEqual([
      'section',
      'section',
      'section',
      'context',
      'actions',
    ]);
    expect(message.blocks?.map((block) => 'text' in block && block.text)).toMatchObject([
      { type: 'mrkdwn', verbatim: true },
      { type: 'mrkdwn', verbatim: true },
      { type: 'plain_text', emoji: false },
      false,
      false,
    ]);
  });

  it('offers Bid, Details, Claim and a menu while nobody has it', () => {
    expect(choices(card(view()))).toEqual([
      actionIds.bid,
      actionIds.details,
      actionIds.claim,
      cardMenuValues.skip,
      ...ALWAYS,
    ]);
  });

  it('says who claimed it, and offers Release instead', () => {
    const message = card(view({ card: { claim: { by: ANA, at: NOW } } }));
    expect(asText(message)).toContain(`<@${ANA}>`);
    expect(asText(message)).toMatchSnapshot();
    expect(choices(message)).toEqual([actionIds.bid, actionIds.details, actionIds.release, ...ALWAYS]);
  });

  it('says who gave it to whom', () => {
    const text = asText(card(view({ card: { claim: { by: ANA, at: NOW, assignedBy: BEN } } })));
    expect(text).toMatch(new RegExp(`<@${ANA}>.*<@${BEN}>`, 'u'));
  });

  it('shrinks to a line with the way back once skipped', () => {
    const message = card(view({ card: { skip: { by: BEN, at: NOW, reason: 'budget-too-low' } } }));
    expect(message.blocks).toHaveLength(3);
    expect(asText(message)).toContain(`<@${BEN}>: ${SKIP_REASON_LABELS['budget-too-low']}`);
    expect(asText(message)).toMatchSnapshot();
    expect(choices(message)).toEqual([actionIds.unskip]);
  });

  it('shows a description whole if only a few words would be missing, and never half a word', () => {
    const words = (count: number) => Array.from({ length: count }, () => 'whole').join(' ');
    const shown = (description: string) => asText(card(view({ project: { description } })));
    expect(shown(words(60))).toContain(words(60));
    expect(shown(words(90))).toMatch(/whole… \[300 of 539 characters\]/u);
  });

  it('says when the description was cut', () => {
    const description = 'word '.repeat(400);
    const text = asText(card(view({ project: { description } })));
    expect(text).toContain(excerptText(description, 300));
    expect(excerptText(description, 300)).toMatch(/300.*1,999/u);
    expect(text).toMatchSnapshot();
  });

  it.each(['full', 'compact'] as const)(
    'shows only warnings as flags, and each fact once (%s)',
    (density) => {
      const description = 'We begin with a free test. Write me on Telegram to hear more of it, please.';
      const client = { verified: false, totalHires: 20, hireRate: 0.2, rating: 3.1, reviews: 9 };
      const project = { description, client, verdict: { decision: 'qualified', other: {} } };
      const { reasons } = assessFit({ project: listed(project), filters: 1, isMentioned: false });
      const text = asText(card(view({ project, card: { fit: { points: 20, reasons } }, density })));
      const [contact = '', unpaid = '', rating = '', hireRate = ''] = listProjectRedFlags(listed(project));
      expect(text.match(/triangular_flag/gu)).toHaveLength(1);
      expect(text).toContain(contact);
      if (density === 'full') for (const flag of [unpaid, rating]) expect(text).toContain(flag);
      expect(text).not.toContain(hireRate);
      for (const fact of ['3.1', 'not verified', 'AI'].slice(0, density === 'full' ? 3 : 1))
        expect(text.split(fact)).toHaveLength(2);
      expect(text).toMatch(/weak fit/iu);
    },
  );

  it('says in one line how well it fits, with what the card does not show elsewhere', () => {
    const fit: ProjectFit = {
      points: 72,
      reasons: [
        { why: 'like-taken', count: 3 },
        { why: 'budget-above', amount: 1_500, usual: 900 },
        { why: 'rating', rating: 4.9, reviews: 32 },
        { why: 'hires', count: 45 },
      ],
    };
    const lines = clientLines(card(view({ card: { fit } }))).filter((line) => /good fit/iu.test(line));
    expect(lines).toEqual([expect.stringMatching(/ 3 .*\$900/u)]);
    expect(lines.join('')).not.toMatch(/45|4\.9/u);
    expect(lines).toMatchSnapshot();
    expect(clientLines(card(view({ card: { fit: { points: 50, reasons: [] } } })))).toHaveLength(1);
  });

  it.each([
    [{ totalSpentLabel: '$450.0', totalHires: 2 }, ['$450 ', ' 2 ']],
    [{ totalSpentLabel: '$12.0K+', hireRate: 0.5 }, ['$12K+ ', ' 50% ']],
    [{ totalSpent: 450.4, totalHires: 1 }, ['$450 ', ' 1 ']],
    [{ country: 'Norway', totalSpent: 0, totalHires: 0, hireRate: 0 }, [': Norway']],
    [{ totalSpent: 0, totalHires: 2 }, ['$0 ', ' 2 ']],
  ])('counts of %o', (client, facts) => {
    const [line = ''] = clientLines(card(view({ project: { client } })));
    for (const fact of facts) expect(line).toContain(fact);
    expect(line).toMatchSnapshot();
  });

  it('of a project that tells nothing but its title still stands', () => {
    const bare = listed({ description: '', skills: [], categories: [], questions: [], client: {} });
    const { budget: _budget, publishedAt: _publishedAt, ...project } = bare;
    const whole = { ...view(), seen: { ...view().seen, project }, filters: [] };
    expectHarmless(card(whole));
    expect(asText(card(whole))).toMatchSnapshot();
  });
});

describe('a compact card', () => {
  it('is two lines and the buttons', () => {
    const { blocks } = card(view({ density: 'compact' }));
    expect(blocks).toHaveLength(2);
    const { text } = blocks?.[0]?.type === 'section' ? blocks[0] : expect.fail('no section');
    expect(text).toMatchObject({ type: 'mrkdwn', verbatim: true });
    const lines = text?.text.split('\n') ?? [];
    expect(lines).toHaveLength(2);
    expect(lines).toMatchSnapshot();
    for (const fact of ['?a=1&amp;b=2|Rebuild our checkout in React>', '$1,500'])
      expect(lines[0]).toContain(fact);
    for (const fact of [
      'Norway',
      '★ 4.9',
      '32',
      '$12.3K',
      '<!date^1795165020^{ago}|',
      'React work, Node work',
    ])
      expect(lines[1]).toContain(fact);
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
