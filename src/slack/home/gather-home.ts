/** Collects everything that an App Home shows. Reads only the store and memory. */

import { readFeedState } from '../../feed/poll-state.ts';
import type { UserId } from '../../ids.ts';
import type { ReadTransaction } from '../../storage/store.ts';
import type { Person, Services } from '../core/routes.ts';
import type { UserChannelsResult } from '../core/user-channels.ts';
import { findActiveUserChannels, listApprovableJobs, readHomeChannels } from './gather-channels.ts';
import {
  type ClaimWithMessageTs,
  describeJobsAwaitingApproval,
  readHomeClaims,
  readHomeDrafts,
} from './gather-work.ts';
import type { HomeClaim, HomeFacts, TruncatedList } from './home-facts.ts';

export interface HomeContent {
  readonly facts: Omit<HomeFacts, 'notice'>;
  /** Claims whose card was posted, but whose link is not known yet. */
  readonly unlinked: readonly ClaimWithMessageTs[];
  /** The user's channels where Gigdesk is active. */
  readonly activeChannels: UserChannelsResult['places'];
}

function linked({ homes }: Services, claims: TruncatedList<ClaimWithMessageTs>) {
  const unlinked: ClaimWithMessageTs[] = [];
  const shown = claims.shown.map(({ claim, ts }): HomeClaim => {
    const link = ts && homes.findMessageLink(claim.channel, ts);
    if (ts && !link) unlinked.push({ claim, ts });
    return link ? { ...claim, link } : claim;
  });
  return { claims: { ...claims, shown }, unlinked };
}

/** Credits, and any failure that blocks all feeds. */
async function readMoney(tx: ReadTransaction, { credits, team, clock }: Services) {
  const { trouble } = await readFeedState(tx, team);
  return {
    account: await credits.readAccountState(tx, clock.now()),
    feed: trouble ? { trouble } : {},
  };
}

function rememberedOf(places: UserChannelsResult): Pick<HomeFacts, 'remembered'> {
  if (places.kind === 'known') return {};
  return { remembered: places.at === undefined ? {} : { at: places.at } };
}

export async function gatherHomeContent(
  services: Services,
  person: Person,
  places: UserChannelsResult,
): Promise<HomeContent> {
  const { store, team, clock, setups, gate } = services;
  const ids = new Set(places.places.map(({ id }) => id));
  const user: UserId = person.user;
  const reader = {
    team,
    user,
    isIn: (channel: (typeof places.places)[number]['id']) => ids.has(channel),
    at: clock.now(),
  };
  const busy = await findActiveUserChannels(services, places.places);
  const waiting = await listApprovableJobs(services, { person, waiting: busy.waiting });
  const { channels, moreChannels } = await readHomeChannels(services, person, busy.following);
  const read = await store.read(async (tx) => ({
    ...(await readMoney(tx, services)),
    waiting: await describeJobsAwaitingApproval(tx, team, waiting),
    claims: await readHomeClaims(tx, reader),
  }));
  const { claims, unlinked } = linked(services, read.claims);
  return {
    facts: {
      ...read,
      gate: gate.status(),
      at: reader.at,
      ...rememberedOf(places),
      person,
      claims,
      drafts: await readHomeDrafts(services, reader),
      channels,
      moreChannels,
      setups: await setups.readStoredSetups(),
    },
    unlinked,
    activeChannels: [...new Set([...busy.following, ...busy.waiting.map(({ place }) => place)])],
  };
}
