/**
 * If too many cards wait in a channel, one summary lists them. It also takes later cards of the same backlog.
 * Projects and invitations have separate summaries.
 */
import { HOUR, type Instant, MINUTE } from '../clock.ts';
import type { TeamId } from '../ids.ts';
import { scanCollection, type Transaction } from '../storage/store.ts';
import { enqueuePost, listBundledPosts, listNewestBundledPosts } from './outbox.ts';
import { type Post, PostId, postKey, posts } from './posts.ts';

export type SummaryKind = 'card' | 'invitation';

/** Up to this many are posted one by one. */
const MOST_SINGLE = 10;
/** Posts per transaction: a large backlog must not block the store. */
const BATCH = 500;

/** A posted summary accepts more posts for this long after it last grew. */
const GROWS_WITHIN_MS = 10 * MINUTE;
/** An older summary accepts none: edits don't notify anyone. */
const GROWS_FOR_MS = HOUR;

export interface BundleResult {
  readonly summary?: PostId;
  /** Posts that were added to the summary now. */
  readonly taken: readonly Post[];
  /** One transaction may not take all: continue before anything is sent. */
  readonly isMore: boolean;
}

function postedAt({ ts }: Post): Instant | undefined {
  return ts === undefined ? undefined : Number(ts) * 1_000;
}

/** Whether a summary accepts more posts. A time in the future comes from a clock that was wrong. */
function isOpen(summary: Post, at: Instant): boolean {
  if (summary.state === 'waiting') return true;
  if (summary.state !== 'posted') return false;
  const posted = postedAt(summary) ?? summary.enqueuedAt;
  const grew = Math.max(posted, summary.grewAt ?? 0);
  return grew <= at + MINUTE && at - grew < GROWS_WITHIN_MS && at - posted < GROWS_FOR_MS;
}

/** The channel's latest summary, if it accepts more posts. Summaries of quiet hours never do. */
async function openSummary(
  tx: Transaction,
  { team, channel, of }: SummaryTarget,
  at: Instant,
): Promise<Post | undefined> {
  const prefix = [team, channel, of] as const;
  const [latest] = await tx.list(posts, { index: 'floods', prefix, reverse: true, limit: 1 });
  return latest && isOpen(latest.value, at) ? latest.value : undefined;
}

async function waitingIn(tx: Transaction, { team, channel, of }: SummaryTarget): Promise<Post[]> {
  const waiting: Post[] = [];
  for await (const { value } of scanCollection(tx, posts, {
    index: 'byState',
    prefix: [team, 'waiting', channel],
  })) {
    if (value.content.kind === of && !value.released) waiting.push(value);
    if (waiting.length >= BATCH) break;
  }
  return waiting;
}

/**
 * A few posts stay single, except those older than what an open summary lists: they belong to its backlog.
 */
function takenBy(waiting: readonly Post[], open: Post | undefined): readonly Post[] {
  if (waiting.length > MOST_SINGLE || open?.state === 'waiting') return waiting;
  return open ? waiting.filter(({ order }) => order <= open.order) : [];
}

export interface SummaryTarget {
  readonly team: TeamId;
  readonly channel: Post['channel'];
  readonly of: SummaryKind;
}

/** Bundles waiting posts, oldest first, if they are too many or belong to an open summary. */
export async function bundleWaitingPosts(
  tx: Transaction,
  where: SummaryTarget,
  at: Instant,
): Promise<BundleResult> {
  const { team, channel, of } = where;
  const waiting = await waitingIn(tx, where);
  const open = await openSummary(tx, where, at);
  const taken = takenBy(waiting, open);
  const [oldest] = taken;
  if (!oldest) return { ...(open?.state === 'waiting' ? { summary: open.id } : {}), taken, isMore: false };
  const summary = open?.id ?? PostId.parse(`flood:${oldest.id}`);
  const order = Math.max(open?.order ?? 0, ...taken.map((post) => post.order));
  if (open) {
    const grown = { ...open, order, grewAt: at, revision: open.revision + 1 };
    await tx.put(posts, postKey(team, summary), grown);
  } else {
    const content = { kind: 'flood', ...(of === 'card' ? {} : { of }) } as const;
    await enqueuePost(tx, { team, id: summary, channel, content, order, at });
  }
  for (const post of taken)
    await tx.put(posts, postKey(team, post.id), { ...post, state: 'bundled', bundle: summary });
  return { summary, taken, isMore: waiting.length >= BATCH };
}

/** How many posts a request for `count` releases at most. */
export function clampReleaseCount(count: number): number {
  return Math.min(Math.max(0, Math.floor(count)), BATCH);
}

/** Releases posts of a summary, in whose transaction they were read, to be sent on their own. */
export async function releasePostsFromSummary(
  tx: Transaction,
  team: TeamId,
  bundled: readonly Post[],
): Promise<readonly Post[]> {
  const released = bundled.map((post): Post => ({ ...post, state: 'waiting', released: true }));
  for (const post of released) await tx.put(posts, postKey(team, post.id), post);
  return released;
}

/** Releases the newest posts of a summary: bids on them can still win. */
export async function releaseNewestPostsFromSummary(
  tx: Transaction,
  team: TeamId,
  summary: PostId,
  count: number,
): Promise<readonly Post[]> {
  const newest = await listNewestBundledPosts(tx, team, summary, clampReleaseCount(count));
  return releasePostsFromSummary(tx, team, newest);
}

/**
 * Sends a summary again, with all that it still lists, if its message is gone or can't be edited.
 * @returns false if it lists nothing, or isn't a summary
 */
export async function repostCardSummary(tx: Transaction, { team, id, content }: Post): Promise<boolean> {
  if (content.kind !== 'flood' || (await listBundledPosts(tx, team, id, 1)).length === 0) return false;
  const post = await tx.get(posts, postKey(team, id));
  if (post?.state !== 'posted') return false;
  const { ts: _ts, postedIn: _in, ...rest } = post;
  await tx.put(posts, postKey(team, id), { ...rest, state: 'waiting' });
  return true;
}
