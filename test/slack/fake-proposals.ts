/**
 * Proposals for handlers: matches the mirrored ones one by one; the marketplace also has those of
 * `elsewhere`.
 */
import type { MarketplaceError } from '../../src/marketplace/errors.ts';
import type { Proposal } from '../../src/marketplace/schema.ts';
import type { AnsweredLetter, SearchOutcome } from '../../src/proposals/create-search.ts';
import type { MirrorProgress } from '../../src/proposals/mirror.ts';
import type { ProposalService } from '../../src/proposals/proposals.ts';
import { matchesQuery } from '../../src/query/match-query.ts';
import { parseProposalSearch } from '../../src/query/proposal-search.ts';
import { proposalSearchSubject } from '../query/proposal-subject.ts';
import { never } from './never.ts';
import { NOW } from './samples.ts';

export interface FakeProposals {
  /** In the mirror, newest first. */
  held: Proposal[];
  /** On the marketplace only. */
  elsewhere: Proposal[];
  progress: MirrorProgress[];
  isLoaded: boolean;
  behind: number;
  /** Similar proposals that got an answer. */
  letters: AnsweredLetter[];
  /** Replaces the search. */
  outcome: SearchOutcome | undefined;
  findFails: MarketplaceError | undefined;
  /** Requests to the marketplace. */
  asked: unknown[];
}

export function fakeProposals(): { readonly state: FakeProposals; readonly proposals: ProposalService } {
  const state: FakeProposals = {
    held: [],
    elsewhere: [],
    progress: [],
    isLoaded: true,
    behind: 0,
    letters: [],
    outcome: undefined,
    findFails: undefined,
    asked: [],
  };
  const proposals: ProposalService = {
    mirror: {
      run: never('run'),
      addFetchedProposal: never('take'),
      onChange: never('onChange'),
      onForget: never('onForget'),
      wake: never('wake'),
      listNewestFirst: () => [...state.held],
      get isLoaded() {
        return state.isLoaded;
      },
      get size() {
        return state.held.length;
      },
      get: (id) => state.held.find((each) => each.id === id),
      getFacts: (id) => state.held.find((each) => each.id === id),
      getByApplicationUid: (uid) => state.held.find((each) => each.applicationUid === uid),
      estimateProgress: () => state.progress,
    },
    search: {
      run: never('run'),
      get unindexedCount() {
        return state.behind;
      },
      waitUntilIndexed: async () => undefined,
      findAnsweredLetters: () => state.letters,
      searchProposals(query, { offset, limit }) {
        if (state.outcome) return state.outcome;
        const read = parseProposalSearch(query);
        if (read.kind === 'mistake') return { kind: 'mistake', mistake: read };
        const found = state.held.filter((each) =>
          matchesQuery(read.filter, proposalSearchSubject(each, NOW)),
        );
        const hits = found.slice(offset, offset + limit);
        return { kind: 'found', total: found.length, hits, suggestedQueries: [] };
      },
    },
    sentLetters: { findNearlyEqual: async () => undefined },
    async findProposal(reference) {
      const fits = ({ id, applicationUid: uid }: Proposal) => id === reference.id || uid === reference.uid;
      const held = state.held.find(fits);
      if (held) return { kind: 'found', proposal: held, from: 'mirror' };
      state.asked.push(reference);
      if (state.findFails) throw state.findFails;
      const read = state.elsewhere.find(fits);
      return read ? { kind: 'found', proposal: read, from: 'marketplace' } : { kind: 'none' };
    },
  };
  return { state, proposals };
}
