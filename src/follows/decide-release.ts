/** Decides if a person gets a project that is due. Rights count as they are now. */
import { DAY, type Instant, MINUTE, SECOND } from '../clock.ts';
import { isFollowerMuted, type Membership } from './follows.ts';
import type { ProjectMatcher } from './match-rules.ts';
import type { Follower, FollowMatch, FollowPlace, FollowRule } from './records.ts';

export type FollowRelease =
  | { readonly kind: 'send'; readonly place: FollowPlace; readonly rule: FollowRule }
  /** Nothing comes, not even later. */
  | { readonly kind: 'drop' }
  /** As if it had never matched. */
  | { readonly kind: 'forget' }
  | { readonly kind: 'later'; readonly dueAt: Instant };

interface DueMatch {
  readonly match: FollowMatch;
  readonly follower: Follower;
  /** undefined: Slack doesn't say now. */
  readonly membership: Membership | undefined;
  /** undefined: the project was deleted. */
  readonly project: ProjectMatcher | undefined;
  /** In the person's channels; the first is shown. */
  readonly places: readonly FollowPlace[];
  /** The card there is about to be posted. */
  readonly isCardPending: boolean;
}

/** The card goes first, so that the message can link to it. */
export const CARD_FIRST_MS = 4 * SECOND;
/** While Slack doesn't say whether the person is in the channel. */
const ASK_AGAIN_MS = MINUTE;
const ASKED_FOR_MS = DAY;
/** A channel that Slack refuses, or a paused delivery, holds the message back no longer than this. */
const WAITS_FOR_CARD_MS = MINUTE;

export function decideRelease(due: DueMatch, at: Instant): FollowRelease {
  const { match, follower, membership, project } = due;
  if (isFollowerMuted(follower, at)) return { kind: 'drop' };
  if (!membership)
    return at - match.at > ASKED_FOR_MS ? { kind: 'forget' } : { kind: 'later', dueAt: at + ASK_AGAIN_MS };
  const [place] = due.places;
  if (!project || !membership.isMember || !place) return { kind: 'forget' };
  const rule = project.findRule(follower, due.places);
  if (!rule) return { kind: 'forget' };
  if (due.isCardPending && at - match.at < WAITS_FOR_CARD_MS)
    return { kind: 'later', dueAt: at + CARD_FIRST_MS };
  return { kind: 'send', place, rule };
}
