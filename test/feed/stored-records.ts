/** A team's records, written straight into a store: subscriptions, settings, projects, cards and posts. */
import {
  type Card,
  type ChannelSettings,
  cards,
  channelSettings,
  defaultChannelSettings,
  type Subscription,
  seenProjects,
  subscriptions,
} from '../../src/feed/records.ts';
import { ChannelId, FilterId, type ProjectKey, UserId } from '../../src/ids.ts';
import type { ListedProject } from '../../src/marketplace/schema.ts';
import { cardDetailsPostId, cardPostId, enqueuePost } from '../../src/outbox/outbox.ts';
import { type Post, type PostId, posts } from '../../src/outbox/posts.ts';
import type { Store, Transaction } from '../../src/storage/store.ts';

export const ann = UserId.parse('UANN');
export const bob = UserId.parse('UBOB');
export const channel = (id: string) => ChannelId.parse(id);
export const filterId = (id: number) => FilterId.parse(id);

/** Without rules, made by Ann. */
export function subscription(of: string, id: number, change: Partial<Subscription> = {}): Subscription {
  const made = { rules: '', by: ann, createdAt: 1_000, startsAt: 1_000 };
  return { channel: channel(of), filter: filterId(id), ...made, ...change };
}

export function putSubscription(store: Store, one: Subscription): Promise<unknown> {
  return store.transact((tx) => tx.put(subscriptions, one));
}

/** Replaces a channel's settings by the defaults with a change. */
export function putSettings(store: Store, of: string, change: Partial<ChannelSettings>): Promise<unknown> {
  const settings: ChannelSettings = { ...defaultChannelSettings(channel(of)), ...change };
  return store.transact((tx) => tx.put(channelSettings, settings));
}

/** As one that filter 1 listed. */
export async function putSeenProject(tx: Transaction, project: ListedProject, at: number): Promise<void> {
  const seen = { project, filters: [filterId(1)], firstSeenAt: at };
  await tx.put(seenProjects, seen);
}

/** A posted card of filter 1, unless changed. */
export async function putCard(
  tx: Transaction,
  of: ChannelId,
  project: ProjectKey,
  change: Partial<Card> = {},
): Promise<void> {
  const posted: Card = { channel: of, project, filters: [filterId(1)], foundAt: 1, state: 'posted' };
  await tx.put(cards, { ...posted, ...change });
}

/** The post of a card, or the one with its details. */
export function enqueueCard(
  tx: Transaction,
  of: ChannelId,
  project: ProjectKey,
  queued: { readonly order: number; readonly at: number },
  kind: 'card' | 'card-details' = 'card',
) {
  const id = kind === 'card' ? cardPostId(of, project) : cardDetailsPostId(of, project);
  return enqueuePost(tx, { id, channel: of, content: { kind, project }, ...queued });
}

/** Changes a post as delivery does, if there is one. */
export function changePost(store: Store, id: PostId, change: Partial<Post>): Promise<unknown> {
  return store.transact(async (tx) => {
    const post = await tx.get(posts, [id]);
    if (post) await tx.put(posts, { ...post, ...change });
  });
}
