/** Which channels a user is in: from Slack's answer within the last minute, or the public ones remembered. */
import { type Instant, SECOND } from '../../clock.ts';
import type { ChannelId, UserId } from '../../ids.ts';
import { toSlackCallError } from './errors.ts';
import type { UserChannel } from './home-cache.ts';
import type { Services } from './routes.ts';
import { homeChannels, MAX_SAVED_CHANNELS, saveHomeChannels } from './user-channel-records.ts';

export type UserChannelsResult =
  | { readonly kind: 'known'; readonly places: readonly UserChannel[] }
  /** Slack has not answered yet, or can't. Missing `at`: nothing is remembered. */
  | { readonly kind: 'remembered'; readonly places: readonly UserChannel[]; readonly at?: Instant };

type Asking = Pick<Services, 'slack' | 'homes' | 'log' | 'clock'>;

/** Asks Slack. undefined: no answer. Never throws. */
export function fetchUserChannels(
  services: Asking,
  user: UserId,
): Promise<readonly UserChannel[] | undefined> {
  return services.homes.fetchOnce(user, () => learnPlaces(services, user));
}

async function learnPlaces({ slack, homes, log, clock }: Asking, user: UserId) {
  // Dated before the call: a user who leaves while Slack answers counts as a member no longer than from now.
  const at = clock.now();
  try {
    const places = await slack.listUserChannels(user);
    homes.cacheUserChannels(user, places, at);
    return places;
  } catch (thrown) {
    log.warn("could not list a user's channels", { user, error: toSlackCallError(thrown).code });
    return undefined;
  }
}

/** Slack's answer within `timeoutMs`, else the remembered channels. */
export async function readUserChannelsWithTimeout(
  services: Services,
  user: UserId,
  asked: Promise<readonly UserChannel[] | undefined>,
  patienceMs: number,
): Promise<UserChannelsResult> {
  const places = await inTime(services, asked, patienceMs);
  if (places) return { kind: 'known', places };
  const { store, team } = services;
  const kept = await store.read((tx) => tx.get(homeChannels, [team, user]));
  if (!kept) return { kind: 'remembered', places: [] };
  return {
    kind: 'remembered',
    places: kept.channels.map((each) => ({ ...each, isPrivate: false })),
    at: kept.at,
  };
}

/** Slack's answer from the last minute, else like `readUserChannelsWithTimeout`. */
export async function readCurrentUserChannels(services: Services, user: UserId): Promise<UserChannelsResult> {
  const places = services.homes.findUserChannels(user);
  if (places) return { kind: 'known', places };
  return readUserChannelsWithTimeout(
    services,
    user,
    fetchUserChannels(services, user),
    PATIENCE_OF_A_PRESS_MS,
  );
}

/** undefined: no answer within `ms`. */
function inTime<T>({ clock }: Pick<Services, 'clock'>, asked: Promise<T | undefined>, ms: number) {
  return new Promise<T | undefined>((resolve, reject) => {
    const cancel = clock.runAfter(ms, () => resolve(undefined));
    asked.then(resolve, reject).finally(cancel);
  });
}

/** Saves the public ones of `channels`, for openings while Slack can't answer. */
export async function saveUserChannels(
  { store, team, clock }: Services,
  user: UserId,
  channels: readonly UserChannel[],
): Promise<void> {
  const kept = channels
    .filter(({ isPrivate }) => !isPrivate)
    .slice(0, MAX_SAVED_CHANNELS)
    .map(({ id, name }) => ({ id, name }));
  await store.transact((tx) => saveHomeChannels(tx, { team, user, channels: kept, at: clock.now() }));
}

/** Asks Slack unless it answered within the last minute. undefined: no answer in time. Never throws. */
export async function readPublicChannels(
  services: Asking & Pick<Services, 'clock'>,
): Promise<ReadonlySet<ChannelId> | undefined> {
  const { homes } = services;
  const known = homes.findPublicChannels();
  if (known) return known;
  await inTime(
    services,
    homes.fetchOnce('public channels', () => learnPublicChannels(services)),
    PATIENCE_OF_A_PRESS_MS,
  );
  return homes.findPublicChannels();
}

async function learnPublicChannels({ slack, homes, log, clock }: Asking): Promise<void> {
  const at = clock.now();
  try {
    homes.cachePublicChannels(await slack.listPublicChannels(), at);
  } catch (thrown) {
    log.warn('could not list public channels', { error: toSlackCallError(thrown).code });
  }
}

const PATIENCE_OF_A_PRESS_MS = 1_000;
/** How long a non-member is not checked again: clicks must not use up Slack's rate limits. */
const OUT_MS = 5 * SECOND;

/** Whether a user is in a channel, for an action; `unsure`: Slack doesn't answer in time. */
export async function checkChannelMembership(
  services: Services,
  user: UserId,
  channel: ChannelId,
): Promise<'in' | 'out' | 'unsure'> {
  const isThere = (places: readonly UserChannel[]) => places.some(({ id }) => id === channel);
  const known = services.homes.findUserChannels(user);
  if (known && isThere(known)) return 'in';
  if (services.homes.findUserChannels(user, OUT_MS)) return 'out';
  const now = await readUserChannelsWithTimeout(
    services,
    user,
    fetchUserChannels(services, user),
    PATIENCE_OF_A_PRESS_MS,
  );
  if (isThere(now.places)) return 'in';
  return now.kind === 'known' ? 'out' : 'unsure';
}
