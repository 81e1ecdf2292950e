/** Sample statistics, computed from proposals as in the mirror. */
import { DAY } from '../../../src/clock.ts';
import { ProfileId } from '../../../src/ids.ts';
import type { Proposal } from '../../../src/marketplace/schema.ts';
import type { StatsFacts } from '../../../src/slack/stats/stats-message.ts';
import type { GroupDimension } from '../../../src/statistics/groups.ts';
import { calculateStatistics } from '../../../src/statistics/statistics.ts';
import { plainProposal } from '../../plain-proposal.ts';
import { complete } from '../fake-proposals.ts';
import { NOW } from '../samples.ts';

export const PITCH = { id: 12, name: 'Short pitch' };
const LONG = { id: 13, name: 'Long letter' };
const QUESTION = { id: 14, name: 'Question first' };
const PROFILE = { id: ProfileId.parse(301), label: 'Web studio' };

let ids = 0;

/** Similar proposals, sent from three weeks ago on, one a day. */
export function some(count: number, known: Partial<Proposal>): Proposal[] {
  return Array.from({ length: count }, (_, n) =>
    plainProposal(++ids, {
      submittedAt: NOW - (21 - (n % 7)) * DAY,
      connects: 12,
      boost: n % 3 === 0 ? 10 : 0,
      position: 1 + (n % 30),
      variant: n % 2 === 0 ? 'A' : 'B',
      profile: PROFILE,
      ...known,
    }),
  );
}

/**
 * Three templates, one of them clearly better and one hardly used; recent ones, and answers to invitations.
 */
export function aMonth(): Proposal[] {
  return [
    ...some(4, { template: PITCH, viewed: true, interviewed: true, hired: true }),
    ...some(10, { template: PITCH, viewed: true, interviewed: true }),
    ...some(26, { template: PITCH, viewed: true }),
    ...some(20, { template: PITCH }),
    ...some(3, { template: LONG, viewed: true, interviewed: true }),
    ...some(7, { template: LONG, viewed: true }),
    ...some(61, { template: LONG }),
    ...some(3, { template: LONG, withdrawn: true }),
    ...some(4, { template: QUESTION, viewed: true }),
    ...some(2, { template: QUESTION }),
    ...some(18, { template: PITCH, submittedAt: NOW - 2 * DAY }),
    ...some(5, { template: PITCH, submittedAt: NOW - 2 * DAY, viewed: true }),
    ...some(9, { fromInvitation: true, viewed: true }),
  ];
}

export async function factsOf(
  proposals: readonly Proposal[],
  { days = 30, dimension }: { readonly days?: number; readonly dimension?: GroupDimension } = {},
): Promise<StatsFacts> {
  const newestFirst = proposals.toSorted((a, b) => (b.submittedAt ?? 0) - (a.submittedAt ?? 0));
  const order = { from: NOW - days * DAY, to: NOW, timezone: 'Europe/Berlin' };
  const statistics = await calculateStatistics(newestFirst, order, async () => {});
  const coverage = {
    profiles: [complete({ held: proposals.length, total: proposals.length })],
    isLoaded: true,
    behind: 0,
  };
  return {
    days,
    statistics,
    coverage,
    dimension: dimension ?? statistics.clearestDimension,
  };
}
