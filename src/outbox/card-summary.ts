/**
 * If too many cards wait in a channel, one summary lists them. It also takes later cards of the same backlog.
 * Projects and invitations have separate summaries.
 */
import { HOUR, type Instant, MINUTE } from '../clock.ts';
import { scanCollection, type Transaction } from '../storage/store.ts';
import { enqueuePost, listBundledPosts } from './outbox.ts';
import { type Post, PostId, posts } from './posts.ts';

/** Up to this many are posted one by one. */
const MOST_SINGLE = 10;
/** Posts per transaction: a large backlog must not block the store. */
const BATCH = 500;

/** A posted summary accepts more posts for this long after it last grew. */
const GROWS_WITHIN_MS = 10 * MINUTE;
/** An older summary accepts none: edits don't notify anyone. */
const GROWS_FOR_MS = HOUR;

/** For channels that get at most a few posts of a kind in a while, and one summary for the others. */
export interface BundlePace {
  /** Up to this many are posted one by one within `withinMs`. */
  readonly single: number;
  readonly withinMs: number;
  /** A summary accepts more for this long. After that, the next ones are announced by another. */
  readonly growsForMs: number;
}

export interface BundleResult {
  readonly summary?: PostId;
  /** Posts that were added to the summary now. */
  readonly taken: readonly Post[];
  /** Posts were marked to be sent on their own. */
  readonly hasSingles?: true;
  /** One transaction may not take all: continue before anything is sent. */
  readonly isMore: boolean;
}

function postedAt({ ts }: Post): Instant | undefined {
  return ts === undefined ? undefined : Number(ts) * 1_000;
}

function lastGrewAt(summary: Post): Instant {
  return Math.max(postedAt(summary) ?? summary.enqueuedAt, summary.grewAt ?? 0);
}

/** Whether a summary accepts more posts. A time in the future comes from a clock that was wrong. */
function isOpen(summary: Post, at: Instant, pace: BundlePace | undefined): boolean {
  if (summary.state === 'waiting') return true;
  // What it accepts while it is being sent, the next edit shows.
  if (summary.state !== 'posted' && !(pace && summary.state === 'sending')) return false;
  const posted = postedAt(summary) ?? summary.enqueuedAt;
  const grew = lastGrewAt(summary);
  if (grew > at + MINUTE) return false;
  if (pace) return at - posted < pace.growsForMs;
  return at - grew < GROWS_WITHIN_MS && at - posted < GROWS_FOR_MS;
}

/** The channel's latest summary, if it accepts more posts. Summaries of quiet hours never do. */
async function openSummary(tx: Transaction, where: SummaryTarget, at: Instant, pace: BundlePace | undefined) {
  const prefix = [where.channel, where.of] as const;
  const [latest] = await tx.list(posts, { index: 'floods', prefix, reverse: true, limit: 1 });
  return latest && isOpen(latest.value, at, pace) ? latest.value : undefined;
}

async function waitingIn(tx: Transaction, { channel, of }: SummaryTarget): Promise<Post[]> {
  const waiting: Post[] = [];
  const range = { index: 'byState', prefix: ['waiting', channel] };
  for await (const { value } of scanCollection(tx, posts, range)) {
    if (value.content.kind === of && !value.released) waiting.push(value);
    if (waiting.length >= BATCH) break;
  }
  return waiting;
}

/** A few stay single, except those older than what an open summary lists: they belong to its backlog. */
function takenBy(waiting: readonly Post[], open: Post | undefined): readonly Post[] {
  if (waiting.length > MOST_SINGLE || open?.state === 'waiting') return waiting;
  return open ? waiting.filter(({ order }) => order <= open.order) : [];
}

/** How many of a pace's single posts are used up: posts of this kind that no longer wait, or are single. */
async function countRecent(
  tx: Transaction,
  { channel, of }: SummaryTarget,
  at: Instant,
  { single, withinMs }: BundlePace,
): Promise<number> {
  let count = 0;
  // A clock that was wrong may have dated some in the future.
  const range = { from: [at - withinMs], to: [at + MINUTE], reverse: true };
  for await (const { value } of scanCollection(tx, posts, {
    index: 'byChannel',
    prefix: [channel],
    ...range,
  })) {
    const isDecided = value.state !== 'held' && (value.state !== 'waiting' || value.released === true);
    if (value.content.kind === of && isDecided) count++;
    if (count >= single) break;
  }
  return count;
}

