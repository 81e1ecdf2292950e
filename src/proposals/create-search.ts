/**
 * Searches the mirror of proposals in memory, and updates the index in slices, so nothing else waits for it.
 */

import { WakeSignal } from '../base/wake-signal.ts';
import { HOUR, type Instant } from '../clock.ts';
import type { ProposalId } from '../ids.ts';
import type { Proposal } from '../marketplace/schema.ts';
import { parseProposalSearch, proposalSearchText } from '../query/proposal-search.ts';
import type { Query, QueryError } from '../query/query.ts';
import type { Workspace } from '../workspace.ts';
import { buildSearchTerms, findMatchMask, rankHits } from './find-matches.ts';
import { ProposalIndex } from './index-proposals.ts';
import type { ProposalMirror } from './mirror.ts';
import { type LetterSubject, rankSimilarAnswered } from './similar-letters.ts';
import {
  createSimilarWordFinder,
  describeTypoCorrections,
  findTypoCorrections,
  listBroaderQueries,
  MAX_TYPOS_PER_WORD,
  type SimilarWordFinder,
  type TypoCorrections,
} from './typo-corrections.ts';

export type SearchOutcome =
  | { readonly kind: 'mistake'; readonly mistake: QueryError }
  | {
      readonly kind: 'found';
      readonly total: number;
      readonly hits: readonly Proposal[];
      /** Set when small typos were forgiven: the words as proposals spell them. */
      readonly correctedWords?: string;
      /** Without matches: queries that have some, with their totals. */
      readonly suggestedQueries: readonly { readonly query: string; readonly total: number }[];
    };

/** A proposal of ours that got an interview or a hire. */
export interface AnsweredLetter {
  readonly proposal: Proposal;
  /** Words of the project's title and skills that it has, too; folded. Never empty. */
  readonly shared: readonly string[];
}

/** How many similar proposals are unpacked at most to find enough usable letters. */
const MOST_UNPACKED = 12;

interface ProposalSearchOptions extends Pick<Workspace, 'clock' | 'log'> {
  readonly mirror: Pick<
    ProposalMirror,
    'listNewestFirst' | 'onChange' | 'onForget' | 'get' | 'getFacts' | 'size'
  >;
  /**
   * `always` if missing. `while-used`: from a search until an hour without one, for a process with many
   * workspaces. The index takes more memory than the proposals.
   */
  readonly keepsIndex?: 'always' | 'while-used';
  /** Runs between two indexing slices and lets other work run. A zero-length sleep when absent. */
  readonly pause?: (signal: AbortSignal) => Promise<void>;
}

export type ProposalSearch = ReturnType<typeof createProposalSearch>;

export function createProposalSearch(parts: ProposalSearchOptions) {
  const upkeep = createIndexUpdater(parts);

  /** The mirror's present version; the mirror may have dropped the proposal. */
  function readHit(id: ProposalId | undefined): readonly Proposal[] {
    const proposal = id === undefined ? undefined : parts.mirror.get(id);
    return proposal ? [proposal] : [];
  }

  /** @param written in the query language; empty matches everything, newest first. */
  function searchProposals(
    written: string,
    page: { readonly offset: number; readonly limit: number },
  ): SearchOutcome {
    const { index } = upkeep;
    const now = parts.clock.now();
    const read = parseProposalSearch(written);
    if (read.kind === 'mistake') return { kind: 'mistake', mistake: read };
    const near = createSimilarWordFinder(index.words);
    const { sought, marks, total, forgiven } = findForgiving(index, near, read.filter, now);
    const ranked = rankHits(index, marks, read.order, sought);
    const hits = ranked.slice(page.offset, page.offset + page.limit);
    return {
      kind: 'found',
      total,
      hits: hits.flatMap((place) => readHit(index.factsAt(place)?.id)),
      correctedWords: forgiven && describeTypoCorrections(index, marks, forgiven),
      suggestedQueries: total === 0 ? suggestInstead(index, near, read.query, now) : [],
    };
  }

  /**
   * Our answered proposals most similar to a project, each with another letter; from what is indexed so far.
   * Takes a few milliseconds, however many proposals there are.
   */
  function findAnsweredLetters(
    subject: LetterSubject,
    { most, longestLetter }: { readonly most: number; readonly longestLetter: number },
  ): readonly AnsweredLetter[] {
    const { index } = upkeep;
    const letters = new Set<string>();
    const found: AnsweredLetter[] = [];
    for (const { place, shared } of rankSimilarAnswered(index, subject, MOST_UNPACKED)) {
      if (found.length === most) break;
      const [proposal] = readHit(index.factsAt(place)?.id);
      const letter = proposal?.coverLetter.trim() ?? '';
      if (!proposal || letter === '' || letter.length > longestLetter || letters.has(letter)) continue;
      letters.add(letter);
      found.push({ proposal, shared });
    }
    return found;
  }

  return {
    run: (signal: AbortSignal) => upkeep.run(signal),
    waitUntilIndexed: (withinMs: number) => upkeep.waitUntilIndexed(withinMs),
    searchProposals,
    findAnsweredLetters,
    get unindexedCount() {
      return upkeep.unindexedCount;
    },
  };
}

