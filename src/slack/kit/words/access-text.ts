/** Texts for the roles, scopes and people of the access lists. Pure. */
import { type GrantedRole, toAccessScope } from '../../../access/access.ts';
import type { ChannelId, UserId } from '../../../ids.ts';
import { channelLink, formatMention, safeLine } from '../mrkdwn.ts';
import { formatNumber } from '../numbers.ts';

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

const MOST_NAMED = 12;

/** `@Ana, @Ben, the group @design`. Only shown to one person, so it notifies nobody. mrkdwn. */
export function granteesText(
  { users, groups }: { readonly users: readonly UserId[]; readonly groups: readonly string[] },
  names: UserGroupNames,
): string {
  const all = [...users.map(formatMention), ...groups.map((id) => `the group ${groupName(id, names)}`)];
  const more = all.length - MOST_NAMED;
  return [...all.slice(0, MOST_NAMED), ...(more > 0 ? [`${formatNumber(more)} more`] : [])].join(', ');
}

function groupName(id: string, names: UserGroupNames): string {
  const name = names.get(id);
  return safeLine(name === undefined ? id : `@${name}`, 60);
}
