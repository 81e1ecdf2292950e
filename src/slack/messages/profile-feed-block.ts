/** What a channel follows of a profile, as a row of its list. */
import type { KnownBlock } from '@slack/types';
import type { ChannelSettings } from '../../feed/records.ts';
import type { ProfileFeedView } from '../../profiles/profiles.ts';
import { cleanLine } from '../blocks/clean-text.ts';
import { actionIds } from '../blocks/ids.ts';
import { clip, date } from '../blocks/mrkdwn.ts';
import { number } from '../blocks/numbers.ts';
import { button, confirm, line, lines, section } from './parts.ts';
import { pauseText } from './pause-text.ts';
import { feedWords, type ProfileFeedName, profileFeedText } from './profile-name.ts';
import { describeProfileTrouble } from './profile-trouble.ts';
import { profileFeedValue } from './profile-values.ts';
import { describeSlackTrouble } from './slack-trouble.ts';
import { ago } from './when.ts';

export function feedNameOf({ feed, profileName, organizationName }: ProfileFeedView): ProfileFeedName {
  return {
    feed: feed.kind,
    profile: { id: feed.profile, name: profileName },
    ...(feed.organization === undefined
      ? {}
      : { organization: { id: feed.organization, name: organizationName } }),
  };
}

/** `copying proposals: 300 of 1,240`; undefined once it is complete. */
function copyText({ sync }: ProfileFeedView): string | undefined {
  const copy = sync?.copy;
  if (!copy || copy.copiedAt !== undefined) return undefined;
  const held = copy.held === undefined ? undefined : number(copy.held);
  const of = copy.total === undefined ? held : `${held ?? 0} of ${number(copy.total)}`;
  return of === undefined ? 'copying proposals' : `copying proposals: ${of}`;
}

function stateText(view: ProfileFeedView, paused: ChannelSettings['paused'], isPauseTold: boolean): string {
  const { feed, sync, lastGoodAt } = view;
  if (feed.stopped)
    return `:red_circle: stopped: ${describeSlackTrouble(feed.stopped.error)} (restart with \`/gig resume\`)`;
  if (paused) return pauseText(paused, isPauseTold);
  const trouble = sync?.trouble;
  if (trouble) {
    const { what } = describeProfileTrouble({ ...feedNameOf(view), code: trouble.code });
    return `:warning: failing since ${date(trouble.since)}: ${what}, next try ${date(trouble.retryAt, 'time')}`;
  }
  const copy = copyText(view);
  if (copy) return `:hourglass_flowing_sand: ${copy}`;
  return lastGoodAt === undefined || lastGoodAt < feed.createdAt
    ? ':large_green_circle: starting, not checked yet'
    : ':large_green_circle: live';
}

/** A pause keeps back what is new, not what becomes of proposals that were sent. */
function isKeptBack({ feed }: ProfileFeedView): boolean {
  return feed.kind === 'invitations';
}

/** Name and how it stands. @param isPauseTold as in `pauseText`. mrkdwn. */
export function profileFeedLine(
  view: ProfileFeedView,
  pausedChannel: ChannelSettings['paused'],
  isPauseTold = false,
): string {
  const { feed, sync, lastGoodAt } = view;
  const paused = isKeptBack(view) ? pausedChannel : undefined;
  const trouble = paused || feed.stopped ? undefined : sync?.trouble;
  const checked = trouble || feed.stopped ? 'last worked' : 'checked';
  return lines(
    `*${profileFeedText(feedNameOf(view))}*`,
    line(
      stateText(view, paused, isPauseTold),
      lastGoodAt === undefined ? undefined : `${checked} ${ago(lastGoodAt)}`,
    ),
    trouble ? describeProfileTrouble({ ...feedNameOf(view), code: trouble.code }).next : undefined,
  );
}

/** @param mayChange whether the reader gets a button to end it. */
export function profileFeedBlock(
  view: ProfileFeedView,
  paused: ChannelSettings['paused'],
  mayChange: boolean,
): KnownBlock {
  const text = profileFeedLine(view, paused);
  if (!mayChange) return section(text);
  const { kind, profile, organization } = view.feed;
  const name = clip(cleanLine(view.profileName ?? `profile ${profile}`), 60);
  const question =
    kind === 'invitations'
      ? `This channel will stop getting new invitations for ${name}. Existing posts stay.`
      : `This channel will stop getting proposal updates for ${name}. Existing posts stay.`;
  return section(
    text,
    button({
      id: actionIds.profileFeedEnd,
      label: 'Unsubscribe',
      value: profileFeedValue.write({
        feed: kind,
        profile,
        ...(organization === undefined ? {} : { organization }),
      }),
      spoken: `Unsubscribe from ${feedWords(kind)} for ${name}`,
      confirm: confirm('Unsubscribe?', question, 'Unsubscribe'),
    }),
  );
}
