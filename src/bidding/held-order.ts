/** Bids and approvals that wait before they are sent: reading, changing and ending one, and its message. */
import type { Instant } from '../clock.ts';
import type { BidId, ChannelId, JobId, UserId } from '../ids.ts';
import { listPostIdsByPrefix, markPostChanged } from '../outbox/outbox.ts';
import { PostId } from '../outbox/posts.ts';
import type { HoldEnd, SpendingHold } from '../spending/hold.ts';
import type { ReadTransaction, Transaction } from '../storage/store.ts';
import { hashApprovalFacts, listApprovalFacts, listAskers } from './approval-request.ts';
import { endReview } from './approval-requests.ts';
import type { HeldOrder, HeldOrderRef } from './bidding.ts';
import { postInThreadAndDirectly, refreshMessages } from './post-bid-news.ts';
import { readApprovalSubject, readBidSubject } from './read-approval-subject.ts';
import { settleApproval } from './record-approval-response.ts';
import { settleBid } from './record-bid-response.ts';
import {
  type ApprovalFact,
  type ApprovalReview,
  type Bid,
  bids,
  connectsRef,
  type Job,
  jobs,
} from './records.ts';

export async function readHeldOrder(tx: ReadTransaction, ref: HeldOrderRef): Promise<HeldOrder | undefined> {
  return ref.bid === undefined ? readHeldApproval(tx, ref.job) : readHeldBid(tx, ref.bid);
}

/** What a list of held orders is filtered by, before each is read. */
export type HeldOrderFacts = Pick<HeldOrder, 'channel' | 'sender' | 'hold'>;

/** What waits in any channel and `isWanted`, next to be sent first. @param limit read of bids and of jobs */
export async function listHeldOrders(
  tx: ReadTransaction,
  isWanted: (facts: HeldOrderFacts) => boolean,
  limit: number,
): Promise<readonly HeldOrder[]> {
  const range = { index: 'held', limit };
  const wanted = (hold: SpendingHold | undefined, channel: ChannelId, sender: UserId | undefined) =>
    hold !== undefined && sender !== undefined && isWanted({ channel, sender, hold });
  const refs: HeldOrderRef[] = [
    ...(await tx.list(bids, range)).flatMap(({ value: { id, hold, channel, by } }) =>
      wanted(hold, channel, by) ? [{ bid: id }] : [],
    ),
    ...(await tx.list(jobs, range)).flatMap(({ value: { id, channel, approval } }) =>
      wanted(approval?.hold, channel, approval?.by) ? [{ job: id }] : [],
    ),
  ];
  const found: HeldOrder[] = [];
  for (const ref of refs) {
    const order = await readHeldOrder(tx, ref);
    if (order) found.push(order);
  }
  return found;
}

async function readHeldBid(tx: ReadTransaction, id: BidId): Promise<HeldOrder | undefined> {
  const bid = await tx.get(bids, [id]);
  if (!bid?.hold) return undefined;
  const { channel, home, attempt, hold, shown = [], by: sender, state } = bid;
  const subject = await readBidSubject(tx, bid);
  const sendAt = bid.request.scheduledAt;
  const order = { channel, subject, sender, ref: connectsRef({ bid: id }) };
  return { ...order, sendAt, home, attempt, hold, shown, isHeld: state === 'held', of: { bid } };
}

async function readHeldApproval(tx: ReadTransaction, id: JobId): Promise<HeldOrder | undefined> {
  const job = await tx.get(jobs, [id]);
  const { approval, channel, home } = job ?? {};
  if (!job || !approval?.hold || !channel || !home) return undefined;
  const { hold, shown = [], attempt, by: sender, state } = approval;
  const subject = await readApprovalSubject(tx, job);
  const order = { channel, subject, sender, ref: connectsRef(job), askers: listAskers(job) };
  return { ...order, home, attempt, hold, shown, isHeld: state === 'held', of: { job } };
}

/** undefined unless it names exactly one. */
export function toHeldOrderRef({ bid, job }: { bid?: BidId; job?: JobId }): HeldOrderRef | undefined {
  if (bid !== undefined) return job === undefined ? { bid } : undefined;
  return job === undefined ? undefined : { job };
}

/** Hash of what would be sent now. */
export function hashOrder({ subject }: Pick<HeldOrder, 'subject'>): string {
  return hashApprovalFacts(listApprovalFacts(subject));
}

export function refOf({ of }: Pick<HeldOrder, 'of'>): HeldOrderRef {
  return 'bid' in of ? { bid: of.bid.id } : { job: of.job.id };
}

function postPrefix(ref: HeldOrderRef, attempt: number): string {
  return `held:${ref.bid === undefined ? `job:${ref.job}` : `bid:${ref.bid}`}:${attempt}:`;
}

