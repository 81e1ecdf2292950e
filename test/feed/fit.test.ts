import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assessFit } from '../../src/feed/fit.ts';
import {
  type DecidedProject,
  identifyClientByRecord,
  summarizeFitHistory,
  type WonProposal,
} from '../../src/feed/fit-history.ts';
import { gradeFit, isReasonAgainst } from '../../src/feed/fit-reasons.ts';
import type { ListedProject } from '../../src/marketplace/schema.ts';
import { hostileText } from '../fuzz/hostile.ts';
import { listed } from '../slack/samples.ts';

const UNKNOWN = 50;

const texts = fc.array(hostileText, { maxLength: 10 });
const amount = fc.oneof(fc.nat(), fc.double({ noNaN: true }), fc.constant(Number.POSITIVE_INFINITY));
const some = (shape: Readonly<Record<string, fc.Arbitrary<unknown>>>) =>
  fc.record(shape, { requiredKeys: [] });
/** Any project, with any of its fields missing. */
const anyListed = some({
  description: hostileText,
  skills: texts,
  categories: texts,
  questions: texts,
  budget: some({ type: hostileText, amount: hostileText }),
  client: some({
    verified: fc.boolean(),
    country: hostileText,
    totalSpent: amount,
    totalHires: fc.nat(),
    hireRate: fc.double({ min: 0, max: 1, noNaN: true }),
    rating: fc.double({ min: 0, max: 5, noNaN: true }),
    reviews: fc.nat(),
  }),
  verdict: fc.record({ decision: hostileText, reason: hostileText, other: fc.constant({}) }),
}).map((change) => listed(change));

function historyOf(decided: readonly DecidedProject[] = [], won: readonly WonProposal[] = []) {
  return summarizeFitHistory(decided, won);
}

/** A project of which nothing is known but its title. */
function bare(change: Partial<ListedProject> = {}): ListedProject {
  const { budget: _budget, ...rest } = listed({ client: {}, skills: [], questions: [] });
  return { ...rest, ...change };
}

function assess(change: Partial<ListedProject>, history = historyOf(), filters = 1, isMentioned = false) {
  return assessFit({ project: bare(change), history, filters, isMentioned });
}

const taken = (change: Partial<ListedProject>): DecidedProject => ({ project: bare(change), isTaken: true });
const skipped = (change: Partial<ListedProject>, skipReason: DecidedProject['skipReason'] = 'not-a-fit') => ({
  project: bare(change),
  isTaken: false,
  ...(skipReason ? { skipReason } : {}),
});
const times = <T>(many: number, make: () => T) => Array.from({ length: many }, make);

