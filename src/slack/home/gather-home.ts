/**
 * Collects everything that an App Home shows: the user's channels where Gigdesk is active and their status,
 * and the open work. Reads only the store and memory.
 */

import { hasRoleAtLeast } from '../../access/access.ts';
import { listBidDrafts } from '../../bidding/bid-drafts.ts';
import type { HeldOrder, Job } from '../../bidding/bidding.ts';
import { type HeldOrderFacts, heldOrderPostId, listHeldOrders } from '../../bidding/held-order.ts';
import { listJobsWaitingInDirectMessages, listWaitingJobs } from '../../bidding/project-bidding.ts';
import type { CreditsView } from '../../credits/create-credits.ts';
import { hasSubscription, isChannelPaused } from '../../feed/channels.ts';
import { readFeedState } from '../../feed/poll-state.ts';
import { type ChannelId, isDirectMessage, type UserId } from '../../ids.ts';
import { hasProfileFeed } from '../../profiles/profile-feeds.ts';
import { canStillApprove } from '../../spending/hold.ts';
import type { ReadTransaction } from '../../storage/store.ts';
import { canApproveJob } from '../bids/bids.ts';
import type { UserChannel } from '../core/home-cache.ts';
import type { Person, Services } from '../core/routes.ts';
import type { UserChannelsResult } from '../core/user-channels.ts';
import { readResponseLine } from '../response/response.ts';
import { listWelcomedChannels, readBotChannels } from '../setup/setup.ts';
import {
  addKnownLinks,
  COUNTED,
  describeJobsAwaitingApproval,
  firstOf,
  type HomeReader,
  type LinkedMessage,
  listDraftsOf,
  messageOf,
  readHomeClaims,
  readHomeDrafts,
  readUncertainBids,
  type WithMessageTs,
} from './gather-work.ts';
import type { HomeChannel } from './home-facts.ts';

/** How many items show. Source: docs/slack-limits.md, `viewBlocks`, shared by all parts of the App Home. */
const MOST_SHOWN = 3;
/** Of all that wait in the team, the next ones are looked at. */
const MOST_READ = 200;

async function keepAllowed(services: Services, user: UserId, orders: readonly HeldOrder[]) {
  const allowed = new Set<ChannelId>();
  for (const channel of new Set(orders.map((order) => order.channel))) {
    const { role } = await services.resolvePerson(user, channel);
    if (hasRoleAtLeast(role, 'bidder')) allowed.add(channel);
  }
  return orders.filter(({ channel }) => allowed.has(channel));
}

async function withMessages(tx: ReadTransaction, orders: readonly HeldOrder[]) {
  const { shown, more } = firstOf(orders, MOST_SHOWN);
  const placed: WithMessageTs<HeldOrder>[] = [];
  for (const order of shown) {
    const { channel } = order;
    const ts = isDirectMessage(channel) ? undefined : await messageOf(tx, heldOrderPostId(order, channel));
    placed.push({ item: order, channel, ts });
  }
  return { shown: placed, more };
}

async function readHeldOnHome(services: Services, reader: HomeReader) {
  const { store } = services;
  const { user } = reader;
  const isOwn = ({ sender }: Pick<HeldOrderFacts, 'sender'>) => sender === user;
  // The bid's own direct message has no other members: it asks people in theirs.
  const isAsked = ({ channel, hold }: HeldOrderFacts) =>
    reader.isIn(channel) || hold.second?.posted?.direct.includes(user) === true;
  const isWanted = (it: HeldOrderFacts) =>
    isOwn(it) || (canStillApprove(it.hold, it.sender, user) && isAsked(it));
  const all = await store.read((tx) => listHeldOrders(tx, isWanted, MOST_READ));
  const own = all.filter(
    (order) => isOwn(order) && (isDirectMessage(order.channel) || reader.isIn(order.channel)),
  );
  const others = all.filter((order) => !isOwn(order));
  const toApprove = await keepAllowed(services, user, others);
  const bids = own.flatMap(({ of }) => ('bid' in of ? [of.bid] : []));
  return store.read(async (tx) => ({
    own: await withMessages(tx, own),
    toApprove: await withMessages(tx, toApprove),
    drafts: await listDraftsOf(tx, bids),
  }));
}

export type HomeContent = Awaited<ReturnType<typeof gatherHomeContent>>;

