/** Links from items of the App Home to their messages: those known already, and those to ask Slack for. */
import type { ChannelId, MessageTs } from '../../ids.ts';
import type { Services } from '../core/routes.ts';
import type { TruncatedList } from './home-facts.ts';

/** An item and its message: the link is loaded separately. */
export interface WithMessageTs<T> {
  readonly item: T;
  readonly channel: ChannelId;
  /** undefined: it isn't posted. */
  readonly ts: MessageTs | undefined;
}

export type LinkedMessage = Pick<WithMessageTs<unknown>, 'channel' | 'ts'>;

/** The items with the links that are known. @param unlinked gets the messages whose link isn't */
export function addKnownLinks<T>(
  { homes }: Services,
  { shown, ...rest }: TruncatedList<WithMessageTs<T>>,
  unlinked: LinkedMessage[],
): TruncatedList<T & { readonly link?: string }> {
  return {
    ...rest,
    shown: shown.map(({ item, channel, ts }) => {
      const link = ts && homes.findMessageLink(channel, ts);
      if (ts && !link) unlinked.push({ channel, ts });
      return { ...item, ...(link ? { link } : {}) };
    }),
  };
}
