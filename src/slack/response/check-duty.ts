/** Asks Slack which people and groups can't be mentioned in a channel: gone, deactivated, or not in it. */
import { z } from 'zod';
import type { ChannelId, UserId } from '../../ids.ts';
import type { FindUnavailable } from '../../response/response.ts';
import { toSlackCallError } from '../core/errors.ts';
import type { Services } from '../core/routes.ts';
import { checkChannelMembership } from '../core/user-channels.ts';
import { readUserGroups } from '../core/user-groups.ts';

const UserInfo = z.object({ user: z.object({ deleted: z.boolean().optional() }) });
/** Slack's codes for people that this workspace doesn't have. */
const UNKNOWN = new Set(['user_not_found', 'user_not_visible', 'users_not_found']);
/** A workspace with this many groups may have more, which Slack's answer leaves out. */
const MOST_LISTED = 1_000;

interface SlackUsers {
  readonly info: (args: { readonly user: UserId }) => Promise<unknown>;
}

/** Without a sure answer, a person counts as available: a needless mention is better than none. */
async function isPersonGone(services: Services, users: SlackUsers, channel: ChannelId, user: UserId) {
  try {
    if (UserInfo.parse(await users.info({ user })).user.deleted) return true;
  } catch (thrown) {
    const { code } = toSlackCallError(thrown);
    if (!UNKNOWN.has(code)) services.log.info('could not check who is on duty', { error: code });
    return UNKNOWN.has(code);
  }
  return (await checkChannelMembership(services, user, channel)) === 'out';
}

async function listGoneGroups(services: Services, groups: readonly string[]): Promise<readonly string[]> {
  if (groups.length === 0) return [];
  const read = await readUserGroups(services);
  if (read.kind !== 'known' || read.groups.length >= MOST_LISTED) return [];
  const known = new Set(read.groups.map(({ id }) => id));
  return groups.filter((id) => !known.has(id));
}

/** @param users of Slack's client; `services` are read when Slack is asked. Never throws. */
export function createDutyCheck(services: () => Services, users: SlackUsers): FindUnavailable {
  return async (channel, targets) => {
    const now = services();
    const groups = targets.flatMap((each) => (each.kind === 'group' ? [each.group] : []));
    const gone = new Set(await listGoneGroups(now, groups));
    for (const target of targets)
      if (target.kind === 'person' && (await isPersonGone(now, users, channel, target.user)))
        gone.add(target.user);
    return gone;
  };
}
