/** The feed's pure decisions, at their limits. */

import { describe, expect, it } from 'vitest';
import { isDeepEqual } from '../../src/base/is-deep-equal.ts';
import { HOUR, MINUTE, SECOND } from '../../src/clock.ts';
import { decideCard, isProjectMuted, resolveMentions } from '../../src/feed/decide-card.ts';
import {
  hasVerdict,
  mergeFilterListing,
  mergeProject,
  withFilterVerdict,
} from '../../src/feed/merge-project.ts';
import { choosePoll, updateArrivalRate } from '../../src/feed/poll-plan.ts';
import {
  advanceVerdictChecks,
  findNextVerdictCheckTime,
  findVerdictCheckStart,
  scheduleVerdictCheck,
} from '../../src/feed/verdict-checks.ts';
import { FilterId, ProjectKey } from '../../src/ids.ts';
import { casino, newCardOf } from './projects.ts';
import { ann, bob, filterId } from './stored-records.ts';

const key = (id: number) => ProjectKey.parse(`~${id}`);
const project = casino;

describe('verdicts that are missing', () => {
  const waiting = scheduleVerdictCheck(scheduleVerdictCheck([], key(1), 7, 0), key(2), 9, 5_000);

  it('are waited for once each, from when they were found', () => {
    expect(scheduleVerdictCheck(waiting, key(1), 8, 99)).toEqual(waiting);
    expect(waiting[0]).toEqual({ project: key(1), foundAt: 0, step: 0, dueAt: MINUTE, since: 7 });
    expect(scheduleVerdictCheck([], key(3), undefined, 0)[0]?.since).toBeUndefined();
    expect(findNextVerdictCheckTime(waiting)).toBe(MINUTE);
    expect(findNextVerdictCheckTime([...waiting].reverse())).toBe(MINUTE);
    expect(findNextVerdictCheckTime([])).toBeUndefined();
  });

  it('are read from where the longest overdue was found', () => {
    expect(findVerdictCheckStart(waiting, MINUTE - 1)).toBeUndefined();
    expect(findVerdictCheckStart(waiting, MINUTE)).toBe(7);
    expect(findVerdictCheckStart([...waiting].reverse(), 2 * MINUTE)).toBe(7);
    expect(findVerdictCheckStart(waiting.slice(1), MINUTE + 5_000)).toBe(9);
  });

  it('wait on where they were not looked at, or are not due', () => {
    const none = new Set<ProjectKey>();
    expect(advanceVerdictChecks(waiting, none, undefined, HOUR)).toEqual(waiting);
    expect(advanceVerdictChecks(waiting, new Set([key(1)]), undefined, MINUTE - 10 * SECOND)).toEqual(
      waiting,
    );
    expect(advanceVerdictChecks(waiting, none, 10, HOUR)).toEqual(waiting);
  });

  it('take their next turn when the page held them, or began before them', () => {
    const [first, second] = waiting;
    const turned = { ...first, step: 1, dueAt: 3 * MINUTE };
    expect(advanceVerdictChecks(waiting, new Set([key(1)]), undefined, MINUTE)).toEqual([turned, second]);
    expect(advanceVerdictChecks(waiting, new Set(), 7, MINUTE)).toEqual([
      turned,
      { ...second, step: 1, dueAt: 5_000 + 3 * MINUTE },
    ]);
    expect(advanceVerdictChecks(waiting, new Set(), 7, MINUTE - 6 * SECOND)).toEqual([turned, second]);
    expect(advanceVerdictChecks(waiting, new Set(), 8, 2 * MINUTE)).toEqual([
      first,
      { ...second, step: 1, dueAt: 5_000 + 3 * MINUTE },
    ]);
    const placeless = scheduleVerdictCheck([], key(3), undefined, 0);
    expect(advanceVerdictChecks(placeless, new Set(), 8, MINUTE)).toMatchObject([{ step: 1 }]);
    expect(advanceVerdictChecks(waiting, new Set([key(1)]), undefined, 3 * MINUTE)[0]).toMatchObject({
      step: 2,
      dueAt: 10 * MINUTE,
    });
  });

  it('are given up two hours after they were found', () => {
    expect(advanceVerdictChecks(waiting, new Set([key(1)]), undefined, 120 * MINUTE)).toEqual(
      waiting.slice(1),
    );
  });
});

