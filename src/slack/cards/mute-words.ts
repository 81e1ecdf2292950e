/** What a person may mute from a card, with what each would have hidden. Pure. */

import { previewRules } from '../../feed/decide-card.ts';
import type { MuteTarget } from '../../feed/feed.ts';
import type { ListedProject } from '../../marketplace/schema.ts';
import { UNSPACED, WORD_PART } from '../../query/words.ts';
import { formatMutedWord, MAX_MUTED_WORD_LENGTH, MUTED_COUNTRY } from '../kit/button-values.ts';
import { cleanLine } from '../kit/mrkdwn.ts';
import { formatNumber } from '../kit/numbers.ts';

export interface MuteChoice {
  /** Of a menu option. */
  readonly value: string;
  readonly mute: MuteTarget;
  /** How many of the channel's newest projects it would have hidden. */
  readonly hidden: number;
}

const MOST = 8;
const MOST_SKILLS = 5;

/** Common title words that describe nothing. */
const EMPTY_WORDS = new Set(
  (
    'about build business company create customer customers developer developers development engineer ' +
    'experienced expert from have help into looking need needed please project simple small someone that ' +
    'this urgent want website with work your'
  ).split(' '),
);

const TITLE_WORD = new RegExp(
  `(?:${UNSPACED})+|${WORD_PART}(?:${WORD_PART}|[.+#-])*(?:${WORD_PART}|[+#])`,
  'gu',
);

function wordsOf(title: string): readonly string[] {
  const words = cleanLine(title).toLowerCase().match(TITLE_WORD) ?? [];
  return words.filter((word) => word.length >= 4 && !EMPTY_WORDS.has(word));
}

/**
 * The skills, which the marketplace chose, then the longest title words: unique, lower case, at most
 * `longest` characters each. At most eight.
 */
export function suggestMuteWords(
  project: Pick<ListedProject, 'title' | 'skills'>,
  longest: number,
): readonly string[] {
  const skills = project.skills
    .map((skill) => cleanLine(skill).toLowerCase())
    .filter((skill) => skill !== '');
  const title = [...wordsOf(project.title)].sort((a, b) => b.length - a.length);
  const fitting = (words: readonly string[]) => words.filter((word) => word.length <= longest);
  return [...new Set([...fitting(skills).slice(0, MOST_SKILLS), ...fitting(title)])].slice(0, MOST);
}

/**
 * The client's country and the most specific words, at most nine; empty if there is nothing to mute.
 * @param newest the channel's newest projects
 */
export function listMuteChoices(
  project: ListedProject,
  newest: readonly ListedProject[],
): readonly MuteChoice[] {
  const country = cleanLine(project.client.country ?? '');
  const withCount = (value: string, mute: MuteTarget): MuteChoice => ({
    value,
    mute,
    hidden: previewRules(newest, { mutes: [mute] }).hidden.length,
  });
  return [
    ...(country ? [withCount(MUTED_COUNTRY, { kind: 'country', value: country })] : []),
    ...suggestMuteWords(project, MAX_MUTED_WORD_LENGTH).map((word) =>
      withCount(formatMutedWord(word), { kind: 'word', value: word }),
    ),
  ];
}

/** `would have hidden 3 of the last 50`; of fewer if the channel has fewer. */
export function hiddenText(hidden: number, of: number): string {
  return `would have hidden ${formatNumber(hidden)} of the last ${formatNumber(of)}`;
}

/** Plain text. */
export function muteLabel({ kind, value }: MuteTarget): string {
  return kind === 'country' ? `Client country: ${value}` : `Projects that mention “${value}”`;
}