describe('the fit of a project', () => {
  it('is in the middle and without a reason if nothing is known', () => {
    expect(assess({})).toEqual({ points: UNKNOWN, reasons: [] });
    expect(assessFit({ project: bare(), filters: 1, isMentioned: false }).points).toBe(UNKNOWN);
  });

  const record = {
    rating: 4.9,
    reviews: 32,
    totalSpent: 12_300,
    totalHires: 45,
    hireRate: 0.8,
    verified: true,
  };

  it.each([
    ['a client with a record', { client: record }, 1],
    ['a verdict for it', { verdict: { decision: 'qualified', other: {} } }, 1],
    ['a verdict against it', { verdict: { decision: 'rejected', other: {} } }, -1],
    ['a low rating', { client: { rating: 3.2, reviews: 9 } }, -1],
    ['payment not verified', { client: { verified: false } }, -1],
    ['a client without hires', { client: { totalHires: 0, hireRate: 0 } }, -1],
    ['few hires of many projects', { client: { totalHires: 4, hireRate: 0.1 } }, -1],
    ['a rating from too few reviews', { client: { rating: 1, reviews: 2 } }, 0],
    ['a verdict that is still open', { verdict: { decision: 'pending', other: {} } }, 0],
    ['a budget without anything to compare it with', { budget: { type: 'Fixed', amount: '$9,000' } }, 0],
  ] as const)('counts %s', (_, change, direction) => {
    const { points, reasons } = assess(change);
    expect(Math.sign(points - UNKNOWN)).toBe(direction);
    if (direction === 0) expect(reasons).toEqual([]);
    if (reasons[0]) expect(isReasonAgainst(reasons[0])).toBe(direction < 0);
  });

  it('rises with further filters whose rules it passes, and with a rule that mentions people', () => {
    expect(assess({}, historyOf(), 3).points).toBeGreaterThan(assess({}, historyOf(), 2).points);
    expect(assess({}, historyOf(), 1, true).points).toBeGreaterThan(UNKNOWN);
  });

  it('compares the budget with what the team takes of the same kind', () => {
    const usual = (amount: string) => taken({ budget: { type: 'Fixed', amount } });
    const history = historyOf([usual('$800'), usual('$1,000'), usual('$20,000')]);
    const fixed = (amount: string) => assess({ budget: { type: 'Fixed', amount } }, history);
    expect(fixed('$2,500').reasons).toEqual([{ why: 'budget-above', amount: 2_500, usual: 1_000 }]);
    expect(fixed('$300').reasons).toEqual([{ why: 'budget-below', amount: 300, usual: 1_000 }]);
    expect(fixed('$1,100').reasons).toEqual([]);
    expect(assess({ budget: { type: 'Hourly', amount: '$40' } }, history).reasons).toEqual([]);
  });

  it('learns from what the team took and skipped, by skills', () => {
    const react = { skills: ['React', 'TypeScript', 'CSS'] };
    const seo = { skills: ['SEO', 'Backlinks'] };
    const history = historyOf([...times(3, () => taken(react)), ...times(3, () => skipped(seo))]);
    expect(assess({ skills: ['react', 'css'] }, history).reasons).toEqual([{ why: 'like-taken', count: 3 }]);
    expect(assess(seo, history).reasons).toEqual([{ why: 'like-skipped', count: 3 }]);
    expect(assess({ skills: ['Figma', 'CSS'] }, history).points).toBe(UNKNOWN);
  });

  it('does not blame the kind of work if the budget or the time was the reason to skip', () => {
    const seo = { skills: ['SEO', 'Backlinks'] };
    const history = historyOf([
      ...times(5, () => skipped(seo, 'budget-too-low')),
      ...times(5, () => skipped(seo, 'too-late')),
    ]);
    expect(assess(seo, history).points).toBe(UNKNOWN);
  });

  it('counts wins by the words of their titles, which is all that the API says of them', () => {
    const history = historyOf(
      [],
      [{ title: 'Node.js backend with PostgreSQL for a clinic' }, { title: 'Logo' }],
    );
    expect(assess({ skills: ['Node.js', 'PostgreSQL'] }, history).reasons).toEqual([
      { why: 'like-won', count: 1 },
    ]);
    expect(assess({ skills: ['Java', 'SQL'] }, history).points).toBe(UNKNOWN);
  });

  it('remembers a client that the team skipped, by the record that the lists show', () => {
    const client = { country: 'Norway', totalSpent: 800, totalHires: 4, reviews: 3 };
    const history = historyOf([skipped({ client }, 'client')]);
    expect(assess({ client }, history).reasons).toContainEqual({ why: 'client-skipped', count: 1 });
    const other = { ...client, totalSpent: 900 };
    expect(assess({ client: other }, history).reasons).not.toContainEqual(
      expect.objectContaining({ why: 'client-skipped' }),
    );
    // New clients all look alike.
    expect(
      identifyClientByRecord({ client: { country: 'Norway', totalSpent: 0, totalHires: 0, reviews: 0 } }),
    ).toBe(undefined);
  });

  it('is from 0 to 100 for every project, and never depends on what is missing', () => {
    fc.assert(
      fc.property(anyListed, fc.array(anyListed, { maxLength: 4 }), (project, others) => {
        const decided = others.map((each) => ({ project: each, isTaken: true }));
        const fit = assessFit({ project, history: historyOf(decided), filters: 2, isMentioned: true });
        expect(fit.points).toBeGreaterThanOrEqual(0);
        expect(fit.points).toBeLessThanOrEqual(100);
        expect(['great', 'good', 'fair', 'weak']).toContain(gradeFit(fit));
      }),
      { numRuns: 100 },
    );
  });
});
