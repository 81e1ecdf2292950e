/**
 * Posts news of bids and jobs in their threads and updates their cards, in the change's own transaction. The
 * thread is under the project's card, an invitation to it, or else a message of its own.
 */
import { findProjectAliases, type ProjectIdentifiers } from '../aliases/project-aliases.ts';
import type { Instant } from '../clock.ts';
import { markCardsChanged } from '../feed/cards.ts';
import type { ChannelId, JobId, UserId } from '../ids.ts';
import { findInvitationPost, markInvitationCardsChanged } from '../invitations/invitations.ts';
import type { BidNews } from '../outbox/news.ts';
import { cardPostId, enqueuePost, listPostIdsByPrefix, markPostChanged } from '../outbox/outbox.ts';
import { type PostContent, type PostContentOf, PostId, posts } from '../outbox/posts.ts';
import { noteBidChange } from '../sources/card-changes.ts';
import type { ReadTransaction, Transaction } from '../storage/store.ts';
import type { Bid, Job } from './records.ts';

/**
 * Posts one line of news in the thread, once, and updates all messages about the bid or job.
 * @param matter identifies the news, for example `bid:17:0123:2`; a repeat isn't sent
 */
export async function postBidNews(
  tx: Transaction,
  about: Bid | Job,
  matter: string,
  news: BidNews,
  at: Instant,
): Promise<void> {
  const { channel, home } = about;
  const parent = await tx.get(posts, [home]);
  await enqueuePost(tx, {
    id: PostId.parse(`news:${channel}:${matter}`),
    channel,
    content: { kind: 'bid-news', news },
    under: home,
    // Never before its parent: a thread begins with its message.
    order: Math.max(at, parent?.order ?? at),
    at,
  });
  await refreshMessages(tx, about);
}

/**
 * Posts a message in the thread of a bid or a job, and to people by direct message.
 * @param idOf each is posted once
 */
export async function postInThreadAndDirectly(
  tx: Transaction,
  { channel, home }: Pick<Job, 'channel' | 'home'>,
  direct: readonly UserId[],
  content: PostContent,
  idOf: (to: ChannelId | UserId) => PostId,
  at: Instant,
): Promise<void> {
  for (const to of [channel, ...direct]) {
    const parent = to === channel ? await tx.get(posts, [home]) : undefined;
    await enqueuePost(tx, {
      id: idOf(to),
      channel: to,
      content,
      under: to === channel ? home : undefined,
      // After its parent, which begins the thread, and after the news of the same moment.
      order: Math.max(at, parent?.order ?? at) + 1,
      at,
    });
  }
}

/** Updates the anchor message, and every card of the project and of invitations to it. */
export async function refreshMessages(tx: Transaction, about: Bid | Job): Promise<void> {
  const { home, project } = about;
  const { marketplaceJobId } = 'request' in about ? about.request : about;
  if (project) await refreshProjectCards(tx, { project, marketplaceJobId });
  const kind = (await tx.get(posts, [home]))?.content.kind;
  if ('review' in about && about.review) await markApprovalRequestsChanged(tx, about.id, about.review.round);
  // The loop above already updated cards of this project.
  if (kind !== 'card' && kind !== 'invitation') await markPostChanged(tx, home);
}

/** The post of one request for approval, for the channel or a person. */
export function approvalRequestPostId(job: JobId, round: number, to: string): PostId {
  return PostId.parse(`approval-request:${job}:${round}:${to}`);
}

/** More than a request is ever sent to. */
const MOST_REQUEST_POSTS = 20;

/** Updates the messages of a job's request for approval, wherever they are. */
export async function markApprovalRequestsChanged(tx: Transaction, job: JobId, round: number): Promise<void> {
  const start = approvalRequestPostId(job, round, '');
  for (const id of await listPostIdsByPrefix(tx, start, MOST_REQUEST_POSTS)) await markPostChanged(tx, id);
}

/** Updates every card of the project and of invitations to it, under all its names; their clocks follow. */
export async function refreshProjectCards(tx: Transaction, names: ProjectIdentifiers): Promise<void> {
  for (const key of (await findProjectAliases(tx, names)).keys) {
    await noteBidChange(tx, await markCardsChanged(tx, key));
    await noteBidChange(tx, await markInvitationCardsChanged(tx, key));
  }
}

/**
 * Posts news in a job's thread, in order, and counts them: the first is `job:<id>:1`.
 * @param job as it will be stored, except for the count
 * @returns the job with the new count; the caller stores it in the same transaction
 */
export async function postJobNews(tx: Transaction, job: Job, news: readonly BidNews[], at: Instant) {
  let count = job.told;
  for (const [place, each] of news.entries()) {
    count++;
    // One millisecond apart: posts of the same moment are sent in the order of their ids, 10 before 9.
    await postBidNews(tx, job, `job:${job.id}:${count}`, each, at + place);
  }
  return count === job.told ? job : { ...job, told: count };
}

/** Whether the message is posted or will be. A card folded into a card summary has no message. */
async function stands(tx: ReadTransaction, id: PostId): Promise<boolean> {
  const post = await tx.get(posts, [id]);
  return post?.state === 'waiting' || post?.state === 'sending' || post?.state === 'posted';
}

/**
 * The thread anchor of a bid, or of a job created outside Gigdesk, in its channel.
 * @param content of its own message, which it gets if it needs one
 */
export async function findOrPostAnchor(
  tx: Transaction,
  { channel, project }: Pick<Job, 'channel' | 'project'>,
  content: PostContentOf<'bid' | 'job'>,
  at: Instant,
): Promise<PostId> {
  const id = content.kind === 'bid' ? content.bid : content.job;
  const own = PostId.parse(`${content.kind}:${channel}:${id}`);
  if (await stands(tx, own)) return own;
  const { keys } = await findProjectAliases(tx, { project });
  for (const key of keys) {
    const card = cardPostId(channel, key);
    if (await stands(tx, card)) return card;
  }
  for (const key of keys) {
    const invitation = await findInvitationPost(tx, channel, key);
    if (invitation && (await stands(tx, invitation))) return invitation;
  }
  await enqueuePost(tx, { id: own, channel, content, order: at, at });
  return own;
}
