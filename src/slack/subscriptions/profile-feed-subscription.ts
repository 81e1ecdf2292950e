/** The results of subscribing to a profile and unsubscribing, for the channel. Pure. */
import type { UserId } from '../../ids.ts';
import type { Message } from '../core/routes.ts';
import { joinLines } from '../kit/block-builders.ts';
import { formatMention } from '../kit/mrkdwn.ts';
import { feedKindText, type ProfileFeedName, profileWithOrganizationText } from '../kit/words/profiles.ts';

/** `invitations for “Ana” (301)`. mrkdwn. */
function whatText(it: ProfileFeedName): string {
  return `${feedKindText(it.feed)} for ${profileWithOrganizationText(it)}`;
}

const COMES: Readonly<Record<ProfileFeedName['feed'], string>> = {
  invitations: 'New invitations appear here from now on. They cost no credits.',
  outcomes:
    'From now on, you see here when a proposal is viewed, leads to an interview or a hire, ' +
    'is withdrawn, or loses its boost to a higher bid. These updates cost no credits.',
};

/** @param nothingYet whether the marketplace has no data for it yet; a wrong ID would explain that, too. */
export function profileFeedSubscribedMessage(it: ProfileFeedName, by: UserId, nothingYet: boolean): Message {
  const things = it.feed === 'invitations' ? 'invitations' : 'proposals';
  const hint = it.organization ? 'the profile and organization IDs' : 'the profile ID';
  return {
    text: joinLines(
      `${formatMention(by)} subscribed this channel to ${whatText(it)}.`,
      COMES[it.feed],
      nothingYet
        ? `The marketplace has no ${things} there yet. If that looks wrong, check ${hint}.`
        : undefined,
    ),
  };
}

/** For the user only. @param recovered whether it was failing until now and works again */
export function profileFeedAlreadySubscribedMessage(it: ProfileFeedName, recovered: boolean): Message {
  const more = recovered ? 'It works again, and updates continue now' : 'Nothing changed';
  return { text: `This channel already gets ${whatText(it)}. ${more}.` };
}

export function profileFeedUnsubscribedMessage(it: ProfileFeedName, by: UserId): Message {
  return {
    text: `${formatMention(by)} unsubscribed this channel from ${whatText(it)}. Existing messages stay.`,
  };
}
