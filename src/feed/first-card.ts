/** Cards that no read brings: the first one of a channel that was set up, and those that people share. */
import type { ChannelId, FilterId, UserId } from '../ids.ts';
import type { ListedProject } from '../marketplace/schema.ts';
import { cardPostId, enqueuePost } from '../outbox/outbox.ts';
import { type ReadTransaction, scanCollection } from '../storage/store.ts';
import { saveCardAndPost } from './cards.ts';
import { findSubscription, isSubscriptionActive, readChannelSettings } from './channels.ts';
import { previewRules } from './decide-card.ts';
import type { FeedContext } from './feed.ts';
import { findProjectCard, findSeenProject, readCard, readSeenProject } from './find-project.ts';
import { type Card, cards, seenProjects } from './records.ts';

/** Older projects are hardly open for bids anymore. */
const MOST_CONSIDERED = 50;

async function hasCards(tx: ReadTransaction, channel: ChannelId) {
  for await (const { value } of scanCollection(tx, cards, { prefix: [channel] }))
    if (value.state !== 'suppressed') return true;
  return false;
}

/**
 * Posts the newest known project of a subscription that passes its rules and the mutes, so that people see a
 * card at once; costs nothing.
 * @returns `not-needed`: it has cards, is paused, or isn't subscribed; `none-known`: no project passes
 */
export function postFirstCard(
  { store, clock, timezone }: FeedContext,
  channel: ChannelId,
  filter: FilterId,
): Promise<'posted' | 'not-needed' | 'none-known'> {
  return store.transact(async (tx) => {
    const at = clock.now();
    const settings = await readChannelSettings(tx, channel);
    const subscription = await findSubscription(tx, channel, filter);
    if (!subscription || !isSubscriptionActive(subscription, settings, at)) return 'not-needed';
    if (await hasCards(tx, channel)) return 'not-needed';
    const known = await listRecentFilterProjects(tx, filter, MOST_CONSIDERED);
    const { rules } = subscription;
    const [newest] = previewRules(known, { rules, mutes: settings.mutes }).posted;
    if (!newest) return 'none-known';
    const { key: project } = newest;
    // A project that was suppressed as past may be posted: the channel has no other card.
    const before = await readCard(tx, channel, project);
    const order = newest.publishedAt || at;
    const seen = await readSeenProject(tx, project);
    const filters = [...new Set([...(before?.filters ?? []), filter])];
    const card: Card = { channel, project, filters, passed: [filter], foundAt: at, state: 'posted' };
    await saveCardAndPost(tx, card, before, { order, at, settings, timezone, seen });
    return 'posted';
  });
}

/**
 * Posts a project's card because a person wants it there: rules, mutes and quiet hours don't apply. The card
 * exists once per channel, whatever name the project has.
 * @returns false if the channel has its card already
 * @throws StorageError
 */
export function shareProject(
  { store, clock }: Pick<FeedContext, 'store' | 'clock'>,
  channel: ChannelId,
  project: ListedProject,
  by: UserId,
): Promise<boolean> {
  return store.transact(async (tx) => {
    const at = clock.now();
    const names = { project: project.key };
    const seen = await findSeenProject(tx, names);
    const key = seen?.project.key ?? project.key;
    const before = await findProjectCard(tx, channel, names);
    if (before?.state === 'posted') return false;
    if (!seen) await tx.put(seenProjects, { project, filters: [], firstSeenAt: at });
    const known = before ?? { channel, project: key, filters: [], foundAt: at };
    const card: Card = { ...known, because: undefined, state: 'posted', sharedBy: by };
    await tx.put(cards, card);
    const content = { kind: 'card', project: card.project } as const;
    await enqueuePost(tx, { id: cardPostId(channel, card.project), channel, content, order: at, at });
    return true;
  });
}

/** A person waits: of a filter that finds little, older projects don't count. */
const MOST_SCANNED = 2_000;

/** The filter's newest known projects, newest first, of the team's newest 2,000; costs nothing. */
export async function listRecentFilterProjects(tx: ReadTransaction, filter: FilterId, limit: number) {
  const found: ListedProject[] = [];
  let scanned = 0;
  for await (const { value } of scanCollection(tx, seenProjects, { index: 'byAge', reverse: true })) {
    if (value.filters.includes(filter)) found.push(value.project);
    scanned += 1;
    if (found.length >= limit || scanned >= MOST_SCANNED) break;
  }
  return found;
}