function find(index: ProposalIndex, query: Query, now: Instant, forgiven?: TypoCorrections) {
  const sought = buildSearchTerms(query, forgiven);
  const marks = findMatchMask(index, sought, now);
  const total = marks.reduce((sum, mark) => sum + mark, 0);
  return { sought, marks, total, forgiven };
}

/** Searches as written. Without a match, forgives one small typo in a word, then two. */
function findForgiving(index: ProposalIndex, near: SimilarWordFinder, query: Query, now: Instant) {
  const exact = find(index, query, now);
  if (exact.total > 0) return exact;
  for (let errors = 1; errors <= MAX_TYPOS_PER_WORD; errors++) {
    const forgiven = findTypoCorrections(index.words, near, query, errors);
    const found = forgiven && find(index, query, now, forgiven);
    if (found && found.total > 0) return found;
  }
  return exact;
}

function suggestInstead(index: ProposalIndex, near: SimilarWordFinder, query: Query, now: Instant) {
  return listBroaderQueries(query)
    .flatMap((fewer) => {
      const read = parseProposalSearch(fewer);
      if (read.kind === 'mistake') return [];
      const { total } = findForgiving(index, near, read.filter, now);
      return total === 0 ? [] : [{ query: fewer, total }];
    })
    .sort((a, b) => b.total - a.total);
}

/** A slice ends at whichever limit comes first. */
const SLICE_MS = 8;
const SLICE_PROPOSALS = 100;
/** Since the last search, for an index that is kept while it is used. Also how long the loop waits. */
const KEPT_UNUSED_MS = HOUR;

function createIndexUpdater({ mirror, clock, log, pause, keepsIndex }: ProposalSearchOptions) {
  const rest = pause ?? ((signal: AbortSignal) => clock.sleep(0, signal));
  const pending = new Set<ProposalId>();
  const bell = new WakeSignal();
  let index = new ProposalIndex();
  /** Whether every change is noted: then `pending` has all that the index lacks. */
  let isFollowing = false;
  /** Monotonic time, in ms. */
  let usedAt = Number.NEGATIVE_INFINITY;
  const waiting = new Set<() => void>();

  const isWanted = () => keepsIndex !== 'while-used' || clock.monotonicNow() - usedAt < KEPT_UNUSED_MS;

  const note = (ids: readonly ProposalId[]) => {
    if (!isFollowing) return;
    for (const id of ids) pending.add(id);
    bell.wake();
  };
  mirror.onChange((changes) => note(changes.map(({ now }) => now.id)));
  mirror.onForget((forgotten) => note(forgotten.map(({ id }) => id)));

  /** Queues all proposals, newest first so that the likeliest searches work first. */
  function begin(): void {
    isFollowing = true;
    for (const { id } of mirror.listNewestFirst()) pending.add(id);
  }

  function drop(): void {
    if (!isFollowing) return;
    isFollowing = false;
    pending.clear();
    index = new ProposalIndex();
    log.debug('Proposal search index dropped');
  }

  function indexSlice(): void {
    const until = clock.now() + SLICE_MS;
    let left = SLICE_PROPOSALS;
    for (const id of pending) {
      if (left-- === 0 || clock.now() >= until) return;
      pending.delete(id);
      const [facts, proposal] = [mirror.getFacts(id), mirror.get(id)];
      if (facts && proposal) index.put(facts, proposalSearchText(proposal));
      else index.remove(id);
    }
  }

  async function catchUp(signal: AbortSignal): Promise<void> {
    const began = clock.now();
    const before = index.size;
    while (pending.size > 0 && !signal.aborted) {
      indexSlice();
      if (pending.size > 0) await rest(signal);
    }
    if (index.size !== before)
      log.debug('Proposal search index built', { held: index.size, tookMs: clock.now() - began });
    for (const resolve of waiting) resolve();
  }

  const isComplete = () => isFollowing && pending.size === 0;

  return {
    /** The present one: it is replaced when it isn't kept. */
    get index() {
      return index;
    },
    /** Builds and updates the index in small slices until stopped. Searches use what is indexed so far. */
    async run(signal: AbortSignal): Promise<void> {
      while (!signal.aborted) {
        if (!isWanted()) drop();
        else if (!isFollowing) begin();
        if (isFollowing)
          await catchUp(signal).catch((thrown: unknown) => {
            if (!signal.aborted) throw thrown;
          });
        await bell.wait(clock, KEPT_UNUSED_MS, signal);
      }
    },
    /**
     * Before a search: resolves when all proposals are indexed, but after `withinMs` at the latest. An index
     * that isn't kept is built then.
     */
    async waitUntilIndexed(withinMs: number): Promise<void> {
      usedAt = clock.monotonicNow();
      if (isComplete()) return;
      bell.wake();
      await new Promise<void>((resolve) => {
        const end = () => {
          cancel();
          waiting.delete(end);
          resolve();
        };
        const cancel = clock.runAfter(withinMs, end);
        waiting.add(end);
      });
    },
    get unindexedCount() {
      if (isFollowing) return pending.size;
      return isWanted() ? mirror.size : 0;
    },
  };
}
