/**
 * Which channels a user is in: from Slack's answer within the last minute, or the public ones remembered; and
 * what a person may see: records of the current channel, of a channel they are in, or of a public channel.
 * The press or command doesn't decide: the record names its channel, and Slack says who is in it.
 */
import { z } from 'zod';
import { hasRoleAtLeast } from '../../access/access.ts';
import { withTimeLimit } from '../../base/time-limit.ts';
import { DAY, type Instant, isRecent, SECOND } from '../../clock.ts';
import { ChannelId, isDirectMessage, UserId } from '../../ids.ts';
import type { Claimer } from '../../sources/claims.ts';
import { collection, type Transaction } from '../../storage/store.ts';
import { toSlackCallError } from './errors.ts';
import type { UserChannel } from './home-cache.ts';
import { membershipRefusal } from './request-errors.ts';
import type { Person, Services } from './routes.ts';

export type UserChannelsResult =
  | { readonly kind: 'known'; readonly places: readonly UserChannel[] }
  /** Slack has not answered yet, or can't. Missing `at`: nothing is remembered. */
  | { readonly kind: 'remembered'; readonly places: readonly UserChannel[]; readonly at?: Instant };

type Asking = Pick<Services, 'slack' | 'homes' | 'log' | 'clock'>;

/** Asks Slack. undefined: no answer. Never throws. */
export function fetchUserChannels({ slack, homes, log, clock }: Asking, user: UserId) {
  return homes.fetchOnce(user, async () => {
    // Dated before the call: who leaves while Slack answers counts as a member no longer than from now.
    const at = clock.now();
    try {
      const places = await slack.listUserChannels(user);
      homes.cacheUserChannels(user, places, at);
      return places;
    } catch (thrown) {
      log.warn("could not list a user's channels", { user, error: toSlackCallError(thrown).code });
      return undefined;
    }
  });
}

/** Slack's answer within `timeoutMs`, else the remembered channels. */
export async function readUserChannelsWithTimeout(
  services: Services,
  user: UserId,
  asked: Promise<readonly UserChannel[] | undefined>,
  patienceMs: number,
): Promise<UserChannelsResult> {
  const places = await withTimeLimit(services.clock, patienceMs, asked, () => undefined);
  if (places) return { kind: 'known', places };
  const { store } = services;
  const kept = await store.read((tx) => tx.get(homeChannels, [user]));
  const remembered = (kept?.channels ?? []).map((each) => ({ ...each, isPrivate: false }));
  return { kind: 'remembered', places: remembered, at: kept?.at };
}

/** Slack's answer from the last minute, else like `readUserChannelsWithTimeout`. */
async function readCurrentUserChannels(services: Services, user: UserId): Promise<UserChannelsResult> {
  const places = services.homes.findUserChannels(user);
  return places ? { kind: 'known', places } : askForUserChannels(services, user);
}

function askForUserChannels(services: Services, user: UserId): Promise<UserChannelsResult> {
  const asked = fetchUserChannels(services, user);
  return readUserChannelsWithTimeout(services, user, asked, PATIENCE_OF_A_PRESS_MS);
}

/** The person as one who claims. Other channels hear whose claim it is only once Slack says it's public. */
export async function readClaimer(
  { services, person }: Pick<RequestContext, 'services' | 'person'>,
  channel: ChannelId,
): Promise<Claimer> {
  const { kind, places } = await readCurrentUserChannels(services, person.user);
  const place = places.find(({ id }) => id === channel);
  return { by: person.user, isPublic: kind === 'known' && place?.isPrivate === false };
}

/** Saves the first public ones of `channels`, for openings while Slack can't answer. */
export async function saveUserChannels(
  { store, clock }: Services,
  user: UserId,
  channels: readonly UserChannel[],
): Promise<void> {
  const open = channels.filter(({ isPrivate }) => !isPrivate).slice(0, 200);
  const kept = open.map(({ id, name }) => ({ id, name }));
  await store.transact((tx) => saveHomeChannels(tx, { user, channels: kept, at: clock.now() }));
}

