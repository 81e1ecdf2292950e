/** What goes with cards: details in their threads, if wanted, and the summary while too many cards wait. */
import type { Instant } from '../clock.ts';
import { ChannelId, type ProjectKey } from '../ids.ts';
import type { ListedProject } from '../marketplace/schema.ts';
import {
  bundleWaitingPosts,
  clampReleaseCount,
  releaseNewestPostsFromSummary,
  releasePostsFromSummary,
} from '../outbox/card-summary.ts';
import {
  cardDetailsPostId,
  cardPostId,
  enqueuePost,
  listBundledPosts,
  markPostChanged,
} from '../outbox/outbox.ts';
import { type Post, type PostId, posts } from '../outbox/posts.ts';
import type { ReadTransaction, Transaction } from '../storage/store.ts';
import { readChannelSettings } from './channels.ts';
import type { FeedContext } from './feed.ts';
import { listProjectCards, readSeenProject } from './find-project.ts';
import type { ProjectFit } from './fit-reasons.ts';
import { withFilterVerdict } from './merge-project.ts';
import { type Card, type ChannelSettings, cards } from './records.ts';

/** Enqueues the details after the card's post, if there are any. */
export async function enqueueCardDetails(
  tx: Transaction,
  card: Pick<Post, 'order'> & { readonly channel: ChannelId; readonly project: ProjectKey },
  settings: ChannelSettings,
  at: Instant,
): Promise<void> {
  if (!settings.threadDetails) return;
  const { channel, project, order } = card;
  const seen = await readSeenProject(tx, project);
  if (!seen) return;
  const { description, skills, verdict } = seen.project;
  if (description.trim() === '' && skills.length === 0 && !verdict?.reason) return;
  await enqueuePost(tx, {
    id: cardDetailsPostId(channel, project),
    channel,
    content: { kind: 'card-details', project },
    under: cardPostId(channel, project),
    order: order + 1,
    at,
  });
}

/** For a card that moves into a summary: its details are posted when the card is. */
export async function deleteCardDetailsPost(tx: Transaction, channel: ChannelId, project: ProjectKey) {
  await tx.delete(posts, [cardDetailsPostId(channel, project)]);
}

/** Whether the card's thread shows the details, or will. */
export async function hasCardDetailsPost(tx: ReadTransaction, channel: ChannelId, project: ProjectKey) {
  const post = await tx.get(posts, [cardDetailsPostId(channel, project)]);
  return post !== undefined && post.state !== 'failed';
}

export async function markCardDetailsChanged(tx: Transaction, project: ProjectKey): Promise<void> {
  for (const { state, channel } of await listProjectCards(tx, project))
    if (state === 'posted') await markPostChanged(tx, cardDetailsPostId(channel, project));
}

/** Bundles a channel's waiting cards if there are more than 10, or if they belong to an open summary. */
export async function bundleCardsIntoSummary(tx: Transaction, channel: ChannelId, at: Instant) {
  const bundled = await bundleWaitingPosts(tx, { channel, of: 'card' }, at);
  for (const { content } of bundled.taken)
    if (content.kind === 'card') await deleteCardDetailsPost(tx, channel, content.project);
  return bundled;
}

/**
 * Takes cards out of a summary, to be posted on their own: those with the best fit, or the newest, which is
 * the default. @returns how many
 */
export function postMoreCardsFromSummary(
  { store, clock }: FeedContext,
  flood: PostId,
  count: number,
  order: 'best' | 'newest' = 'newest',
): Promise<number> {
  return store.transact(async (tx) => {
    const listBest = async () =>
      (await listRanked(tx, flood)).slice(0, clampReleaseCount(count)).map(({ post }) => post);
    const released =
      order === 'newest'
        ? await releaseNewestPostsFromSummary(tx, flood, count)
        : await releasePostsFromSummary(tx, await listBest());
    const [first] = released;
    if (!first) return 0;
    const settings = await readChannelSettings(tx, ChannelId.parse(first.channel));
    for (const { content, order } of released) {
      if (content.kind !== 'card') continue;
      const place = { channel: settings.channel, project: content.project, order };
      await enqueueCardDetails(tx, place, settings, clock.now());
    }
    await markPostChanged(tx, flood);
    return released.length;
  });
}

/** A project with its fit, which shared cards don't have. */
export interface FittedProject {
  readonly project: ListedProject;
  readonly fit?: ProjectFit;
  /** The people and groups that the channel's rules mention. */
  readonly mention?: Card['mention'];
}

/** A weekend's quiet hours can collect thousands; the newest of them are compared. */
const MOST_COMPARED = 500;
/** Of a card without a fit: nothing speaks for it or against it. */
const MIDDLE = 50;

async function listRanked(tx: ReadTransaction, summary: PostId) {
  const bundled = await listBundledPosts(tx, summary, MOST_COMPARED, 'newest');
  const listed = bundled.flatMap((post) =>
    post.content.kind === 'card' ? [{ post, project: post.content.project }] : [],
  );
  // Cards are never posted to direct messages.
  const keys = listed.map(({ post, project }) => [post.channel as Card['channel'], project]);
  const stored = await tx.getMany(cards, keys);
  const points = (card: Card | undefined) => card?.fit?.points ?? MIDDLE;
  // The sort is stable: the newest stay first among equal fits.
  return listed
    .map((each, place) => ({ ...each, card: stored[place] }))
    .sort((a, b) => points(b.card) - points(a.card));
}

/** The best projects that a summary still lists, to be shown in it. */
export async function listBestBundledProjects(
  tx: ReadTransaction,
  summary: PostId,
  limit: number,
): Promise<readonly FittedProject[]> {
  const best: FittedProject[] = [];
  for (const { project, card } of (await listRanked(tx, summary)).slice(0, limit)) {
    const seen = await readSeenProject(tx, project);
    if (!seen) continue;
    const { filters = [], fit, mention } = card ?? {};
    best.push({ project: withFilterVerdict(seen, filters), fit, mention });
  }
  return best;
}
