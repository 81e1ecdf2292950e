/** The status of profile feeds: one line for all channels that follow the same feed. Pure. */
import type { ProfileId } from '../../ids.ts';
import type { ProfileFeedStatus } from '../../profiles/profile-feed-service.ts';
import { joinFacts, joinLines } from '../kit/block-builders.ts';
import { formatDate } from '../kit/mrkdwn.ts';
import { formatCount, formatNumber } from '../kit/numbers.ts';
import { andMoreText } from '../kit/paged-list.ts';
import { formatTimeAgo } from '../kit/time-ago.ts';
import { profileFeedText } from '../kit/words/profiles.ts';
import { describeProfileFailure, profileFeedKey, toProfileFeedName } from '../subscriptions/subscriptions.ts';

const MOST = 8;

/** All feeds served by the same reading. */
type Followed = readonly [ProfileFeedStatus, ...ProfileFeedStatus[]];

/** Grouped by feed, in the order of their channels. */
export function groupByProfileFeed(views: readonly ProfileFeedStatus[]): readonly Followed[] {
  const found = new Map<string, Followed>();
  for (const view of views) {
    const key = profileFeedKey(view);
    const there = found.get(key);
    found.set(key, there ? [...there, view] : [view]);
  }
  return [...found.values()];
}

export function isProfileFeedFailing([{ sync }]: Followed): boolean {
  return sync?.trouble !== undefined;
}

function troubleText([view]: Followed): string | undefined {
  const { trouble } = view.sync ?? {};
  if (!trouble) return undefined;
  const { what } = describeProfileFailure({ ...toProfileFeedName(view), code: trouble.code });
  return `   ${what}, since ${formatDate(trouble.since)}, next try ${formatDate(trouble.retryAt, 'time')}`;
}

/** Slack refuses posts in all of its channels, so it is not read. */
function isStopped(followed: Followed): boolean {
  return followed.every(({ feed }) => feed.stopped);
}

function sign(followed: Followed): string {
  if (isProfileFeedFailing(followed)) return ':warning:';
  return isStopped(followed) ? ':white_circle:' : ':large_green_circle:';
}

function followedText(followed: Followed): string {
  const [view] = followed;
  const { lastGoodAt } = view;
  const stopped = followed.filter(({ feed }) => feed.stopped).length;
  const read = isProfileFeedFailing(followed) || isStopped(followed) ? 'last worked' : 'checked';
  return joinLines(
    joinFacts(
      `${sign(followed)} ${profileFeedText(toProfileFeedName(view))}`,
      lastGoodAt === undefined ? 'not checked yet' : `${read} ${formatTimeAgo(lastGoodAt)}`,
      formatCount(followed.length, 'channel'),
      stopped > 0
        ? `${stopped === followed.length ? 'stopped' : `stopped in ${formatNumber(stopped)}`}: ` +
            'Slack refuses posts'
        : undefined,
    ),
    troubleText(followed),
  );
}

/** Failing feeds first. */
function shownOf(all: readonly Followed[]): readonly Followed[] {
  return all
    .toSorted((a, b) => Number(isProfileFeedFailing(b)) - Number(isProfileFeedFailing(a)))
    .slice(0, MOST);
}

/** mrkdwn; undefined if no profile is followed. */
export function profileFeedsStatusText(all: readonly Followed[]): string | undefined {
  if (all.length === 0) return undefined;
  return joinLines(...shownOf(all).map(followedText), andMoreText(all.length - MOST));
}

/** The profiles whose proposals can't be read, as shown by `profileFeedsStatusText`. */
export function listShownFailingProfiles(all: readonly Followed[]): ReadonlySet<ProfileId> {
  const told = shownOf(all).filter((each) => isProfileFeedFailing(each) && each[0].feed.kind === 'outcomes');
  return new Set(told.map(([{ feed }]) => feed.profile));
}
