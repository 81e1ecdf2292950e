/**
 * What a person may see: records of the current channel, of a channel they are in, or of a public channel.
 * The press or command doesn't decide: the record names its channel, and Slack says who is in it.
 */

import { hasRoleAtLeast } from '../../access/roles.ts';
import type { ChannelId } from '../../ids.ts';
import { isDirectMessage } from '../../ids.ts';
import type { Person, Services } from './routes.ts';
import { checkChannelMembership, readCurrentUserChannels, readPublicChannels } from './user-channels.ts';

/** Who asks, and where: `channel` comes from Slack, or from our record of the view. */
export interface RequestContext {
  readonly services: Services;
  readonly person: Person;
  readonly channel: ChannelId;
}

/** `unsure`: Slack doesn't say; show and do nothing then. */
export type ChannelVisibility = 'open' | 'closed' | 'unsure';

/** Whether a full member may see a channel's records. */
export async function checkChannelVisibility(
  { services, person, channel: here }: RequestContext,
  channel: ChannelId,
): Promise<ChannelVisibility> {
  if (channel === here) return 'open';
  if (isDirectMessage(channel)) {
    // Direct messages have no members: the role everywhere decides, as on the Home tab.
    const everywhere = await services.resolvePerson(person.user);
    return hasRoleAtLeast(everywhere.role, 'bidder') ? 'open' : 'closed';
  }
  if (services.homes.findUserChannels(person.user)?.some(({ id }) => id === channel)) return 'open';
  const open = await readPublicChannels(services);
  if (open?.has(channel)) return 'open';
  const place = await checkChannelMembership(services, person.user, channel);
  if (place === 'in') return 'open';
  return place === 'out' && open ? 'closed' : 'unsure';
}

/** Which of many channels the reader may see. */
export interface VisibleChannels {
  readonly sees: (channel: ChannelId) => boolean;
  /** Slack did not answer for all channels: the others stay closed for now. */
  readonly isUnsure?: true;
}

/** One lookup for any number of `channels`; asks Slack only if one isn't the current channel. */
export async function resolveVisibleChannels(
  { services, person, channel: here }: RequestContext,
  channels: readonly ChannelId[],
): Promise<VisibleChannels> {
  if (channels.every((channel) => channel === here)) return { sees: (channel) => channel === here };
  const [open, own] = await Promise.all([
    readPublicChannels(services),
    readCurrentUserChannels(services, person.user),
  ]);
  const ids = new Set(own.places.map(({ id }) => id));
  const sees = (channel: ChannelId) => channel === here || ids.has(channel) || open?.has(channel) === true;
  return open && own.kind === 'known' ? { sees } : { sees, isUnsure: true };
}
