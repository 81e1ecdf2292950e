/** Which of a channel's feeds don't work now, or failed during the digest's time range. Pure. */
import type { SubscriptionStatus } from '../feed/feed.ts';
import type { ChannelSettings } from '../feed/records.ts';
import type { ChannelNotice } from '../outbox/posts.ts';
import type { ProfileFeedStatus } from '../profiles/profiles.ts';
import type { DigestFacts } from './facts.ts';

type Row = DigestFacts['feeds'][number];

interface ChannelFeedStates {
  readonly subscriptions: readonly SubscriptionStatus[];
  readonly profiles: readonly ProfileFeedStatus[];
  /** Missing: the channel is not paused. */
  readonly paused?: ChannelSettings['paused'];
}

function ofSubscription({ subscription, filter, state }: SubscriptionStatus): Row | undefined {
  const feed = { feed: 'filter', id: filter.id, name: filter.name } as const;
  switch (state.kind) {
    case 'failing':
      return { ...feed, state: 'failing', code: state.code, since: state.since };
    case 'stopped':
      return { ...feed, state: 'stopped', code: state.error, since: subscription.stopped?.at };
    case 'out-of-budget':
      return { ...feed, state: 'out-of-budget' };
    case 'paused':
      return { ...feed, state: 'paused' };
    case 'live':
    case 'starting':
      return undefined;
  }
}

function ofProfile({ feed, profileName, sync }: ProfileFeedStatus): Row | undefined {
  const named = { feed: feed.kind, id: feed.profile, name: profileName } as const;
  if (feed.stopped) return { ...named, state: 'stopped', code: feed.stopped.error, since: feed.stopped.at };
  if (!sync?.trouble) return undefined;
  return { ...named, state: 'failing', code: sync.trouble.code, since: sync.trouble.since };
}

/** A pause concerns the whole channel, so it is listed once. It doesn't stop outcomes. */
function ofPause(ofFilters: readonly Row[], { profiles, paused }: ChannelFeedStates): readonly Row[] {
  const holdsUp =
    ofFilters.some(({ state }) => state === 'paused') ||
    profiles.some(({ feed }) => feed.kind === 'invitations' && !feed.stopped);
  return paused && holdsUp ? [{ feed: 'all', state: 'paused', since: paused.at }] : [];
}

function ofNotice(notice: FailureNotice): readonly Row[] {
  const failed = { state: 'failed', code: notice.code, since: notice.since } as const;
  if (notice.about === 'profile-failing') {
    const { feed, profile } = notice;
    return [{ feed, id: profile.id, name: profile.name, ...failed }];
  }
  if (notice.filters.length === 0) return [{ feed: 'all', ...failed }];
  return notice.filters.map(({ id, name }) => ({ feed: 'filter', id, name, ...failed }));
}

/** A pause doesn't hide a feed's other problems. */
function isSame(a: Row, b: Row): boolean {
  return a.feed === b.feed && a.id === b.id && (a.state === 'paused') === (b.state === 'paused');
}

/** If all filters fail alike since the same time, they share one cause: list it once. */
function joinAlike(rows: readonly Row[], ofAll: number): readonly Row[] {
  const [first] = rows;
  if (!first || rows.length < 2 || rows.length < ofAll) return rows;
  const { state, code, since } = first;
  const alike = rows.every((row) => row.state === state && row.code === code && row.since === since);
  return alike ? [{ feed: 'all', state, code, since }] : rows;
}

/** Current problems come first. */
export function listFeedProblems(now: ChannelFeedStates, failures: readonly FailureNotice[]): Row[] {
  const { subscriptions, profiles } = now;
  const ofFilters = joinAlike(
    subscriptions.flatMap((each) => ofSubscription(each) ?? []),
    subscriptions.length,
  );
  const rows = [
    ...ofPause(ofFilters, now),
    ...ofFilters.filter(({ state }) => state !== 'paused'),
    ...profiles.flatMap((each) => ofProfile(each) ?? []),
    ...failures.flatMap(ofNotice),
  ];
  return rows.filter((row, place) => rows.findIndex((other) => isSame(row, other)) === place);
}

export type FailureNotice = Extract<ChannelNotice, { about: 'feed-failing' | 'profile-failing' }>;
type FeedNotice = FailureNotice | Extract<ChannelNotice, { about: 'feed-recovered' | 'profile-recovered' }>;

function isFailure(notice: ChannelNotice): notice is FailureNotice {
  return notice.about === 'feed-failing' || notice.about === 'profile-failing';
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
    if (notice.about === 'feed-recovered' || notice.about === 'profile-recovered') over.add(feedOf(notice));
  }
  return notices.filter(isFailure).filter((notice) => over.has(feedOf(notice)));
}
