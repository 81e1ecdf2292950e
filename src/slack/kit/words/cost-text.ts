/** What an answer cost the channel. Pure. */
import type { PurchaseCost } from '../../../projects/project-service.ts';
import { formatCount } from '../numbers.ts';

export function chargedCreditsText({ charged, atMost }: PurchaseCost): string {
  if (atMost !== undefined) return `Charged to this channel: at most ${formatCount(atMost, 'credit')}.`;
  return charged === 0
    ? 'No credits charged.'
    : `Charged to this channel: ${formatCount(charged, 'credit')}.`;
}
