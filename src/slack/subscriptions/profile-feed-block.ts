/** A channel's profile feed, as a row of its subscription list. Pure. */

import type { KnownBlock } from '@slack/types';
import { omitUndefined } from '../../base/omit-undefined.ts';
import type { ChannelSettings } from '../../feed/records.ts';
import type { ProfileFeedStatus } from '../../profiles/profile-feed-service.ts';
import { describeSlackError } from '../core/failures.ts';
import { buttonElement, confirmDialog, joinFacts, joinLines, sectionBlock } from '../kit/block-builders.ts';
import { cleanLine } from '../kit/clean-text.ts';
import { actionIds } from '../kit/ids.ts';
import { clipText, formatDate } from '../kit/mrkdwn.ts';
import { formatNumber } from '../kit/numbers.ts';
import { formatTimeAgo } from '../kit/time-ago.ts';
import { pauseText } from '../kit/words/pause-text.ts';
import { feedKindText, type ProfileFeedName, profileFeedText } from '../kit/words/profile-name.ts';
import { describeProfileFailure } from './profile-failure.ts';
import { profileFeedValueCodec } from './profile-values.ts';

export function toProfileFeedName({
  feed,
  profileName,
  organizationName,
}: ProfileFeedStatus): ProfileFeedName {
  return {
    feed: feed.kind,
    profile: { id: feed.profile, name: profileName },
    ...(feed.organization === undefined
      ? {}
      : { organization: { id: feed.organization, name: organizationName } }),
  };
}

/** `copying proposals: 300 of 1,240`; undefined once it is complete. */
function copyText({ sync }: ProfileFeedStatus): string | undefined {
  const copy = sync?.copy;
  if (!copy || copy.copiedAt !== undefined) return undefined;
  const held = copy.held === undefined ? undefined : formatNumber(copy.held);
  const of = copy.total === undefined ? held : `${held ?? 0} of ${formatNumber(copy.total)}`;
  return of === undefined ? 'copying proposals' : `copying proposals: ${of}`;
}

function stateText(view: ProfileFeedStatus, paused: ChannelSettings['paused'], isPauseTold: boolean): string {
  const { feed, sync, lastGoodAt } = view;
  if (feed.stopped)
    return `:red_circle: stopped: ${describeSlackError(feed.stopped.error)} (restart with \`/gig resume\`)`;
  if (paused) return pauseText(paused, isPauseTold);
  const trouble = sync?.trouble;
  if (trouble) {
    const { what } = describeProfileFailure({ ...toProfileFeedName(view), code: trouble.code });
    return (
      `:warning: failing since ${formatDate(trouble.since)}: ${what}, ` +
      `next try ${formatDate(trouble.retryAt, 'time')}`
    );
  }
  const copy = copyText(view);
  if (copy) return `:hourglass_flowing_sand: ${copy}`;
  return lastGoodAt === undefined || lastGoodAt < feed.createdAt
    ? ':large_green_circle: starting, not checked yet'
    : ':large_green_circle: live';
}

/** A pause delays new invitations, but not outcomes of proposals already sent. */
function isKeptBack({ feed }: ProfileFeedStatus): boolean {
  return feed.kind === 'invitations';
}

/** Name and status. @param isPauseTold like `isTold` of `pauseText`. mrkdwn. */
export function profileFeedLine(
  view: ProfileFeedStatus,
  pausedChannel: ChannelSettings['paused'],
  isPauseTold = false,
): string {
  const { feed, sync, lastGoodAt } = view;
  const paused = isKeptBack(view) ? pausedChannel : undefined;
  const trouble = paused || feed.stopped ? undefined : sync?.trouble;
  const checked = trouble || feed.stopped ? 'last worked' : 'checked';
  return joinLines(
    `*${profileFeedText(toProfileFeedName(view))}*`,
    joinFacts(
      stateText(view, paused, isPauseTold),
      lastGoodAt === undefined ? undefined : `${checked} ${formatTimeAgo(lastGoodAt)}`,
    ),
    trouble ? describeProfileFailure({ ...toProfileFeedName(view), code: trouble.code }).next : undefined,
  );
}

/** @param mayChange whether the reader gets an unsubscribe button. */
export function profileFeedBlock(
  view: ProfileFeedStatus,
  paused: ChannelSettings['paused'],
  mayChange: boolean,
): KnownBlock {
  const text = profileFeedLine(view, paused);
  if (!mayChange) return sectionBlock(text);
  const { kind, profile, organization } = view.feed;
  const name = clipText(cleanLine(view.profileName ?? `profile ${profile}`), 60);
  const question =
    kind === 'invitations'
      ? `This channel will stop getting new invitations for ${name}. Existing messages stay.`
      : `This channel will stop getting proposal updates for ${name}. Existing messages stay.`;
  return sectionBlock(
    text,
    buttonElement({
      id: actionIds.profileFeedEnd,
      label: 'Unsubscribe',
      value: profileFeedValueCodec.write({
        feed: kind,
        profile,
        ...omitUndefined({ organization }),
      }),
      accessibilityLabel: `Unsubscribe from ${feedKindText(kind)} for ${name}`,
      confirm: confirmDialog('Unsubscribe?', question, 'Unsubscribe'),
    }),
  );
}
