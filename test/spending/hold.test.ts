/** What presses and time change in a request that waits, and that nothing is sent without what it needs. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HOUR, MINUTE, SECOND } from '../../src/clock.ts';
import { UserId } from '../../src/ids.ts';
import {
  beginHold,
  canStillApprove,
  countApprovals,
  decideRelease,
  findApprovalDeadline,
  findHoldEnd,
  findHoldMoment,
  findMissingApprovals,
  giveApproval,
  isApproved,
  isTooSoon,
  MOST_LATE_MS,
  type SecondNeed,
  type SpendingHold,
} from '../../src/spending/hold.ts';

const user = (name: string) => UserId.parse(`U${name}`);
const [ann, bob, cem, dan] = ['ANN', 'BOB', 'CEM', 'DAN'].map(user) as [UserId, UserId, UserId, UserId];
const everyone = new Set([ann, bob, cem, dan]);
const need = (needed: number, not: readonly UserId[] = []): SecondNeed => ({
  needed,
  reasons: ['amount'],
  not,
});

/** Ann's request at 0. @param needed approvals; undefined: no rule asks for one */
function begin(
  needed: number | undefined,
  { seconds = 30, hours = 4, not = [] as readonly UserId[] } = {},
): SpendingHold {
  const asked = needed === undefined ? undefined : need(needed, not);
  const hold = beginHold({ at: 0, seconds, shown: 'a', hours, need: asked });
  return hold ?? expect.fail('it would be sent at once');
}

const give = (hold: SpendingHold, by: UserId, at = SECOND, shown = 'a', now = shown) =>
  giveApproval(hold, { by, sender: ann, at, shown, now, hours: 4 });

/** With the person's approval, which has to count. */
function approve(hold: SpendingHold, by: UserId, at = SECOND, shown = 'a'): SpendingHold {
  const given = give(hold, by, at, shown);
  return given.kind === 'counted' ? given.hold : expect.fail(`it was not counted: ${given.kind}`);
}

/** Once people have been notified. */
const post = ({ second, ...hold }: SpendingHold): SpendingHold => ({
  ...hold,
  ...(second ? { second: { ...second, posted: { at: 0, users: [], groups: [], direct: [] } } } : {}),
});

const end = (hold: SpendingHold): SpendingHold => ({ ...hold, ended: { kind: 'canceled', at: 0 } });

const release = (hold: SpendingHold, more: Partial<Parameters<typeof decideRelease>[1]> = {}) =>
  decideRelease(hold, { at: MINUTE, now: 'a', allowed: everyone, sender: ann, hours: 4, ...more });

/** The request as people are asked about it again, instead of being sent. */
function askAgain(...released: Parameters<typeof release>): SpendingHold {
  const asked = release(...released);
  return asked.kind === 'ask' ? asked.hold : expect.fail(`nobody is asked: ${asked.kind}`);
}

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
    const asked = askAgain(begin(undefined), { need: need(2, [dan]) });
    expect(asked.second).toMatchObject({ needed: 2, given: [], round: 1, reasons: ['amount'], not: [dan] });
    expect(asked.dueAt).toBeUndefined();
  });

  it('needs the strictest of the rules when it began and of those when it is sent', () => {
    const hold = approve(begin(1, { not: [dan] }), bob);
    const today: SecondNeed = { needed: 2, reasons: ['amount', 'connects'], not: [dan, cem] };
    expect(askAgain(hold, { need: today }).second).toEqual({
      needed: 2,
      reasons: ['amount', 'connects'],
      not: [dan, cem],
      given: [{ by: bob, at: SECOND }],
      round: 2,
      expiresAt: MINUTE + 4 * HOUR,
    });
    expect(askAgain(hold, { need: need(1, [bob]) }).second).toMatchObject({ given: [], not: [dan, bob] });
    expect(release(hold, { need: need(1, [cem]) }).kind).toBe('send');
    const two = approve(approve(begin(2), bob), cem);
    const withoutCem = askAgain(two, { need: need(1), allowed: new Set([ann, bob]) });
    expect(withoutCem.second).toMatchObject({ needed: 2, given: [{ by: bob }] });
  });

  it('waits while approvals are missing, and asks nobody anew', () => {
    expect(release(begin(1))).toEqual({ kind: 'wait' });
  });

  it('is over once it has ended: no approval counts, and nothing is sent or ends again', () => {
    for (const hold of [end(begin(1)), end(approve(begin(1), bob)), end(begin(undefined))]) {
      expect(give(hold, cem)).toEqual({ kind: 'taken' });
      for (const at of [MINUTE, 5 * HOUR]) {
        expect(release(hold, { at })).toEqual({ kind: 'wait' });
        expect(findHoldEnd(hold, MINUTE, at)).toBeUndefined();
      }
    }
  });
});

