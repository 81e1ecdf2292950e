/** In which channels somebody is: by Slack's word of this minute, or the public ones that were remembered. */
import { type Instant, SECOND } from '../../clock.ts';
import type { ChannelId, UserId } from '../../ids.ts';
import { slackCallError } from '../errors.ts';
import type { Services } from '../routes.ts';
import type { PlaceOfPerson } from './home-memory.ts';
import { homeChannels, MOST_REMEMBERED, rememberChannels } from './records.ts';

export type Places =
  | { readonly kind: 'known'; readonly places: readonly PlaceOfPerson[] }
  /** Slack has not said yet, or can't; missing `at`: nothing is remembered. */
  | { readonly kind: 'remembered'; readonly places: readonly PlaceOfPerson[]; readonly at?: Instant };

type Asking = Pick<Services, 'slack' | 'homes' | 'log' | 'clock'>;

/** Asks Slack. undefined: it did not say. Never throws. */
export function askPlaces(services: Asking, user: UserId): Promise<readonly PlaceOfPerson[] | undefined> {
  return services.homes.askOnce(user, () => learnPlaces(services, user));
}

async function learnPlaces({ slack, homes, log, clock }: Asking, user: UserId) {
  // Whoever left a channel while Slack was answering is believed to be in it for no longer than from now on.
  const at = clock.now();
  try {
    const places = await slack.channelsOf(user);
    homes.learnPlaces(user, places, at);
    return places;
  } catch (thrown) {
    log.warn("could not list a user's channels", { user, error: slackCallError(thrown).code });
    return undefined;
  }
}

/** What Slack says within `patienceMs`; else what is remembered. */
export async function placesWithin(
  services: Services,
  user: UserId,
  asked: Promise<readonly PlaceOfPerson[] | undefined>,
  patienceMs: number,
): Promise<Places> {
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

/** Where somebody is by Slack's word of the last minute; else as `placesWithin`. */
export async function placesNow(services: Services, user: UserId): Promise<Places> {
  const places = services.homes.placesOf(user);
  if (places) return { kind: 'known', places };
  return placesWithin(services, user, askPlaces(services, user), PATIENCE_OF_A_PRESS_MS);
}

/** undefined: not within `ms`. */
function inTime<T>({ clock }: Pick<Services, 'clock'>, asked: Promise<T | undefined>, ms: number) {
  return new Promise<T | undefined>((resolve, reject) => {
    const cancel = clock.after(ms, () => resolve(undefined));
    asked.then(resolve, reject).finally(cancel);
  });
}

/** Keeps the public ones of `channels`, for an opening while Slack can't say. */
export async function keepPlaces(
  { store, team, clock }: Services,
  user: UserId,
  channels: readonly PlaceOfPerson[],
): Promise<void> {
  const kept = channels
    .filter(({ isPrivate }) => !isPrivate)
    .slice(0, MOST_REMEMBERED)
    .map(({ id, name }) => ({ id, name }));
  await store.transact((tx) => rememberChannels(tx, { team, user, channels: kept, at: clock.now() }));
}

/** Asks Slack where it has not said so within the last minute. undefined: it did not say in time. Never throws. */
export async function publicChannels(
  services: Asking & Pick<Services, 'clock'>,
): Promise<ReadonlySet<ChannelId> | undefined> {
  const { homes } = services;
  const known = homes.publicChannels();
  if (known) return known;
  await inTime(
    services,
    homes.askOnce('public channels', () => learnPublicChannels(services)),
    PATIENCE_OF_A_PRESS_MS,
  );
  return homes.publicChannels();
}

async function learnPublicChannels({ slack, homes, log, clock }: Asking): Promise<void> {
  const at = clock.now();
  try {
    homes.learnPublicChannels(await slack.publicChannels(), at);
  } catch (thrown) {
    log.warn('could not list public channels', { error: slackCallError(thrown).code });
  }
}

const PATIENCE_OF_A_PRESS_MS = 1_000;
/** So long a person stays out of a channel without another question: presses must not use up Slack's limits. */
const OUT_MS = 5 * SECOND;

/** Whether somebody is in a channel, for a press; `unsure`: Slack does not say in time. */
export async function isIn(
  services: Services,
  user: UserId,
  channel: ChannelId,
): Promise<'in' | 'out' | 'unsure'> {
  const isThere = (places: readonly PlaceOfPerson[]) => places.some(({ id }) => id === channel);
  const known = services.homes.placesOf(user);
  if (known && isThere(known)) return 'in';
  if (services.homes.placesOf(user, OUT_MS)) return 'out';
  const now = await placesWithin(services, user, askPlaces(services, user), PATIENCE_OF_A_PRESS_MS);
  if (isThere(now.places)) return 'in';
  return now.kind === 'known' ? 'out' : 'unsure';
}
