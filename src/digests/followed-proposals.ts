/** Which proposals concern a channel. Pure. */
import type { ProposalFacts } from '../marketplace/schema.ts';

/** Those of the profiles that the channel follows. */
export function* followedProposals(
  proposals: Iterable<ProposalFacts>,
  followed: ReadonlySet<number>,
): Generator<ProposalFacts> {
  for (const proposal of proposals) {
    if (proposal.profile && followed.has(proposal.profile.id)) yield proposal;
  }
}
