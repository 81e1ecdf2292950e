/** Finds the index slots that match a query, and orders them. Pure. */
import type { Instant } from '../clock.ts';
import type { ProposalWithoutTexts } from '../marketplace/schema.ts';
import { compileQualifier } from '../query/match-query.ts';
import { type ProposalSortOrder, proposalFieldValue } from '../query/proposal-search.ts';
import type { QualifierTerm, Query, QueryTerm } from '../query/query.ts';
import {
  endsInLetter,
  includesWords,
  parseTargetWords,
  splitWords,
  type TargetWords,
} from '../query/words.ts';
import type { ProposalIndex } from './index-proposals.ts';
import { decodeSlot, decodeWeight, hashWordPair, type Postings } from './index-words.ts';

/** For each slot, 1 if it matches, else 0. */
export type MatchMask = Uint8Array;

interface SearchTextTerm {
  readonly anyOf: readonly TargetWords[];
  readonly negated: boolean;
}

export interface SearchTerms {
  readonly texts: readonly SearchTextTerm[];
  readonly qualifiers: readonly QualifierTerm[];
}

/** Words of at least this many letters also match as prefixes. */
const SHORTEST_BEGINNING = 2;

/**
 * A word also matches as a prefix. In quotes, or excluded, it matches exactly; numbers always do.
 * @param forgiven alternatives for a word, by the word as written.
 */
export function buildSearchTerms(
  { terms }: Query,
  forgiven: ReadonlyMap<string, readonly string[]> = new Map(),
): SearchTerms {
  const texts = terms.flatMap((term) => (term.kind === 'qualifier' ? [] : [readText(term, forgiven)]));
  return { texts, qualifiers: terms.filter((term) => term.kind === 'qualifier') };
}

function readText(term: Exclude<QueryTerm, QualifierTerm>, forgiven: ReadonlyMap<string, readonly string[]>) {
  const sought = parseTargetWords(term.text);
  if (!isBareWord(term)) return { anyOf: [sought], negated: term.negated };
  const written = forgiven.get(term.text) ?? [sought.words];
  const mayGoOn = (words: string) => words.length >= SHORTEST_BEGINNING && endsInLetter(words);
  return { anyOf: written.map((words) => ({ words, open: sought.open || mayGoOn(words) })), negated: false };
}

/** Whether the term is a plain word, which matches by prefix and, without other matches, despite typos. */
export function isBareWord(term: QueryTerm): boolean {
  return term.kind === 'word' && !term.negated;
}

/** @param now for dates like `7d`. */
export function findMatchMask(index: ProposalIndex, { texts, qualifiers }: SearchTerms, now: Instant) {
  const marks: MatchMask = index.occupiedSlots();
  // Terms that need only the index come first: the fewer slots remain, the fewer texts are read.
  for (const text of texts)
    if (text.anyOf.every(isOneWord)) narrow(marks, markText(index, text, marks), text);
  for (const term of qualifiers) narrowByQualifier(index, marks, term, now);
  for (const text of texts)
    if (!text.anyOf.every(isOneWord)) narrow(marks, markText(index, text, marks), text);
  return marks;
}

function isOneWord({ words }: TargetWords): boolean {
  const [first] = splitWords(words);
  return first === words;
}

function narrow(marks: MatchMask, found: MatchMask, { negated }: SearchTextTerm): void {
  const wanted = negated ? 0 : 1;
  for (let place = 0; place < marks.length; place++) if (found[place] !== wanted) marks[place] = 0;
}

function narrowByQualifier(index: ProposalIndex, marks: MatchMask, term: QualifierTerm, now: Instant): void {
  const holds = compileQualifier(term, now);
  for (let place = 0; place < marks.length; place++) {
    if (marks[place] === 0) continue;
    const known = index.factsAt(place);
    if (!known || holds(proposalFieldValue(known, term.name)) === term.negated) marks[place] = 0;
  }
}

function markText(index: ProposalIndex, { anyOf }: SearchTextTerm, within: MatchMask): MatchMask {
  const marks: MatchMask = new Uint8Array(index.slotCount);
  for (const sought of anyOf) markWordMatches(index, sought, within, marks);
  return marks;
}

export function markWordMatches(
  index: ProposalIndex,
  sought: TargetWords,
  within: MatchMask,
  marks: MatchMask,
): void {
  const groups = listPostingsByWord(index, sought);
  if (isOneWord(sought)) {
    for (const postings of groups[0] ?? []) for (const posting of postings) marks[decodeSlot(posting)] = 1;
    return;
  }
  const held = countHeld(index, groups);
  const pairs = listPairs(sought);
  for (let place = 0; place < marks.length; place++) {
    if (within[place] === 0 || held[place] !== groups.length || marks[place] === 1) continue;
    if (index.pairs.mayContain(place, pairs) && includesWords(index.textAt(place), sought)) marks[place] = 1;
  }
}

