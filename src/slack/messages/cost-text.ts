/** What an answer cost the channel. */
import type { Cost } from '../../projects/purchases.ts';
import { count } from '../blocks/numbers.ts';

export function costText({ charged, atMost }: Cost): string {
  if (atMost !== undefined) return `Charged to this channel: at most ${count(atMost, 'credit')}.`;
  return charged === 0 ? 'No credits charged.' : `Charged to this channel: ${count(charged, 'credit')}.`;
}