describe('a project that is read again', () => {
  it('keeps lists and words that are missing now, and no more than these', () => {
    const now = { ...project, title: 'B', description: '', skills: [], categories: [], questions: [] };
    expect(mergeProject(project, now)).toEqual({ ...project, title: 'B' });
    const fuller = { ...project, description: 'New', skills: ['Vue'], categories: ['A'], questions: ['B'] };
    expect(mergeProject(project, fuller)).toEqual(fuller);
    expect(mergeProject(project, project).verdict).toBeUndefined();
  });

  it('has a verdict where one says something', () => {
    for (const verdict of [
      { reason: 'x', other: {} },
      { decision: 'y', other: {} },
      { decidedAt: 1 as never, other: {} },
    ])
      expect(hasVerdict({ verdict })).toBe(true);
    expect(hasVerdict({ verdict: { other: {} } })).toBe(false);
    expect(hasVerdict({})).toBe(false);
    const empty = { ...project, verdict: { other: {} } };
    expect(mergeProject(project, empty).verdict).toEqual({ other: {} });
  });

  it('has a verdict for each filter, and shows that of the first finder until another is asked for', () => {
    const verdict = (decision: string) => ({ decision, other: {} });
    const by = (decision: string) => ({ ...project, verdict: verdict(decision) });
    const [one, two, three] = [1, 2, 3].map((id) => FilterId.parse(id)) as [FilterId, FilterId, FilterId];
    const first = { project: by('qualified'), filters: [one] };
    const both = mergeFilterListing(first, two, by('disqualified'));
    expect(both.project.verdict).toEqual(verdict('qualified'));
    expect(withFilterVerdict(both, [two]).verdict).toEqual(verdict('disqualified'));
    expect(withFilterVerdict(both, [three, two]).verdict).toEqual(verdict('disqualified'));
    expect(withFilterVerdict(both, [three]).verdict).toEqual(verdict('qualified'));
    for (const [filter, decision] of [
      [one, 'qualified'],
      [two, 'disqualified'],
    ] as const)
      expect(mergeFilterListing(both, filter, by(decision))).toEqual(both);
    expect(mergeFilterListing(both, two, project)).toEqual(both);
    const late = mergeFilterListing({ project, filters: [one] }, two, by('disqualified'));
    expect(late).toEqual({
      project: by('disqualified'),
      filters: [one, two],
      verdicts: [{ filter: two, verdict: verdict('disqualified') }],
    });
    expect(mergeFilterListing(late, one, by('qualified')).project.verdict).toEqual(verdict('qualified'));
    expect(mergeFilterListing(first, one, by('disqualified'))).toEqual({
      project: by('disqualified'),
      filters: [one],
    });
  });

  it('shows a decided verdict before one that is pending, and has none where no filter has', () => {
    const by = (decision: string) => ({ ...project, verdict: { decision, other: {} } });
    const [one, two] = [filterId(1), filterId(2)];
    const pending = { project: by('pending'), filters: [one] };
    expect(mergeFilterListing(pending, two, by('qualified')).project).toEqual(by('qualified'));
    expect(withFilterVerdict(pending, [two]).verdict?.decision).toBe('pending');
    const none = { project, filters: [one] };
    expect(withFilterVerdict(none, [one])).toEqual(project);
    expect(mergeFilterListing(none, one, project)).toEqual(none);
    expect(mergeFilterListing(none, two, project)).toEqual({ project, filters: [one, two] });
  });

  it('is the same whatever the order of its fields, and where one is left out', () => {
    expect(isDeepEqual({ a: 1, b: [1, { c: 2 }] }, { b: [1, { c: 2 }], a: 1 })).toBe(true);
    expect(isDeepEqual({ a: 1, b: undefined }, { a: 1 })).toBe(true);
    expect(isDeepEqual({ a: 1 }, { a: 1, b: undefined })).toBe(true);
    for (const [one, other] of [
      [{ a: 1 }, { a: 2 }],
      [{ a: 1 }, { b: 1 }],
      [{ a: 1 }, { a: 1, b: 2 }],
      [{ a: 1, b: 2 }, { a: 1 }],
      [[1], { 0: 1 }],
      [{ a: undefined }, { b: 1 }],
      [{}, null],
      [null, {}],
      [{}, undefined],
      [undefined, {}],
      ['a', ['a']],
      [1, '1'],
    ])
      expect(isDeepEqual(one, other)).toBe(false);
  });
});

