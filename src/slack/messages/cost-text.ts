/** What an answer cost the channel. */
import type { Cost } from '../../projects/purchases.ts';
import { count } from '../blocks/numbers.ts';

export function costText({ charged, atMost }: Cost): string {
  if (atMost !== undefined) return `Cost this channel ${count(atMost, 'credit')} at the most.`;
  return charged === 0 ? 'No credit was charged.' : `Cost this channel ${count(charged, 'credit')}.`;
}
