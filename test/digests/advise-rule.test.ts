import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { suggestSubscriptionRule } from '../../src/digests/advise-rule.ts';
import { matchesRules, parseRules } from '../../src/feed/decide-card.ts';
import { ProjectKey } from '../../src/ids.ts';
import type { ListedProject, ProjectClient } from '../../src/marketplace/schema.ts';
import { listed } from '../slack/samples.ts';

let last = 0;
function project(change: Partial<ListedProject> = {}, client: Partial<ProjectClient> = {}): ListedProject {
  const plain = listed();
  return {
    ...plain,
    key: ProjectKey.parse(`~0${++last}`),
    ...change,
    client: { ...plain.client, ...client },
  };
}

function times(many: number, make: (place: number) => ListedProject): ListedProject[] {
  return Array.from({ length: many }, (_, place) => make(place));
}

const paying = (dollars: number) => project({ budget: { type: 'Fixed', amount: `$${dollars}` } });

describe('a rule is advised that would have kept away', () => {
  it('projects that pay little', () => {
    const advice = suggestSubscriptionRule({
      skipped: times(12, (place) => paying(place < 11 ? 80 + place : 900)),
      wanted: times(6, (place) => paying(500 + 100 * place)),
    });
    expect(advice).toEqual({ rule: 'budget:>=100', skippedWithout: 11, skipped: 12, wantedLost: 0 });
  });

  it('clients of one country', () => {
    const advice = suggestSubscriptionRule({
      skipped: times(10, (place) => project({}, { country: place < 8 ? 'Norway' : 'Sweden' })),
      wanted: times(8, () => project({}, { country: 'Germany' })),
    });
    expect(advice).toEqual({ rule: '-country:NO', skippedWithout: 8, skipped: 10, wantedLost: 0 });
  });

  it('a skill of two words', () => {
    const advice = suggestSubscriptionRule({
      skipped: times(6, () => project({ skills: ['Data entry'] })),
      wanted: times(5, () => project({ skills: ['React'] })),
    });
    expect(advice).toMatchObject({ rule: '-skill:"Data entry"', skippedWithout: 6 });
  });

  it('clients whose payment is not verified, of two that do the same the gentlest', () => {
    const advice = suggestSubscriptionRule({
      skipped: times(5, () => project({}, { verified: false, totalHires: 0 })),
      wanted: times(5, () => project()),
    });
    expect(advice?.rule).toBe('verified:yes');
  });
});

describe('no rule is advised', () => {
  const cheap = (many: number) => times(many, () => paying(50));
  const dear = (many: number) => times(many, () => paying(900));

  it('of fewer than five skipped, or where nothing was wanted', () => {
    expect(suggestSubscriptionRule({ skipped: cheap(4), wanted: dear(9) })).toBeUndefined();
    expect(suggestSubscriptionRule({ skipped: cheap(50), wanted: [] })).toBeUndefined();
    expect(suggestSubscriptionRule({ skipped: [], wanted: [] })).toBeUndefined();
  });

  it('that may look good by chance', () => {
    expect(suggestSubscriptionRule({ skipped: cheap(5), wanted: dear(2) })).toBeUndefined();
    expect(suggestSubscriptionRule({ skipped: [...cheap(6), ...dear(2)], wanted: dear(4) })).toBeUndefined();
    expect(suggestSubscriptionRule({ skipped: cheap(5), wanted: dear(4) })?.rule).toBe('budget:>=100');
  });

  it('where what was skipped is like what was wanted', () => {
    const alike = () => times(20, () => project());
    expect(suggestSubscriptionRule({ skipped: alike(), wanted: alike() })).toBeUndefined();
  });

  it('that would cost more than a tenth of what was wanted, or keep away less than most', () => {
    expect(
      suggestSubscriptionRule({ skipped: cheap(10), wanted: [...dear(8), ...cheap(2)] }),
    ).toBeUndefined();
    expect(suggestSubscriptionRule({ skipped: [...cheap(5), ...dear(5)], wanted: dear(8) })).toBeUndefined();
  });
});

it('whatever was skipped, the numbers of an advice are those that the feed itself would find', () => {
  const amount = fc.constantFrom('$20', '$300', '$15.00-$30.00 /hr', '$5K+', undefined, '');
  const country = fc.constantFrom('Norway', 'US', 'Côte d’Ivoire', '"', '-x:y', undefined, 'a'.repeat(200));
  const any = fc
    .record({
      amount,
      country,
      skills: fc.array(fc.constantFrom('React', 'C++', 'a,b', '"quoted"', 'Data entry', ':', '-')),
      rating: fc.option(fc.double({ min: 0, max: 5, noNaN: true }), { nil: undefined }),
      verified: fc.constantFrom(true, false, undefined),
    })
    .map(({ amount: paid, skills, ...client }) =>
      project(
        { skills, ...(paid === undefined ? {} : { budget: { amount: paid } }) },
        client as Partial<ProjectClient>,
      ),
    );
  const all = fc.array(any, { minLength: 5, maxLength: 25 });
  let advised = 0;
  fc.assert(
    fc.property(all, fc.array(any, { minLength: 2, maxLength: 12 }), fc.boolean(), (some, others, differ) => {
      const paid = (amount: string) => (each: ListedProject) =>
        differ ? { ...each, budget: { amount } } : each;
      const [skipped, wanted] = [some.map(paid('$20')), others.map(paid('$3,000'))];
      const advice = suggestSubscriptionRule({ skipped, wanted });
      if (!advice) return;
      advised++;
      expect(parseRules(advice.rule)).toEqual({ kind: 'rules', printed: advice.rule });
      const keptAway = (projects: readonly ListedProject[]) =>
        projects.filter((each) => !matchesRules(advice.rule, each)).length;
      expect(advice).toEqual({
        rule: advice.rule,
        skippedWithout: keptAway(skipped),
        skipped: skipped.length,
        wantedLost: keptAway(wanted),
      });
      expect(advice.skippedWithout).toBeGreaterThanOrEqual(5);
      expect(advice.wantedLost).toBeLessThanOrEqual(wanted.length / 10);
    }),
    { numRuns: 300 },
  );
  expect(advised).toBeGreaterThan(5);
});
