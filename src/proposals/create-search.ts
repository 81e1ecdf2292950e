/** Searches the mirror of proposals in memory. */
import type { Clock, Instant } from '../clock.ts';
import type { ProposalId } from '../ids.ts';
import type { Log } from '../log.ts';
import type { Proposal } from '../marketplace/schema.ts';
import { parseProposalSearch } from '../query/proposal-search.ts';
import type { Query } from '../query/query.ts';
import { describeTypoCorrections } from './describe-typo-corrections.ts';
import { buildSearchTerms, findMatchMask, type MatchMask, type SearchTerms } from './find-matches.ts';
import { ProposalIndex } from './index-proposals.ts';
import { createIndexUpdater, type SearchableMirror } from './index-updater.ts';
import { rankHits } from './rank-hits.ts';
import type { ProposalSearch, SearchOutcome } from './search.ts';
import { listBroaderQueries } from './suggest-broader-queries.ts';
import {
  createSimilarWordFinder,
  findTypoCorrections,
  MAX_TYPOS_PER_WORD,
  type SimilarWordFinder,
  type TypoCorrections,
} from './typo-corrections.ts';

export interface ProposalSearchOptions {
  readonly mirror: SearchableMirror;
  readonly clock: Clock;
  readonly log: Log;
  /** Runs between two indexing slices and lets other work run. A zero-length sleep when absent. */
  readonly pause?: (signal: AbortSignal) => Promise<void>;
}

interface Found {
  readonly sought: SearchTerms;
  readonly marks: MatchMask;
  readonly total: number;
  readonly forgiven?: TypoCorrections;
}

export function createProposalSearch(parts: ProposalSearchOptions): ProposalSearch {
  const index = new ProposalIndex();
  const upkeep = createIndexUpdater({ ...parts, index });

  /** The mirror's present version; the mirror may have dropped the proposal. */
  function readHit(id: ProposalId | undefined): readonly Proposal[] {
    const proposal = id === undefined ? undefined : parts.mirror.get(id);
    return proposal ? [proposal] : [];
  }

  function search(written: string, page: { readonly offset: number; readonly limit: number }): SearchOutcome {
    const now = parts.clock.now();
    const read = parseProposalSearch(written);
    if (read.kind === 'mistake') return { kind: 'mistake', mistake: read };
    const near = createSimilarWordFinder(index.words);
    const found = findForgiving(index, near, read.filter, now);
    const { sought, marks, total, forgiven } = found;
    const ranked = rankHits(index, marks, read.order, sought);
    const hits = ranked.slice(page.offset, page.offset + page.limit);
    return {
      kind: 'found',
      total,
      hits: hits.flatMap((place) => readHit(index.factsAt(place)?.id)),
      ...(forgiven ? { correctedWords: describeTypoCorrections(index, marks, forgiven) } : {}),
      suggestedQueries: total === 0 ? suggestInstead(index, near, read.query, now) : [],
    };
  }

  return {
    run: (signal) => upkeep.run(signal),
    searchProposals: search,
    get unindexedCount() {
      return upkeep.unindexedCount;
    },
  };
}

function find(index: ProposalIndex, query: Query, now: Instant, forgiven?: TypoCorrections): Found {
  const sought = buildSearchTerms(query, forgiven);
  const marks = findMatchMask(index, sought, now);
  const total = marks.reduce((sum, mark) => sum + mark, 0);
  return { sought, marks, total, ...(forgiven ? { forgiven } : {}) };
}

/** Searches as written. Without a match, forgives one small typo in a word, then two. */
function findForgiving(index: ProposalIndex, near: SimilarWordFinder, query: Query, now: Instant): Found {
  const exact = find(index, query, now);
  if (exact.total > 0) return exact;
  for (let errors = 1; errors <= MAX_TYPOS_PER_WORD; errors++) {
    const forgiven = findTypoCorrections(index.words, near, query, errors);
    const found = forgiven && find(index, query, now, forgiven);
    if (found && found.total > 0) return found;
  }
  return exact;
}

/** Queries with the most matches come first. */
function suggestInstead(
  index: ProposalIndex,
  near: SimilarWordFinder,
  query: Query,
  now: Instant,
): readonly { readonly query: string; readonly total: number }[] {
  return listBroaderQueries(query)
    .flatMap((fewer) => {
      const read = parseProposalSearch(fewer);
      if (read.kind === 'mistake') return [];
      const { total } = findForgiving(index, near, read.filter, now);
      return total === 0 ? [] : [{ query: fewer, total }];
    })
    .sort((a, b) => b.total - a.total);
}
