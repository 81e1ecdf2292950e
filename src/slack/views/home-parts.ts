/** What every part of a Home is made of. Pure. */
import type { HeaderBlock, KnownBlock } from '@slack/types';
import { number } from '../blocks/numbers.ts';
import { context, plain } from '../messages/parts.ts';
import type { Some } from './home-facts.ts';

export function header(title: string): HeaderBlock {
  return { type: 'header', text: plain(title) };
}

/** How many more there are, and where they are found. @param where harmless mrkdwn */
export function restBlocks(
  { more, orMore }: Pick<Some<unknown>, 'more' | 'orMore'>,
  where: string,
): KnownBlock[] {
  if (more <= 0) return [];
  return [context(`…and ${orMore ? 'at least ' : ''}${number(more)} more. ${where}`)];
}
