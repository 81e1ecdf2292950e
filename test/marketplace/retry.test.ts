/** Whether and when a request is retried. */
import { describe, expect, it } from 'vitest';
import { DAY, MINUTE, SECOND } from '../../src/clock.ts';
import { MarketplaceError, type MarketplaceErrorCode } from '../../src/marketplace/errors.ts';
import { LANES } from '../../src/marketplace/gate/gate.ts';
import {
  decideRetryDelay,
  getLaneDeadlineMs,
  getLaneGateWaitLimitMs,
  isRetriedLane,
  parseRetryAfter,
  type RetryState,
} from '../../src/marketplace/retry.ts';

const NOW = Date.UTC(2026, 10, 20, 12);
const first: RetryState = { once: false, failures: 1, refusals: 0, elapsedMs: 0, leftMs: undefined };

function pause(
  code: MarketplaceErrorCode,
  tries: Partial<RetryState> = {},
  retryAfterMs?: number,
  random = 0.5,
) {
  const details = retryAfterMs === undefined ? {} : { retryAfterMs };
  const error = new MarketplaceError(code, 'none', 'no', details);
  return decideRetryDelay(error, { ...first, ...tries }, () => random);
}

describe('a request may take', () => {
  it('twenty seconds while a person waits, two minutes for a bid, and as long as it takes for nobody', () => {
    expect(getLaneDeadlineMs('person')).toBe(20 * SECOND);
    expect(getLaneDeadlineMs('bid')).toBe(2 * MINUTE);
    for (const lane of ['feed', 'tracking', 'sync', 'unfurl'] as const)
      expect(getLaneDeadlineMs(lane)).toBeUndefined();
    expect(LANES.filter((lane) => getLaneGateWaitLimitMs(lane) !== undefined)).toEqual(['unfurl']);
    expect(LANES.filter((lane) => !isRetriedLane(lane))).toEqual(['unfurl']);
  });
});

describe('a request that failed', () => {
  it.each(['network', 'timeout', 'server'] as const)(
    'passingly (%s) is tried twice more, later each time',
    (code) => {
      expect(pause(code)).toBe(500);
      expect(pause(code, { failures: 2 })).toBe(1_000);
      expect(pause(code, { failures: 3 })).toBeUndefined();
      expect([pause(code, {}, undefined, 0), pause(code, {}, undefined, 1)]).toEqual([250, 750]);
    },
  );

  it('for good is not tried again, nor one that must not take effect twice', () => {
    for (const code of ['unreadable', 'forbidden', 'bad-request', 'not-found'] as const)
      expect(pause(code)).toBeUndefined();
    expect(pause('server', { once: true })).toBeUndefined();
  });

  it('is not tried where the pause would take the time that is left', () => {
    expect(pause('server', { leftMs: 501 })).toBe(500);
    expect(pause('server', { leftMs: 500 })).toBeUndefined();
    expect(pause('server', { elapsedMs: 10 * MINUTE - 501 })).toBe(500);
    expect(pause('server', { elapsedMs: 10 * MINUTE - 500 })).toBeUndefined();
    expect(pause('server', { elapsedMs: 10 * MINUTE - 500, leftMs: MINUTE })).toBeUndefined();
  });
});

describe('a request that was refused for its rate', () => {
  it('goes to the gate again at once, also one that must not take effect twice, ten times', () => {
    expect(pause('rate-limited', { refusals: 10, failures: 5, once: true })).toBe(0);
    expect(pause('rate-limited', { refusals: 11 })).toBeUndefined();
  });

  it('is given up where it would have to wait longer than it has time', () => {
    expect(pause('rate-limited', { leftMs: 5_001 }, 5_000)).toBe(0);
    expect(pause('rate-limited', { leftMs: 5_000 }, 5_000)).toBeUndefined();
    expect(pause('rate-limited', { leftMs: 0 })).toBeUndefined();
  });
});

describe('Retry-After', () => {
  const date = (ms: number) => new Date(NOW + ms).toUTCString();

  it.each([
    ['0', undefined, 0],
    ['7', undefined, 7_000],
    ['86400', undefined, DAY],
    ['86401', undefined, undefined],
    ['999999999', undefined, undefined],
    ['9999999999', undefined, undefined],
    ['-1', undefined, undefined],
    ['1.5', undefined, undefined],
    ['x7', undefined, undefined],
    ['7x', undefined, undefined],
    ['', undefined, undefined],
    [7, undefined, undefined],
    [undefined, undefined, undefined],
    [date(30_000), undefined, 30_000],
    [date(-30_000), undefined, 0],
    [date(30_000), date(-10_000), 40_000],
    [date(30_000), 'yesterday', 30_000],
    [date(30_000), 5, 30_000],
    [date(2 * DAY), undefined, undefined],
    ['2026-11-20T12:00:30Z', undefined, undefined],
    [`x${date(30_000)}`, undefined, undefined],
    [`${date(30_000)}x`, undefined, undefined],
    ['Fri, 32 Nov 2026 12:00:30 GMT', undefined, undefined],
  ])('%s, sent %s, is a wait of %s ms', (value, sent, waitMs) => {
    expect(parseRetryAfter(value, sent, NOW)).toBe(waitMs);
  });
});
