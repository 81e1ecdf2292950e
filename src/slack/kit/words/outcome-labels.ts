/** Labels for outcomes of proposals, and for reasons to skip a project. Pure. */
import type { SkipReason } from '../../../feed/records.ts';
import type { ProposalOutcome } from '../../../outbox/news.ts';

const WORDS: Readonly<Record<ProposalOutcome, { readonly word: string; readonly sign: string }>> = {
  hired: { word: 'hired', sign: ':tada:' },
  interviewed: { word: 'interviewed', sign: ':speech_balloon:' },
  withdrawn: { word: 'withdrawn', sign: ':leftwards_arrow_with_hook:' },
  outbid: { word: 'boost outbid', sign: ':small_red_triangle_down:' },
  viewed: { word: 'viewed', sign: ':eyes:' },
};

/** Most important first. */
export const OUTCOMES_BY_IMPORTANCE: readonly ProposalOutcome[] = [
  'hired',
  'interviewed',
  'withdrawn',
  'outbid',
  'viewed',
];

function inOrder(outcomes: readonly ProposalOutcome[]): readonly ProposalOutcome[] {
  return OUTCOMES_BY_IMPORTANCE.filter((each) => outcomes.includes(each));
}

export function outcomeLabel(outcome: ProposalOutcome): string {
  return WORDS[outcome].word;
}

/** `hired, viewed`, most important first. */
export function outcomeLabels(outcomes: readonly ProposalOutcome[]): string {
  return inOrder(outcomes).map(outcomeLabel).join(', ');
}

/** The most important outcome's emoji. */
export function outcomeEmoji(outcomes: readonly ProposalOutcome[]): string {
  const [first] = inOrder(outcomes);
  return first ? WORDS[first].sign : ':page_facing_up:';
}

export const SKIP_REASON_LABELS: Readonly<Record<SkipReason, string>> = {
  'not-a-fit': 'not a fit',
  'budget-too-low': 'budget too low',
  client: 'poor client',
  'too-late': 'too old or too many bids',
  other: 'another reason',
};
