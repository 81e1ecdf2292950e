/** Reads what the views show about one proposal in addition to the proposal. */
import { omitUndefined } from '../../base/omit-undefined.ts';
import type { JobId } from '../../ids.ts';
import type { Proposal } from '../../marketplace/schema.ts';
import type { FindProposalOutcome } from '../../proposals/proposal-service.ts';
import type { ActionCall, CommandCall, Services } from '../core/routes.ts';
import type { ProposalFacts } from './proposal-details.ts';
import { saveResultsForSharing } from './render-proposals.ts';

type Found = Pick<Extract<FindProposalOutcome, { kind: 'found' }>, 'proposal' | 'from'>;

/** When the proposal was read, if known. */
export function findProposalReadTime({ proposals, clock }: Services, { proposal, from }: Found) {
  if (from === 'marketplace') return { readAt: clock.now() };
  const profile = proposal.profile?.id;
  const profileReadAt = proposals.mirror.estimateProgress().find((each) => each.profile === profile)?.readAt;
  return profileReadAt === undefined ? {} : { profileReadAt };
}

/** Includes the ID for sharing it. */
export async function readProposalFacts(
  call: Pick<ActionCall | CommandCall, 'services' | 'person' | 'channel'>,
  found: Found,
  job?: JobId,
): Promise<ProposalFacts & { readonly proposal: Proposal }> {
  const { proposal } = found;
  const share = await saveResultsForSharing(call, { proposals: [proposal.id] });
  return {
    proposal,
    ...findProposalReadTime(call.services, found),
    ...omitUndefined({ share, job }),
  };
}
