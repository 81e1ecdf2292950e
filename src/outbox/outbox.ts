/** Enqueues posts, inside the transaction of the change that they report, and finds them. */
import type { Instant } from '../clock.ts';
import type { ChannelId, MessageTs, ProjectKey } from '../ids.ts';
import type { Key, ReadTransaction, Transaction } from '../storage/store.ts';
import { type ChannelNotice, type Post, PostId, posts } from './posts.ts';

export function cardPostId(channel: ChannelId, project: ProjectKey): PostId {
  return PostId.parse(`card:${channel}:${project}`);
}

/** The thread post with what the card leaves out. */
export function cardDetailsPostId(channel: ChannelId, project: ProjectKey): PostId {
  return PostId.parse(`card-details:${channel}:${project}`);
}

/** `order` must not be lower than that of the post `under` which it is sent. */
export interface NewPost extends Pick<Post, 'id' | 'channel' | 'content' | 'under' | 'order'> {
  readonly at: Instant;
  /** Waits until the channel's quiet hours are over. */
  readonly isHeld?: boolean;
  /** Listed by this summary instead of being sent. */
  readonly bundle?: PostId;
}

/** Enqueues a post; does nothing if the id exists. @returns whether it is new */
export async function enqueuePost(tx: Transaction, post: NewPost): Promise<boolean> {
  if (await tx.has(posts, [post.id])) return false;
  const { at, isHeld, ...rest } = post;
  const state = post.bundle !== undefined ? 'bundled' : isHeld ? 'held' : 'waiting';
  await tx.put(posts, { ...rest, state, enqueuedAt: at, revision: 0, shown: 0 });
  return true;
}

/**
 * Notifies a channel (or, by a user's id, a person) once.
 * @param matter identifies the notice, for example `budget-low:2026-11`; a repeat isn't sent
 * @param order if it doesn't belong at the end: cards are sent in the order their projects were published
 */
export function enqueueNotice(
  tx: Transaction,
  to: Pick<NewPost, 'channel' | 'at'> & { readonly matter: string; readonly order?: number },
  notice: ChannelNotice,
): Promise<boolean> {
  const id = PostId.parse(`notice:${to.channel}:${to.matter}`);
  const content = { kind: 'notice', notice } as const;
  return enqueuePost(tx, { id, channel: to.channel, content, order: to.order ?? to.at, at: to.at });
}

/** The ids of posts that begin with `start`, which ends with a colon. */
export async function listPostIdsByPrefix(tx: ReadTransaction, start: string, limit: number) {
  // ";" follows ":" in sort order, so this covers everything that begins with `start`.
  const range = { from: [start], to: [`${start.slice(0, -1)};`] };
  const entries = await tx.list(posts, { ...range, limit });
  return entries.map(({ value }) => value.id);
}

/** Marks a post as changed, so that delivery updates its message. Ignores unknown posts. */
export async function markPostChanged(tx: Transaction, id: PostId): Promise<void> {
  const post = await tx.get(posts, [id]);
  if (post) await tx.put(posts, { ...post, revision: post.revision + 1 });
}

const MOST_WELCOMES = 20;

/** Ends with a colon: one welcome for each time that Gigdesk was invited to the channel. */
export function welcomePostIdPrefix(channel: ChannelId): string {
  return `welcome:${channel}:`;
}

/** A channel's welcomes, oldest first. */
export async function listWelcomes(tx: ReadTransaction, channel: ChannelId): Promise<readonly Post[]> {
  const keys = (await listPostIdsByPrefix(tx, welcomePostIdPrefix(channel), MOST_WELCOMES)).map((id) => [id]);
  return (await tx.getMany(posts, keys)).filter((post) => post !== undefined);
}

/** For each change of what a channel follows: its welcomes say that. */
export async function markWelcomesChanged(tx: Transaction, channel: ChannelId): Promise<void> {
  for (const { id } of await listWelcomes(tx, channel)) await markPostChanged(tx, id);
}

/** Posts that a summary lists and hasn't released yet, by their projects' age. */
export async function listBundledPosts(
  tx: ReadTransaction,
  summary: PostId,
  limit: number,
  first: 'oldest' | 'newest' = 'oldest',
): Promise<Post[]> {
  const range = { index: 'byBundle', prefix: [summary, 'bundled'] as const, limit };
  return (await tx.list(posts, { ...range, reverse: first === 'newest' })).map(({ value }) => value);
}

/** A weekend's quiet hours can collect thousands, and each button press redraws the summary. */
const MOST_COUNTED = 1_000;

/**
 * How many posts a summary lists. Counts at most `MOST_COUNTED`, still listed ones first.
 * @returns `waiting`: still listed · `total`: ever listed · `orMore`: there are more than were counted
 */
export async function countBundledPosts(tx: ReadTransaction, flood: PostId) {
  const range = { index: 'byBundle', prefix: [flood], limit: MOST_COUNTED + 1 } as const;
  // Sorted by state: 'bundled' comes first.
  const found = await tx.list(posts, range);
  const counted = found.slice(0, MOST_COUNTED);
  const waiting = counted.filter(({ value }) => value.state === 'bundled').length;
  const total = counted.length;
  return { waiting, total, orMore: found.length > total ? (true as const) : undefined };
}

/** A group with more posts is jumped over. */
const POSTS_PER_JUMP = 20;

/**
 * At least one post of each group below a prefix of a post index.
 * @param groupOf the parts of the index key, after the prefix, that name the group
 */
export async function listPostsOfEachGroup(
  tx: ReadTransaction,
  index: string,
  prefix: Key,
  groupOf: (post: Post) => readonly string[],
): Promise<Post[]> {
  const found: Post[] = [];
  let from = {};
  for (;;) {
    const entries = await tx.list(posts, { index, prefix, ...from, limit: POSTS_PER_JUMP });
    found.push(...entries.map(({ value }) => value));
    const last = found.at(-1);
    if (!last || entries.length < POSTS_PER_JUMP) return found;
    // The smallest string after a part of a key is that part plus a null character.
    const group = groupOf(last);
    from = { from: group.with(-1, `${group.at(-1)}\u0000`) };
  }
}

/** The distinct channels below a prefix of a post index, of which they are the next part. */
export async function listChannelsInIndex(tx: ReadTransaction, index: string, prefix: Key) {
  const found = await listPostsOfEachGroup(tx, index, prefix, ({ channel }) => [channel]);
  return [...new Set(found.map(({ channel }) => channel))];
}

export async function readPost(tx: ReadTransaction, id: PostId): Promise<Post | undefined> {
  return tx.get(posts, [id]);
}

export async function findPostByMessage(tx: ReadTransaction, channel: ChannelId, ts: MessageTs) {
  const [entry] = await tx.list(posts, { index: 'byMessage', prefix: [channel, ts], limit: 1 });
  return entry?.value;
}

/** The message that shows a post: its own, or that of the summary that lists it. */
export async function findMessageOfPost(tx: ReadTransaction, id: PostId) {
  const post = await tx.get(posts, [id]);
  const shown = post?.bundle && post.ts === undefined ? await tx.get(posts, [post.bundle]) : post;
  return shown?.ts === undefined ? undefined : { channel: shown.postedIn ?? shown.channel, ts: shown.ts };
}
