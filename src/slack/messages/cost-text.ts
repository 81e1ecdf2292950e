/** What an answer cost the channel. */
import { count } from '../blocks/numbers.ts';

export function costText(charged: number): string {
  return charged === 0 ? 'No credit was charged.' : `Cost this channel ${count(charged, 'credit')}.`;
}
