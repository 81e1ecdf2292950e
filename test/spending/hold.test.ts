/** What presses and time change in a request that waits, and that nothing is sent without what it needs. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HOUR, MINUTE, SECOND } from '../../src/clock.ts';
import { UserId } from '../../src/ids.ts';
import {
  beginHold,
  countApprovals,
  decideRelease,
  findApprovalDeadline,
  findHoldEnd,
  findHoldMoment,
  giveApproval,
  isApproved,
  MOST_LATE_MS,
  type SpendingHold,
} from '../../src/spending/hold.ts';

const user = (name: string) => UserId.parse(`U${name}`);
const [ann, bob, cem, dan] = ['ANN', 'BOB', 'CEM', 'DAN'].map(user) as [UserId, UserId, UserId, UserId];
const everyone = new Set([ann, bob, cem, dan]);
const reasons = ['amount'] as const;
const need = (needed: number, not: readonly UserId[] = []) => ({ needed, reasons, not });

function begin(needed: number | undefined, seconds = 30): SpendingHold {
  const hold = beginHold({
    at: 0,
    seconds,
    shown: 'a',
    hours: 4,
    need: needed === undefined ? undefined : need(needed),
  });
  return hold ?? expect.fail('it would be sent at once');
}

const give = (hold: SpendingHold, by: UserId, at = SECOND, shown = 'a', now = shown) =>
  giveApproval(hold, { by, sender: ann, at, shown, now, hours: 4 });

const release = (hold: SpendingHold, more: Partial<Parameters<typeof decideRelease>[1]> = {}) =>
  decideRelease(hold, { at: MINUTE, now: 'a', allowed: everyone, sender: ann, hours: 4, ...more });

describe('a request', () => {
  it('is sent at once without a window and without a second approval', () => {
    expect(beginHold({ at: 0, seconds: 0, shown: 'a', hours: 4 })).toBeUndefined();
  });

  it('waits for its window, then is sent; later than a while after, never', () => {
    const hold = begin(undefined);
    expect(findHoldMoment(hold)).toBe(30 * SECOND);
    expect(release(hold, { at: 29 * SECOND }).kind).toBe('wait');
    expect(release(hold, { at: 30 * SECOND }).kind).toBe('send');
    expect(release(hold, { at: 30 * SECOND + MOST_LATE_MS }).kind).toBe('send');
    expect(release(hold, { at: 30 * SECOND + MOST_LATE_MS + 1 })).toEqual({ kind: 'end', as: 'late' });
  });

  it('is not sent if the person may not bid any more, if it changed, or while nobody can say', () => {
    const hold = begin(undefined);
    expect(release(hold, { allowed: new Set([bob]) })).toEqual({ kind: 'end', as: 'not-allowed' });
    expect(release(hold, { now: 'b' })).toEqual({ kind: 'end', as: 'changed' });
    expect(release(hold, { allowed: undefined }).kind).toBe('wait');
  });

  it('asks for approvals that stricter rules need by now', () => {
    const asked = release(begin(undefined), { need: need(2) });
    if (asked.kind !== 'ask') return expect.fail('nobody is asked');
    expect(asked.hold.second).toMatchObject({ needed: 2, given: [], round: 1 });
    expect(asked.hold.dueAt).toBeUndefined();
  });

  it('waits while approvals are missing, and asks nobody anew', () => {
    expect(release(begin(1))).toEqual({ kind: 'wait' });
  });
});

describe('a second approval', () => {
  it('counts once for each person, never for the sender and those who are excluded', () => {
    const hold = beginHold({ at: 0, seconds: 0, shown: 'a', hours: 4, need: need(2, [dan]) });
    if (!hold) return expect.fail('it does not wait');
    expect(give(hold, ann).kind).toBe('own');
    expect(give(hold, dan).kind).toBe('own');
    const first = give(hold, bob);
    if (first.kind !== 'counted') return expect.fail('it was not counted');
    expect(give(first.hold, bob).kind).toBe('repeated');
    expect(first.hold.dueAt).toBeUndefined();
    const last = give(first.hold, cem, 5 * SECOND);
    if (last.kind !== 'counted') return expect.fail('it was not counted');
    expect(last.hold.dueAt).toBe(5 * SECOND);
    expect(give(last.hold, user('EVE')).kind).toBe('taken');
  });

  it('is of what was shown; a change makes the earlier ones void', () => {
    const one = give(begin(2), bob);
    if (one.kind !== 'counted') return expect.fail('it was not counted');
    expect(give(one.hold, cem, SECOND, 'old', 'a')).toEqual({ kind: 'changed' });
    const stale = give(one.hold, cem, SECOND, 'a', 'b');
    if (stale.kind !== 'changed' || !stale.hold) return expect.fail('it is not void');
    expect(countApprovals(stale.hold)).toBe(0);
    expect(stale.hold.second?.round).toBe(2);
    const fresh = give(one.hold, cem, SECOND, 'b', 'b');
    if (fresh.kind !== 'counted') return expect.fail('it was not counted');
    expect(fresh.hold.second?.given.map(({ by }) => by)).toEqual([cem]);
  });

  it('does not count without the role at the moment of sending', () => {
    const given = give(begin(1, 0), bob);
    if (given.kind !== 'counted') return expect.fail('it was not counted');
    const asked = release(given.hold, { allowed: new Set([ann]) });
    if (asked.kind !== 'ask') return expect.fail('it is sent');
    expect(countApprovals(asked.hold)).toBe(0);
    expect(asked.hold.dueAt).toBeUndefined();
  });

  it('expires: silence means no', () => {
    const hold = begin(1);
    expect(findHoldEnd(hold, undefined, 4 * HOUR - 1)).toBeUndefined();
    expect(findHoldEnd(hold, undefined, 4 * HOUR)).toBe('expired');
    expect(release(hold, { at: 4 * HOUR })).toEqual({ kind: 'end', as: 'expired' });
  });
});

describe('a bid with a time of its own', () => {
  const sendAt = 10 * MINUTE;

  it('must be approved so early that the window ends before it', () => {
    const hold = begin(1, 60);
    expect(findApprovalDeadline(hold, sendAt)).toBe(9 * MINUTE);
    expect(findApprovalDeadline(hold, 5 * HOUR)).toBe(4 * HOUR);
    expect(findHoldEnd(hold, sendAt, 9 * MINUTE - 1)).toBeUndefined();
    expect(release(hold, { at: 9 * MINUTE, sendAt })).toEqual({ kind: 'end', as: 'time-passed' });
    const second = hold.second && { ...hold.second, posted: { at: 0, users: [], groups: [], direct: [] } };
    expect(findHoldMoment({ ...hold, ...(second ? { second } : {}) }, sendAt)).toBe(9 * MINUTE);
  });

  it('is sent before it, and never at it or later', () => {
    const given = give(begin(1, 60), bob, 8 * MINUTE);
    if (given.kind !== 'counted') return expect.fail('it was not counted');
    expect(release(given.hold, { at: 9 * MINUTE, sendAt }).kind).toBe('send');
    expect(release(given.hold, { at: sendAt - 1, sendAt }).kind).toBe('send');
    expect(release(given.hold, { at: sendAt, sendAt })).toEqual({ kind: 'end', as: 'time-passed' });
    expect(release(given.hold, { at: sendAt, sendAt, allowed: undefined }).kind).toBe('end');
  });
});

/** What people do with one request, and what they approved. */
class Play {
  hold: SpendingHold;
  isOver = false;
  #at = 0;
  #now = 'a';
  /** By person: what they approved last. */
  readonly #approved = new Map<UserId, string>();
  readonly #needed: number;

