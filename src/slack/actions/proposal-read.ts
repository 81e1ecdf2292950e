/** What is shown of one proposal, beside the proposal itself. */
import type { JobId } from '../../ids.ts';
import type { Proposal } from '../../marketplace/schema.ts';
import type { FoundProposal } from '../../proposals/find-proposal.ts';
import type { ProposalFacts } from '../messages/proposal-full.ts';
import type { ActionCall, CommandCall, Services } from '../routes.ts';
import { keepForSharing } from './proposals-draw.ts';

type Found = Pick<Extract<FoundProposal, { kind: 'found' }>, 'proposal' | 'from'>;

/** When it was read, as far as it is known. */
export function timesOf({ proposals, clock }: Services, { proposal, from }: Found) {
  if (from === 'marketplace') return { readAt: clock.now() };
  const profile = proposal.profile?.id;
  const profileReadAt = proposals.mirror.progress().find((each) => each.profile === profile)?.readAt;
  return profileReadAt === undefined ? {} : { profileReadAt };
}

/** With what it takes to share it. */
export async function readProposalFacts(
  call: Pick<ActionCall | CommandCall, 'services' | 'person' | 'channel'>,
  found: Found,
  job?: JobId,
): Promise<ProposalFacts & { readonly proposal: Proposal }> {
  const { proposal } = found;
  const share = await keepForSharing(call, { proposals: [proposal.id] });
  return {
    proposal,
    ...timesOf(call.services, found),
    ...(share === undefined ? {} : { share }),
    ...(job === undefined ? {} : { job }),
  };
}
