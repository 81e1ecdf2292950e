/**
 * Decides where each kind of news goes in a channel, by its level. A hire is its own message at every level,
 * and no level delays a hire or an interview. Pure.
 */
import { HOUR, MINUTE } from '../clock.ts';
import type { BundlePace } from '../outbox/card-summary.ts';
import type { NoiseLevel } from './records.ts';

/**
 * interviewed: a client answered; the API shows replies and interviews as one · invitation-status: an
 * invitation changed · failure: of a bid, or of a feed.
 */
export type NewsKind =
  | 'hired'
  | 'interviewed'
  | 'viewed'
  | 'withdrawn'
  | 'outbid'
  | 'invitation'
  | 'invitation-status'
  | 'failure';

/** hourly: the channel's summary of small news, one an hour. */
export type NewsPlace = 'message' | 'thread' | 'hourly' | 'nothing';

interface Places {
  /** Where the channel has a card, a bid or an invitation that the news belongs to. */
  readonly withThread: NewsPlace;
  readonly alone: NewsPlace;
}

const MESSAGE: Places = { withThread: 'message', alone: 'message' };
const THREAD: Places = { withThread: 'thread', alone: 'message' };
const SMALL: Readonly<Record<NoiseLevel, Places>> = {
  quiet: { withThread: 'nothing', alone: 'nothing' },
  normal: { withThread: 'thread', alone: 'hourly' },
  everything: THREAD,
};

function atEveryLevel(places: Places): Readonly<Record<NoiseLevel, Places>> {
  return { quiet: places, normal: places, everything: places };
}

const PLACES: Readonly<Record<NewsKind, Readonly<Record<NoiseLevel, Places>>>> = {
  hired: atEveryLevel(MESSAGE),
  interviewed: atEveryLevel(THREAD),
  failure: atEveryLevel(THREAD),
  invitation: atEveryLevel(MESSAGE),
  viewed: SMALL,
  withdrawn: SMALL,
  outbid: SMALL,
  'invitation-status': SMALL,
};

/** @param hasThread whether the channel has a card, a bid or an invitation that the news belongs to */
export function decideNewsPlace(kind: NewsKind, level: NoiseLevel, hasThread: boolean): NewsPlace {
  const places = PLACES[kind][level];
  return hasThread ? places.withThread : places.alone;
}

const INVITATION_PACES: Readonly<Record<NoiseLevel, BundlePace | undefined>> = {
  quiet: { single: 1, withinMs: HOUR, growsForMs: HOUR },
  // An edit of a summary notifies nobody, so another one announces what comes later.
  normal: { single: 3, withinMs: 10 * MINUTE, growsForMs: 15 * MINUTE },
  everything: undefined,
};

/** How many invitations are posted one by one; undefined: all, unless a backlog waits. */
export function findInvitationPace(level: NoiseLevel): BundlePace | undefined {
  return INVITATION_PACES[level];
}
