/** Selects the proposals of the profiles that a channel follows. Pure. */
import type { ProposalWithoutTexts } from '../marketplace/schema.ts';

export function* followedProposals(
  proposals: Iterable<ProposalWithoutTexts>,
  followed: ReadonlySet<number>,
): Generator<ProposalWithoutTexts> {
  for (const proposal of proposals) {
    if (proposal.profile && followed.has(proposal.profile.id)) yield proposal;
  }
}
