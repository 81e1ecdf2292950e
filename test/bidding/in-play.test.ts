/** Whether a bid has reached the client or still may, and whether it has spent anything. */
import { expect, test } from 'vitest';
import {
  applyBidResponse,
  classifyBidFailure,
  hasJobFailed,
  hasSpentNothing,
  isBidInPlay,
  isUncertainBid,
  resolveApproval,
  wasNeverSent,
} from '../../src/bidding/decide-bid.ts';
import type { Bid, Job, JobApproval } from '../../src/bidding/records.ts';
import { MarketplaceError } from '../../src/marketplace/errors.ts';
import type { HoldEnd } from '../../src/spending/hold.ts';
import { ann, jobNumber, plainBid, plainJob, START } from './plain-records.ts';

const GONE = { state: 'gone', at: START } as const;
const PENDING = { status: 'pending_review' };
const PROPOSAL = { viewed: false, interviewed: false, hired: false, withdrawn: false, boostOutbid: false };
const asked: Job['review'] = { round: 1, by: ann, at: START, shown: [] };
const rejected: Job['review'] = { ...asked, ended: { kind: 'rejected', by: ann, at: START, reason: 'No' } };
const hold = { at: START, seconds: 60, shown: 'x' };
const doubt = { by: ann, at: START, audit: [] };

function approval(state: JobApproval['state'], change: Partial<JobApproval> = {}): Pick<Job, 'approval'> {
  return { approval: { state, by: ann, at: START, attempt: 1, audit: [], ...change } };
}

const failed = { errorMessage: 'No connects' };
const sent = { applicationUid: 'A9' };

test.each<[boolean, Partial<Job>]>([
  [false, {}],
  [true, { status: 'skipped' }],
  [true, failed],
  [false, { status: 'skipped', ...sent }],
  [false, { ...failed, proposal: { id: 9, ...PROPOSAL } }],
  [true, { follow: GONE }],
  [true, { ...failed, ...approval('unknown') }],
  [false, { follow: GONE, ...approval('unknown') }],
  [false, { follow: GONE, ...approval('refused', { doubt }) }],
  [true, { follow: GONE, ...approval('approved') }],
  [true, { ...PENDING, review: rejected }],
  [false, { ...PENDING, review: asked }],
  [false, PENDING],
  [false, { review: rejected }],
])('has ended without a proposal: %s for %j', (isFailed, change) => {
  expect(hasJobFailed(plainJob(5, change))).toBe(isFailed);
});

const job = (change: Partial<Job> = {}) => plainJob(5, change);
const bid = (state: Bid['state'], change: Partial<Bid> = {}) => plainBid(7, { state, ...change });
const doubtful = { doubtSince: START };

test.each<[inPlay: boolean, spentNothing: boolean, Bid, Job | undefined]>([
  [true, false, bid('created'), undefined],
  [true, false, bid('created'), job()],
  [true, false, bid('created'), job(sent)],
  [false, true, bid('created'), job(failed)],
  [true, false, bid('created', doubtful), job(failed)],
  [true, true, bid('created'), job(approval('refused'))],
  [true, false, bid('created'), job(approval('approved'))],
  [true, false, bid('created'), job({ ...sent, ...approval('refused') })],
  [true, false, bid('held'), undefined],
  [true, false, bid('held'), job(failed)],
  [true, false, bid('sending'), undefined],
  [true, false, bid('unknown'), undefined],
  [false, true, bid('refused'), undefined],
  [false, true, bid('refused'), job()],
  [true, false, bid('refused', doubtful), undefined],
  [false, true, bid('skipped'), job({ status: 'skipped' })],
])('is in play: %s, has spent nothing: %s', (inPlay, spentNothing, mine, its) => {
  expect([isBidInPlay(mine, its), hasSpentNothing(mine, its)]).toEqual([inPlay, spentNothing]);
});

test('a job from elsewhere has spent nothing where it failed', () => {
  expect([undefined, job(), job(failed)].map((its) => hasSpentNothing(undefined, its))).toEqual([
    false,
    false,
    true,
  ]);
});

test('a bid was never sent where it ended while it waited', () => {
  const ended = (kind: HoldEnd) => ({ ...hold, ended: { kind, at: START } });
  const never = (state: Bid['state'], of?: typeof hold) => wasNeverSent(of ? { state, hold: of } : { state });
  expect(never('refused', ended('canceled'))).toBe(true);
  expect(never('refused', ended('sent'))).toBe(false);
  expect(never('created', ended('canceled'))).toBe(false);
  expect(never('refused', hold)).toBe(false);
  expect(never('refused')).toBe(false);
});

test('a bid that waits to be sent again stays in doubt', () => {
  expect(isUncertainBid({ state: 'held', ...doubtful })).toBe(true);
  expect(isUncertainBid({ state: 'held' })).toBe(false);
});

test('no answer leaves a doubt since the first attempt, and keeps what was told', () => {
  const unclear = { kind: 'unknown', httpStatus: 502 } as const;
  const later = bid('sending', { at: START + 9 });
  expect(applyBidResponse(later, unclear, START + 10)).toMatchObject({
    httpStatus: 502,
    doubtSince: START + 9,
  });
  expect(applyBidResponse({ ...later, ...doubtful }, unclear, START + 10).doubtSince).toBe(START);
});

test('an error that names a skipped job is that job’s answer, unless its effect is unknown', () => {
  const shown = { id: jobNumber(5), status: 'skipped' };
  const details = { job: shown, jobId: 5, status: 409, serverMessage: 'Daily limit' };
  const fails = (effect: 'none' | 'unknown', of: object = details) =>
    classifyBidFailure(new MarketplaceError('bad-request', effect, 'no', of));
  expect(fails('none')).toEqual({ kind: 'skipped', job: shown, message: 'Daily limit' });
  expect(fails('unknown')).toEqual({ kind: 'unknown', job: 5, httpStatus: 409 });
  const fields = { amount: 'too low' };
  expect(fails('none', { fields })).toEqual({ kind: 'refused', refusal: { code: 'bad-request', fields } });
});

test('a refused approval keeps its wait, and the doubt of the one before', () => {
  const { approval: claimed } = approval('sending', { doubt, hold });
  const refusal = { code: 'server' };
  expect(claimed && resolveApproval(claimed, { kind: 'refused', refusal })).toMatchObject({ hold, refusal });
});
