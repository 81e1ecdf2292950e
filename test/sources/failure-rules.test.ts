import { describe, expect, it } from 'vitest';
import { backoffMs } from '../../src/base/backoff.ts';
import { HOUR, MINUTE, SECOND } from '../../src/clock.ts';
import {
  escalateFailure,
  failureNoticeKey,
  getFailureRule,
  getProfileConcern,
  getRetryTime,
  SourceFailure,
  shouldNotifyFailure,
} from '../../src/sources/failure-rules.ts';

describe('trouble', () => {
  it.each([
    ['server', 'either', true, 10 * SECOND],
    ['timeout', 'either', true, 10 * SECOND],
    ['unreadable', 'either', true, 10 * SECOND],
    ['network', 'account', true, 10 * SECOND],
    ['gate-timeout', 'account', true, 10 * SECOND],
    ['rate-limited', 'account', true, 10 * SECOND],
    ['credits-depleted', 'account', true, 10 * SECOND],
    ['unauthorised', 'account', false, 2 * MINUTE],
    ['forbidden', 'account', false, 2 * MINUTE],
    ['subscription-inactive', 'account', false, 5 * MINUTE],
    ['not-connected', 'account', false, MINUTE],
    ['not-found', 'source', false, HOUR],
    ['bad-request', 'source', false, 2 * MINUTE],
    ['anything else', 'either', true, 10 * SECOND],
    ['constructor', 'either', true, 10 * SECOND],
  ] as const)('%s concerns the %s', (code, concern, transient, firstPauseMs) => {
    expect(getFailureRule(code)).toMatchObject({ concern, transient, firstPauseMs });
  });

  it('that lasts by its nature waits on at one pace; a bad request up to an hour', () => {
    const pauseAfter = (code: 'forbidden' | 'bad-request', failures: number) => {
      let trouble = escalateFailure(undefined, code, 0);
      for (let each = 1; each < failures; each++) trouble = escalateFailure(trouble, code, trouble.retryAt);
      return escalateFailure(trouble, code, trouble.retryAt).retryAt - trouble.retryAt;
    };
    expect(pauseAfter('forbidden', 5)).toBe(2 * MINUTE);
    expect(pauseAfter('bad-request', 1)).toBe(4 * MINUTE);
    expect(pauseAfter('bad-request', 20)).toBe(HOUR);
  });

  it('waits at least as long as the marketplace says', () => {
    expect(escalateFailure(undefined, 'rate-limited', 5, 30_000).retryAt).toBe(30_005);
    expect(escalateFailure(undefined, 'rate-limited', 5, 1_000).retryAt).toBe(10_005);
  });

  it('of several polls that fail together waits for the longest of them', () => {
    const first = escalateFailure(undefined, 'rate-limited', 0, 60_000);
    expect(escalateFailure(first, 'rate-limited', 1_000)).toMatchObject({ retryAt: 60_000, failures: 1 });
    expect(escalateFailure(first, 'server', 1_000)).toMatchObject({
      retryAt: 21_000,
      failures: 2,
      since: 0,
    });
    expect(escalateFailure(first, 'rate-limited', 60_000)).toMatchObject({ failures: 2 });
  });

  it('that was told stays told, and another kind begins anew', () => {
    const told = { ...escalateFailure(undefined, 'server', 0), told: ['C1' as never] };
    expect(escalateFailure(told, 'timeout', 60_000)).toMatchObject({ told: ['C1'], since: 0 });
    expect(escalateFailure(undefined, 'server', 0).told).toBeUndefined();
    expect(escalateFailure(told, 'forbidden', 60_000)).toMatchObject({ since: 60_000, failures: 1 });
  });

  it('since a time to come is tried at once: the clock was wrong then', () => {
    const trouble = escalateFailure(undefined, 'server', 1_000);
    expect(getRetryTime(trouble, 999)).toBe(999);
    expect(getRetryTime(trouble, 1_000)).toBe(11_000);
    expect(shouldNotifyFailure(trouble, 1_000)).toBe(false);
    expect(shouldNotifyFailure(trouble, 1_000 + 3 * MINUTE)).toBe(false);
    expect(shouldNotifyFailure(trouble, 1_001 + 3 * MINUTE)).toBe(true);
  });

  it('is read back as it was stored, and not without its parts', () => {
    const trouble = { ...escalateFailure(undefined, 'server', 0), told: ['C1' as never] };
    expect(SourceFailure.parse(trouble)).toEqual(trouble);
    for (const part of ['code', 'since', 'failures', 'retryAt'])
      expect(SourceFailure.safeParse({ ...trouble, [part]: undefined }).success, part).toBe(false);
  });

  it('is one matter while it only passes from one code to another', () => {
    const matter = (code: 'server' | 'network' | 'forbidden') =>
      failureNoticeKey(escalateFailure(undefined, code, 7), '3');
    expect(matter('server')).toBe('feed-failing:3:unreachable:7');
    expect(matter('network')).toBe(matter('server'));
    expect(matter('forbidden')).toBe('feed-failing:3:forbidden:7');
  });

  it('waits longer and longer, up to two minutes; polls that fail together count once', () => {
    let trouble = escalateFailure(undefined, 'server', 0);
    expect(trouble.retryAt).toBe(10_000);
    expect(escalateFailure(trouble, 'server', 10).failures).toBe(1);
    const pauses: number[] = [];
    for (let each = 0; each < 6; each++) {
      const at = trouble.retryAt;
      trouble = escalateFailure(trouble, 'server', at);
      pauses.push((trouble.retryAt - at) / 1_000);
    }
    expect(pauses).toEqual([20, 40, 80, 120, 120, 120]);
    expect(trouble.since).toBe(0);
  });

  it('is told at once when it lasts by its nature, else after three minutes', () => {
    const passing = escalateFailure(undefined, 'network', 0);
    expect(shouldNotifyFailure(passing, 180_000)).toBe(false);
    expect(shouldNotifyFailure(passing, 180_001)).toBe(true);
    const lasting = escalateFailure(passing, 'unauthorised', 60_000);
    expect(lasting).toMatchObject({ since: 60_000, failures: 1, retryAt: 180_000 });
    expect(shouldNotifyFailure(lasting, 60_000)).toBe(true);
  });

  it('of a profile is its own if the profile is no longer connected', () => {
    const shared = ['unauthorised', 'subscription-inactive', 'rate-limited', 'network'];
    expect(shared.map(getProfileConcern)).toEqual(['account', 'account', 'account', 'account']);
    expect(['not-found', 'forbidden', 'server', 'bad-request'].map(getProfileConcern)).toEqual([
      'source',
      'source',
      'either',
      'source',
    ]);
  });
});

it('a pause doubles up to the longest, however many failures there are', () => {
  expect([0, 1, 2, 3, 4, 5_000].map((failures) => backoffMs(failures, 3, 20))).toEqual([3, 3, 6, 12, 20, 20]);
});
