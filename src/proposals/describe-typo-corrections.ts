/** Describes which words replaced those with typos. Pure. */
import { type MatchMask, markWordMatches } from './find-matches.ts';
import type { ProposalIndex } from './index-proposals.ts';
import type { TypoCorrections } from './typo-corrections.ts';

const MOST_NAMED = 3;

/**
 * @returns the words as the found proposals spell them, most frequent first: `react or recast, wordpress`.
 */
export function describeTypoCorrections(
  index: ProposalIndex,
  found: MatchMask,
  forgiven: TypoCorrections,
): string {
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
