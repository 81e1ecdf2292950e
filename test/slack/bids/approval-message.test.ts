import type { KnownBlock } from '@slack/types';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ApprovalSubject, nextReview } from '../../../src/bidding/approval-request.ts';
import type { ApprovalReview, Bid, Job } from '../../../src/bidding/records.ts';
import { TemplateId, UserId } from '../../../src/ids.ts';
import { ProposalTemplate } from '../../../src/marketplace/schema.ts';
import { parseProposalTemplate } from '../../../src/marketplace/wire/templates.ts';
import { approvalRequestMessage } from '../../../src/slack/bids/approval-message.ts';
import { rejectView, reviewView } from '../../../src/slack/bids/approval-view.ts';
import { checkView } from '../../../src/slack/kit/check-limits.ts';
import { actionIds } from '../../../src/slack/kit/ids.ts';
import { expectHarmless } from '../harmless.ts';
import { presses } from '../kit/as-text.ts';
import { BEN, listed, NOW } from '../samples.ts';
import { anyJob, approval, bid, HOSTILE, JOB, job, WAITING } from './bidding-samples.ts';

const IDS = { review: 'review', reject: 'reject' };
const EVE = UserId.parse('U0EVE');

function asked(change: Partial<ApprovalReview> = {}, other: Partial<Job> = {}): Job {
  const review = nextReview({ job: job(WAITING) }, { at: NOW, by: BEN, hours: 24 });
  const posted = { at: NOW, users: [EVE], groups: ['S0TEAM'], direct: [] };
  return job({ ...WAITING, review: { ...review, posted, ...change }, ...other });
}

const OWN_LETTER = { request: { ...bid().request, coverLetter: 'Dear client' } };

function message(of: Job, sent: Partial<Bid> = OWN_LETTER, subject: Partial<ApprovalSubject> = {}) {
  const sends = { job: of, bid: bid({ job: JOB, ...sent }), ...subject };
  return approvalRequestMessage({ job: of, subject: sends }, 1);
}

/** The request and both windows. */
function expectAllHarmless(
  any: Job,
  sent: Omit<ApprovalSubject, 'job'>,
  ended?: NonNullable<ApprovalReview['ended']>,
): void {
  const posted = { at: NOW, users: [EVE], groups: [], direct: [] };
  const { review } = asked({ posted, ...(ended ? { ended } : {}) });
  const of: Job = { ...any, ...(review ? { review } : {}) };
  const view = { job: of, subject: { job: of, ...sent } };
  expectHarmless(approvalRequestMessage(view, 1));
  const modals = [reviewView(view, IDS, 'Changed'), rejectView(view, 1, IDS)];
  for (const modal of modals) checkView(modal);
  const blocks = modals.flatMap((modal) => modal.blocks as KnownBlock[]);
  for (const block of blocks.filter(({ type }) => type !== 'actions'))
    expectHarmless({ text: 'Review', blocks: [block] });
}

