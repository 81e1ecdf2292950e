/** Finds our answered proposals that are most similar to a project, by the words of the index. Pure. */
import { listSubjectWords } from '../query/subject-words.ts';
import { rateRarity, scoreWeight } from './find-matches.ts';
import type { ProposalIndex } from './index-proposals.ts';
import { decodeSlot, decodeWeight, type Postings } from './index-words.ts';

/** What a project is about; strangers' text. */
export interface LetterSubject {
  readonly title: string;
  readonly skills: readonly string[];
  readonly description: string;
}

export interface SimilarSlot {
  readonly place: number;
  /** Words of the title and skills that the proposal has, too: folded, most telling first. */
  readonly shared: readonly string[];
}

const MOST_SKILLS = 40;
const MOST_WORDS = 60;
/** How much a shared word counts, by where the project has it. */
const WORTH = { skill: 3, title: 2, description: 1 } as const;
/**
 * Postings read at most, rarest words first, so that the search takes a few milliseconds with any number of
 * proposals. Words beyond that are in so many proposals that they hardly tell them apart.
 */
const MOST_POSTINGS = 40_000;
const MOST_SHARED = 4;

interface SoughtWord {
  readonly word: string;
  /** Of the title or the skills: only these make a proposal similar. */
  readonly isSubject: boolean;
  readonly postings: Postings;
  readonly worth: number;
}

function listSoughtWords(index: ProposalIndex, { title, skills, description }: LetterSubject) {
  const skillWords = new Set(listSubjectWords(skills.slice(0, MOST_SKILLS).join(' '), MOST_WORDS));
  const titleWords = new Set(listSubjectWords(title, MOST_WORDS));
  const all = new Set([...skillWords, ...titleWords, ...listSubjectWords(description, MOST_WORDS)]);
  return [...all]
    .flatMap((word) => {
      const postings = index.words.postingsFor(word);
      if (postings.length === 0) return [];
      const place = skillWords.has(word) ? 'skill' : titleWords.has(word) ? 'title' : 'description';
      // Even a frequent word counts: with few proposals, rarity alone would be chance.
      const worth = WORTH[place] * (1 + rateRarity([postings], index.size));
      return [{ word, isSubject: place !== 'description', postings, worth }];
    })
    .sort((a, b) => b.worth - a.worth || (a.word < b.word ? -1 : 1));
}

/** The words whose postings may be read, in the given order; the first one always. */
function withinBudget(sought: readonly SoughtWord[]): readonly SoughtWord[] {
  let left = MOST_POSTINGS;
  return sought.filter(({ postings }) => {
    if (postings.length > left) return false;
    left -= postings.length;
    return true;
  });
}

/**
 * The answered proposals that share words with the project's title or skills, most similar first; newer first
 * where equal. Without answers to invitations: those didn't depend on a letter.
 */
export function rankSimilarAnswered(
  index: ProposalIndex,
  subject: LetterSubject,
  most: number,
): readonly SimilarSlot[] {
  const found = new Map<number, { score: number; readonly shared: string[] }>();
  for (const { word, isSubject, postings, worth } of withinBudget(listSoughtWords(index, subject))) {
    // An indexed loop: iterators are several times slower here.
    for (let at = 0; at < postings.length; at++) {
      const posting = postings[at] ?? 0;
      const place = decodeSlot(posting);
      if (!index.isAnswered(place)) continue;
      const entry = found.get(place) ?? { score: 0, shared: [] };
      entry.score += scoreWeight(worth, decodeWeight(posting));
      if (isSubject && entry.shared.length < MOST_SHARED) entry.shared.push(word);
      found.set(place, entry);
    }
  }
  const sentAt = (place: number) => index.factsAt(place)?.submittedAt ?? 0;
  return [...found]
    .filter(([, { shared }]) => shared.length > 0)
    .sort(([a, one], [b, other]) => other.score - one.score || sentAt(b) - sentAt(a) || b - a)
    .slice(0, most)
    .map(([place, { shared }]) => ({ place, shared }));
}
