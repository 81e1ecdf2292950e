/** Which proposals concern a channel. Pure. */
import type { ProposalWithoutTexts } from '../marketplace/schema.ts';

/** Those of the profiles that the channel follows. */
export function* followedProposals(
  proposals: Iterable<ProposalWithoutTexts>,
  followed: ReadonlySet<number>,
): Generator<ProposalWithoutTexts> {
  for (const proposal of proposals) {
    if (proposal.profile && followed.has(proposal.profile.id)) yield proposal;
  }
}
