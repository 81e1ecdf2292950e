/** What a search offers when it finds nothing: corrected typos and broader queries. Pure. */

import { formatQuery, parseQuery } from '../query/parse-query.ts';
import { proposalSearchVocabulary } from '../query/proposal-search.ts';
import type { Query, QueryTerm } from '../query/query.ts';
import { countEdits, foldText, splitWords } from '../query/words.ts';
import { isBareWord, type MatchMask, markWordMatches } from './find-matches.ts';
import type { ProposalIndex } from './index-proposals.ts';
import { computeLetterMask, type WordIndex } from './index-words.ts';

/** Corrections by the word as written, folded. */
export type TypoCorrections = ReadonlyMap<string, readonly string[]>;

/** Shorter words resemble too many others. */
const SHORTEST_FORGIVEN = 5;
/** From this many letters on, two typos are small. */
const SHORTEST_WITH_TWO = 8;
const MOST_NEAR = 20;

export const MAX_TYPOS_PER_WORD = 2;

/** Words within this many edits, most frequent first. Caches its results. */
export type SimilarWordFinder = (wrong: string, errors: number) => readonly string[];

/**
 * Every bare word that no proposal contains, with its nearest words.
 * @returns undefined when one of them has none, so nothing would match.
 */
export function findTypoCorrections(
  words: WordIndex,
  near: SimilarWordFinder,
  { terms }: Query,
  errors: number,
): TypoCorrections | undefined {
  const forgiven = new Map<string, readonly string[]>();
  for (const term of terms) {
    if (term.kind === 'qualifier' || !isBareWord(term)) continue;
    const written = foldText(term.text.replace(/\*$/, ''));
    const missing = splitWords(written).filter((word) =>
      words.postingsWithPrefix(word).every((postings) => postings.length === 0),
    );
    const [wrong] = missing;
    if (wrong === undefined) continue;
    const nearest = missing.length === 1 ? near(wrong, errors) : [];
    if (nearest.length === 0) return undefined;
    forgiven.set(
      term.text,
      nearest.map((word) => written.replace(wrong, () => word)),
    );
  }
  return forgiven.size === 0 ? undefined : forgiven;
}

export function createSimilarWordFinder(words: WordIndex): SimilarWordFinder {
  const known = new Map<string, readonly string[]>();
  return (wrong, errors) => {
    const most = Math.min(errors, mostErrors(wrong.length));
    const key = `${most} ${wrong}`;
    const near = known.get(key) ?? listNear(words, wrong, most);
    known.set(key, near);
    return near;
  };
}

function listNear(words: WordIndex, wrong: string, most: number): readonly string[] {
  if (most === 0) return [];
  const sought = computeLetterMask(wrong);
  const near: string[] = [];
  for (const [word, letters] of words.wordsWithLetterMask()) {
    if (Math.abs(word.length - wrong.length) > most) continue;
    if (countBits(letters ^ sought) > 2 * most) continue;
    if (countEdits(word, wrong) <= most) near.push(word);
  }
  return near.sort((a, b) => words.countSlots(b) - words.countSlots(a)).slice(0, MOST_NEAR);
}

function mostErrors(length: number): number {
  if (length < SHORTEST_FORGIVEN) return 0;
  return length < SHORTEST_WITH_TWO ? 1 : MAX_TYPOS_PER_WORD;
}

/** Counts bits in parallel (pairs, fours, eights, all): there are tens of thousands of words. */
function countBits(bits: number): number {
  const pairs = bits - ((bits >>> 1) & 0x55_55_55_55);
  const fours = (pairs & 0x33_33_33_33) + ((pairs >>> 2) & 0x33_33_33_33);
  return Math.imul((fours + (fours >>> 4)) & 0x0f_0f_0f_0f, 0x01_01_01_01) >>> 24;
}

const MOST_NAMED = 3;

/**
 * @returns the words as the found proposals spell them, most frequent first: `react or recast, wordpress`.
 */
export function describeTypoCorrections(index: ProposalIndex, found: MatchMask, forgiven: TypoCorrections) {
  return [...forgiven.values()].map((near) => listPresent(index, found, near).join(' or ')).join(', ');
}

function listPresent(index: ProposalIndex, found: MatchMask, near: readonly string[]): readonly string[] {
  return near
    .map((words) => ({ words, count: countFound(index, found, words) }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count)
    .slice(0, MOST_NAMED)
    .map(({ words }) => words);
}

function countFound(index: ProposalIndex, found: MatchMask, words: string): number {
  const marks: MatchMask = new Uint8Array(index.slotCount);
  markWordMatches(index, { words, open: true }, found, marks);
  return marks.reduce((sum, mark, place) => sum + (found[place] === 1 ? mark : 0), 0);
}

/** Each is a separate search. */
const MAX_BROADER_QUERIES = 5;

/**
 * Drops one term each, the last one first, and splits phrases into words.
 * @returns valid queries, at most 5; none of them empty.
 */
export function listBroaderQueries({ terms }: Query): readonly string[] {
  const fewer = terms
    .flatMap((term, index) => (isOrder(term) ? [] : [terms.toSpliced(index, 1)]))
    .reverse()
    .filter((left) => left.some((term) => !isOrder(term)));
  const apart = terms.flatMap((term, index) =>
    term.kind === 'phrase' && !term.negated ? [terms.toSpliced(index, 1, ...splitPhrase(term.text))] : [],
  );
  const printed = [...apart, ...fewer]
    .map((left) => formatQuery({ terms: withoutNeedlessOrder(left) }))
    .filter((query) => parseQuery(query, proposalSearchVocabulary).kind === 'query');
  return [...new Set(printed)]
    .filter((query) => query !== formatQuery({ terms }))
    .slice(0, MAX_BROADER_QUERIES);
}

function isOrder(term: QueryTerm): boolean {
  return term.kind === 'qualifier' && term.name === 'sort';
}

function splitPhrase(text: string): readonly QueryTerm[] {
  return text.split(' ').map((word) => ({ kind: 'word', text: word, negated: false }));
}

/** Drops the relevance order when no words are left to rank by. */
function withoutNeedlessOrder(terms: readonly QueryTerm[]): readonly QueryTerm[] {
  const hasWords = terms.some((term) => term.kind !== 'qualifier' && !term.negated);
  return hasWords
    ? terms
    : terms.filter((term) => !(term.kind === 'qualifier' && term.value === 'relevance' && isOrder(term)));
}
