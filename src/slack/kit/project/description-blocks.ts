/** A project's description, in full up to 5,000 characters. Pure. */
import type { KnownBlock } from '@slack/types';
import { contextBlock, plainTextSection } from '../block-builders.ts';
import { cleanText } from '../clean-text.ts';
import { clipText } from '../mrkdwn.ts';
import { formatNumber } from '../numbers.ts';
import { splitIntoParts } from '../text-parts.ts';

/** Slack takes about 13,000 characters a message; the rest is for everything else. */
const DESCRIPTION = 5_000;

/** Empty if there is no description; a clipped one ends with a notice. */
export function descriptionBlocks(description: string): KnownBlock[] {
  const whole = cleanText(description);
  if (!whole) return [];
  const shown = clipText(whole, DESCRIPTION);
  const cut =
    `Showing ${formatNumber(DESCRIPTION)} of ${formatNumber(whole.length)} characters. ` +
    'Open the link for the rest.';
  return [
    ...splitIntoParts(shown).map(plainTextSection),
    ...(whole.length > DESCRIPTION ? [contextBlock(cut)] : []),
  ];
}
