/** Shared parts of the App Home. Pure. */
import type { HeaderBlock, KnownBlock } from '@slack/types';
import { contextBlock, plainTextObject } from '../kit/block-builders.ts';
import { formatNumber } from '../kit/numbers.ts';
import type { TruncatedList } from './home-facts.ts';

export function headerBlock(title: string): HeaderBlock {
  return { type: 'header', text: plainTextObject(title) };
}

/** How many more there are, and where to find them. @param where safe mrkdwn */
export function moreItemsBlocks(
  { more, orMore }: Pick<TruncatedList<unknown>, 'more' | 'orMore'>,
  where: string,
): KnownBlock[] {
  if (more <= 0) return [];
  return [contextBlock(`…and ${orMore ? 'at least ' : ''}${formatNumber(more)} more. ${where}`)];
}
