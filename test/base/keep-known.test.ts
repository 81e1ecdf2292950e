/** What an answer leaves out, or gives as undefined, keeps its former value wherever both are merged. */
import { describe, expect, it } from 'vitest';
import { keepKnown } from '../../src/base/keep-known.ts';
import { withProjectInfo } from '../../src/bidding/bid-drafts.ts';
import { EMPTY_BID_FORM } from '../../src/bidding/draft-records.ts';
import { buildJobForBid } from '../../src/bidding/link-job.ts';
import { applyApprovalToJob } from '../../src/bidding/record-approval-response.ts';
import { SetupId } from '../../src/ids.ts';
import { MarketplaceError } from '../../src/marketplace/errors.ts';
import { withEarlierAttemptError } from '../../src/marketplace/failures.ts';
import { parseProposalSenders } from '../../src/marketplace/wire/undocumented.ts';
import { ann, jobNumber, plainBid, plainJob, START } from '../bidding/plain-records.ts';

const reported = { id: jobNumber(3), status: 'scheduled' };

it('what is new replaces what was, and nothing else does', () => {
  expect(keepKnown({ a: 1, b: 2, c: 3 }, { a: 4, b: undefined })).toEqual({ a: 4, b: 2, c: 3 });
});

describe('a merge keeps', () => {
  it("a bid's setup, where the job names none", () => {
    const job = buildJobForBid(plainBid(7), { ...reported, setup: undefined, setupName: undefined }, START);
    expect(job).toMatchObject({ setup: 7, marketplaceJobId: '~0123' });
  });

  it("a job's time and setup, where the answer to its approval has none", () => {
    const before = plainJob(3, { scheduledAt: '2026-01-05T10:00:00Z', setupName: 'Fast' });
    const asked = { attempt: 1, state: 'sending' as const, by: ann, at: START, audit: [] };
    const job = applyApprovalToJob(before, asked, { kind: 'approved', job: reported }, START);
    expect(job).toMatchObject({ setup: 7, setupName: 'Fast', scheduledAt: before.scheduledAt });
  });

  it("a sender's name, where another list names only its people", () => {
    const body = {
      agencies: [{ organization_id: 7, type: 'agency', contractors: [{ uid: 'a' }] }],
      freelancers: [{ organization_id: 7, organization_name: 'Studio', contractors: [{ uid: 'b' }] }],
    };
    expect(parseProposalSenders(body)).toMatchObject([{ organizationId: 7, name: 'Studio', type: 'agency' }]);
  });

  it("a draft's link, price and answers, where the project is known by less", () => {
    const known = { url: 'https://example.com/1', connectsPrice: 12, usOnly: true, ukOnly: false };
    const form = { ...EMPTY_BID_FORM, setup: SetupId.parse(7), answers: ['Yes'] };
    const draft = { ...known, title: 'Shop', form, id: 'draft', questions: ['Why?'], shown: 1 } as never;
    expect(withProjectInfo(draft, { title: '' })).toMatchObject({ ...known, title: 'Shop', form });
  });

  it('what an earlier refusal said, where the last try never got a turn', () => {
    const limited = new MarketplaceError('rate-limited', 'none', 'Too many', {
      status: 429,
      retryAfterMs: 7,
    });
    const late = new MarketplaceError('gate-timeout', 'none', 'No turn', { retryAfterMs: undefined });
    expect(withEarlierAttemptError(late, limited)).toMatchObject({
      details: { status: 429, retryAfterMs: 7 },
    });
  });
});
