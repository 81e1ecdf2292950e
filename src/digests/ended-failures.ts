/** Which failures posted to a channel are over. Pure. */
import type { Notice } from '../outbox/posts.ts';

export type FailureNotice = Extract<Notice, { about: 'feed-failing' | 'profile-failing' }>;
type FeedNotice = FailureNotice | Extract<Notice, { about: 'feed-recovered' | 'profile-recovered' }>;

function isFailure(notice: Notice): notice is FailureNotice {
  return notice.about === 'feed-failing' || notice.about === 'profile-failing';
}

function isRecovery(notice: Notice): notice is Exclude<FeedNotice, FailureNotice> {
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
export function findEndedFailures(notices: readonly Notice[]): readonly FailureNotice[] {
  const over = new Set<string>();
  for (const notice of notices) {
    if (isFailure(notice)) over.delete(feedOf(notice));
    if (isRecovery(notice)) over.add(feedOf(notice));
  }
  return notices.filter(isFailure).filter((notice) => over.has(feedOf(notice)));
}
