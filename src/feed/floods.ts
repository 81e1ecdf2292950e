/** A flood: more cards waiting in a channel than anyone reads. One summary stands for them. */
import type { Instant } from '../clock.ts';
import { ChannelId } from '../ids.ts';
import { enqueuePost, touchPost } from '../outbox/outbox.ts';
import { type Post, PostId, postKey, posts } from '../outbox/posts.ts';
import { scan, type Transaction } from '../storage/store.ts';
import { enqueueDetails, takeBackDetails } from './card-details.ts';
import { readSettings } from './channels.ts';
import type { FeedContext } from './context.ts';

/** Up to so many cards are posted one by one. */
const MOST_SINGLE_CARDS = 10;
/** Looked at in one transaction; what is beyond joins the summary in the next. */
const BATCH = 500;

/**
 * Cards that wait in a channel and may be bundled, oldest project first; and a flood's summary that is not sent yet. One of quiet
 * hours is none: what comes after them is no part of it.
 */
async function waitingIn(context: FeedContext, tx: Transaction, channel: ChannelId) {
  const cards: Post[] = [];
  let flood: Post | undefined;
  for await (const { value } of scan(tx, posts, {
    index: 'byState',
    prefix: [context.team, 'waiting', channel],
  })) {
    if (value.content.kind === 'flood' && !value.content.quiet) flood ??= value;
    if (value.content.kind === 'card' && !value.released) cards.push(value);
    if (cards.length >= BATCH) break;
  }
  return { cards, flood };
}

/** Bundles a flood; what arrives before its summary is sent joins it. @returns the summary's post. */
export async function bundleFlood(
  context: FeedContext,
  tx: Transaction,
  channel: ChannelId,
  at: Instant,
): Promise<PostId | undefined> {
  const { team } = context;
  const { cards, flood } = await waitingIn(context, tx, channel);
  const [oldest] = cards;
  if (!oldest || (!flood && cards.length <= MOST_SINGLE_CARDS)) return flood?.id;
  const id = flood?.id ?? PostId.parse(`flood:${oldest.id}`);
  const order = Math.max(...cards.map((card) => card.order));
  await enqueuePost(tx, { team, id, channel, content: { kind: 'flood' }, order, at });
  for (const card of cards) {
    await tx.put(posts, postKey(team, card.id), { ...card, state: 'bundled', bundle: id });
    if (card.content.kind === 'card') await takeBackDetails(tx, team, channel, card.content.project);
  }
  if (flood) await touchPost(tx, team, id);
  return id;
}

/** Lets the newest of a summary's cards be posted on their own: those are the ones that a bid may still win. */
export function showMore(context: FeedContext, flood: PostId, count: number): Promise<number> {
  const { store, team, clock } = context;
  return store.transact(async (tx) => {
    const bundled = await tx.list(posts, {
      index: 'byBundle',
      prefix: [team, flood, 'bundled'],
      limit: Math.min(Math.max(0, Math.floor(count)), BATCH),
      reverse: true,
    });
    const channel = bundled[0]?.value.channel;
    const settings = channel && (await readSettings(tx, team, ChannelId.parse(channel)));
    for (const { value } of bundled) {
      await tx.put(posts, postKey(team, value.id), { ...value, state: 'waiting', released: true });
      if (!settings || value.content.kind !== 'card') continue;
      const place = { team, channel: settings.channel, project: value.content.project, order: value.order };
      await enqueueDetails(tx, place, settings, clock.now());
    }
    if (bundled.length > 0) await touchPost(tx, team, flood);
    return bundled.length;
  });
}
