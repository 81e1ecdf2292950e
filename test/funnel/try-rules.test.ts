/** What other rules would have shown and hidden: the numbers add up, and the won ones are named. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { previewRules } from '../../src/feed/decide-card.ts';
import { type KnownProject, RulesTrial, TEAM_OUTCOMES } from '../../src/funnel/try-rules.ts';
import { ProjectKey } from '../../src/ids.ts';
import { bareProject } from '../feed/projects.ts';

const MOST = { missed: 3, examples: 2 };

function known(n: number, amount: number, change: Partial<KnownProject> = {}): KnownProject {
  const key = ProjectKey.parse(`~${n}`);
  const budget = { type: 'fixed', amount: `$${amount}` };
  return {
    project: bareProject({ key, title: `Project ${n}`, budget }),
    isShownByOthers: false,
    ...change,
  };
}

const anyProject = fc
  .record(
    {
      amount: fc.integer({ min: 1, max: 100 }),
      isShownByOthers: fc.boolean(),
      outcome: fc.constantFrom(...TEAM_OUTCOMES),
    },
    { requiredKeys: ['amount', 'isShownByOthers'] },
  )
  .map(({ amount, ...rest }) => ({ amount, ...rest }));
const anyRules = fc.oneof(
  fc.constant(''),
  fc.integer({ min: 0, max: 100 }).map((n) => `budget:>${n}`),
  fc.integer({ min: 0, max: 100 }).map((n) => `budget:<${n}`),
);

describe('tried rules', () => {
  it('show what a preview shows, and hidden and added ones make the difference', () => {
    const cases = fc.record({
      projects: fc.array(anyProject, { maxLength: 40 }),
      today: anyRules,
      wanted: anyRules,
      page: fc.integer({ min: 1, max: 10 }),
    });
    fc.assert(
      fc.property(cases, ({ projects, today, wanted, page }) => {
        const all = projects.map(({ amount, ...rest }, n) => known(n, amount, rest));
        const trial = new RulesTrial({ rules: wanted }, { rules: today });
        for (let from = 0; from < all.length; from += page) trial.add(all.slice(from, from + page));
        const { counts } = trial;
        const plain = all.map(({ project }) => project);
        expect(counts.known).toBe(all.length);
        expect(counts.shown).toBe(previewRules(plain, { rules: wanted }).posted.length);
        expect(counts.shownToday).toBe(previewRules(plain, { rules: today }).posted.length);
        expect(counts.shown).toBe((counts.shownToday ?? 0) - counts.hidden + counts.added);
        expect(counts.shownByOthers).toBeLessThanOrEqual(counts.hidden);
        const { missed, moreMissed, examples } = trial.list(MOST);
        expect(missed.length + moreMissed).toBeLessThanOrEqual(counts.hidden - counts.shownByOthers);
        expect(missed.every(({ outcome }) => outcome !== undefined)).toBe(true);
        expect(examples.length).toBe(Math.min(MOST.examples, counts.added));
      }),
    );
  });

  it('name hidden ones that the team took on, hires first, and count the rest', () => {
    const trial = new RulesTrial({ rules: 'budget:>50' }, { rules: '' });
    trial.add([
      known(1, 10, { outcome: 'claimed' }),
      known(2, 10),
      known(3, 10, { outcome: 'hired' }),
      known(4, 10, { outcome: 'bid', isShownByOthers: true }),
      known(5, 10, { outcome: 'interviewed' }),
      known(6, 10, { outcome: 'viewed' }),
      known(7, 90, { outcome: 'hired' }),
    ]);
    const { missed, moreMissed, won, examples } = trial.list(MOST);
    expect(missed.map(({ title, outcome }) => [title, outcome])).toEqual([
      ['Project 3', 'hired'],
      ['Project 5', 'interviewed'],
      ['Project 6', 'viewed'],
    ]);
    expect(moreMissed).toBe(1);
    expect(won.map(({ title }) => title)).toEqual(['Project 7']);
    expect(examples).toEqual([]);
    expect(trial.counts).toMatchObject({ known: 7, shown: 1, shownToday: 7, hidden: 6, shownByOthers: 1 });
  });

  it('compare with nothing where the channel has no rules for the filter', () => {
    const trial = new RulesTrial({ rules: 'budget:>50' }, undefined);
    trial.add([known(1, 10, { outcome: 'hired' }), known(2, 90)]);
    expect(trial.counts).toMatchObject({ known: 2, shown: 1, shownToday: undefined, hidden: 0, added: 0 });
    expect(trial.list(MOST)).toEqual({ missed: [], moreMissed: 0, examples: [], won: [] });
  });

  it('hide what the channel mutes, today and with any rules', () => {
    const mutes = [{ kind: 'word' as const, value: 'project' }];
    const trial = new RulesTrial({ rules: '', mutes }, { rules: 'budget:>50', mutes });
    trial.add([known(1, 10), known(2, 90)]);
    expect(trial.counts).toMatchObject({ known: 2, shown: 0, shownToday: 0, hidden: 0, added: 0 });
  });
});