describe('a request for approval', () => {
  it('mentions who asks and who may approve, and says how it ended without any button to decide', () => {
    const open = message(asked());
    expect(JSON.stringify(open)).toMatch(/<@U0BEN>.*<@U0EVE>, <!subteam\^S0TEAM>/u);
    expect(presses(open)).toEqual([actionIds.jobApprove, actionIds.jobReject, actionIds.jobPrice]);
    const by = { by: BEN, at: NOW };
    const ends: Job[] = [
      asked({ ended: { kind: 'rejected', ...by, reason: 'Too <low>' } }),
      asked({ ended: { kind: 'expired', at: NOW } }),
      asked({}, { approval: approval() }),
      asked({}, { approval: approval({ state: 'sending' }) }),
      asked({}, { status: 'completed', statusTitle: 'Completed' }),
      asked({ round: 2 }),
    ];
    const offered = ends.map((each) => presses(message(each)));
    const again = [actionIds.jobAskAgain];
    expect(offered).toEqual([again, again, [], [], [], []]);
    expect(JSON.stringify(message(ends[0] ?? job()))).toContain('Too &lt;low&gt;');
  });

  it('names the whole cost where people decide, once it is known', () => {
    const request = { ...OWN_LETTER.request, boostConnects: 12 };
    const [approve] =
      message(asked({ connects: 16 }), { request }).blocks?.flatMap((block) =>
        block.type === 'actions' ? block.elements : [],
      ) ?? [];
    expect(JSON.stringify(approve)).toContain('28 connects');
  });

  it('has Review in place of Approve where a template sends what it does not show, or may', () => {
    const template = { id: TemplateId.parse(3), name: 'Shops' };
    const first = (sent: Partial<Bid>, subject: Partial<ApprovalSubject>) =>
      presses(message(asked(), sent, subject))[0];
    expect(first({}, { template })).toBe(actionIds.jobReview);
    expect(first({}, {})).toBe(actionIds.jobReview);
    expect(first({}, { template: 'none' })).toBe(actionIds.jobApprove);
    expect(first(OWN_LETTER, { template })).toBe(actionIds.jobApprove);
  });

  it('has Approve in Review only below all that is sent', () => {
    const named = { id: TemplateId.parse(3), name: 'Shops' };
    const of = asked();
    const review = (letter?: string, request = bid().request) => {
      const subject = { job: of, bid: bid({ job: JOB, request }), template: named };
      const read = parseProposalTemplate({ id: 3, cover_letters: { variant_a: letter, variant_b: null } });
      const template = ProposalTemplate.parse({ ...read, id: named.id });
      const state = letter === undefined ? undefined : ({ kind: 'read', template } as const);
      return reviewView({ job: of, subject, template: { named, state } }, IDS);
    };
    const whole = review(`${'Many shops. '.repeat(400)}The end.`);
    checkView(whole);
    expect(JSON.stringify(whole.blocks)).toContain('The end.');
    expect(whole.submit).toBeDefined();
    const answer = { question: 'Why?', answer: 'word '.repeat(700) };
    const answers = Array.from({ length: 36 }, () => answer);
    const tooLong = review('Many shops.', { ...bid().request, answers });
    checkView(tooLong);
    expect(tooLong.submit).toBeUndefined();
    expect(JSON.stringify(tooLong.blocks)).toContain("doesn't fit in a Slack window");
    expect(review().submit).toBeUndefined();
  });

  it('names in its windows who asks, and which bid is rejected', () => {
    const of = asked();
    const view = { job: of, subject: { job: of, bid: bid({ job: JOB }) } };
    expect(JSON.stringify(reviewView(view, IDS).blocks)).toContain('<@U0BEN>');
    expect(JSON.stringify(rejectView(view, 1, IDS).blocks)).toContain('Rebuild our checkout');
  });

  it('says plainly if it knows nobody to notify', () => {
    const nobody = asked({ posted: { at: NOW, users: [], groups: [], direct: [] } });
    expect(JSON.stringify(message(nobody))).toContain('/gig access');
    const direct = asked({ posted: { at: NOW, users: [], groups: [], direct: [EVE] } });
    expect(JSON.stringify(message(direct))).toMatch(/<@U0EVE>/u);
  });

  it('is harmless and within the limits with whatever anyone wrote, up to 200 answers', () => {
    const words = fc.constantFrom(...HOSTILE.filter((each) => !each.includes('U0ANA')));
    const answers = fc
      .nat(200)
      .chain((count) =>
        fc.record({ question: words, answer: words }).map((one) => Array.from({ length: count }, () => one)),
      );
    const parts = fc.record({ letter: words, reason: words, answers, title: words, url: words });
    fc.assert(
      fc.property(anyJob, parts, (any, { letter, reason, answers: all, title, url }) => {
        const request = { ...bid().request, coverLetter: letter, answers: all };
        const subject = {
          bid: { ...bid({ request, title, url }), by: BEN },
          project: { ...listed(), title, url },
        };
        expectAllHarmless({ ...any, ...WAITING }, subject);
        expectAllHarmless({ ...any, ...WAITING }, subject, { kind: 'rejected', by: BEN, at: NOW, reason });
      }),
      { numRuns: 40 },
    );
  });
});