function listPairs({ words, open }: TargetWords): readonly number[] {
  const split = splitWords(words);
  const whole = open && words.endsWith(split.at(-1) ?? '') ? split.slice(0, -1) : split;
  return whole.slice(1).map((word, at) => hashWordPair(whole[at] ?? '', word));
}

function listPostingsByWord(index: ProposalIndex, { words, open }: TargetWords) {
  const split = splitWords(words);
  return split.map((word, at) =>
    open && at === split.length - 1 && words.endsWith(word)
      ? index.words.postingsWithPrefix(word)
      : [index.words.postingsFor(word)],
  );
}

/** For each slot, how many groups it has in an unbroken row from the first one. */
function countHeld(index: ProposalIndex, groups: readonly (readonly Postings[])[]): Uint16Array {
  const held = new Uint16Array(index.slotCount);
  for (const [level, group] of groups.entries()) {
    for (const postings of group)
      for (const posting of postings) {
        const place = decodeSlot(posting);
        if (held[place] === level) held[place] = level + 1;
      }
  }
  return held;
}

/** BM25's usual value: how soon repeated words stop adding to the score. */
const SATURATION = 1.2;
/** The weight of a word that matches only by prefix. */
const BEGINNING_SHARE = 0.5;

/** @returns the marked slots. Unknown values come last; ties are newest first. */
export function rankHits(
  index: ProposalIndex,
  marks: MatchMask,
  order: ProposalSortOrder,
  sought: SearchTerms,
): readonly number[] {
  const newest = index.slotsNewestFirst().filter((place) => marks[place] === 1);
  switch (order) {
    case 'newest':
      return newest;
    case 'oldest':
      return sortBy(newest, index, ({ submittedAt }) => submittedAt);
    case 'connects':
      return sortBy(newest, index, ({ connects }) => negative(connects));
    case 'boost':
      return sortBy(newest, index, ({ boost }) => negative(boost));
    case 'position':
      return sortBy(newest, index, ({ position }) => position);
    case 'relevance': {
      const scores = scorePlaces(index, sought);
      return newest.sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0));
    }
  }
}

function negative(amount: number | undefined): number | undefined {
  return amount === undefined ? undefined : -amount;
}

/** The sort is stable: ties keep their order. */
function sortBy(
  places: number[],
  index: ProposalIndex,
  read: (proposal: ProposalWithoutTexts) => number | undefined,
): readonly number[] {
  const keys = new Float64Array(index.slotCount).fill(Number.MAX_VALUE);
  for (const place of places) {
    const proposal = index.factsAt(place);
    keys[place] = (proposal && read(proposal)) ?? Number.MAX_VALUE;
  }
  return places.sort((a, b) => (keys[a] ?? 0) - (keys[b] ?? 0));
}

/** Rare words count more than frequent ones, the first mention more than the tenth. */
function scorePlaces(index: ProposalIndex, { texts }: SearchTerms): Float64Array {
  const scores = new Float64Array(index.slotCount);
  const wanted = texts.flatMap(({ anyOf, negated }) => (negated ? [] : anyOf));
  for (const group of wanted.flatMap((words) => listPostingsByWord(index, words))) {
    const rarity = rateRarity(group, index.size);
    for (const [at, postings] of group.entries())
      addScores(scores, postings, rarity * (at === 0 ? 1 : BEGINNING_SHARE));
  }
  return scores;
}

/**
 * BM25's rarity of the word with its prefix matches: a rare prefix match must not count more than the word
 * itself.
 */
export function rateRarity(group: readonly Postings[], held: number): number {
  const count = Math.min(
    held,
    group.reduce((sum, postings) => sum + postings.length, 0),
  );
  return Math.log(1 + (held - count + 0.5) / (count + 0.5));
}

function addScores(scores: Float64Array, postings: Postings, worth: number): void {
  for (const posting of postings) {
    const weight = decodeWeight(posting);
    const place = decodeSlot(posting);
    scores[place] = (scores[place] ?? 0) + scoreWeight(worth, weight);
  }
}

/** What a word adds to a slot's score. @param weight 1 to 15, from the posting */
export function scoreWeight(worth: number, weight: number): number {
  return (worth * weight * (SATURATION + 1)) / (weight + SATURATION);
}
