/** Answers to actions on an invitation, for one person. Pure. */
import type { Instant } from '../../clock.ts';
import type { UserId } from '../../ids.ts';
import type { Message } from '../core/routes.ts';
import { formatDate, formatMention } from '../kit/mrkdwn.ts';

/** The record was deleted, or the invitation is only just being posted. */
export const INVITATION_GONE: Message = {
  text: "Couldn't find this invitation. It may be too old. If it's brand new, try again in a moment.",
};

export const INVITATION_UNCLAIMED: Message = {
  text: 'This invitation is unclaimed, so you can claim it.',
};

/** The marketplace does not name the invitation's project. */
export const INVITATION_WITHOUT_PROJECT: Message = {
  text:
    "The marketplace doesn't say which project this invitation is for. " +
    "Paste the project's link after `/gig bid` or `/gig lookup`.",
};

export function invitationAlreadyClaimedMessage(by: UserId, at: Instant): Message {
  return {
    text:
      `${formatMention(by)} claimed this invitation (${formatDate(at)}). ` +
      'Only they or an admin can release it.',
  };
}

/** The details could not be bought. @param why a sentence */
export function detailsUnavailableMessage(why: string): Message {
  return { text: why };
}
