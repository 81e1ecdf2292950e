/** Answers to presses on an invitation, for the person alone. */
import type { Instant } from '../../clock.ts';
import type { UserId } from '../../ids.ts';
import { date, mention } from '../blocks/mrkdwn.ts';
import type { Message } from '../routes.ts';

/** It was cleared out, or is only just being posted. */
export const INVITATION_GONE: Message = {
  text: "I don't find this invitation in my records: it may be too old. If it is brand new, try again in a moment.",
};

export const INVITATION_FREE: Message = {
  text: 'Nobody holds this invitation any more: it is free to claim.',
};

/** The marketplace does not say which project it is to. */
export const NO_INVITED_PROJECT: Message = {
  text: 'The marketplace does not tell which project this invitation is to. With its link, `/gig bid` and `/gig lookup` find it.',
};

export function invitationHeld(by: UserId, at: Instant): Message {
  return {
    text: `${mention(by)} has claimed this invitation, ${date(at)}. They or an admin can release it.`,
  };
}

/** Nothing could be bought. */
export function detailsNotBought(why: string): Message {
  return { text: `${why} The card shows all that the invitation tells.` };
}
