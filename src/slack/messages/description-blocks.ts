/** A project's description, nearly in full. */
import type { KnownBlock } from '@slack/types';
import { cleanText } from '../blocks/clean-text.ts';
import { clip } from '../blocks/mrkdwn.ts';
import { number } from '../blocks/numbers.ts';
import { partsOf } from '../blocks/text-parts.ts';
import { context, plainSection } from './parts.ts';

/** Slack takes about 13,000 characters a message; the rest of it is for everything else. */
const DESCRIPTION = 5_000;

/** Nothing where there is none; cut with a notice. */
export function descriptionBlocks(description: string): KnownBlock[] {
  const whole = cleanText(description);
  if (!whole) return [];
  const shown = clip(whole, DESCRIPTION);
  const cut = `Showing ${number(DESCRIPTION)} of ${number(whole.length)} characters. Open the link for the rest.`;
  return [...partsOf(shown).map(plainSection), ...(whole.length > DESCRIPTION ? [context(cut)] : [])];
}