describe('a second approval', () => {
  it.each([
    ['another person', true, bob],
    ['the sender', false, ann],
    ['someone who is excluded', false, dan],
    ['someone who has approved it', false, cem],
  ])('of %s counts: %s', (_who, counts, by) => {
    const hold = approve(approve(begin(3, { not: [dan] }), cem), user('EVE'));
    expect(canStillApprove(hold, ann, by)).toBe(counts);
    expect(give(hold, by).kind === 'counted').toBe(counts);
  });

  it('says why it does not count', () => {
    const hold = approve(begin(2, { not: [dan] }), cem);
    expect([ann, dan, cem].map((by) => give(hold, by).kind)).toEqual(['own', 'own', 'repeated']);
    expect(give(approve(hold, bob), user('EVE')).kind).toBe('taken');
    expect(give(begin(undefined), bob).kind).toBe('taken');
  });

  it('is missing until enough have approved; with the last one, the window begins', () => {
    const none = begin(2);
    const one = approve(none, bob);
    const all = approve(one, cem, 5 * SECOND);
    expect(findMissingApprovals(none)).toMatchObject({ needed: 2, reasons: ['amount'], given: [], round: 1 });
    expect([one, all].map(countApprovals)).toEqual([1, 2]);
    expect([one, all].map(({ dueAt }) => dueAt)).toEqual([undefined, 35 * SECOND]);
    for (const hold of [all, begin(undefined)]) {
      expect(findMissingApprovals(hold)).toBeUndefined();
      expect(canStillApprove(hold, ann, dan)).toBe(false);
    }
    expect(findMissingApprovals(undefined)).toBeUndefined();
  });

  it('is of what was shown; a change makes the earlier ones void', () => {
    const one = approve(begin(2), bob);
    expect(give(one, cem, SECOND, 'old', 'a')).toEqual({ kind: 'changed' });
    const stale = give(one, cem, SECOND, 'a', 'b');
    if (stale.kind !== 'changed' || !stale.hold) return expect.fail('it is not void');
    expect(countApprovals(stale.hold)).toBe(0);
    expect(stale.hold.second?.round).toBe(2);
    expect(approve(one, cem, SECOND, 'b').second?.given.map(({ by }) => by)).toEqual([cem]);
  });

  it('of something that has changed by the moment of sending is asked for again', () => {
    const asked = askAgain(approve(begin(1), bob), { now: 'b' });
    expect(asked).toMatchObject({ shown: 'b', second: { needed: 1, given: [], round: 2 } });
    expect(asked.dueAt).toBeUndefined();
    expect(asked.second?.expiresAt).toBe(MINUTE + 4 * HOUR);
    expect(release(approve(asked, bob, MINUTE, 'b'), { at: 2 * MINUTE, now: 'b' }).kind).toBe('send');
  });

  it('does not count without the role at the moment of sending', () => {
    const asked = askAgain(approve(begin(1, { seconds: 0 }), bob), { allowed: new Set([ann]) });
    expect(countApprovals(asked)).toBe(0);
    expect(asked.dueAt).toBeUndefined();
  });

  it('expires: silence means no', () => {
    const hold = begin(1);
    expect(findHoldEnd(hold, undefined, 4 * HOUR - 1)).toBeUndefined();
    expect(findHoldEnd(hold, undefined, 4 * HOUR)).toBe('expired');
    expect(release(hold, { at: 4 * HOUR })).toEqual({ kind: 'end', as: 'expired' });
    expect(findHoldEnd(begin(1, { hours: 0 }), undefined, 1_000 * HOUR)).toBeUndefined();
  });

  it('counts until it expires, and not later, even if nothing has ended it yet', () => {
    const hold = approve(begin(1), bob, 4 * HOUR - 1);
    expect(release(hold, { at: 4 * HOUR + 30 * SECOND }).kind).toBe('send');
    expect(give(begin(1), bob, 4 * HOUR)).toEqual({ kind: 'over', as: 'expired' });
    expect(give(begin(1), bob, 4 * HOUR, 'a', 'b')).toEqual({ kind: 'over', as: 'expired' });
  });
});

