/** The first card of a channel that was just set up: a project that is known already. */
import type { ChannelId, FilterId, ProjectKey, TeamId } from '../ids.ts';
import { type ReadTransaction, scanCollection } from '../storage/store.ts';
import { saveCardAndPost } from './cards.ts';
import { findSubscription, isSubscriptionActive, readChannelSettings } from './channels.ts';
import type { FeedContext, FirstCardOutcome } from './feed.ts';
import { readSeenProject } from './find-project.ts';
import { previewRules } from './preview-rules.ts';
import { listRecentFilterProjects } from './recent-projects.ts';
import { type Card, cardKey, cards } from './records.ts';

/** Older projects are hardly open for bids anymore. */
const MOST_CONSIDERED = 50;

async function hasCards(tx: ReadTransaction, team: TeamId, channel: ChannelId): Promise<boolean> {
  for await (const { value } of scanCollection(tx, cards, { prefix: [team, channel] }))
    if (value.state !== 'suppressed') return true;
  return false;
}

/** A project that was suppressed as past may be posted: the channel has no other card. */
function cardOf(
  place: { readonly team: TeamId; readonly channel: ChannelId; readonly project: ProjectKey },
  filter: FilterId,
  at: number,
  before: Card | undefined,
): Card {
  const filters = before?.filters.includes(filter) ? before.filters : [...(before?.filters ?? []), filter];
  return { ...place, filters: [...filters], passed: [filter], foundAt: at, state: 'posted' };
}

export function postFirstCard(
  { store, team, clock, timezone }: FeedContext,
  channel: ChannelId,
  filter: FilterId,
): Promise<FirstCardOutcome> {
  return store.transact(async (tx) => {
    const at = clock.now();
    const settings = await readChannelSettings(tx, team, channel);
    const subscription = await findSubscription(tx, team, channel, filter);
    if (!subscription || !isSubscriptionActive(subscription, settings, at)) return 'not-needed';
    if (await hasCards(tx, team, channel)) return 'not-needed';
    const known = await listRecentFilterProjects(tx, team, filter, MOST_CONSIDERED);
    const { rules } = subscription;
    const [newest] = previewRules(known, { rules, mutes: settings.mutes }).posted;
    if (!newest) return 'none-known';
    const place = { team, channel, project: newest.key };
    const before = await tx.get(cards, cardKey(team, channel, newest.key));
    const order = newest.publishedAt || at;
    const seen = await readSeenProject(tx, team, newest.key);
    const telling = { order, at, settings, timezone, seen };
    await saveCardAndPost(tx, cardOf(place, filter, at, before), before, telling);
    return 'posted';
  });
}
