import { ProposalId } from '../src/ids.ts';
import type { Proposal } from '../src/marketplace/schema.ts';

/** A proposal with only the fields that a test sets. */
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

/** Each word of `is:`, with a matching proposal. */
export const whatBecame: [word: string, of: Partial<Proposal>][] = [
  ['viewed', { viewed: true }],
  ['interviewed', { interviewed: true }],
  ['hired', { hired: true }],
  ['withdrawn', { withdrawn: true }],
  ['archived', { archived: true }],
  ['invitation', { fromInvitation: true }],
  ['outbid', { boostOutbid: true }],
];
