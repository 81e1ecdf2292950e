/**
 * A channel's profile feeds: how they are counted, a row of the subscription list, and what a failure
 * means. Pure.
 */
import type { KnownBlock } from '@slack/types';
import { z } from 'zod';
import type { ChannelSettings } from '../../feed/feed.ts';
import { type FilterId, OrganizationId, ProfileId } from '../../ids.ts';
import { ProfileFeedKind, type ProfileFeedStatus } from '../../profiles/profiles.ts';
import { describeSlackError } from '../core/failures.ts';
import { buttonElement, confirmDialog, joinFacts, joinLines, sectionBlock } from '../kit/block-builders.ts';
import { jsonValueCodec } from '../kit/button-values.ts';
import { actionIds, SLASH_COMMAND } from '../kit/ids.ts';
import { cleanLine, clipText, codeText, formatDate, formatTimeAgo } from '../kit/mrkdwn.ts';
import { formatNumber } from '../kit/numbers.ts';
import { describeMarketplaceFailure, type FailureDescription } from '../kit/words/marketplace-failure.ts';
import {
  feedKindText,
  type ProfileFeedName,
  profileFeedText,
  subscribeCommandText,
} from '../kit/words/profiles.ts';
import { pauseText } from './pause-command.ts';

/** One key per profile feed, whichever channel follows it. */
export function profileFeedKey({ feed: { kind, profile, organization } }: ProfileFeedStatus): string {
  return `${kind}:${profile}:${organization ?? 0}`;
}

/** Two channels that follow the same filter share one feed. */
export function countFeeds(feeds: {
  readonly filters: readonly FilterId[];
  readonly profiles: readonly ProfileFeedStatus[];
}): number {
  return new Set(feeds.filters).size + new Set(feeds.profiles.map(profileFeedKey)).size;
}

/** `what` completes “Invitations for … stopped arriving …:”; `next` is a sentence or two. mrkdwn. */
export function describeProfileFailure(it: ProfileFeedName & { readonly code: string }): FailureDescription {
  const end = `To stop it here, press Unsubscribe in ${codeText(`${SLASH_COMMAND} list ${it.profile.id}`)}.`;
  const again = codeText(`${SLASH_COMMAND} ${subscribeCommandText(it)}`);
  switch (it.code) {
    case 'not-found':
      return {
        what: "the marketplace can't find this profile",
        next:
          'If it was disconnected, reconnect it in the dashboard. ' +
          `It then resumes within hours, or right away with ${again}. ${end}`,
      };
    case 'forbidden':
      return {
        what: "the API token can't read this profile",
        next:
          'A team admin can check in the dashboard whether the profile is still connected, ' +
          `and what the token and the plan allow. ${end}`,
      };
    case 'subscription-inactive':
      return {
        what: "the marketplace team's subscription is inactive",
        next: 'The account owner can renew it in the dashboard. It then resumes automatically.',
      };
    default:
      return describeMarketplaceFailure(it.code);
  }
}

export const profileFeedValueCodec = jsonValueCodec(
  z.object({ feed: ProfileFeedKind, profile: ProfileId, organization: OrganizationId.optional() }),
);

export function toProfileFeedName({
  feed,
  profileName,
  organizationName,
}: {
  readonly feed: Pick<ProfileFeedStatus['feed'], 'kind' | 'profile' | 'organization'>;
  readonly profileName?: string | undefined;
  readonly organizationName?: string | undefined;
}): ProfileFeedName {
  return {
    feed: feed.kind,
    profile: { id: feed.profile, name: profileName },
    organization:
      feed.organization === undefined ? undefined : { id: feed.organization, name: organizationName },
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
  if (feed.stopped) return `:red_circle: stopped: ${describeSlackError(feed.stopped.error)}`;
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

/** Name and status. @param isPauseTold like `isTold` of `pauseText`. mrkdwn. */
export function profileFeedLine(
  view: ProfileFeedStatus,
  pausedChannel: ChannelSettings['paused'],
  isPauseTold = false,
): string {
  const { feed, sync, lastGoodAt } = view;
  // A pause delays new invitations, but not outcomes of proposals already sent.
  const paused = feed.kind === 'invitations' ? pausedChannel : undefined;
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
  const what = kind === 'invitations' ? 'new invitations' : 'proposal updates';
  const question = `This channel will stop getting ${what} for ${name}. Existing messages stay.`;
  const unsubscribe = buttonElement({
    id: actionIds.profileFeedEnd,
    label: 'Unsubscribe',
    value: profileFeedValueCodec.write({ feed: kind, profile, organization }),
    accessibilityLabel: `Unsubscribe from ${feedKindText(kind)} for ${name}`,
    confirm: confirmDialog('Unsubscribe?', question, 'Unsubscribe'),
  });
  return sectionBlock(text, unsubscribe);
}
