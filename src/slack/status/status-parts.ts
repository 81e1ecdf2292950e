/**
 * Parts of the status: what prevents delivery, requests to the marketplace, profile feeds. mrkdwn. Pure.
 */
import { type Instant, MINUTE, SECOND } from '../../clock.ts';
import type { ProfileId } from '../../ids.ts';
import type { GateStatus } from '../../marketplace/gate/gate.ts';
import type { ProfileFeedStatus } from '../../profiles/profiles.ts';
import { describeSlackErrorWithCode } from '../core/failures.ts';
import type { DeliveryHealth } from '../delivery/health.ts';
import { joinFacts, joinLines } from '../kit/block-builders.ts';
import { formatDate, formatTimeAgo } from '../kit/mrkdwn.ts';
import { formatCount, formatNumber } from '../kit/numbers.ts';
import { andMoreText } from '../kit/paged-list.ts';
import { profileFeedText } from '../kit/words/profiles.ts';
import { describeProfileFailure, profileFeedKey, toProfileFeedName } from '../subscriptions/subscriptions.ts';

/** Why no post arrives anywhere; undefined while delivery works. */
export function deliveryPausedText({ paused }: DeliveryHealth): string | undefined {
  if (!paused) return undefined;
  return joinLines(
    `:red_circle: *Posting is paused: ${describeSlackErrorWithCode(paused.error)}*, ` +
      `since ${formatDate(paused.since)}.`,
    'Gigdesk keeps all posts until Slack accepts the token again. ' +
      'If the app was removed, reinstall it and set the new tokens.',
  );
}

/**
 * Conversations where Slack refuses posts; undefined if none. Stopped channels show in `/gig list` instead.
 */
export function refusedConversationsText({ refused }: DeliveryHealth): string | undefined {
  const waiting = refused.filter(({ isStopped }) => !isStopped);
  if (waiting.length === 0) return undefined;
  const since = Math.min(...waiting.map((each) => each.since));
  const [code = '', ...otherCodes] = new Set(waiting.map(({ error }) => error));
  const why = otherCodes.length === 0 ? `: ${describeSlackErrorWithCode(code)}` : '';
  return joinLines(
    ':warning: *Slack is rejecting posts in ' +
      `${formatCount(waiting.length, 'conversation')}${why}*, since ${formatDate(since)}.`,
    "Gigdesk keeps these posts and retries. Check the Slack app's permissions and who can post there.",
  );
}

/** Like `refusedConversationsText`, for channels whose feeds stopped. */
export function stoppedChannelsText({ refused }: DeliveryHealth): string | undefined {
  const stopped = refused.filter(({ isStopped }) => isStopped).length;
  if (stopped === 0) return undefined;
  return (
    `Feeds stopped in ${formatCount(stopped, 'channel')} because Slack permanently rejects posts there. ` +
    'After you fix the cause, an admin can resume them there.'
  );
}

/** `for another 20 seconds`, `until 9:33 PM`: a clock time could be the current minute. */
function stillText(until: Instant, now: Instant, isLasting = false): string | undefined {
  const left = until - now;
  if (left <= 0) return undefined;
  return left < 2 * MINUTE && !isLasting
    ? `for another ${formatCount(Math.ceil(left / SECOND), 'second')}`
    : `until ${formatDate(until, 'time')}`;
}

/**
 * Why requests wait or slow down; undefined while they don't.
 * @param isLasting whether it is read long after it was written: then only a clock time is right.
 */
export function requestsDelayedText(gate: GateStatus, now: Instant, isLasting = false): string | undefined {
  const { pausedUntil, lowered, limitPerMinute } = gate;
  const pause = pausedUntil === undefined ? undefined : stillText(pausedUntil, now, isLasting);
  if (pause)
    return (
      `:hourglass_flowing_sand: *Requests are paused ${pause}*: ` +
      "the marketplace's rate limit was reached. They resume automatically."
    );
  if (gate.recordFails)
    return (
      ":warning: *The feeds are paused*: Gigdesk can't save which requests it sends, " +
      'often because the disk is full. Ask the person who runs Gigdesk to check the log.'
    );
  const slower = lowered && stillText(lowered.until, now, isLasting);
  if (!lowered || !slower) return undefined;
  return (
    `:hourglass_flowing_sand: *Requests are slower ${slower}*: ` +
    `the marketplace's rate limit was reached, so Gigdesk sends ${formatNumber(limitPerMinute)} a ` +
    `minute instead of ${formatNumber(lowered.from)}. Then it speeds up again.`
  );
}

export function requestUsageText(gate: GateStatus, now: Instant): string {
  const { used, limitPerMinute, waiting, pausedUntil } = gate;
  const pause = pausedUntil === undefined ? undefined : stillText(pausedUntil, now);
  // After the limit drops, more requests may have been sent than it allows now.
  const part = used < limitPerMinute ? `${formatNumber(used)} of` : 'all';
  return joinLines(
    '*Requests*',
    joinFacts(
      `${part} ${formatNumber(limitPerMinute)} requests used in the last minute`,
      waiting > 0 ? `${formatNumber(waiting)} queued` : undefined,
      pause && `paused ${pause}`,
    ),
  );
}

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

function followedText(followed: Followed): string {
  const [view] = followed;
  const { lastGoodAt, sync } = view;
  const name = toProfileFeedName(view);
  const trouble = sync?.trouble;
  const stopped = followed.filter(({ feed }) => feed.stopped).length;
  // Slack refuses posts in all of its channels, so it is not read.
  const isStopped = stopped === followed.length;
  const sign = trouble ? ':warning:' : isStopped ? ':white_circle:' : ':large_green_circle:';
  return joinLines(
    joinFacts(
      `${sign} ${profileFeedText(name)}`,
      lastGoodAt === undefined
        ? 'not checked yet'
        : `${trouble || isStopped ? 'last worked' : 'checked'} ${formatTimeAgo(lastGoodAt)}`,
      formatCount(followed.length, 'channel'),
      stopped > 0
        ? `${isStopped ? 'stopped' : `stopped in ${formatNumber(stopped)}`}: Slack refuses posts`
        : undefined,
    ),
    trouble &&
      `   ${describeProfileFailure({ ...name, code: trouble.code }).what}, ` +
        `since ${formatDate(trouble.since)}, next try ${formatDate(trouble.retryAt, 'time')}`,
  );
}

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
  const failing = shownOf(all).filter(
    (each) => isProfileFeedFailing(each) && each[0].feed.kind === 'outcomes',
  );
  return new Set(failing.map(([{ feed }]) => feed.profile));
}
