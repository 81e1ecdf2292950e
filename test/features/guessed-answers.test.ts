/** Answers that the API description leaves open, in a different shape than the simulator's default. */
import { describe, expect } from 'vitest';
import { MINUTE } from '../../src/clock.ts';
import { appTestWith } from '../kit/app-test.ts';
import type { Person } from '../kit/person.ts';

const appTest = appTestWith({ empty: true });

/** Which of these projects have a card in a channel. */
function cardsOf(person: Person, channel: string, titles: readonly string[]): readonly string[] {
  const texts = person.reads(channel).map((it) => it.text);
  return titles.filter((title) => texts.some((text) => text.includes(title)));
}

describe('verdicts told by a boolean', () => {
  appTest('decide what comes, also when late; an open one decides nothing', async ({ market, ada, pass }) => {
    const { service, publish } = market;
    service.setModes({ verdictFlags: true });
    service.addFilter({ id: 101, qualifier: true });
    await ada.type('/gig subscribe filter 101 qualified:yes', 'web');
    await ada.type('/gig subscribe filter 101 qualified:no', 'data');
    await pass(MINUTE);
    const verdicts = { Good: 'qualified', Bad: 'disqualified', Late: 'pending' } as const;
    const titles = Object.keys(verdicts);
    for (const [title, verdict] of Object.entries(verdicts))
      service.setVerdict(publish({ title }, 101).project.id, verdict);
    await pass(3 * MINUTE);
    expect([cardsOf(ada, 'web', titles), cardsOf(ada, 'data', titles)]).toEqual([['Good'], ['Bad']]);
    service.setVerdict(service.projects().find((it) => it.title === 'Late')?.id ?? 0, 'qualified');
    await pass(15 * MINUTE);
    expect([cardsOf(ada, 'web', titles), cardsOf(ada, 'data', titles)]).toEqual([['Good', 'Late'], ['Bad']]);
  });
});

describe('results that are not found', () => {
  appTest(
    'say nothing of the filter: it is followed, and its projects come',
    async ({ market, ada, pass }) => {
      market.service.setModes({ emptyResultsNotFound: true });
      market.service.addFilter({ id: 101 });
      const answer = await ada.type('/gig subscribe filter 101');
      expect(answer.text).toContain('/gig list 101');
      expect((await ada.type('/gig results 101')).text).toContain('shows no results');
      await pass(MINUTE);
      await market.publish().cardIn('web');
      market.service.addResult({ filterId: 101 });
      expect((await ada.type('/gig list')).text).toContain(':large_green_circle:');
      expect((await ada.type('/gig results 101')).text).toMatch(/\b1\b/u);
    },
  );

  appTest('of a filter that is not there are told by its feed', async ({ market, ada, pass }) => {
    await ada.type('/gig subscribe filter 999');
    await pass(5 * MINUTE);
    expect((await ada.type('/gig list')).text).toMatch(/filter 999[\s\S]*:warning:/u);

    expect(market.service.consumedCredits().total).toBe(0);
  });
});
