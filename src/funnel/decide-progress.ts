/** Decides how far a card's project got, from the card and the bids on the project. Pure. */
import type { Bid, Job } from '../bidding/bidding.ts';
import { isUncertainBid } from '../bidding/decide-bid.ts';
import { isJobSkipped } from '../bidding/job-status-text.ts';
import type { Card } from '../feed/feed.ts';
import type { ChannelId, FilterId } from '../ids.ts';
import type { HoldEnd } from '../spending/hold.ts';
import { furthestProgress, type LossReason, type ProjectProgress } from './count-steps.ts';

/** A bid on a project, or a job of it that no bid of ours created. */
export interface ProjectBid {
  /** Where it was made. */
  readonly channel: ChannelId;
  /** Whether that channel has the project's card; else, the bid counts in every channel that has. */
  readonly hasCard: boolean;
  readonly progress: ProjectProgress;
}

type JobFacts = Pick<Job, 'status' | 'statusTitle' | 'proposal' | 'applicationUid'>;

/** A later stage implies the earlier ones, as in the statistics: nobody is hired unseen. */
function progressOfProposal(proposal: NonNullable<Job['proposal']>): ProjectProgress {
  const { viewed, interviewed, hired, withdrawn } = proposal;
  if (hired) return { step: 'hired' };
  if (interviewed) return { step: 'interviewed', lost: withdrawn ? 'withdrawn' : 'no-hire' };
  if (viewed) return { step: 'viewed', lost: withdrawn ? 'withdrawn' : 'no-interview' };
  return { step: 'bid', lost: withdrawn ? 'withdrawn' : 'not-viewed' };
}

/** Of a job of ours, or of one that was created outside Gigdesk. */
export function decideJobProgress(job: JobFacts): ProjectProgress {
  if (job.proposal) return progressOfProposal(job.proposal);
  if (job.applicationUid !== undefined) return { step: 'bid', lost: 'not-viewed' };
  if (isJobSkipped(job)) return { step: 'claimed', lost: 'bid-skipped' };
  return { step: 'bid', lost: 'not-sent' };
}

/** Why there is no bid, by how its waiting ended; one that was sent was refused by the marketplace. */
const LOSS_BY_HOLD_END: Readonly<Record<HoldEnd, LossReason>> = {
  sent: 'bid-refused',
  canceled: 'bid-canceled',
  rejected: 'bid-not-approved',
  expired: 'bid-not-approved',
  late: 'bid-never-sent',
  changed: 'bid-never-sent',
  'not-allowed': 'bid-never-sent',
  'over-cap': 'bid-never-sent',
  'other-bid': 'bid-never-sent',
  closed: 'bid-never-sent',
  'time-passed': 'bid-never-sent',
};

/** @param job the bid's job; a refused bid's is another bid's, which blocks it */
export function decideBidProgress(
  bid: Pick<Bid, 'state' | 'doubtSince' | 'hold'>,
  job: JobFacts | undefined,
): ProjectProgress {
  const { state, hold } = bid;
  switch (state) {
    case 'created':
    case 'skipped':
      if (job) return decideJobProgress(job);
      if (state === 'created') return { step: 'bid', lost: 'not-sent' };
      return { step: 'claimed', lost: 'bid-skipped' };
    case 'refused':
      // An earlier attempt may have created a job, also if this one was never sent.
      if (isUncertainBid(bid)) return { step: 'claimed', lost: 'bid-unclear' };
      return { step: 'claimed', lost: hold?.ended ? LOSS_BY_HOLD_END[hold.ended.kind] : 'bid-refused' };
    case 'held':
      return { step: 'claimed', lost: isUncertainBid(bid) ? 'bid-unclear' : 'bid-waiting' };
    case 'sending':
    case 'unknown':
      return { step: 'claimed', lost: 'bid-unclear' };
  }
}

type CardFacts = Pick<
  Card,
  'channel' | 'state' | 'because' | 'claim' | 'skip' | 'filters' | 'passed' | 'sharedBy'
>;

function progressOfCard(
  { state, because, claim, skip }: CardFacts,
  isBidElsewhere: boolean,
): ProjectProgress {
  if (claim) return { step: 'claimed', lost: 'no-bid' };
  switch (state) {
    case 'posted':
      if (skip) return { step: 'posted', lost: skip.reason === 'other' ? 'skipped-other' : skip.reason };
      return { step: 'posted', lost: isBidElsewhere ? 'bid-elsewhere' : 'unclaimed' };
    case 'deferred':
      return { step: 'matched', lost: 'deferred' };
    case 'suppressed':
      if (because === 'unsubscribed') return { step: 'matched', lost: 'unsubscribed' };
      return { step: 'found', lost: because ?? 'no-match' };
  }
}

/** Of the card's project in the card's channel. @param bids on the project, in any channel */
export function decideCardProgress(card: CardFacts, bids: readonly ProjectBid[]): ProjectProgress {
  const own = bids.filter(({ channel, hasCard }) => channel === card.channel || !hasCard);
  const start = progressOfCard(card, own.length < bids.length);
  // A bid says more than a claim, also if it got no further.
  const [first, ...more] = own.map(({ progress }) => progress);
  if (!first) return start;
  return furthestProgress(more.reduce(furthestProgress, first), start);
}

interface FilterProgress {
  /** undefined: no filter found it, a person shared it. */
  readonly filter: FilterId | undefined;
  readonly progress: ProjectProgress;
}

/** The project gets no further for filters whose rules it didn't pass. A share counts as a filter. */
export function splitByFilter(card: CardFacts, progress: ProjectProgress): readonly FilterProgress[] {
  const { filters, passed = [], sharedBy } = card;
  const isUnknown = passed.length === 0 && sharedBy === undefined;
  const byFilter = filters.map((filter): FilterProgress => {
    const isPassed = isUnknown || passed.includes(filter);
    return { filter, progress: isPassed ? progress : { step: 'found', lost: 'no-match' } };
  });
  return sharedBy === undefined && filters.length > 0
    ? byFilter
    : [...byFilter, { filter: undefined, progress }];
}
