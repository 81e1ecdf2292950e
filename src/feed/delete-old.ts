/** Which old projects, cards and posts are deleted: none that is pending, or that another one needs. */
import { DAY, type Instant } from '../clock.ts';
import { cardPostId, listBundledPosts } from '../outbox/outbox.ts';
import { isPostPending, type Post, posts } from '../outbox/posts.ts';
import type { ReadTransaction, StoredEntry, Transaction } from '../storage/store.ts';
import { listProjectCards } from './find-project.ts';
import { cards, FEED_RETENTION_MS, type SeenProject, seenProjects } from './records.ts';

/**
 * Deletes a project with its cards and their posts, but only if all of them are old: cards need their
 * project. Deferred cards this old are no longer news, so they are deleted, too.
 */
export async function deleteOldProject(
  tx: Transaction,
  { key, value: { project, lastSeenAt = 0 } }: StoredEntry<SeenProject>,
  before: Instant,
): Promise<void> {
  if (lastSeenAt >= before) return;
  const found = await listProjectCards(tx, project.key);
  for (const card of found) {
    const post = await tx.get(posts, [cardPostId(card.channel, card.project)]);
    const { foundAt, claim, skip } = card;
    if (Math.max(foundAt, claim?.at ?? 0, skip?.at ?? 0) >= before || isPostPending(post)) return;
  }
  for (const card of found) {
    await tx.delete(cards, [card.channel, card.project]);
    await tx.delete(posts, [cardPostId(card.channel, card.project)]);
  }
  await tx.delete(seenProjects, key);
}

/** Deleted with their cards; a welcome says what its channel is set up for. */
const KEPT_POSTS: readonly Post['content']['kind'][] = ['card', 'invitation', 'invitation-letter', 'welcome'];
/** They change for as long as bids are stored. */
const BID_POSTS: readonly Post['content']['kind'][] = ['bid', 'job', 'approval-request', 'held-order'];
const BID_POSTS_KEPT_MS = 180 * DAY;

/** Whether its message in Slack may still have to change. */
async function isPostInUse(tx: ReadTransaction, post: Post, before: Instant): Promise<boolean> {
  const { id, content, enqueuedAt } = post;
  if (isPostPending(post) || KEPT_POSTS.includes(content.kind)) return true;
  if (BID_POSTS.includes(content.kind)) return enqueuedAt >= before - (BID_POSTS_KEPT_MS - FEED_RETENTION_MS);
  if (content.kind === 'followed-project') return tx.has(seenProjects, [content.project]);
  return content.kind === 'flood' && (await listBundledPosts(tx, id, 1)).length > 0;
}

export async function deleteOldPost(
  tx: Transaction,
  { key, value }: StoredEntry<Post>,
  before: Instant,
): Promise<void> {
  if (!(await isPostInUse(tx, value, before))) await tx.delete(posts, key);
}