export async function gatherHomeContent(services: Services, person: Person, places: UserChannelsResult) {
  const { store, clock, setups, gate } = services;
  const ids = new Set(places.places.map(({ id }) => id));
  const reader = { user: person.user, isIn: (channel: ChannelId) => ids.has(channel), at: clock.now() };
  const busy = await findActiveUserChannels(services, places.places);
  const waiting = await listApprovableJobs(services, { person, waiting: busy.waiting });
  const read = await store.read(async (tx) => {
    const { trouble } = await readFeedState(tx);
    return {
      credits: await services.credits.readCredits(tx, clock.now()),
      feed: { trouble },
      waiting: await describeJobsAwaitingApproval(tx, waiting),
      claims: await readHomeClaims(tx, reader),
      uncertain: await readUncertainBids(tx, reader),
      // Read at the same moment: a draft whose bid is uncertain by now must not show as unsent.
      drafts: await listBidDrafts(tx, reader, reader.at, COUNTED),
    };
  });
  const { credits, feed } = read;
  const { channels, moreChannels } = await readHomeChannels(services, person, credits, busy.following);
  // Without any channel set up, those that Gigdesk was in at the start are offered, too.
  const welcomed = new Set(
    await store.read(async (tx) => [
      ...(await listWelcomedChannels(tx)),
      ...(channels.length === 0 ? await readBotChannels(tx) : []),
    ]),
  );
  const following = new Set(busy.following.map(({ id }) => id));
  const held = await readHeldOnHome(services, reader);
  const sent = new Set([...held.drafts, ...read.uncertain.drafts]);
  const unlinked: LinkedMessage[] = [];
  return {
    facts: {
      account: credits.readAccountState(),
      isConnected: services.account?.isConnected,
      feed,
      waiting: read.waiting,
      gate: gate.status(),
      at: reader.at,
      remembered: places.kind === 'known' ? undefined : { at: places.at },
      person,
      held: {
        own: addKnownLinks(services, held.own, unlinked),
        toApprove: addKnownLinks(services, held.toApprove, unlinked),
      },
      uncertain: read.uncertain.bids,
      claims: addKnownLinks(services, read.claims, unlinked),
      drafts: await readHomeDrafts(services, reader, read.drafts, sent),
      channels,
      moreChannels,
      invitedTo: places.places
        .filter(({ id }) => welcomed.has(id) && !following.has(id))
        .toSorted((a, b) => a.name.localeCompare(b.name, 'en')),
      setups: await setups.readStoredSetups(),
    },
    /** Messages of items whose link is not known yet. */
    unlinked,
    activeChannels: [...new Set([...busy.following, ...busy.waiting.map(({ place }) => place)])],
  };
}

const MOST_VIEWED = 60;
/** Channels read in one go before other work gets a turn. */
const AT_ONCE = 50;
/** Like `AT_ONCE`, for channels with full details. */
const TURN_EVERY = 10;

interface ActiveUserChannels {
  /** Channels with subscriptions, by name. */
  readonly following: readonly UserChannel[];
  /** Channels with jobs that wait for someone. */
  readonly waiting: readonly { readonly place: UserChannel; readonly jobs: readonly Job[] }[];
}

/** The channels where Gigdesk is active. Costs a few reads per channel of the user, whatever is stored. */
async function findActiveUserChannels(services: Services, places: readonly UserChannel[]) {
  const { store, clock } = services;
  const following: UserChannel[] = [];
  const waiting: ActiveUserChannels['waiting'][number][] = [];
  for (let from = 0; from < places.length; from += AT_ONCE) {
    if (from > 0) await clock.sleep(0);
    await store.read(async (tx) => {
      for (const place of places.slice(from, from + AT_ONCE)) {
        const { id } = place;
        if ((await hasSubscription(tx, id)) || (await hasProfileFeed(tx, id))) following.push(place);
        const jobs = (await listWaitingJobs(tx, id, COUNTED)).filter(canApproveJob);
        if (jobs.length > 0) waiting.push({ place, jobs });
      }
    });
  }
  return { following: following.toSorted((a, b) => a.name.localeCompare(b.name, 'en')), waiting };
}

/** Jobs that the user may approve. In direct messages, the user's workspace-wide role counts. */
async function listApprovableJobs(
  services: Services,
  { person, waiting }: { readonly person: Person; readonly waiting: ActiveUserChannels['waiting'] },
): Promise<readonly Job[]> {
  const allowed = await Promise.all(
    waiting.map(async ({ place, jobs }) => {
      const { role } = await services.resolvePerson(person.user, place.id);
      return hasRoleAtLeast(role, 'bidder') ? jobs : [];
    }),
  );
  const { role } = await services.resolvePerson(person.user);
  if (!hasRoleAtLeast(role, 'bidder')) return allowed.flat();
  const { store } = services;
  const direct = await store.read((tx) => listJobsWaitingInDirectMessages(tx, COUNTED));
  return [...allowed.flat(), ...direct.filter(canApproveJob)];
}

async function viewChannel(
  services: Services,
  person: Person,
  credits: CreditsView,
  { id: channel, name }: UserChannel,
): Promise<HomeChannel> {
  const { feed, digests, clock } = services;
  const [{ role }, stored, subscriptions, profiles, digest, response] = await Promise.all([
    services.resolvePerson(person.user, channel),
    feed.readChannelSettings(channel),
    feed.listSubscriptions(channel),
    services.profiles.listChannelProfileFeeds(channel),
    digests.readDigestPlan(channel),
    readResponseLine(services, channel),
  ]);
  // An expired pause stays stored until someone ends it, but no longer delays anything.
  const { paused: _, ...unpaused } = stored;
  const settings = isChannelPaused(stored, clock.now()) ? stored : unpaused;
  const budget = credits.readBudgetState(channel);
  return { channel, name, role, settings, budget, subscriptions, profiles, digest, response };
}

async function readHomeChannels(
  services: Services,
  person: Person,
  credits: CreditsView,
  following: readonly UserChannel[],
) {
  const viewed: HomeChannel[] = [];
  for (const place of following.slice(0, MOST_VIEWED)) {
    if (viewed.length > 0 && viewed.length % TURN_EVERY === 0) await services.clock.sleep(0);
    viewed.push(await viewChannel(services, person, credits, place));
  }
  const channels = viewed.toSorted((a, b) => rank(a) - rank(b));
  return { channels, moreChannels: following.length - viewed.length };
}

function rank({ subscriptions: followed, profiles }: HomeChannel): number {
  const isInTrouble =
    followed.some(({ state }) => !['live', 'starting', 'paused'].includes(state.kind)) ||
    profiles.some(({ feed, sync }) => feed.stopped !== undefined || sync?.trouble !== undefined);
  return isInTrouble ? 0 : 1;
}
