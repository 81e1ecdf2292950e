/**
 * A flood: more cards waiting in a channel than anyone reads. One summary stands for them, and for what belongs to the
 * same backlog and comes a little later. Projects and invitations have a summary each.
 */
import { HOUR, type Instant, MINUTE } from '../clock.ts';
import type { TeamId } from '../ids.ts';
import { scanCollection, type Transaction } from '../storage/store.ts';
import { enqueuePost, listBundledPosts } from './outbox.ts';
import { type Post, PostId, postKey, posts } from './posts.ts';

/** What a summary can stand for. */
export type SummaryKind = 'card' | 'invitation';

/** Up to so many are posted one by one. */
const MOST_SINGLE = 10;
/** Looked at in one transaction: a large backlog keeps nobody else from the store. */
const BATCH = 500;

/** A posted summary takes in more for so long after it last grew, */
const GROWS_WITHIN_MS = 10 * MINUTE;
/** and for so long after it was posted: an edit notifies nobody. */
const GROWS_FOR_MS = HOUR;

export interface BundleResult {
  readonly summary?: PostId;
  /** What was taken into the summary now. */
  readonly taken: readonly Post[];
  /** More may wait than one transaction takes: go on before anything is sent. */
  readonly isMore: boolean;
}

/** When Slack posted it. */
function postedAt({ ts }: Post): Instant | undefined {
  return ts === undefined ? undefined : Number(ts) * 1_000;
}

/** Whether a summary takes in more. A time to come is one of a wrong clock. */
function isOpen(summary: Post, at: Instant): boolean {
  if (summary.state === 'waiting') return true;
  if (summary.state !== 'posted') return false;
  const posted = postedAt(summary) ?? summary.enqueuedAt;
  const grew = Math.max(posted, summary.grewAt ?? 0);
  return grew <= at + MINUTE && at - grew < GROWS_WITHIN_MS && at - posted < GROWS_FOR_MS;
}

/** The latest summary of a channel, while it takes in more. One of quiet hours never does. */
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

/** A few come one by one, but for what is older than what a summary lists already: that is the rest of its backlog. */
function takenBy(waiting: readonly Post[], open: Post | undefined): readonly Post[] {
  if (waiting.length > MOST_SINGLE || open?.state === 'waiting') return waiting;
  return open ? waiting.filter(({ order }) => order <= open.order) : [];
}

export interface SummaryTarget {
  readonly team: TeamId;
  readonly channel: Post['channel'];
  readonly of: SummaryKind;
}

/** Bundles what waits, oldest first, where it is a flood or belongs to one. */
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

/** Lets the newest of a summary's posts be sent on their own: those are the ones that a bid may still win. */
export async function releaseNewestFromSummary(
  tx: Transaction,
  team: TeamId,
  summary: PostId,
  count: number,
): Promise<readonly Post[]> {
  const limit = Math.min(Math.max(0, Math.floor(count)), BATCH);
  const range = { index: 'byBundle', prefix: [team, summary, 'bundled'], limit, reverse: true } as const;
  const released: Post[] = [];
  for (const { value } of await tx.list(posts, range)) {
    const post: Post = { ...value, state: 'waiting', released: true };
    await tx.put(posts, postKey(team, post.id), post);
    released.push(post);
  }
  return released;
}

/**
 * The message of a summary is gone, or can't be edited: it is sent again, with all that it still lists.
 * @returns false where it lists nothing, or is no summary.
 */
export async function repostCardSummary(tx: Transaction, { team, id, content }: Post): Promise<boolean> {
  if (content.kind !== 'flood' || (await listBundledPosts(tx, team, id, 1)).length === 0) return false;
  const post = await tx.get(posts, postKey(team, id));
  if (post?.state !== 'posted') return false;
  const { ts: _ts, postedIn: _in, ...rest } = post;
  await tx.put(posts, postKey(team, id), { ...rest, state: 'waiting' });
  return true;
}
