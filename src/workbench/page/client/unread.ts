/** Which messages a person has not seen yet. Counts alone: the server says how many messages a person can see in a channel. Pure. */
import type { PageChannel, ShownMessage } from '../protocol.ts';

/** How many messages of each channel were seen, by channel id. */
export type Seen = Readonly<Record<string, number>>;

/** How many messages came since; none where messages were deleted meanwhile. */
export function countUnread(seen: Seen, channel: Pick<PageChannel, 'id' | 'messages'>): number {
  return Math.max(0, channel.messages - (seen[channel.id] ?? 0));
}

export function markSeen(seen: Seen, channel: Pick<PageChannel, 'id' | 'messages'>): Seen {
  return { ...seen, [channel.id]: channel.messages };
}

/** The `ts` of the first of the `unread` newest messages, above which the line "New" goes; none when all or nothing is new. */
export function firstUnread(messages: readonly ShownMessage[], unread: number): string | undefined {
  if (unread <= 0 || unread >= messages.length) return undefined;
  return messages[messages.length - unread]?.ts;
}

/** A badge's text: short, whatever the number. */
export function badge(unread: number): string {
  return unread > 99 ? '99+' : String(unread);
}
