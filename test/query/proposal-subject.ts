/** A proposal as the search without an index compares it: for tests of the index, and for fakes. */
import type { Instant } from '../../src/clock.ts';
import type { Proposal } from '../../src/marketplace/schema.ts';
import type { QuerySubject } from '../../src/query/match-query.ts';
import { proposalFieldValue, proposalSearchText } from '../../src/query/proposal-search.ts';

export function proposalSearchSubject(proposal: Proposal, now: Instant): QuerySubject {
  return {
    text: proposalSearchText(proposal),
    fieldValue: (name) => proposalFieldValue(proposal, name),
    now,
  };
}