describe('a bid with a time of its own', () => {
  const sendAt = 10 * MINUTE;

  it('must be approved so early that the window ends before it', () => {
    const hold = begin(1, { seconds: 60 });
    expect(findApprovalDeadline(hold, sendAt)).toBe(9 * MINUTE);
    expect(findApprovalDeadline(hold, 5 * HOUR)).toBe(4 * HOUR);
    expect(findHoldEnd(hold, sendAt, 9 * MINUTE - 1)).toBeUndefined();
    expect(release(hold, { at: 9 * MINUTE, sendAt })).toEqual({ kind: 'end', as: 'time-passed' });
    expect(
      giveApproval(hold, { by: bob, sender: ann, at: 9 * MINUTE, shown: 'a', now: 'a', hours: 4, sendAt }),
    ).toEqual({ kind: 'over', as: 'time-passed' });
  });

  it('is sent before it, and never at it or later', () => {
    const hold = approve(begin(1, { seconds: 60 }), bob, 8 * MINUTE);
    expect(release(hold, { at: 9 * MINUTE, sendAt }).kind).toBe('send');
    expect(release(hold, { at: sendAt - 1, sendAt }).kind).toBe('send');
    expect(release(hold, { at: sendAt, sendAt })).toEqual({ kind: 'end', as: 'time-passed' });
    expect(release(hold, { at: sendAt, sendAt, allowed: undefined }).kind).toBe('end');
  });

  it.each([
    [30, undefined, false],
    [0, MINUTE, true],
    [0, MINUTE + 1, false],
    [30, 1.5 * MINUTE, true],
    [30, 1.5 * MINUTE + 1, false],
  ])('with a window of %i s from minute 1 and a time of %s ms: too soon is %s', (seconds, time, isSoon) => {
    expect(isTooSoon(seconds, time, MINUTE)).toBe(isSoon);
  });
});

describe('a request that waits', () => {
  const unposted = () => begin(1);
  const open = () => post(begin(1));
  const patient = () => post(begin(1, { hours: 0 }));
  const approved = () => approve(open(), bob);
  const unchecked = () => begin(undefined);
  const [soon, late] = [10 * SECOND, 10 * HOUR];

  it.each([
    ['people are to be notified', unposted, undefined, 0],
    ['silence means no', open, undefined, 4 * HOUR],
    ['silence means no, before its own time', open, late, 4 * HOUR],
    ['its own time is near', open, MINUTE, 30 * SECOND],
    ['it has all the time', patient, undefined, Number.MAX_SAFE_INTEGER],
    ['it has time until its own', patient, late, late - 30 * SECOND],
    ['it is approved', approved, undefined, 31 * SECOND],
    ['it is approved, with a later time', approved, late, 31 * SECOND],
    ['it is approved, with an earlier time', approved, soon, soon],
    ['it needed no approval', unchecked, undefined, 30 * SECOND],
  ])('is looked at next when due: %s', (_why, hold, sendAt, moment) => {
    expect(findHoldMoment(hold(), sendAt)).toBe(moment);
  });

  it.each([
    ['the first end of its time', open, late, 4 * HOUR],
    ['a window before its own time', patient, late, late - 30 * SECOND],
    ['no end', patient, undefined, undefined],
    ['its own time, once it needs no more approval', unchecked, soon, soon],
  ])('can be approved until %s', (_until, hold, sendAt, deadline) => {
    expect(findApprovalDeadline(hold(), sendAt)).toBe(deadline);
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
    expect(this.#at).toBeLessThan(this.hold.second?.expiresAt ?? Number.POSITIVE_INFINITY);
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
