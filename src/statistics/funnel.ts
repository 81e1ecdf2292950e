/** How far proposals get: sent, viewed, interviewed, hired. Pure. */
import type { Instant } from '../clock.ts';
import type { ProposalWithoutTexts } from '../marketplace/schema.ts';

export const FUNNEL_STAGES = ['viewed', 'interviewed', 'hired'] as const;
export type FunnelStage = (typeof FUNNEL_STAGES)[number];

/** How many proposals reached each stage; never more than the stage before. */
export interface Funnel {
  readonly sent: number;
  readonly viewed: number;
  readonly interviewed: number;
  readonly hired: number;
}

export const EMPTY_FUNNEL: Funnel = { sent: 0, viewed: 0, interviewed: 0, hired: 0 };

/** From `from` (included) to `to` (excluded). */
export interface StatisticsPeriod {
  readonly from: Instant;
  readonly to: Instant;
}

/**
 * Whether a proposal reached the stage. The marketplace sends a separate flag for each stage and guarantees
 * no order, so a later stage implies the earlier ones: nobody is hired unseen. Source:
 * docs/marketplace-api.md, Proposal.
 */
export function hasReachedStage(
  { viewed, interviewed, hired }: Pick<ProposalWithoutTexts, FunnelStage>,
  stage: FunnelStage,
): boolean {
  switch (stage) {
    case 'viewed':
      return viewed || interviewed || hired;
    case 'interviewed':
      return interviewed || hired;
    case 'hired':
      return hired;
  }
}

function addToFunnel(funnel: Funnel, proposal: Pick<ProposalWithoutTexts, FunnelStage>): Funnel {
  const one = (stage: FunnelStage) => (hasReachedStage(proposal, stage) ? 1 : 0);
  return {
    sent: funnel.sent + 1,
    viewed: funnel.viewed + one('viewed'),
    interviewed: funnel.interviewed + one('interviewed'),
    hired: funnel.hired + one('hired'),
  };
}

/**
 * The proposals submitted in the period; those without a submission time are left out.
 * @param newestFirst in the mirror's order: iteration stops at the start of the period.
 */
export function* proposalsSubmittedIn(
  newestFirst: Iterable<ProposalWithoutTexts>,
  { from, to }: StatisticsPeriod,
): Generator<ProposalWithoutTexts> {
  for (const proposal of newestFirst) {
    const { submittedAt } = proposal;
    if (submittedAt === undefined || submittedAt >= to) continue;
    if (submittedAt < from) return;
    yield proposal;
  }
}

/**
 * The funnel of the proposals submitted in a period, for charts and digests. Includes young and withdrawn
 * proposals, but not answers to invitations, which didn't depend on a cover letter.
 * @param newestFirst in the mirror's order.
 */
export function countFunnel(newestFirst: Iterable<ProposalWithoutTexts>, stretch: StatisticsPeriod): Funnel {
  let funnel = EMPTY_FUNNEL;
  for (const proposal of proposalsSubmittedIn(newestFirst, stretch))
    if (!proposal.fromInvitation) funnel = addToFunnel(funnel, proposal);
  return funnel;
}
