/**
 * Which messages a person hasn't seen, based on the server's number of visible messages per channel. Pure.
 */
import type { PageChannel, ShownMessage } from '../protocol.ts';

/** Number of seen messages, by channel ID. */
export type SeenMessageCounts = Readonly<Record<string, number>>;

/** Number of unread messages; 0 if messages were deleted meanwhile. */
export function countUnread(seen: SeenMessageCounts, channel: Pick<PageChannel, 'id' | 'messages'>): number {
  return Math.max(0, channel.messages - (seen[channel.id] ?? 0));
}

export function markChannelSeen(
  seen: SeenMessageCounts,
  channel: Pick<PageChannel, 'id' | 'messages'>,
): SeenMessageCounts {
  return { ...seen, [channel.id]: channel.messages };
}

/** Limits the counts to the existing messages: some get deleted, and a restarted workbench has none. */
export function clampSeenMessageCounts(
  seen: SeenMessageCounts,
  channels: readonly Pick<PageChannel, 'id' | 'messages'>[],
): SeenMessageCounts {
  const clamped = channels.map(({ id, messages }) => [id, Math.min(seen[id] ?? 0, messages)] as const);
  return Object.fromEntries(clamped);
}

/**
 * The `ts` of the oldest of the `unread` newest messages, for the "New" line above it; none when all or no
 * messages are new. Ephemeral messages don't count: they arrived while the person was looking.
 */
export function findFirstUnreadTs(messages: readonly ShownMessage[], unread: number): string | undefined {
  const counted = messages.filter(({ onlyMe }) => !onlyMe);
  if (unread <= 0 || unread >= counted.length) return undefined;
  return counted[counted.length - unread]?.ts;
}

/** A badge's text, always short. */
export function unreadBadgeText(unread: number): string {
  return unread > 99 ? '99+' : String(unread);
}
