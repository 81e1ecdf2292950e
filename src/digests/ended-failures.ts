/** Which failures posted to a channel are over. Pure. */
import type { ChannelNotice } from '../outbox/posts.ts';

export type FailureNotice = Extract<ChannelNotice, { about: 'feed-failing' | 'profile-failing' }>;
type FeedNotice = FailureNotice | Extract<ChannelNotice, { about: 'feed-recovered' | 'profile-recovered' }>;

function isFailure(notice: ChannelNotice): notice is FailureNotice {
  return notice.about === 'feed-failing' || notice.about === 'profile-failing';
}

function isRecovery(notice: ChannelNotice): notice is Exclude<FeedNotice, FailureNotice> {
  return notice.about === 'feed-recovered' || notice.about === 'profile-recovered';
}

/** The same key for a failure and its recovery. */
function feedOf(notice: FeedNotice): string {
  if ('filters' in notice) return `filters ${notice.filters.map(({ id }) => id).join(' ')}`;
  return `${notice.feed} ${notice.profile.id} ${notice.organization?.id ?? ''}`;
}

/**
 * Only a posted recovery ends a failure: a feed that was paused, stopped or unsubscribed hasn't recovered.
 * @param notices in the order they were posted
 */
export function findRecoveredFailureNotices(notices: readonly ChannelNotice[]): readonly FailureNotice[] {
  const over = new Set<string>();
  for (const notice of notices) {
    if (isFailure(notice)) over.delete(feedOf(notice));
    if (isRecovery(notice)) over.add(feedOf(notice));
  }
  return notices.filter(isFailure).filter((notice) => over.has(feedOf(notice)));
}