function postIdOf(
  ref: HeldOrderRef,
  { attempt, hold }: Pick<HeldOrder, 'attempt' | 'hold'>,
  to: ChannelId | UserId,
): PostId {
  return PostId.parse(`${postPrefix(ref, attempt)}${hold.second?.round ?? 0}:${to}`);
}

/** Of its current message in its channel. */
export function heldOrderPostId(order: Pick<HeldOrder, 'of' | 'attempt' | 'hold'>, to: ChannelId): PostId {
  return postIdOf(refOf(order), order, to);
}

/** More than its message is ever sent to. */
const MOST_POSTS = 40;

async function markHeldMessagesChanged(tx: Transaction, order: HeldOrder): Promise<void> {
  const start = postPrefix(refOf(order), order.attempt);
  for (const id of await listPostIdsByPrefix(tx, start, MOST_POSTS)) await markPostChanged(tx, id);
}

/** Posts the message with Cancel in the thread, and to people by direct message; each once a round. */
export async function postHeldMessage(
  tx: Transaction,
  order: Pick<HeldOrder, 'channel' | 'home' | 'attempt' | 'hold'> & { readonly ref: HeldOrderRef },
  direct: readonly UserId[],
  at: Instant,
): Promise<void> {
  const { attempt, hold, ref } = order;
  const content = { kind: 'held-order', ...ref, attempt, round: hold.second?.round ?? 0 } as const;
  await postInThreadAndDirectly(tx, order, direct, content, (to) => postIdOf(ref, order, to), at);
}

/** The bid or job with a changed hold. */
export async function storeHold(
  tx: Transaction,
  order: HeldOrder,
  hold: SpendingHold,
  shown: readonly ApprovalFact[] = order.shown,
): Promise<HeldOrder> {
  const { of } = order;
  const changed = { hold, shown: [...shown] };
  if ('bid' in of) {
    const bid: Bid = { ...of.bid, ...changed };
    await tx.put(bids, bid);
    await markHeldMessagesChanged(tx, order);
    await refreshMessages(tx, bid);
    return { ...order, ...changed, of: { bid } };
  }
  const { approval } = of.job;
  const job: Job = approval ? { ...of.job, approval: { ...approval, ...changed } } : of.job;
  await tx.put(jobs, job);
  await markHeldMessagesChanged(tx, order);
  await refreshMessages(tx, job);
  return { ...order, ...changed, of: { job } };
}

function decideReviewEnd(
  { review }: Job,
  end: HoldEnd,
  at: Instant,
  by: UserId | undefined,
): ApprovalReview['ended'] {
  if (!review || review.ended) return undefined;
  if (end === 'rejected' && by !== undefined)
    return { kind: 'rejected', by, at, reason: 'Rejected at the second approval.' };
  return end === 'rejected' || end === 'expired' ? { kind: 'expired', at } : undefined;
}

/**
 * Ends an order that waits: it is never sent. Stores bid or job, audit answer, connects and news. A person
 * who cancels their own needs no news: its message changes in place.
 * @param order as stored, and held
 */
export async function endHeldOrder(
  tx: Transaction,
  order: HeldOrder,
  end: Exclude<HoldEnd, 'sent'>,
  at: Instant,
  by?: UserId,
): Promise<HeldOrder> {
  const closed = await storeHold(tx, order, { ...order.hold, ended: { kind: end, at, by } });
  const answer = { kind: 'refused', refusal: { code: `hold-${end}` } } as const;
  const isOwn = end === 'canceled' && by === order.sender;
  const { of } = closed;
  if ('bid' in of) {
    const { bid } = await settleBid(tx, of.bid, answer, at, isOwn);
    return { ...closed, isHeld: false, of: { bid } };
  }
  const { approval } = of.job;
  if (!approval) return closed;
  const review = decideReviewEnd(of.job, end, at, by);
  // The end of the request has news of its own.
  const settled = await settleApproval(tx, of.job, approval, answer, at, isOwn || review !== undefined);
  const job = review ? await endReview(tx, settled, review) : settled;
  return { ...closed, isHeld: false, of: { job } };
}

/** Ends an approval of the job if one waits: it is never sent. @returns the job as it is now */
export async function endHeldApproval(
  tx: Transaction,
  job: Job,
  end: 'canceled' | 'closed',
  at: Instant,
  by?: UserId,
): Promise<Job> {
  const order = await readHeldOrder(tx, { job: job.id });
  if (!order?.isHeld) return job;
  const { of } = await endHeldOrder(tx, order, end, at, by);
  return 'job' in of ? of.job : job;
}
