import { ProposalId } from '../src/ids.ts';
import type { Proposal } from '../src/marketplace/schema.ts';

/** A proposal of which nothing is known but what a test says. */
export function plainProposal(id: number, known: Partial<Proposal> = {}): Proposal {
  return {
    id: ProposalId.parse(id),
    coverLetter: '',
    answers: [],
    terms: {},
    viewed: false,
    interviewed: false,
    hired: false,
    withdrawn: false,
    fromInvitation: false,
    archived: false,
    boostOutbid: false,
    ...known,
  };
}
