/** Bids that wait before they are sent: the user's own, and those that need the user's approval. */

import { hasRoleAtLeast } from '../../access/access.ts';
import { findDraftOfBid } from '../../bidding/bid-drafts.ts';
import type { HeldOrder } from '../../bidding/bidding.ts';
import { type HeldOrderFacts, heldOrderPostId, listHeldOrders } from '../../bidding/held-order.ts';
import { type ChannelId, type DraftId, isDirectMessage, type UserId } from '../../ids.ts';
import { readPost } from '../../outbox/outbox.ts';
import { canStillApprove } from '../../spending/spending.ts';
import type { ReadTransaction } from '../../storage/store.ts';
import type { Person, Services } from '../core/routes.ts';
import type { TruncatedList } from './home-facts.ts';
import type { WithMessageTs } from './message-links.ts';

/** How many items show. Source: docs/slack-limits.md, `viewBlocks`, shared by all parts of the App Home. */
const MOST_SHOWN = 3;
/** Of all that wait in the team, the next ones are looked at. */
const MOST_READ = 200;

export interface HeldOnHome {
  readonly own: TruncatedList<WithMessageTs<HeldOrder>>;
  readonly toApprove: TruncatedList<WithMessageTs<HeldOrder>>;
  /** Drafts that the user's own bids were sent from: the bid shows in their place. */
  readonly drafts: ReadonlySet<DraftId>;
}

interface Reader {
  readonly person: Person;
  readonly isIn: (channel: ChannelId) => boolean;
}

/** The bid's own direct message has no other members: it asks people in theirs. */
function isAskedOf({ channel, hold }: HeldOrderFacts, user: UserId, { isIn }: Reader): boolean {
  return isIn(channel) || hold.second?.posted?.direct.includes(user) === true;
}

/** Those in whose channels the user may decide. */
async function keepAllowed(
  services: Services,
  { person }: Reader,
  orders: readonly HeldOrder[],
): Promise<readonly HeldOrder[]> {
  const allowed = new Set<ChannelId>();
  for (const channel of new Set(orders.map((order) => order.channel))) {
    const place = isDirectMessage(channel) ? undefined : channel;
    const { role } = await services.resolvePerson(person.user, place);
    if (hasRoleAtLeast(role, 'bidder')) allowed.add(channel);
  }
  return orders.filter(({ channel }) => allowed.has(channel));
}

/** The first ones, with their messages. */
async function withMessages(
  tx: ReadTransaction,
  orders: readonly HeldOrder[],
): Promise<TruncatedList<WithMessageTs<HeldOrder>>> {
  const shown: WithMessageTs<HeldOrder>[] = [];
  for (const order of orders.slice(0, MOST_SHOWN)) {
    const { team, channel } = order;
    const post = isDirectMessage(channel)
      ? undefined
      : await readPost(tx, team, heldOrderPostId(order, channel));
    shown.push({ item: order, channel, ts: post?.ts });
  }
  return { shown, more: Math.max(0, orders.length - MOST_SHOWN) };
}

async function listDrafts(tx: ReadTransaction, own: readonly HeldOrder[]): Promise<ReadonlySet<DraftId>> {
  const drafts = new Set<DraftId>();
  for (const { of } of own) {
    const draft = 'bid' in of ? await findDraftOfBid(tx, of.bid) : undefined;
    if (draft) drafts.add(draft.id);
  }
  return drafts;
}

/** Reads only the store, and the user's roles. */
export async function readHeldOnHome(services: Services, reader: Reader): Promise<HeldOnHome> {
  const { store, team } = services;
  const { user } = reader.person;
  const isOwn = ({ sender }: Pick<HeldOrderFacts, 'sender'>) => sender === user;
  const isWanted = (it: HeldOrderFacts) =>
    isOwn(it) || (canStillApprove(it.hold, it.sender, user) && isAskedOf(it, user, reader));
  const all = await store.read((tx) => listHeldOrders(tx, team, isWanted, MOST_READ));
  const own = all.filter(
    (order) => isOwn(order) && (isDirectMessage(order.channel) || reader.isIn(order.channel)),
  );
  const others = all.filter((order) => !isOwn(order));
  const toApprove = await keepAllowed(services, reader, others);
  return store.read(async (tx) => ({
    own: await withMessages(tx, own),
    toApprove: await withMessages(tx, toApprove),
    drafts: await listDrafts(tx, own),
  }));
}