describe('a mute', () => {
  const mute = (kind: 'word' | 'country', value: string) => [{ kind, value, by: ann, at: 0 }];

  it('holds for whole words and side by side, and for a country by its names alone', () => {
    expect(isProjectMuted(project, mute('word', 'CASINO'))).toBe(true);
    expect(isProjectMuted(project, mute('word', 'casino in'))).toBe(true);
    expect(isProjectMuted(project, mute('word', 'germany'))).toBe(false);
    expect(isProjectMuted(project, mute('country', 'germany'))).toBe(true);
    expect(isProjectMuted(project, mute('country', 'react'))).toBe(false);
    expect(isProjectMuted(project, [...mute('word', 'vue'), ...mute('country', 'DE')])).toBe(true);
    expect(isProjectMuted(project, [])).toBe(false);
  });

  it('of nothing that could be looked for holds for nothing', () => {
    expect(isProjectMuted(project, mute('word', '\u0301'))).toBe(false);
    expect(isProjectMuted({ ...project, client: {} }, mute('country', ' '))).toBe(false);
  });
});

describe('a card', () => {
  const question = newCardOf(project);
  const one = [filterId(1)];

  it('of the very moment that a subscription starts at is not the past', () => {
    expect(decideCard({ ...question, publishedAt: 100 })).toEqual({
      state: 'posted',
      filters: one,
      past: false,
    });
  });

  it('that stands is told without a reason, one that is withheld with it', () => {
    const told = decideCard({ ...question, card: { state: 'posted', filters: one } });
    expect(told).toEqual({ state: 'posted', filters: one, past: false });
    const muted = { state: 'suppressed' as const, because: 'muted' as const, filters: one };
    expect(decideCard({ ...question, card: muted, changed: true })).toEqual({ ...muted, past: false });
    expect(decideCard({ ...question, card: { ...muted, because: 'no-match' } })).toMatchObject({
      because: 'no-match',
    });
    expect(decideCard({ ...question, card: muted, wantsPast: true })).toMatchObject({ because: 'muted' });
  });

  it('is withheld for the first thing that speaks against it, and is no past then', () => {
    const past = { ...question, publishedAt: 1 };
    expect(decideCard({ ...past, matches: false })).toEqual({
      state: 'suppressed',
      because: 'past',
      filters: one,
      past: false,
    });
    expect(decideCard({ ...past, wantsPast: true, matches: false })).toMatchObject({
      because: 'no-match',
      past: false,
    });
    expect(decideCard({ ...past, wantsPast: true, canPostNow: false })).toMatchObject({
      state: 'deferred',
      past: true,
    });
  });
});

describe('a mention', () => {
  const rule = (rules: string, users = [ann], groups: string[] = []) => ({ rules, users, groups }) as never;

  it('names each once whose rule holds, and nobody where none does', () => {
    expect(resolveMentions([rule('react'), rule('', [ann, bob])], project)).toEqual({
      users: [ann, bob],
      groups: [],
    });
    expect(resolveMentions([rule('vue')], project)).toBeUndefined();
    expect(resolveMentions([], project)).toBeUndefined();
    expect(resolveMentions([rule('react', [], ['S1', 'S1'])], project)).toEqual({
      users: [],
      groups: ['S1'],
    });
  });

  it('whose rules can not be read any more names nobody', () => {
    expect(resolveMentions([rule('colour:red'), rule('"react')], project)).toBeUndefined();
  });
});

