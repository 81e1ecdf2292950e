/** Which proposals concern a channel. Pure. */
import type { Proposal } from '../marketplace/schema.ts';

/** Those of the profiles that the channel follows. */
export function* followedProposals(
  proposals: Iterable<Proposal>,
  followed: ReadonlySet<number>,
): Generator<Proposal> {
  for (const proposal of proposals) {
    if (proposal.profile && followed.has(proposal.profile.id)) yield proposal;
  }
}
