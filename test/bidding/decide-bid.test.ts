import { describe, expect, test } from 'vitest';
import {
  applyApprovalResponse,
  carryApprovalUncertainty,
  carryBidUncertainty,
  classifyApprovalFailure,
  classifyBidFailure,
  decideApprovalClaim,
  decideBidClaim,
  findBid,
  findUnshownBids,
  isUncertainBid,
  resolveApproval,
  toBidResponse,
  toCreateJobRequest,
} from '../../src/bidding/decide-bid.ts';
import { type Bid, bidId, type JobApproval } from '../../src/bidding/records.ts';
import { JobId, SetupId, UserId } from '../../src/ids.ts';
import { MarketplaceError } from '../../src/marketplace/errors.ts';

const id = JobId.parse(7);
const [ann, bob] = [UserId.parse('UANN'), UserId.parse('UBOB')];

describe('a bid', () => {
  test.each(['refused', 'skipped', 'unknown'] as const)(
    'that was %s may be tried again by whoever saw that',
    (state) => {
      expect(decideBidClaim({ state, attempt: 2 }, 2)).toEqual({ kind: 'claim', attempt: 3 });
      expect(decideBidClaim({ state, attempt: 2 }, 1)).toEqual({ kind: 'taken' });
      expect(decideBidClaim({ state, attempt: 2 }, 0)).toEqual({ kind: 'taken' });
      expect(decideBidClaim({ state, attempt: 2 }, 3)).toEqual({ kind: 'taken' });
    },
  );

  test.each(['sending', 'created'] as const)('that is %s is never sent again', (state) => {
    for (const seen of [0, 1, 2, 3]) expect(decideBidClaim({ state, attempt: 2 }, seen).kind).toBe('taken');
  });

  test('that nobody has sent belongs to whoever saw that there is none', () => {
    expect(decideBidClaim(undefined, 0)).toEqual({ kind: 'claim', attempt: 1 });
    expect(decideBidClaim(undefined, 1)).toEqual({ kind: 'taken' });
  });

  test('is sent with its date as ISO 8601, which wins over the minutes', () => {
    const request = { setup: SetupId.parse(1), marketplaceJobId: '~0123', scheduledInMinutes: 15 };
    expect(toCreateJobRequest(request)).toEqual(request);
    expect(toCreateJobRequest({ ...request, scheduledAt: Date.UTC(2026, 0, 5, 12) })).toEqual({
      setup: 1,
      marketplaceJobId: '~0123',
      scheduledAt: '2026-01-05T12:00:00.000Z',
    });
  });
});

describe('bids with other setups', () => {
  const id = bidId('~1', SetupId.parse(1));
  const other = (state: Bid['state'], more: Partial<Bid> = {}) =>
    ({ id: bidId('~1', SetupId.parse(2)), attempt: 3, state, ...more }) as Bid;
  const notShown = (bid: Bid, attempt?: number) =>
    findUnshownBids([bid, { ...bid, id }], id, attempt === undefined ? {} : { [bid.id]: attempt });

  test.each(['sending', 'created', 'unknown'] as const)('that are %s must have been shown', (state) => {
    const bid = other(state);
    expect(notShown(bid)).toEqual([bid]);
    expect(notShown(bid, 2)).toEqual([bid]);
    expect(notShown(bid, 3)).toEqual([]);
  });

  test.each(['refused', 'skipped'] as const)(
    'that were %s need not, unless one before is unknown',
    (state) => {
      expect(notShown(other(state))).toEqual([]);
      const doubtful = other(state, { doubtSince: 5 });
      expect(notShown(doubtful)).toEqual([doubtful]);
      expect(notShown(doubtful, 3)).toEqual([]);
    },
  );
});

