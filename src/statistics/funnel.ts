/** How far proposals come: sent, viewed, interviewed, hired. Pure. */
import type { Instant } from '../clock.ts';
import type { ProposalWithoutTexts } from '../marketplace/schema.ts';

/** What follows on sending, in order. */
export const FUNNEL_STAGES = ['viewed', 'interviewed', 'hired'] as const;
export type FunnelStage = (typeof FUNNEL_STAGES)[number];

/** How many proposals came so far; never more than the stage before. */
export interface Funnel {
  readonly sent: number;
  readonly viewed: number;
  readonly interviewed: number;
  readonly hired: number;
}

export const EMPTY_FUNNEL: Funnel = { sent: 0, viewed: 0, interviewed: 0, hired: 0 };

/** After `from` or at it, before `to`. */
export interface StatisticsPeriod {
  readonly from: Instant;
  readonly to: Instant;
}

/**
 * Whether a proposal came so far. The marketplace sends each stage as a flag of its own and promises no order among them, so a
 * later stage counts as the earlier ones, too: nobody is hired unseen. Source: docs/marketplace-api.md, Proposal.
 */
export function hasReached(
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

/** The funnel with one proposal more. */
function addToFunnel(funnel: Funnel, proposal: Pick<ProposalWithoutTexts, FunnelStage>): Funnel {
  const one = (stage: FunnelStage) => (hasReached(proposal, stage) ? 1 : 0);
  return {
    sent: funnel.sent + 1,
    viewed: funnel.viewed + one('viewed'),
    interviewed: funnel.interviewed + one('interviewed'),
    hired: funnel.hired + one('hired'),
  };
}

/**
 * Those submitted in the stretch; whatever has no moment of submission belongs to none.
 * @param newestFirst as the mirror hands them out: nothing behind the stretch is looked at.
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
 * What has become of the proposals submitted in a stretch, for pictures and digests: the young ones and the withdrawn ones among
 * them; without answers to invitations, which no letter had to win.
 * @param newestFirst as the mirror hands them out.
 */
export function countFunnel(newestFirst: Iterable<ProposalWithoutTexts>, stretch: StatisticsPeriod): Funnel {
  let funnel = EMPTY_FUNNEL;
  for (const proposal of proposalsSubmittedIn(newestFirst, stretch))
    if (!proposal.fromInvitation) funnel = addToFunnel(funnel, proposal);
  return funnel;
}
