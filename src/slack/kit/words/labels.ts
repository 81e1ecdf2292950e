/**
 * Labels of outcomes, of days and months, of reasons to skip a project, of the roles and people of the access
 * lists, and of claims. Pure.
 */
import { type GrantedRole, toAccessScope } from '../../../access/access.ts';
import type { SkipReason } from '../../../feed/feed.ts';
import type { ChannelId, UserId } from '../../../ids.ts';
import type { ProposalOutcome } from '../../../outbox/news.ts';
import type { PostId } from '../../../outbox/posts.ts';
import type { PlacedClaim } from '../../../sources/claims.ts';
import { channelLink, formatDate, formatMention, safeLine } from '../mrkdwn.ts';
import { joinWithMore } from '../numbers.ts';

const WORDS: Readonly<Record<ProposalOutcome, { readonly word: string; readonly sign: string }>> = {
  hired: { word: 'hired', sign: ':tada:' },
  interviewed: { word: 'interviewed', sign: ':speech_balloon:' },
  withdrawn: { word: 'withdrawn', sign: ':leftwards_arrow_with_hook:' },
  outbid: { word: 'boost outbid', sign: ':small_red_triangle_down:' },
  viewed: { word: 'viewed', sign: ':eyes:' },
};

/** Most important first. */
export const OUTCOMES_BY_IMPORTANCE: readonly ProposalOutcome[] = [
  'hired',
  'interviewed',
  'withdrawn',
  'outbid',
  'viewed',
];

function inOrder(outcomes: readonly ProposalOutcome[]): readonly ProposalOutcome[] {
  return OUTCOMES_BY_IMPORTANCE.filter((each) => outcomes.includes(each));
}

export function outcomeLabel(outcome: ProposalOutcome): string {
  return WORDS[outcome].word;
}

/** `hired, viewed`, most important first. */
export function outcomeLabels(outcomes: readonly ProposalOutcome[]): string {
  return inOrder(outcomes).map(outcomeLabel).join(', ');
}

/** The most important outcome's emoji. */
export function outcomeEmoji(outcomes: readonly ProposalOutcome[]): string {
  const [first] = inOrder(outcomes);
  return first ? WORDS[first].sign : ':page_facing_up:';
}

export const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
export const SHORT_WEEKDAYS: readonly string[] = WEEKDAYS.map((name) => name.slice(0, 3));
export const SHORT_MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

export const SKIP_REASON_LABELS: Readonly<Record<SkipReason, string>> = {
  'not-a-fit': 'not a fit',
  'budget-too-low': 'budget too low',
  client: 'poor client',
  'too-late': 'too old or too many bids',
  other: 'another reason',
};

export const ROLE_WITH_ARTICLE: Readonly<Record<GrantedRole, string>> = {
  bidder: 'a bidder',
  admin: 'an admin',
};
export const ROLE_PLURAL: Readonly<Record<GrantedRole, string>> = { bidder: 'bidders', admin: 'admins' };

/** `in #web`, or `everywhere` for requests from a direct message. mrkdwn. */
export function roleScopeText(channel: ChannelId): string {
  return toAccessScope(channel) === 'everywhere' ? 'everywhere' : `in ${channelLink(channel)}`;
}

/** By Slack ID. Names are strangers' text. */
export type UserGroupNames = ReadonlyMap<string, string>;

/** `@Ana, @Ben, the group @design`. Only shown to one person, so it notifies nobody. mrkdwn. */
export function granteesText(
  { users, groups }: { readonly users: readonly UserId[]; readonly groups: readonly string[] },
  names: UserGroupNames,
): string {
  const groupText = (id: string) => {
    const name = names.get(id);
    return `the group ${safeLine(name === undefined ? id : `@${name}`, 60)}`;
  };
  return joinWithMore([...users.map(formatMention), ...groups.map(groupText)], 12, (each) => each);
}

/** Names the person and the channel only where anyone may know them. mrkdwn. */
export function claimElsewhereText({ by, at, channel, isPublic }: PlacedClaim): string {
  return isPublic
    ? `Claimed by ${formatMention(by)} in ${channelLink(channel)}, ${formatDate(at)}`
    : 'Claimed in another channel';
}

/** @param here the card that shows them: its own claim has its own line */
export function otherClaimLines(claims: readonly PlacedClaim[] = [], here: PostId): readonly string[] {
  const others = claims.filter(({ post }) => post !== here).map(claimElsewhereText);
  return [...new Set(others)].map((text) => `:raised_hand: ${text}`);
}
