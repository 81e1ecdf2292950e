/** In which channels somebody is: by Slack's word of this minute, or the public ones that were remembered. */
import type { Instant } from '../../clock.ts';
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
export async function askPlaces(
  { slack, homes, log, clock }: Asking,
  user: UserId,
): Promise<readonly PlaceOfPerson[] | undefined> {
  // Whoever left a channel while Slack was answering is believed to be in it for no longer than from now on.
  const at = clock.now();
  try {
    const places = await slack.channelsOf(user);
    homes.learnPlaces(user, places, at);
    return places;
  } catch (thrown) {
    log.warn('Slack did not say in which channels a person is', { user, error: slackCallError(thrown).code });
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

const PATIENCE_OF_A_PRESS_MS = 1_000;

/** Whether somebody is in a channel, for a press; `unsure`: Slack does not say in time. */
export async function isIn(
  services: Services,
  user: UserId,
  channel: ChannelId,
): Promise<'in' | 'out' | 'unsure'> {
  const isThere = (places: readonly PlaceOfPerson[]) => places.some(({ id }) => id === channel);
  const known = services.homes.placesOf(user);
  if (known && isThere(known)) return 'in';
  const now = await placesWithin(services, user, askPlaces(services, user), PATIENCE_OF_A_PRESS_MS);
  if (isThere(now.places)) return 'in';
  return now.kind === 'known' ? 'out' : 'unsure';
}
