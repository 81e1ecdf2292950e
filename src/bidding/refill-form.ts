/** Fills a form from a sent bid, to try it again. Pure. */
import { omitUndefined } from '../base/omit-undefined.ts';
import type { BidForm, BidRequest } from './records.ts';

function typed(value: number | undefined): string {
  return value === undefined ? '' : String(value);
}

/** @param questions of the project as known now; an answer appears under its own question, or not at all */
export function refillBidForm(request: BidRequest, questions: readonly string[] = []): BidForm {
  const {
    setup,
    marketplaceJobId,
    scheduledAt,
    scheduledInMinutes,
    coverLetter = '',
    answers = [],
  } = request;
  const given = new Map(answers.map(({ question, answer }) => [question, answer]));
  return {
    setup,
    marketplaceJobId,
    projectId: typed(request.projectId),
    bidAmount: typed(request.bidAmount),
    boostConnects: typed(request.boostConnects),
    when: scheduledAt !== undefined ? 'at' : scheduledInMinutes !== undefined ? 'in-minutes' : 'as-set-up',
    inMinutes: typed(scheduledInMinutes),
    ...omitUndefined({ at: scheduledAt }),
    coverLetter,
    answers: questions.map((question) => given.get(question) ?? ''),
  };
}