describe('the bid of a setup on a project', () => {
  const of = (marketplaceJobId: string, state: Bid['state'], at: number, setup = 1) =>
    ({ request: { setup: SetupId.parse(setup), marketplaceJobId }, state, at }) as Bid;
  const find = (...all: readonly Bid[]) => findBid(all, ['1', 'ab1'], SetupId.parse(1));

  test('is found under every name of the project, and under no other', () => {
    const [tilde, uid] = [of('~1', 'refused', 1), of('ab1', 'refused', 1)];
    expect([find(tilde), find(uid)]).toEqual([tilde, uid]);
    expect(find(of('~2', 'created', 1), of('~1', 'created', 1, 2))).toBeUndefined();
  });

  test('is the one that may have a job, where both names have one, else the newest', () => {
    const [refused, unknown, created] = [
      of('~1', 'refused', 9),
      of('ab1', 'unknown', 5),
      of('~1', 'created', 1),
    ];
    expect(find(refused, unknown, created)).toBe(created);
    expect(find(refused, unknown)).toBe(unknown);
    expect(find(of('ab1', 'refused', 3), refused)).toBe(refused);
  });
});

describe('a doubt', () => {
  const bid = { at: 9, audit: ['T1', 9, 1], before: { at: 8, totalSent: 40 } };

  test('lasts while an attempt without an answer may have become a job', () => {
    const of = (state: Bid['state'], doubtSince = 3) => isUncertainBid({ state, doubtSince });
    expect(isUncertainBid({ state: 'unknown' })).toBe(true);
    expect([of('unknown'), of('refused'), of('skipped')]).toEqual([true, true, true]);
    expect([of('created'), of('sending')]).toEqual([false, false]);
    expect([isUncertainBid({ state: 'refused' }), isUncertainBid({ state: 'skipped' })]).toEqual([
      false,
      false,
    ]);
  });

  test('leaves the next attempt what is known of its first', () => {
    expect(carryBidUncertainty(undefined)).toBeUndefined();
    expect(carryBidUncertainty({ ...bid, state: 'refused' })).toBeUndefined();
    const { before, audit } = bid;
    // A record from a version without doubt flags.
    expect(carryBidUncertainty({ ...bid, state: 'unknown' })).toEqual({
      doubtSince: 9,
      doubtAudit: audit,
      before,
    });
    const first = { doubtSince: 3, doubtAudit: ['T1', 3, 1] };
    expect(carryBidUncertainty({ ...bid, ...first, state: 'unknown' })).toEqual({
      doubtSince: 3,
      doubtAudit: audit,
      before,
    });
    expect(carryBidUncertainty({ ...bid, ...first, state: 'refused' })).toEqual({ ...first, before });
  });
});

describe('an answer', () => {
  test.each(['skipped', 'Skipped', ' SKIPPED '])('with the status %j is a skip', (status) => {
    expect(toBidResponse({ id, status }).kind).toBe('skipped');
  });

  test('with any other status is a job', () => {
    expect(toBidResponse({ id, status: 'whatever' }).kind).toBe('created');
  });

  test('that shows that nothing was done is a refusal, with the job that it names', () => {
    const details = { serverMessage: 'Duplicate', jobId: 7, fields: { a: 'b' }, retryAfterMs: 5 };
    expect(classifyBidFailure(new MarketplaceError('bad-request', 'none', 'no', details))).toEqual({
      kind: 'refused',
      refusal: { code: 'bad-request', serverMessage: 'Duplicate', fields: { a: 'b' }, retryAfterMs: 5 },
      job: 7,
    });
  });

  test('that leaves it open, or a fault of ours, is unknown', () => {
    expect(classifyBidFailure(new MarketplaceError('timeout', 'unknown', 'none'))).toEqual({
      kind: 'unknown',
    });
    expect(classifyBidFailure(new TypeError('oops'))).toEqual({ kind: 'unknown' });
    expect(classifyApprovalFailure(new MarketplaceError('server', 'unknown', 'no')).kind).toBe('unknown');
    expect(classifyApprovalFailure('thrown').kind).toBe('unknown');
    expect(classifyApprovalFailure(new MarketplaceError('forbidden', 'none', 'no')).kind).toBe('refused');
  });
});

