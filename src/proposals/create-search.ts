/** Searches the mirror of proposals in memory. */
import type { Clock, Instant } from '../clock.ts';
import type { ProposalId } from '../ids.ts';
import type { Log } from '../log.ts';
import type { Proposal } from '../marketplace/schema.ts';
import { readProposalSearch } from '../query/proposal-search.ts';
import type { Query } from '../query/query.ts';
import { findMatches, type Marks, readSoughtTerms, type Sought } from './index-matches.ts';
import { ProposalIndex } from './index-proposals.ts';
import { createUpkeep, type SearchedMirror } from './index-upkeep.ts';
import { rankHits } from './rank-hits.ts';
import type { ProposalSearch, SearchOutcome } from './search.ts';
import { listFewer } from './suggest-fewer.ts';
import { describeMeant } from './suggest-meant.ts';
import { type Forgiven, findNear, forgiveTyping, MOST_ERRORS, type NearWords } from './suggest-near.ts';

export interface SearchParts {
  readonly mirror: SearchedMirror;
  readonly clock: Clock;
  readonly log: Log;
  /** Between two slices of indexing; lets everything else run. A sleep of no length when absent. */
  readonly pause?: (signal: AbortSignal) => Promise<void>;
}

interface Found {
  readonly sought: Sought;
  readonly marks: Marks;
  readonly total: number;
  readonly forgiven?: Forgiven;
}

export function createSearch(parts: SearchParts): ProposalSearch {
  const index = new ProposalIndex();
  const upkeep = createUpkeep({ ...parts, index });

  /** As the mirror holds it now, which may have forgotten it. */
  function readHit(id: ProposalId | undefined): readonly Proposal[] {
    const proposal = id === undefined ? undefined : parts.mirror.get(id);
    return proposal ? [proposal] : [];
  }

  function search(written: string, page: { readonly offset: number; readonly limit: number }): SearchOutcome {
    const now = parts.clock.now();
    const read = readProposalSearch(written);
    if (read.kind === 'mistake') return { kind: 'mistake', mistake: read };
    const near = findNear(index.words);
    const found = findForgiving(index, near, read.filter, now);
    const { sought, marks, total, forgiven } = found;
    const ranked = rankHits(index, marks, read.order, sought);
    const hits = ranked.slice(page.offset, page.offset + page.limit);
    return {
      kind: 'found',
      total,
      hits: hits.flatMap((place) => readHit(index.at(place)?.id)),
      ...(forgiven ? { meant: describeMeant(index, marks, forgiven) } : {}),
      instead: total === 0 ? suggestInstead(index, near, read.query, now) : [],
    };
  }

  return {
    run: (signal) => upkeep.run(signal),
    search,
    get behind() {
      return upkeep.behind;
    },
  };
}

function find(index: ProposalIndex, query: Query, now: Instant, forgiven?: Forgiven): Found {
  const sought = readSoughtTerms(query, forgiven);
  const marks = findMatches(index, sought, now);
  const total = marks.reduce((sum, mark) => sum + mark, 0);
  return { sought, marks, total, ...(forgiven ? { forgiven } : {}) };
}

/** As written; only where that finds nothing, with one small typing error in a word forgiven, then with two. */
function findForgiving(index: ProposalIndex, near: NearWords, query: Query, now: Instant): Found {
  const exact = find(index, query, now);
  if (exact.total > 0) return exact;
  for (let errors = 1; errors <= MOST_ERRORS; errors++) {
    const forgiven = forgiveTyping(index.words, near, query, errors);
    const found = forgiven && find(index, query, now, forgiven);
    if (found && found.total > 0) return found;
  }
  return exact;
}

/** Those that find most come first. */
function suggestInstead(
  index: ProposalIndex,
  near: NearWords,
  query: Query,
  now: Instant,
): readonly { readonly query: string; readonly total: number }[] {
  return listFewer(query)
    .flatMap((fewer) => {
      const read = readProposalSearch(fewer);
      if (read.kind === 'mistake') return [];
      const { total } = findForgiving(index, near, read.filter, now);
      return total === 0 ? [] : [{ query: fewer, total }];
    })
    .sort((a, b) => b.total - a.total);
}
