/** Deletes records older than 90 days, in small transactions, once a day. */
import { DAY, type Instant, isRecent } from '../clock.ts';
import { cardPostId, listBundledPosts } from '../outbox/outbox.ts';
import { isPostPending, type Post, postKey, posts } from '../outbox/posts.ts';
import { clearEachOldRecord } from '../storage/delete-old-records.ts';
import type { ReadTransaction, Transaction } from '../storage/store.ts';
import type { FeedContext } from './feed.ts';
import { listProjectCards } from './find-project.ts';
import { readFeedState } from './poll-state.ts';
import {
  cardKey,
  cards,
  FEED_RETENTION_MS,
  type FeedState,
  feedStates,
  type SeenProject,
  seenProjectKey,
  seenProjects,
} from './records.ts';

/**
 * Deletes a project with its cards and their posts, but only if all of them are old: cards need their
 * project. Deferred cards this old are no longer news, so they are deleted, too.
 */
async function clearProject(tx: Transaction, seen: SeenProject, cutoff: Instant): Promise<void> {
  if ((seen.lastSeenAt ?? seen.firstSeenAt) >= cutoff) return;
  const found = await listProjectCards(tx, seen.project.key);
  for (const card of found) {
    const post = await tx.get(posts, postKey(cardPostId(card.channel, card.project)));
    const { foundAt, claim, skip } = card;
    if (Math.max(foundAt, claim?.at ?? 0, skip?.at ?? 0) >= cutoff || isPostPending(post)) return;
  }
  for (const card of found) {
    await tx.delete(cards, cardKey(card.channel, card.project));
    await tx.delete(posts, postKey(cardPostId(card.channel, card.project)));
  }
  await tx.delete(seenProjects, seenProjectKey(seen.project.key));
}

/** Deleted with their cards; a welcome says what its channel is set up for. */
const KEPT_POSTS: readonly Post['content']['kind'][] = ['card', 'invitation', 'invitation-letter', 'welcome'];
/** They change for as long as bids are stored. */
const BID_POSTS: readonly Post['content']['kind'][] = ['bid', 'job', 'approval-request', 'held-order'];
const BID_POSTS_KEPT_MS = 180 * DAY;

/** Whether its message in Slack may still have to change. */
async function isPostInUse(tx: ReadTransaction, post: Post, cutoff: Instant): Promise<boolean> {
  const { id, content, enqueuedAt } = post;
  if (isPostPending(post) || KEPT_POSTS.includes(content.kind)) return true;
  if (BID_POSTS.includes(content.kind)) return enqueuedAt >= cutoff - (BID_POSTS_KEPT_MS - FEED_RETENTION_MS);
  if (content.kind === 'followed-project') return tx.has(seenProjects, seenProjectKey(content.project));
  return content.kind === 'flood' && (await listBundledPosts(tx, id, 1)).length > 0;
}

/** Most calls only check the date. @param feed the current state */
export async function clearOldFeedRecordsIfDue(
  context: FeedContext,
  feed: FeedState,
  signal: AbortSignal,
): Promise<void> {
  const { store, clock } = context;
  const now = clock.now();
  if (isRecent(feed.clearedAt, DAY, now)) return;
  const old = { at: now, keptMs: FEED_RETENTION_MS };
  const seen = { ...old, collection: seenProjects };
  await clearEachOldRecord(store, { ...seen, clear: clearProject }, signal);
  const clearPost = async (tx: Transaction, post: Post, cutoff: Instant) => {
    if (!(await isPostInUse(tx, post, cutoff))) await tx.delete(posts, postKey(post.id));
  };
  await clearEachOldRecord(store, { ...old, collection: posts, clear: clearPost }, signal);
  await store.transact(async (tx) =>
    tx.put(feedStates, [], { ...(await readFeedState(tx)), clearedAt: now }),
  );
}
