/** Tried rules as people see them, with any titles. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TriedProject, TriedRules } from '../../../src/funnel/funnel.ts';
import { TEAM_OUTCOMES } from '../../../src/funnel/try-rules.ts';
import { sectionBlocks } from '../../../src/slack/kit/block-builders.ts';
import { findViewLimitProblems } from '../../../src/slack/kit/check-limits.ts';
import { actionIds } from '../../../src/slack/kit/ids.ts';
import { triedRulesMessage, triedRulesRows } from '../../../src/slack/subscriptions/try-message.ts';
import { hostileText } from '../arbitraries.ts';
import { expectHarmless, expectHarmlessTexts } from '../harmless.ts';
import { asText, presses } from '../kit/as-text.ts';
import { REACT } from '../samples.ts';

const project = (title: string, outcome?: TriedProject['outcome']): TriedProject => ({
  title,
  url: 'https://market.example/~1',
  ...(outcome ? { outcome } : {}),
});

const tried: TriedRules = {
  kind: 'tried',
  filter: REACT,
  rules: 'budget:>1000 country:mars',
  rulesToday: '-wordpress',
  counts: {
    known: 1_200,
    shown: 300,
    shownToday: 800,
    hidden: 520,
    added: 20,
    shownByOthers: 4,
    wonAndShown: 2,
  },
  lists: {
    missed: TEAM_OUTCOMES.map((outcome) => project(`A shop, ${outcome}`, outcome)),
    moreMissed: 3,
    examples: [project('A WordPress shop')],
    won: [project('Another shop', 'hired')],
  },
  isCut: true,
};

describe('tried rules', () => {
  it('say how many would be shown, and name what the team would have missed', () => {
    const message = triedRulesMessage(tried);
    expectHarmless(message);
    expect(presses(message)).toEqual([actionIds.setupEdit]);
    expect(asText(message)).toMatchSnapshot();
  });

  it('say when nobody took on what they hide, and when nothing would change', () => {
    const nothing = { missed: [], moreMissed: 0, examples: [], won: [] };
    const counts = { ...tried.counts, added: 0, shownByOthers: 0, wonAndShown: 0 };
    expect(asText(triedRulesMessage({ ...tried, counts, lists: nothing, isCut: false }))).toMatchSnapshot();
    const same = { ...counts, hidden: 0, shown: 800 };
    expect(asText(triedRulesMessage({ ...tried, counts: same, lists: nothing }))).toContain('same projects');
  });

  it('of a filter that the channel does not follow are compared with nothing', () => {
    const counts = { ...tried.counts, shownToday: undefined, hidden: 0, added: 0 };
    const message = triedRulesMessage({ ...tried, counts, rulesToday: undefined });
    expect(presses(message)).toEqual([]);
    expect(asText(message)).toMatch(/doesn't follow the filter/u);
  });

  it('without projects say so', () => {
    const message = triedRulesMessage({ ...tried, counts: { ...tried.counts, known: 0 } });
    expect(asText(message)).toMatchSnapshot();
  });

  it('are within all limits and harmless, whatever the titles are', () => {
    const anyTried = fc
      .record({
        title: hostileText,
        url: fc.oneof(fc.webUrl(), hostileText, fc.constant(`https://market.example/${'a'.repeat(560)}`)),
        outcome: fc.constantFrom(...TEAM_OUTCOMES),
      })
      .map((each): TriedProject => each);
    const list = fc.array(anyTried, { maxLength: 10 });
    const names = fc.record({ rules: hostileText, name: hostileText });
    fc.assert(
      fc.property(list, list, names, (missed, won, { rules, name }) => {
        const lists = { missed, moreMissed: 3, examples: won, won };
        const any = { ...tried, filter: { ...REACT, name }, rules, rulesToday: rules, lists };
        expectHarmless(triedRulesMessage(any));
        const blocks = [...sectionBlocks(triedRulesRows(any))];
        const title = { type: 'plain_text', text: 'Edit' } as const;
        expect(findViewLimitProblems({ type: 'modal', title, blocks })).toEqual([]);
        expectHarmlessTexts('', blocks);
      }),
      { numRuns: 40 },
    );
  });
});
