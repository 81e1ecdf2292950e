/** Finds the words that best describe a project's kind. Pure. */
import type { ListedProject } from '../../marketplace/schema.ts';
import { cleanLine } from '../kit/clean-text.ts';

const MOST = 8;
const MOST_SKILLS = 5;

/** Common title words that describe nothing. */
const EMPTY_WORDS = new Set(
  (
    'about build create developer developers development engineer expert experienced from have help into ' +
    'looking need needed please project simple small someone that this urgent want website with work your'
  ).split(' '),
);

function wordsOf(title: string): readonly string[] {
  const words =
    cleanLine(title)
      .toLowerCase()
      .match(/[\p{L}\p{N}][\p{L}\p{N}.+#-]*[\p{L}\p{N}+#]/gu) ?? [];
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
