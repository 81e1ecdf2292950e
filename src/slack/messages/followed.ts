/** What came of following a profile and of ending it, for the channel. */
import type { UserId } from '../../ids.ts';
import { mention } from '../blocks/mrkdwn.ts';
import type { Message } from '../routes.ts';
import { lines } from './parts.ts';
import { type ProfileFeedName, profilePlace } from './profile-name.ts';

/** `the invitations of “Ana” (301)`. mrkdwn. */
function whatText(it: ProfileFeedName): string {
  return `the ${it.feed} of ${profilePlace(it)}`;
}

const COMES: Readonly<Record<ProfileFeedName['feed'], string>> = {
  invitations: 'New invitations come from now on, and no credits are spent on them.',
  outcomes:
    'From now on it hears which proposals are viewed, interviewed, hired, withdrawn or outbid on their boost; no credits are spent on it.',
};

/** @param nothingYet the marketplace has nothing of it so far, which a wrong id would explain, too. */
export function followedMessage(it: ProfileFeedName, by: UserId, nothingYet: boolean): Message {
  const things = it.feed === 'invitations' ? 'invitations' : 'proposals';
  const hint = it.organization ? 'the ids of the profile and the organization' : 'the id of the profile';
  return {
    text: lines(
      `${mention(by)} subscribed this channel to ${whatText(it)}.`,
      COMES[it.feed],
      nothingYet
        ? `The marketplace has no ${things} there so far. If that can't be right, check ${hint}.`
        : undefined,
    ),
  };
}

/** For the person alone. @param recovered it was in trouble until now, and is read again */
export function followedAlreadyMessage(it: ProfileFeedName, recovered: boolean): Message {
  const more = recovered ? 'it can be read again and goes on now' : 'nothing was changed';
  return { text: `This channel gets ${whatText(it)} already; ${more}.` };
}

export function unfollowedMessage(it: ProfileFeedName, by: UserId): Message {
  return { text: `${mention(by)} ended the subscription to ${whatText(it)}. What stands here stays.` };
}
