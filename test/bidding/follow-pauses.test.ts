import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  decideFirstStatusCheck,
  decideNextStatusCheck,
  MAX_JOB_CHECK_DELAY_MS,
} from '../../src/bidding/decide-job.ts';
import type { Job } from '../../src/bidding/records.ts';
import { DAY, HOUR, type Instant, MINUTE, SECOND } from '../../src/clock.ts';
import { plainJob, START } from './plain-records.ts';

const even = () => 0.5;

/** Pause before each of the first readings, and the event that ends it. */
function readings(change: Partial<Job>, most: number, random = even, begun: Instant = START) {
  const job = plainJob(5, change);
  let follow: Job['follow'] = decideFirstStatusCheck(job.scheduledAt, begun);
  let at = begun;
  const pauses: number[] = [];
  while (follow.state === 'following' && pauses.length < most) {
    pauses.push(follow.dueAt - at);
    at = follow.dueAt;
    follow = decideNextStatusCheck(follow, job, at, random);
  }
  return { pauses, follow, at };
}

const iso = (at: Instant) => new Date(at).toISOString();
const GROWING = [15, 30, 60, 120, 300, 600, 1200, 1800, 1800, 1800].map((seconds) => seconds * SECOND);

describe('a job without an end', () => {
  it('is read at growing pauses, up to every 30 minutes', () => {
    expect(readings({}, 10).pauses).toEqual(GROWING);
  });

  it('is read no earlier and no later than a tenth beside them', () => {
    const shortest = readings({}, 10, () => 0).pauses;
    const longest = readings({}, 10, () => 0.999_999).pauses;
    // The first one is set when the job is stored, without jitter.
    expect(shortest.slice(1)).toEqual(GROWING.slice(1).map((ms) => ms * 0.9));
    for (const [place, ms] of longest.slice(1).entries()) {
      expect(ms / (GROWING[place + 1] ?? 0)).toBeCloseTo(1.1, 4);
    }
  });

  it('is left after 48 hours', () => {
    const { follow, at } = readings({}, 1_000);
    expect(follow).toEqual({ state: 'left', at: START + 48 * HOUR });
    expect(at).toBe(START + 48 * HOUR);
  });

  it.each(['nonsense', '', '2026-13-45', 'tomorrow'])(
    'scheduled for “%s” counts as having no date',
    (scheduledAt) => {
      expect(readings({ scheduledAt }, 10).pauses).toEqual(GROWING);
    },
  );
});

describe('a job that waits for its date', () => {
  it.each(['2026-01-05T12:00:00Z', '2026-01-05 12:00:00', '2026-01-05T13:00:00+01:00'])(
    'is read soon after it was made, and then shortly after %s, at growing pauses from the first',
    (scheduledAt) => {
      const { pauses } = readings({ scheduledAt }, 5);
      const first = 2 * MINUTE + 15 * SECOND;
      expect(pauses).toEqual([first, 3 * HOUR - first + 15 * SECOND, 30 * SECOND, MINUTE, 2 * MINUTE]);
    },
  );

  it('is looked at every six hours while the date is far', () => {
    const { pauses } = readings({ scheduledAt: iso(START + 20 * HOUR) }, 6);
    expect(pauses.slice(1, 4)).toEqual([6 * HOUR, 6 * HOUR, 6 * HOUR]);
    expect(pauses.slice(0, 5).reduce((sum, ms) => sum + ms, 0)).toBe(20 * HOUR + 15 * SECOND);
  });

  it('is left 48 hours after its date', () => {
    const scheduled = START + 10 * DAY;
    const { follow } = readings({ scheduledAt: iso(scheduled) }, 1_000);
    expect(follow).toEqual({ state: 'left', at: scheduled + 48 * HOUR });
  });

  it('is read at the growing pauses while it waits for review, since it may be approved elsewhere', () => {
    const pending = { status: 'Pending-Review', scheduledAt: iso(START + 3 * HOUR) };
    const { pauses, follow } = readings(pending, 1_000);
    expect(pauses.slice(1, 8)).toEqual(GROWING.slice(1, 8));
    expect(follow).toEqual({ state: 'left', at: START + 51 * HOUR });
  });
});

describe('a job that has come to its end', () => {
  it.each<Partial<Job>>([
    { processedAt: '2026-01-05 10:00:00' },
    { errorMessage: 'No connects' },
    { status: 'Skipped' },
  ])('%o is followed no further', (change) => {
    expect(readings(change, 10)).toMatchObject({ pauses: [15 * SECOND], follow: { state: 'settled' } });
  });

  it('with an application uid is followed until the proposal is read, for 24 hours', () => {
    const sent = { applicationUid: '9', processedAt: 'x' };
    const { pauses, follow } = readings(sent, 1_000);
    expect(pauses.slice(0, 10)).toEqual(GROWING);
    expect(follow).toEqual({ state: 'settled', at: START + 24 * HOUR });
    const outcomes = {
      viewed: false,
      interviewed: false,
      hired: false,
      withdrawn: false,
      boostOutbid: false,
    };
    expect(readings({ ...sent, proposal: { id: 1, ...outcomes } }, 10).follow.state).toBe('settled');
  });

  it.each(['settled', 'left', 'gone'] as const)('that is %s stays so', (state) => {
    expect(decideNextStatusCheck({ state, at: START }, plainJob(5), START + HOUR, even)).toEqual({
      state,
      at: START,
    });
  });
});

it('no reading is due at once again, farther off than any pause, or after the end', () => {
  const status = fc.constantFrom('scheduled', 'pending review', 'odd');
  const offset = fc.integer({ min: -40 * DAY, max: 40 * DAY });
  fc.assert(
    fc.property(
      status,
      fc.option(offset),
      fc.integer({ min: -1, max: 40 }),
      fc.nat(60 * HOUR),
      fc.double({ min: 0, max: 0.999, noNaN: true }),
      (state, ahead, step, age, drawn) => {
        const at = START + age;
        const job = plainJob(5, {
          status: state,
          ...(ahead === null ? {} : { scheduledAt: iso(START + ahead) }),
        });
        const next = decideNextStatusCheck(
          { state: 'following', since: START, step, dueAt: at },
          job,
          at,
          () => drawn,
        );
        const end = Math.max(START, START + (ahead ?? 0)) + 48 * HOUR;
        if (next.state !== 'following') {
          expect(at).toBeGreaterThanOrEqual(end);
          return;
        }
        expect(next.dueAt).toBeGreaterThan(at);
        expect(next.dueAt - at >= 13.5 * SECOND || next.dueAt === end).toBe(true);
        expect(next.dueAt - at).toBeLessThanOrEqual(MAX_JOB_CHECK_DELAY_MS);
        expect(next.dueAt).toBeLessThanOrEqual(end);
      },
    ),
  );
});
