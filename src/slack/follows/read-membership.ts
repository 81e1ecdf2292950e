/** What Slack says about a person who follows projects: their role and channels. */
import { hasRoleAtLeast } from '../../access/access.ts';
import type { Membership } from '../../follows/follows.ts';
import type { UserId } from '../../ids.ts';
import type { Services } from '../core/routes.ts';
import { fetchUserChannels } from '../core/user-channels.ts';

/** Guests and people of other workspaces follow nothing. @returns undefined: Slack doesn't say now */
export async function readFollowerMembership(
  services: Services,
  user: UserId,
): Promise<Membership | undefined> {
  const { role, unsure } = await services.resolvePerson(user);
  if (unsure) return undefined;
  if (!hasRoleAtLeast(role, 'viewer')) return { isMember: false, channels: new Set() };
  // Its caller remembers the answer: a remembered one would add its own age.
  const channels = await fetchUserChannels(services, user);
  return channels && { isMember: true, channels: new Set(channels.map(({ id }) => id)) };
}
