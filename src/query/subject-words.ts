/** The words that say what a project is about, to compare projects, setups and proposals. Pure. */
import { foldText, splitWordRuns } from './words.ts';

/** Words of every project and letter: sharing them says nothing. Folded. */
const COMMON = new Set(
  (
    'a about above after again all also am an and any are as at be because been before being below between ' +
    'both but by can could did do does down during each few for from further get give had has have having ' +
    'he hello help her here hi him his how i if in into is it its js just let like ll looking make me more ' +
    'most must my need needed needs new no nor not now of off on once one only or other our out over own ' +
    'per please re same she should so some such than thank thanks that the their them then there these ' +
    'they this those through time to too under up us use used using ve very want was we well were what ' +
    'when where which while who will with within work working would year years you your ' +
    'agency bid bidding client clients contract developer expert experience experienced fast filter ' +
    'fixed freelancer good great hire hiring hour hourly hours job jobs letter letters long project ' +
    'projects proposal setup short skilled slow someone standard team template'
  ).split(' '),
);

/** The longest text that is read; the rest hardly adds a new subject. */
const LONGEST_TEXT = 4_000;
const SHORTEST_WORD = 2;

/**
 * The distinct words of a text that say what it is about, folded, in their order.
 * @param most the first this many
 */
export function listSubjectWords(text: string, most: number): readonly string[] {
  const found = new Set<string>();
  for (const word of splitWordRuns(foldText(text.slice(0, LONGEST_TEXT)))) {
    if (found.size >= most) break;
    if (word.length >= SHORTEST_WORD && !COMMON.has(word) && !/^\d+$/u.test(word)) found.add(word);
  }
  return [...found];
}