describe('the learned rate', () => {
  it('weighs what was seen by how long it was watched', () => {
    expect(updateArrivalRate({ perSecond: 1, seconds: 100 }, 50, 100)).toEqual({
      perSecond: 0.75,
      seconds: 200,
    });
    expect(updateArrivalRate({ perSecond: 1, seconds: 100 }, 50, -5)).toEqual({
      perSecond: 1.5,
      seconds: 100,
    });
    expect(updateArrivalRate({ perSecond: 0, seconds: 21_600 }, 0, 500).seconds).toBe(21_600);
  });
});

describe('which filter is read next', () => {
  const now = 10_000_000;
  const filter = (id: number, rate: number, ago: number, more: object = {}) => ({
    filter: filterId(id),
    rate,
    lastTopAt: now - ago * SECOND,
    ...more,
  });
  const chosen = (...candidates: Parameters<typeof choosePoll>[0][]) =>
    choosePoll(candidates.flat() as never, now).choice;

  it('is the first of two that are alike', () => {
    expect(chosen([filter(1, 1, 60), filter(2, 1, 60)])?.filter).toBe(1);
  });

  it('is the longest overdue of two that are', () => {
    expect(chosen([filter(1, 9, 30 * 60), filter(2, 0, 31 * 60)])?.filter).toBe(2);
  });

  it('counts older projects by how long they wait, five for a second', () => {
    const older = (seconds: number) => [
      filter(1, 0.05, 20),
      filter(2, 0, 9, { olderSince: now - seconds * SECOND }),
    ];
    expect(chosen(older(3))?.filter).toBe(1);
    expect(chosen(older(5))).toEqual({ filter: 2, work: 'older' });
    // Even the shortest wait counts as a second.
    expect(chosen([filter(1, 0.04, 10), filter(2, 0, 9, { olderSince: now })])?.filter).toBe(2);
  });

  it('counts verdicts by how long they are due, a quarter for a second', () => {
    const due = (seconds: number) => [
      filter(1, 0.1, 10),
      filter(2, 0, 10, { verdictsDueAt: now - seconds * SECOND }),
    ];
    expect(chosen(due(30))?.filter).toBe(1);
    expect(chosen(due(50))).toEqual({ filter: 2, work: 'verdicts' });
    const soon = filter(2, 0, 9, { verdictsDueAt: now + 500 });
    expect(choosePoll([soon], now)).toEqual({ lookAgainAt: now + 1_000 });
  });

  it('is one whose last read a wrong clock dated in the future', () => {
    expect(chosen([filter(1, 0, -60), filter(2, 9, 30 * 60)])?.filter).toBe(1);
  });

  it('is none for 10 seconds after its last read', () => {
    expect(choosePoll([filter(1, 1, 0)], now)).toEqual({ lookAgainAt: now + 10_000 });
    const unread = { filter: filterId(1), rate: 1, verdictsDueAt: now + 5_000 };
    expect(choosePoll([unread], now)).toEqual({
      choice: { filter: 1, work: 'top' },
      lookAgainAt: now + 5_000,
    });
  });

  it('reads older projects on at once, if they are worth at least as much as the newest', () => {
    const unread = (rate: number) => filter(1, rate, 5, { olderSince: now - SECOND });
    expect(chosen([unread(0.2)])).toEqual({ filter: 1, work: 'older' });
    expect(chosen([unread(0.21)])).toBeUndefined();
  });

  it('is none before its trouble is over, and then is looked at', () => {
    const held = filter(1, 1, 60, { notBefore: now + 5_000, olderSince: 1 });
    expect(choosePoll([held], now)).toEqual({ lookAgainAt: now + 5_000 });
    expect(chosen([filter(1, 1, 60, { notBefore: now })])?.filter).toBe(1);
  });
});
