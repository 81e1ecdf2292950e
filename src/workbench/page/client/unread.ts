/** Which messages a person has not seen yet. Counts alone: the server says how many messages a person can see in a channel. Pure. */
import type { PageChannel, ShownMessage } from '../protocol.ts';

/** How many messages of each channel were seen, by channel id. */
export type SeenCounts = Readonly<Record<string, number>>;

/** How many messages came since; none where messages were deleted meanwhile. */
export function countUnread(seen: SeenCounts, channel: Pick<PageChannel, 'id' | 'messages'>): number {
  return Math.max(0, channel.messages - (seen[channel.id] ?? 0));
}

export function markSeen(seen: SeenCounts, channel: Pick<PageChannel, 'id' | 'messages'>): SeenCounts {
  return { ...seen, [channel.id]: channel.messages };
}

/** Never more than there is: messages are deleted, and a workbench that was started again begins with none. */
export function clampSeen(
  seen: SeenCounts,
  channels: readonly Pick<PageChannel, 'id' | 'messages'>[],
): SeenCounts {
  const clamped = channels.map(({ id, messages }) => [id, Math.min(seen[id] ?? 0, messages)] as const);
  return Object.fromEntries(clamped);
}

/**
 * The `ts` of the first of the `unread` newest messages, above which the line "New" goes; none when all or nothing is new. What only
 * the person sees came while they looked, and is not counted.
 */
export function firstUnread(messages: readonly ShownMessage[], unread: number): string | undefined {
  const counted = messages.filter(({ onlyMe }) => !onlyMe);
  if (unread <= 0 || unread >= counted.length) return undefined;
  return counted[counted.length - unread]?.ts;
}

/** A badge's text: short, whatever the number. */
export function unreadBadgeText(unread: number): string {
  return unread > 99 ? '99+' : String(unread);
}
