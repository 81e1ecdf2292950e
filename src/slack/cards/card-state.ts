/** A card's claim and skip, one line each. Pure. */
import type { Card } from '../../feed/records.ts';
import { formatDate, formatMention } from '../kit/mrkdwn.ts';
import { SKIP_REASON_LABELS } from '../kit/words/outcome-labels.ts';

export type CardStage = 'open' | 'claimed' | 'skipped';

export function cardStage(card: Card): CardStage {
  if (card.skip) return 'skipped';
  return card.claim ? 'claimed' : 'open';
}

/** `Claimed by @Ana, today at 9:05`. mrkdwn. */
export function cardStateLines({ claim, skip }: Card): readonly string[] {
  const skipped =
    skip &&
    `Skipped by ${formatMention(skip.by)}: ${SKIP_REASON_LABELS[skip.reason]}, ${formatDate(skip.at)}`;
  const claimed = claim && `:raised_hand: Claimed by ${formatMention(claim.by)}, ${formatDate(claim.at)}`;
  return [claimed, skipped].filter((each) => each !== undefined);
}
