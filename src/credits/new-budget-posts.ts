/** Notifies admins once when a channel spends from the pool, so that they can give it its own budget. */
import { omitUndefined } from '../base/omit-undefined.ts';
import type { Instant } from '../clock.ts';
import type { ChannelId, TeamId, UserId } from '../ids.ts';
import { enqueuePost, listPostIdsByPrefix, markPostChanged } from '../outbox/outbox.ts';
import { PostId } from '../outbox/posts.ts';
import type { Transaction } from '../storage/store.ts';
import { isPooled } from './credits-state.ts';
import type { CreditsTransaction } from './credits-transaction.ts';

/** Most direct messages about one channel. */
const MOST_TOLD = 10;

function postId(channel: ChannelId, to: string): PostId {
  return PostId.parse(`new-budget:${channel}:${to}`);
}

/** Direct messages need no decision: only their user is there, and their lookups count in the pool. */
function isDirect(channel: ChannelId): boolean {
  return channel.startsWith('D');
}

interface First {
  readonly channel: ChannelId;
  readonly by?: UserId | undefined;
  readonly subscribed: boolean;
}

/** Without known admins it posts to the channel itself, where an admin can press the button. */
export async function notifyAdminsOfPooledChannel(
  book: CreditsTransaction,
  { channel, by, subscribed }: First,
  at: Instant,
): Promise<void> {
  const { tx, context } = book;
  const record = await book.readBudgetRecord(channel, at);
  if (!isPooled(record) || record.announced || isDirect(channel)) return;
  await book.putBudget({ ...record, announced: { at, subscribed, ...omitUndefined({ by }) } });
  const admins = (await context.adminsOf?.(tx, channel)) ?? [];
  const places = admins.length > 0 ? admins.slice(0, MOST_TOLD) : [channel];
  const content = { kind: 'new-budget', channel, limit: context.defaultBudget } as const;
  for (const to of places)
    await enqueuePost(tx, {
      team: context.team,
      id: postId(channel, to),
      channel: to,
      content,
      order: at,
      at,
    });
}

/** Updates the posts to show the decision and its admin. */
export async function refreshNewBudgetPosts(
  tx: Transaction,
  team: TeamId,
  channel: ChannelId,
): Promise<void> {
  for (const id of await listPostIdsByPrefix(tx, team, postId(channel, ''), MOST_TOLD + 1))
    await markPostChanged(tx, team, id);
}