describe('an approval', () => {
  const approval: JobApproval = { state: 'unknown', by: ann, at: 0, attempt: 1, audit: ['T1', 0, 1] };

  test.each(['pending_review', 'Pending review', 'PENDING-REVIEW'])(
    'may be sent while it is %j',
    (status) => {
      expect(decideApprovalClaim({ status }, 0, true)).toEqual({ kind: 'claim', attempt: 1 });
    },
  );

  test('is not sent for a job that waits no longer', () => {
    expect(decideApprovalClaim({ status: 'scheduled' }, 0, true)).toEqual({ kind: 'not-waiting' });
  });

  test('may be tried where nobody can tell, once the job was read for it', () => {
    const unclear = { status: 'on_hold' };
    expect(decideApprovalClaim(unclear, 0, false)).toEqual({ kind: 'not-waiting' });
    expect(decideApprovalClaim(unclear, 0, true)).toEqual({ kind: 'claim', attempt: 1 });
    expect(decideApprovalClaim({ ...unclear, applicationUid: '7' }, 0, true)).toEqual({
      kind: 'not-waiting',
    });
  });

  test('needs a person who saw the last attempt and its end', () => {
    const waiting = { status: 'pending_review' };
    expect(decideApprovalClaim(waiting, 1, true)).toEqual({ kind: 'taken' });
    expect(decideApprovalClaim({ ...waiting, approval }, 0, true)).toEqual({ kind: 'taken' });
    const refused = { ...approval, state: 'refused' } as const;
    expect(decideApprovalClaim({ ...waiting, approval: refused }, 1, true)).toEqual({
      kind: 'claim',
      attempt: 2,
    });
    for (const state of ['sending', 'approved', 'unknown'] as const)
      expect(decideApprovalClaim({ ...waiting, approval: { ...approval, state } }, 1, true)).toEqual({
        kind: 'taken',
      });
  });

  test('without an answer waits to be read, unless that fails for long or nobody reads any more', () => {
    const waiting = { status: 'pending_review', approval };
    const claim = { kind: 'claim', attempt: 2 };
    expect(decideApprovalClaim({ ...waiting, follow: { state: 'left', at: 9 } }, 1, true)).toEqual(claim);
    expect(decideApprovalClaim({ ...waiting, follow: { state: 'settled', at: 9 } }, 1, true).kind).toBe(
      'taken',
    );
    expect(decideApprovalClaim({ ...waiting, approval: { ...approval, mayRepeat: true } }, 1, true)).toEqual(
      claim,
    );
  });

  test('that is refused after one without an answer leaves that one as it was', () => {
    const { by, at, audit } = approval;
    const next: JobApproval = {
      ...approval,
      by: bob,
      at: 5,
      attempt: 2,
      state: 'sending',
      audit: ['T1', 5, 1],
    };
    const doubtful = { ...next, ...carryApprovalUncertainty(approval) };
    const no = { kind: 'refused', refusal: { code: 'bad-request' } } as const;
    const { refusal } = no;
    expect(resolveApproval(next, no)).toEqual({ ...next, state: 'refused', refusal });
    const left = { state: 'unknown', by, at, attempt: 2, audit, refusal, mayRepeat: true };
    expect(resolveApproval(doubtful, no)).toEqual(left);
    expect(resolveApproval(doubtful, { kind: 'unknown' })).toEqual({ ...next, state: 'unknown' });
    expect(carryApprovalUncertainty({ ...approval, state: 'refused' })).toEqual({});
  });

  test('keeps why the AI was overruled, also where it gave no reason', () => {
    const answer = (more: object) =>
      ({ kind: 'approved', job: { id, status: 'scheduled', ...more } }) as const;
    expect(applyApprovalResponse(approval, answer({})).overrode).toBeUndefined();
    expect(applyApprovalResponse(approval, answer({ wasAiDisqualified: true })).overrode).toBe('');
    const reason = { wasAiDisqualified: true, qualificationReason: 'Too small' };
    expect(applyApprovalResponse(approval, answer(reason)).overrode).toBe('Too small');
  });
});
