/** What has become of a card, one line each. */
import type { Card } from '../../feed/records.ts';
import { date, mention } from '../blocks/mrkdwn.ts';
import { SKIP_WORDS } from './skip-reasons.ts';

export type CardStage = 'open' | 'claimed' | 'skipped';

export function cardStage(card: Card): CardStage {
  if (card.skip) return 'skipped';
  return card.claim ? 'claimed' : 'open';
}

/** `Claimed by @Ana, today at 9:05`. mrkdwn. */
export function stateLines({ claim, skip }: Card): readonly string[] {
  const skipped = skip && `Skipped by ${mention(skip.by)}: ${SKIP_WORDS[skip.reason]}, ${date(skip.at)}`;
  const claimed = claim && `:raised_hand: Claimed by ${mention(claim.by)}, ${date(claim.at)}`;
  return [claimed, skipped].filter((each) => each !== undefined);
}
