/** Orders search hits. Pure. */
import type { ProposalWithoutTexts } from '../marketplace/schema.ts';
import type { ProposalSortOrder } from '../query/proposal-search.ts';
import { listPostingsByWord, type MatchMask, type SearchTerms } from './find-matches.ts';
import { decodeSlot, decodeWeight, type Postings } from './index-postings.ts';
import type { ProposalIndex } from './index-proposals.ts';

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

/** For descending order. */
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
function rateRarity(group: readonly Postings[], held: number): number {
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
    scores[place] = (scores[place] ?? 0) + (worth * weight * (SATURATION + 1)) / (weight + SATURATION);
  }
}