/** Asks Slack unless it answered within the last minute. undefined: no answer in time. Never throws. */
async function readPublicChannels(services: Asking): Promise<ReadonlySet<ChannelId> | undefined> {
  const { slack, homes, log, clock } = services;
  const known = homes.findPublicChannels();
  if (known) return known;
  const asked = homes.fetchOnce('public channels', async () => {
    const at = clock.now();
    try {
      homes.cachePublicChannels(await slack.listPublicChannels(), at);
    } catch (thrown) {
      log.warn('could not list public channels', { error: toSlackCallError(thrown).code });
    }
  });
  await withTimeLimit(clock, PATIENCE_OF_A_PRESS_MS, asked, () => undefined);
  return homes.findPublicChannels();
}

const PATIENCE_OF_A_PRESS_MS = 1_000;

/**
 * Whether a user is in a channel, for an action; `unsure`: Slack doesn't answer in time.
 * @param needsSlack a public channel that was remembered doesn't count
 */
export async function checkChannelMembership(
  services: Services,
  user: UserId,
  channel: ChannelId,
  needsSlack = false,
): Promise<'in' | 'out' | 'unsure'> {
  const isThere = (places: readonly UserChannel[]) => places.some(({ id }) => id === channel);
  const known = services.homes.findUserChannels(user);
  if (known && isThere(known)) return 'in';
  // A non-member isn't checked again so soon: clicks must not use up Slack's rate limits.
  if (services.homes.findUserChannels(user, 5 * SECOND)) return 'out';
  const now = await askForUserChannels(services, user);
  if (isThere(now.places) && (now.kind === 'known' || !needsSlack)) return 'in';
  return now.kind === 'known' ? 'out' : 'unsure';
}

/** Why a person may not act in a channel, as safe mrkdwn; undefined: they are in it. */
export async function findMembershipRefusal(services: Services, user: UserId, channel: ChannelId) {
  return membershipRefusal(await checkChannelMembership(services, user, channel));
}

/** Only public channels: for private ones, Slack must confirm the membership each time. */
const HomeChannels = z.object({
  user: UserId,
  channels: z.array(z.object({ id: ChannelId, name: z.string() })),
  at: z.number(),
});
type HomeChannels = z.infer<typeof HomeChannels>;

export const homeChannels = collection({
  name: 'home-channels',
  schema: HomeChannels,
  key: (it) => [it.user],
  indexes: { byAge: ({ at }) => [at] },
  keepFor: { ms: 90 * DAY },
});

async function saveHomeChannels(tx: Transaction, now: HomeChannels): Promise<void> {
  const { user, at } = now;
  const before = await tx.get(homeChannels, [user]);
  const isSame = JSON.stringify(before?.channels) === JSON.stringify(now.channels);
  // An unchanged list is rewritten once a day.
  if (before && isSame && isRecent(before.at, DAY, at)) return;
  await tx.put(homeChannels, now);
}

/** Who asks, and where: `channel` comes from Slack, or from our record of the view. */
export interface RequestContext {
  readonly services: Services;
  readonly person: Person;
  readonly channel: ChannelId;
}

/**
 * Whether a full member may see a channel's records. `unsure`: Slack doesn't say; show and do nothing then.
 * @param needsSlack as for the membership
 */
export async function checkChannelVisibility(
  { services, person, channel: here }: RequestContext,
  channel: ChannelId,
  needsSlack = false,
): Promise<'open' | 'closed' | 'unsure'> {
  if (channel === here) return 'open';
  if (isDirectMessage(channel)) {
    // Direct messages have no members: the role everywhere decides, as on the Home tab.
    const everywhere = await services.resolvePerson(person.user);
    return hasRoleAtLeast(everywhere.role, 'bidder') ? 'open' : 'closed';
  }
  if (services.homes.findUserChannels(person.user)?.some(({ id }) => id === channel)) return 'open';
  const open = await readPublicChannels(services);
  if (open?.has(channel)) return 'open';
  const place = await checkChannelMembership(services, person.user, channel, needsSlack);
  if (place === 'in') return 'open';
  return place === 'out' && open ? 'closed' : 'unsure';
}

/**
 * Why the person may not see a channel's records now, as safe mrkdwn; undefined: they may.
 * @param context without `channel`, only the person's membership counts, not where they are
 */
export async function findVisibilityRefusal(
  { services, person, channel: here }: Omit<RequestContext, 'channel'> & { readonly channel?: ChannelId },
  channel: ChannelId,
): Promise<string | undefined> {
  const context = { services, person, channel: here ?? ChannelId.parse(person.user) };
  const sight = await checkChannelVisibility(context, channel);
  return membershipRefusal(sight === 'open' ? 'in' : sight === 'closed' ? 'out' : 'unsure');
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