/** The oldest stay single, for good; the others go into the summary. @returns the others */
async function takenAtPace(
  tx: Transaction,
  where: SummaryTarget,
  at: Instant,
  pace: BundlePace,
  { waiting, open }: { readonly waiting: readonly Post[]; readonly open: Post | undefined },
): Promise<readonly Post[]> {
  if (waiting.length === 0) return [];
  // None while a summary is filling.
  const isFilling = open && (open.state !== 'posted' || at - lastGrewAt(open) < MINUTE);
  const singles = isFilling ? 0 : Math.max(0, pace.single - (await countRecent(tx, where, at, pace)));
  for (const post of waiting.slice(0, singles)) await tx.put(posts, { ...post, released: true });
  return waiting.slice(singles);
}

type SummaryTarget = Pick<Post, 'channel'> & { readonly of: 'card' | 'invitation' };

/**
 * Bundles waiting posts, oldest first, if they are too many or belong to an open summary.
 * @param pace missing: only a backlog is bundled
 */
export async function bundleWaitingPosts(
  tx: Transaction,
  where: SummaryTarget,
  at: Instant,
  pace?: BundlePace,
): Promise<BundleResult> {
  const { channel, of } = where;
  const waiting = await waitingIn(tx, where);
  const open = await openSummary(tx, where, at, pace);
  const taken = pace ? await takenAtPace(tx, where, at, pace, { waiting, open }) : takenBy(waiting, open);
  const [oldest] = taken;
  const singles = { hasSingles: pace && taken.length < waiting.length ? (true as const) : undefined };
  if (!oldest) {
    const filling = { summary: open?.state === 'waiting' ? open.id : undefined };
    return { ...filling, ...singles, taken, isMore: false };
  }
  const summary = open?.id ?? PostId.parse(`flood:${oldest.id}`);
  // Behind the single ones, also if all came at the same moment.
  const last = Math.max(...taken.map((post) => post.order)) + (pace ? 1 : 0);
  const order = Math.max(open?.order ?? 0, last);
  if (open) {
    const grown = { ...open, order, grewAt: at, revision: open.revision + 1 };
    await tx.put(posts, grown);
  } else {
    const content = { kind: 'flood', of: of === 'card' ? undefined : of } as const;
    await enqueuePost(tx, { id: summary, channel, content, order, at });
  }
  for (const post of taken) await tx.put(posts, { ...post, state: 'bundled', bundle: summary });
  return { summary, ...singles, taken, isMore: waiting.length >= BATCH };
}

/** How many posts a request for `count` releases at most. */
export function clampReleaseCount(count: number): number {
  return Math.min(Math.max(0, Math.floor(count)), BATCH);
}

/** Releases posts of a summary, in whose transaction they were read, to be sent on their own. */
export async function releasePostsFromSummary(tx: Transaction, bundled: readonly Post[]) {
  const released = bundled.map((post): Post => ({ ...post, state: 'waiting', released: true }));
  for (const post of released) await tx.put(posts, post);
  return released;
}

/** Releases the newest posts of a summary: bids on them can still win. */
export async function releaseNewestPostsFromSummary(tx: Transaction, summary: PostId, count: number) {
  const newest = await listBundledPosts(tx, summary, clampReleaseCount(count), 'newest');
  return releasePostsFromSummary(tx, newest);
}

/**
 * Sends a summary again, with all that it still lists, if its message is gone or can't be edited.
 * @returns false if it lists nothing, or isn't a summary
 */
export async function repostCardSummary(tx: Transaction, summary: Post): Promise<boolean> {
  const { id, content } = summary;
  // News may be visible only there.
  const isFlood = content.kind === 'flood' && (await listBundledPosts(tx, id, 1)).length > 0;
  if (content.kind !== 'outcome-list' && !isFlood) return false;
  const post = await tx.get(posts, [id]);
  if (post?.state !== 'posted') return false;
  const { ts: _ts, postedIn: _in, ...rest } = post;
  await tx.put(posts, { ...rest, state: 'waiting' });
  return true;
}
