/** Putting posts on record, inside the transaction of the change that they tell of. */
import type { Instant } from '../clock.ts';
import type { ChannelId, ProjectKey, TeamId, UserId } from '../ids.ts';
import type { Key, ReadTransaction, Transaction } from '../storage/store.ts';
import { type Notice, type Post, type PostContent, PostId, postKey, posts } from './posts.ts';

/** The post of a project's card in a channel. */
export function cardPostId(channel: ChannelId, project: ProjectKey): PostId {
  return PostId.parse(`card:${channel}:${project}`);
}

/** The post under a card that has what the card itself leaves out. */
export function cardDetailsPostId(channel: ChannelId, project: ProjectKey): PostId {
  return PostId.parse(`card-details:${channel}:${project}`);
}

export interface NewPost {
  readonly team: TeamId;
  readonly id: PostId;
  readonly channel: ChannelId | UserId;
  readonly content: PostContent;
  /** Sent into the thread of this post; its own `order` must not be before that one's. */
  readonly under?: PostId;
  readonly order: number;
  readonly at: Instant;
  /** Kept back until the quiet hours of its channel are over. */
  readonly isHeld?: boolean;
  /** Listed by this summary, not sent by itself. */
  readonly bundle?: PostId;
}

function firstState({ isHeld, bundle }: NewPost): Post['state'] {
  if (bundle !== undefined) return 'bundled';
  return isHeld ? 'held' : 'waiting';
}

/** Puts a post on record to be sent; does nothing when that id was enqueued before. @returns whether it is new. */
export async function enqueuePost(tx: Transaction, post: NewPost): Promise<boolean> {
  const key = postKey(post.team, post.id);
  if (await tx.has(posts, key)) return false;
  const { at, isHeld: _, ...rest } = post;
  await tx.put(posts, key, { ...rest, state: firstState(post), enqueuedAt: at, revision: 0, shown: 0 });
  return true;
}

/**
 * Tells a channel (or, by a user's id, a person) something once.
 * @param matter what makes it the same notice, for example `budget-low:2026-11`; a repeat is not sent.
 * @param order where it does not belong at the end: cards are sent in the order in which their projects were published.
 */
export function enqueueNotice(
  tx: Transaction,
  to: {
    readonly team: TeamId;
    readonly channel: ChannelId | UserId;
    readonly matter: string;
    readonly at: Instant;
    readonly order?: number;
  },
  notice: Notice,
): Promise<boolean> {
  const id = PostId.parse(`notice:${to.channel}:${to.matter}`);
  return enqueuePost(tx, {
    team: to.team,
    id,
    channel: to.channel,
    content: { kind: 'notice', notice },
    order: to.order ?? to.at,
    at: to.at,
  });
}

/** The posts whose ids begin with `start`, which ends with a colon. */
export async function listPostIdsByPrefix(
  tx: ReadTransaction,
  team: TeamId,
  start: string,
  limit: number,
): Promise<PostId[]> {
  // ";" is what comes after ":", so this is everything that begins like `start`.
  const range = { from: [start], to: [`${start.slice(0, -1)};`] };
  const entries = await tx.list(posts, { prefix: [team], ...range, limit });
  return entries.map(({ value }) => value.id);
}

/** Says that what a post shows has changed; what stands in Slack follows. Nothing happens for an unknown post. */
export async function markPostChanged(tx: Transaction, team: TeamId, id: PostId): Promise<void> {
  const key: Key = postKey(team, id);
  const post = await tx.get(posts, key);
  if (post) await tx.put(posts, key, { ...post, revision: post.revision + 1 });
}

/** Posts listed by a flood's summary and not released yet, oldest project first. */
export async function listBundledPosts(
  tx: ReadTransaction,
  team: TeamId,
  flood: PostId,
  limit: number,
): Promise<Post[]> {
  const entries = await tx.list(posts, { index: 'byBundle', prefix: [team, flood, 'bundled'], limit });
  return entries.map((entry) => entry.value);
}

/** A weekend's quiet hours can hold thousands, and the summary is drawn anew with each press: nobody needs the number beyond. */
const MOST_COUNTED = 1_000;

export interface BundleCounts {
  /** Listed still, of those that were counted. */
  readonly waiting: number;
  /** All that it ever stood for, as far as they were counted. */
  readonly total: number;
  /** There are more than were counted. */
  readonly orMore?: true;
}

/** How many posts a flood's summary stands for: at most `MOST_COUNTED` are counted, those that wait first. */
export async function countBundledPosts(
  tx: ReadTransaction,
  team: TeamId,
  flood: PostId,
): Promise<BundleCounts> {
  const range = { index: 'byBundle', prefix: [team, flood], limit: MOST_COUNTED + 1 } as const;
  // By state: 'bundled' comes before all the others.
  const found = await tx.list(posts, range);
  const counted = found.slice(0, MOST_COUNTED);
  const waiting = counted.filter(({ value }) => value.state === 'bundled').length;
  const total = counted.length;
  return { waiting, total, ...(found.length > total ? { orMore: true as const } : {}) };
}

/** The distinct channels below a prefix of an index of posts, by hopping from one to the next. */
export async function listChannelsInIndex(
  tx: ReadTransaction,
  index: string,
  prefix: Key,
): Promise<Post['channel'][]> {
  const found: Post['channel'][] = [];
  for (;;) {
    const last = found.at(-1);
    // The smallest text behind a channel's id is that id and a null character.
    const from = last === undefined ? {} : { from: [`${last}\u0000`] };
    const [entry] = await tx.list(posts, { index, prefix, ...from, limit: 1 });
    if (!entry) return found;
    found.push(entry.value.channel);
  }
}
