/**
 * Stage messages whose buttons lead nowhere, because something happened to their cards elsewhere: each is
 * changed once, in the transaction that drops it from the clock's open messages.
 */
import { type PostId, posts, type ResponseItem } from '../outbox/posts.ts';
import type { Claim } from '../sources/claims.ts';
import type { Transaction } from '../storage/store.ts';
import type { ResponseClock, ResponsePlan } from './records.ts';
import { type ClockPlace, isItemClosed } from './response.ts';
import type { WatchedCard } from './watched-cards.ts';

export type ItemEnd = NonNullable<ResponseItem['over']>;

type ItemPlace = Pick<ClockPlace, 'message' | 'post'>;

function takenBy({ by, assignedBy }: Claim): ItemEnd {
  return { what: assignedBy === undefined ? 'claimed' : 'assigned', by };
}

/** undefined: its buttons still do what they say. */
export function decideItemEnd(
  item: Pick<ResponseItem, 'stage' | 'claimedBy' | 'since'>,
  { claim, over, isBidding }: Pick<WatchedCard, 'claim' | 'over' | 'isBidding'>,
  { claimExpiry }: Pick<ResponsePlan, 'claimExpiry'>,
): ItemEnd | undefined {
  if (over) return over;
  if (item.stage !== 'warning') return claim && takenBy(claim);
  if (!claim) return { what: 'released' };
  if (claim.by !== item.claimedBy || claim.at !== item.since) return takenBy(claim);
  if (isBidding) return { what: 'bidding' };
  return claimExpiry > 0 ? undefined : { what: 'off' };
}

/** The message is edited, unless `change` returns undefined. @returns whether it lists the card */
export async function changeItem(
  tx: Transaction,
  { message, post: card }: ItemPlace,
  change: (item: ResponseItem) => ResponseItem | undefined,
): Promise<boolean> {
  const post = await tx.get(posts, [message]);
  if (post?.content.kind !== 'response') return false;
  const { items } = post.content;
  const at = items.findIndex((item) => item.card === card);
  const before = items[at];
  const after = before && change(before);
  if (!after) return before !== undefined;
  const content = { ...post.content, items: items.with(at, after) };
  await tx.put(posts, { ...post, content, revision: post.revision + 1 });
  return true;
}

/** Closes a card's part of a stage's message. @returns whether it stays open */
export async function closeItem(
  tx: Transaction,
  place: ItemPlace,
  decide: (item: ResponseItem) => ItemEnd | undefined,
): Promise<boolean> {
  let isOpen = false;
  await changeItem(tx, place, (item) => {
    if (isItemClosed(item)) return undefined;
    const over = decide(item);
    isOpen = over === undefined;
    return over && { ...item, over };
  });
  return isOpen;
}

/** @returns the clock without the messages that were closed; the caller stores it in the same transaction */
export async function closeItems(
  tx: Transaction,
  clock: ResponseClock,
  decide: (item: ResponseItem) => ItemEnd | undefined,
): Promise<ResponseClock> {
  const { post, open = [] } = clock;
  const left: PostId[] = [];
  for (const message of open) if (await closeItem(tx, { message, post }, decide)) left.push(message);
  if (left.length === open.length) return clock;
  return { ...clock, open: left.length > 0 ? left : undefined };
}

/** The same for what happened to the card. */
export async function closeEndedItems(
  tx: Transaction,
  clock: ResponseClock,
  card: WatchedCard | undefined,
  plan: ResponsePlan,
): Promise<ResponseClock> {
  return card ? closeItems(tx, clock, (item) => decideItemEnd(item, card, plan)) : clock;
}
