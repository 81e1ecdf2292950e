/** Roles, places and people of the access lists, in words. Pure. */
import { type GrantedRole, scopeOf } from '../../access/access.ts';
import type { ChannelId, UserId } from '../../ids.ts';
import { channelLink, mention, safeLine } from '../blocks/mrkdwn.ts';
import { number } from '../blocks/numbers.ts';

export const ONE: Readonly<Record<GrantedRole, string>> = { bidder: 'a bidder', admin: 'an admin' };
export const MANY: Readonly<Record<GrantedRole, string>> = { bidder: 'bidders', admin: 'admins' };

/** `in #web`, or `everywhere` for what was asked in a direct message. mrkdwn. */
export function placeText(channel: ChannelId): string {
  return scopeOf(channel) === 'everywhere' ? 'everywhere' : `in ${channelLink(channel)}`;
}

/** By Slack's id; names are strangers' words. */
export type GroupNames = ReadonlyMap<string, string>;

const MOST_NAMED = 12;

/** `@Ana, @Ben, the group @design`. Nobody is notified by it: it stands in what one person sees. mrkdwn. */
export function granteesText(
  { users, groups }: { readonly users: readonly UserId[]; readonly groups: readonly string[] },
  names: GroupNames,
): string {
  const all = [...users.map(mention), ...groups.map((id) => `the group ${groupName(id, names)}`)];
  const more = all.length - MOST_NAMED;
  return [...all.slice(0, MOST_NAMED), ...(more > 0 ? [`${number(more)} more`] : [])].join(', ');
}

function groupName(id: string, names: GroupNames): string {
  const name = names.get(id);
  return safeLine(name === undefined ? id : `@${name}`, 60);
}
