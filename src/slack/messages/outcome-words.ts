/** How what has become of a proposal is called. */
import type { Outcome } from '../../outbox/outcome-news.ts';

const WORDS: Readonly<Record<Outcome, { readonly word: string; readonly sign: string }>> = {
  hired: { word: 'hired', sign: ':tada:' },
  interviewed: { word: 'interviewed', sign: ':speech_balloon:' },
  withdrawn: { word: 'withdrawn', sign: ':leftwards_arrow_with_hook:' },
  outbid: { word: 'boost outbid', sign: ':small_red_triangle_down:' },
  viewed: { word: 'viewed', sign: ':eyes:' },
};

/** What matters most is first. */
const ORDER: readonly Outcome[] = ['hired', 'interviewed', 'withdrawn', 'outbid', 'viewed'];

function inOrder(outcomes: readonly Outcome[]): readonly Outcome[] {
  return ORDER.filter((each) => outcomes.includes(each));
}

export function outcomeWord(outcome: Outcome): string {
  return WORDS[outcome].word;
}

/** `hired, viewed`, the weightiest first. */
export function outcomeWords(outcomes: readonly Outcome[]): string {
  return inOrder(outcomes).map(outcomeWord).join(', ');
}

/** Of the weightiest. */
export function outcomeSign(outcomes: readonly Outcome[]): string {
  const [first] = inOrder(outcomes);
  return first ? WORDS[first].sign : ':page_facing_up:';
}
