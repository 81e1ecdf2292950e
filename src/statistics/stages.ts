/**
 * How far proposals get: sent, viewed, interviewed, hired. Counts them in total and by group, and estimates
 * the confidence interval of their shares. Pure.
 */
import type { Instant } from '../clock.ts';
import type { ProposalWithoutTexts } from '../marketplace/schema.ts';
import { assignToGroup, GROUP_DIMENSIONS, type GroupDimension, type GroupMembership } from './groups.ts';

export const PROPOSAL_STAGES = ['viewed', 'interviewed', 'hired'] as const;
export type ProposalStage = (typeof PROPOSAL_STAGES)[number];

/** How many proposals reached each stage; never more than the stage before. */
export type StageCounts = Readonly<Record<'sent' | ProposalStage, number>>;

export const NO_STAGES: StageCounts = { sent: 0, viewed: 0, interviewed: 0, hired: 0 };

/** From `from` (included) to `to` (excluded). */
export interface StatisticsPeriod {
  readonly from: Instant;
  readonly to: Instant;
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

export function* proposalsOfProfiles(
  proposals: Iterable<ProposalWithoutTexts>,
  profiles: ReadonlySet<number>,
): Generator<ProposalWithoutTexts> {
  for (const proposal of proposals) {
    if (proposal.profile && profiles.has(proposal.profile.id)) yield proposal;
  }
}

/**
 * The stages of the proposals submitted in a period, for charts and digests, young and withdrawn ones
 * included. Replies to invitations are apart: they didn't depend on a cover letter.
 * @param newestFirst in the mirror's order.
 */
export function countStages(newestFirst: Iterable<ProposalWithoutTexts>, stretch: StatisticsPeriod) {
  const [own, invited] = [new StageCounter(), new StageCounter()];
  for (const proposal of proposalsSubmittedIn(newestFirst, stretch))
    (proposal.fromInvitation ? invited : own).add(proposal);
  return { own: own.stages, invited: invited.stages };
}

/** The price paid, for the proposals with a known price. */
export interface ConnectsSpending {
  readonly proposals: number;
  /** As the marketplace reports them; its docs don't say whether boosts are included. */
  readonly connects: number;
  readonly interviewed: number;
  readonly hired: number;
}

export class StageCounter {
  readonly stages = { sent: 0, viewed: 0, interviewed: 0, hired: 0 };
  readonly spending = { proposals: 0, connects: 0, interviewed: 0, hired: 0 };

  /**
   * The marketplace sends a separate flag for each stage and guarantees no order, so a later stage implies
   * the earlier ones: nobody is hired unseen. Source: docs/marketplace-api.md, Proposal.
   */
  add({ viewed, interviewed, hired, connects }: ProposalWithoutTexts): void {
    const isInterviewed = interviewed || hired;
    const { stages, spending } = this;
    stages.sent++;
    if (viewed || isInterviewed) stages.viewed++;
    if (isInterviewed) stages.interviewed++;
    if (hired) stages.hired++;
    if (connects === undefined) return;
    spending.proposals++;
    // Documented as the connects spent. Whether they include the boost isn't documented, so the boost isn't
    // added.
    spending.connects += connects;
    if (isInterviewed) spending.interviewed++;
    if (hired) spending.hired++;
  }
}

export interface CountedGroup {
  readonly place: GroupMembership;
  readonly count: StageCounter;
}

export class GroupedStageCounter {
  readonly all = new StageCounter();
  readonly #groups = new Map<GroupDimension, Map<string, CountedGroup>>(
    GROUP_DIMENSIONS.map((dimension) => [dimension, new Map()]),
  );

  /** @param weekday of the submission, 1 to 7. */
  add(proposal: ProposalWithoutTexts, weekday: number): void {
    this.all.add(proposal);
    for (const [dimension, groups] of this.#groups) {
      const place = assignToGroup(dimension, proposal, weekday);
      if (!place) continue;
      const known = groups.get(place.id) ?? { place, count: new StageCounter() };
      if (known.place === place) groups.set(place.id, known);
      known.count.add(proposal);
    }
  }

  listGroups(dimension: GroupDimension): readonly CountedGroup[] {
    return [...(this.#groups.get(dimension)?.values() ?? [])];
  }
}

/** Normal distribution: 95% lie within this many standard deviations. */
const Z = 1.959963984540054;

/** A sample's share and the 95% confidence interval of the true one; all from 0 to 1. */
export interface RateEstimate {
  readonly count: number;
  readonly of: number;
  readonly rate: number;
  readonly low: number;
  readonly high: number;
}

/**
 * Wilson's score interval without continuity correction: within 0 and 1, and suited to small samples and
 * shares near 0. An empty sample gives 0 to 1. Sources: E. B. Wilson, J. Am. Stat. Assoc. 22 (1927), 209; R.
 * G. Newcombe, Statist. Med. 17 (1998), 857, method 3.
 * @param count from 0 to `of`
 */
export function wilsonRate(count: number, of: number): RateEstimate {
  if (of <= 0) return { count: 0, of: 0, rate: 0, low: 0, high: 1 };
  const rate = count / of;
  const scale = 1 + Z ** 2 / of;
  const middle = (rate + Z ** 2 / (2 * of)) / scale;
  const reach = (Z * Math.sqrt((rate * (1 - rate)) / of + Z ** 2 / (4 * of ** 2))) / scale;
  // At the ends the formula gives exactly 0 and 1, but the computed value has a rounding error.
  return {
    count,
    of,
    rate,
    low: count === 0 ? 0 : Math.max(0, middle - reach),
    high: count === of ? 1 : Math.min(1, middle + reach),
  };
}
