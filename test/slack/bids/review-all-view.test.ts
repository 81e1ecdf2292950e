/** The window for several approvals: the most that it can show is within Slack's limits. */
import { expect, it } from 'vitest';
import { TemplateId } from '../../../src/ids.ts';
import { ProposalTemplate } from '../../../src/marketplace/schema.ts';
import { parseProposalTemplate } from '../../../src/marketplace/wire/templates.ts';
import {
  isShownInFull,
  MOST_AT_ONCE,
  reviewAllView,
  type WaitingApproval,
} from '../../../src/slack/bids/review-all-view.ts';
import { checkView } from '../../../src/slack/kit/check-limits.ts';
import { listed } from '../samples.ts';
import { bid, JOB, job, WAITING } from './bidding-samples.ts';

const LONG = '🚀'.repeat(3_000);
const read = parseProposalTemplate({
  id: 3,
  name: 'Shops',
  cover_letters: { variant_a: LONG, variant_b: LONG },
  ab_testing: true,
});
const template = ProposalTemplate.parse({ ...read, id: TemplateId.parse(3) });

/** Nothing that it sends is its own but three long answers. */
function fullest(own: { readonly coverLetter?: string }): WaitingApproval {
  const answer = { question: '🚀'.repeat(150), answer: '🚀'.repeat(150) };
  const { setup, marketplaceJobId } = bid().request;
  const request = { setup, marketplaceJobId, answers: [answer, answer, answer], ...own };
  const similarLetter = { percent: 90, title: LONG, at: 1 };
  const project = listed({ title: LONG });
  const sent = bid({ job: JOB, request, similarLetter });
  const of = job({ ...WAITING, reason: `Disqualified: ${LONG}` });
  return {
    kind: 'job',
    job: of,
    subject: { job: of, bid: sent, project },
    template: { named: { id: TemplateId.parse(3), name: LONG }, state: { kind: 'read', template } },
  };
}

it.each([
  ['letters of their templates', {}],
  ['their own letters', { coverLetter: '🚀'.repeat(750) }],
])('shows as many as it takes, with %s, within the limits of a window', (_, own) => {
  const all = Array.from({ length: MOST_AT_ONCE }, () => fullest(own));
  expect(all.every(isShownInFull)).toBe(true);
  const view = reviewAllView(all, 3, { more: 3, tooLong: 2 });
  checkView(view);
  expect(view.blocks.length).toBeLessThanOrEqual(100);
  const words = JSON.stringify(view);
  expect(words.split('Letter A').length - 1).toBe('coverLetter' in own ? 0 : MOST_AT_ONCE);
});