  constructor(needed: number) {
    this.#needed = needed;
    this.hold = begin(needed);
  }

  pass(ms: number): void {
    this.#at += ms;
  }

  change(now: string): void {
    this.#now = now;
  }

  give(by: UserId, shown: string): void {
    const given = giveApproval(this.hold, { by, sender: ann, at: this.#at, shown, now: this.#now, hours: 4 });
    if ('hold' in given && given.hold) this.hold = given.hold;
    if (given.kind !== 'counted') return;
    expect(shown).toBe(this.#now);
    this.#approved.set(by, this.#now);
  }

  release(allowed: ReadonlySet<UserId>): void {
    const [at, now] = [this.#at, this.#now];
    const decision = decideRelease(this.hold, { at, now, allowed, sender: ann, hours: 4 });
    if (decision.kind === 'ask') this.hold = decision.hold;
    this.isOver = decision.kind === 'end' || decision.kind === 'send';
    if (decision.kind !== 'send') return;
    const valid = [...this.#approved].filter(([by, what]) => by !== ann && allowed.has(by) && what === now);
    expect(valid.length).toBeGreaterThanOrEqual(this.#needed);
    expect(isApproved(this.hold)).toBe(true);
    expect(allowed.has(ann)).toBe(true);
    expect(at).toBeGreaterThanOrEqual(this.hold.dueAt ?? Number.POSITIVE_INFINITY);
  }
}

type Step = (play: Play) => void;
const people = fc.constantFrom(ann, bob, cem, dan);
const facts = fc.constantFrom('a', 'b');
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.tuple(people, facts).map(
      ([by, shown]) =>
        (play: Play) =>
          play.give(by, shown),
    ),
  },
  {
    weight: 3,
    arbitrary: fc
      .uniqueArray(people, { minLength: 2 })
      .map((allowed) => (play: Play) => play.release(new Set(allowed))),
  },
  fc.constantFrom(SECOND, 30 * SECOND, HOUR).map((ms) => (play: Play) => play.pass(ms)),
  facts.map((now) => (play: Play) => play.change(now)),
);

describe('whatever people press, whenever', () => {
  it('nothing is sent before enough other people with the role approved what is sent', () => {
    let sent = 0;
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), fc.integer({ min: 1, max: 3 }), (steps, needed) => {
        const play = new Play(needed);
        for (const each of steps) if (!play.isOver) each(play);
        if (play.isOver && isApproved(play.hold)) sent++;
      }),
      { numRuns: 500 },
    );
    expect(sent, 'some are sent').toBeGreaterThan(0);
  });
});
