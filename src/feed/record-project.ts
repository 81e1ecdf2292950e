/** Stores one project of a page, and decides its card in each channel that follows the filter. */
import { isDeepEqual } from '../base/is-deep-equal.ts';
import { DAY, type Instant, SECOND } from '../clock.ts';
import type { ChannelId, FilterId } from '../ids.ts';
import type { ListedProject } from '../marketplace/schema.ts';
import type { Transaction } from '../storage/store.ts';
import { markCardDetailsChanged } from './card-details.ts';
import { markCardsChanged, saveCardAndPost } from './cards.ts';
import { addPassedFilter, decideCard, matchesRules } from './decide-card.ts';
import type { FeedContext } from './feed.ts';
import type { FitHistories } from './fit-history.ts';
import { mergeFilterListing, withFilterVerdict } from './merge-project.ts';
import type { Follower } from './poll-state.ts';
import { type Card, cards, type SeenProject, seenProjects } from './records.ts';

export interface CardRecipient extends Follower {
  readonly canPostNow: boolean;
}

interface ProjectReading extends Pick<FeedContext, 'timezone' | 'projectFollowers'> {
  readonly filter: FilterId;
  readonly at: Instant;
  /** Projects published before this count as past for every channel. */
  readonly staleBefore: Instant;
  /** The channel whose backfill reads this page, while it needs more. */
  readonly backfillFor: ChannelId | undefined;
  /** When an undated project counts as published. */
  readonly undatedAt: Instant;
  /** Missing: nothing is known of earlier projects. */
  readonly fitHistories?: Pick<FitHistories, 'get'>;
}

/** A project that changes later than this is no news for people who follow projects. */
const NEWS_MS = 2 * DAY;

/** How often to store that a project still exists. */
const SEEN_AGAIN_MS = 30 * DAY;

/** @returns changedHere: since this filter last sent it; another filter may have shown the change first */
async function remember(
  tx: Transaction,
  { filter, at }: ProjectReading,
  project: ListedProject,
  before: SeenProject | undefined,
) {
  if (!before) {
    const seen: SeenProject = { project, filters: [filter], firstSeenAt: at };
    await tx.put(seenProjects, seen);
    return { seen, changed: false, changedHere: false };
  }
  const { behind: wasBehind = [] } = before;
  const merged = mergeFilterListing(before, filter, project);
  const changed =
    !isDeepEqual(merged.project, before.project) || !isDeepEqual(merged.verdicts, before.verdicts);
  const refreshed = (before.lastSeenAt ?? before.firstSeenAt) < at - SEEN_AGAIN_MS;
  const changedHere = changed || wasBehind.includes(filter);
  const behind = (changed ? before.filters : wasBehind).filter((each) => each !== filter);
  const seen: SeenProject = {
    ...before,
    ...merged,
    behind: behind.length > 0 ? behind : undefined,
    lastSeenAt: refreshed ? at : before.lastSeenAt,
  };
  if (changedHere || refreshed || merged.filters !== before.filters) await tx.put(seenProjects, seen);
  return { seen, changed, changedHere };
}

function decideFor(
  reading: ProjectReading,
  facts: Pick<Parameters<typeof decideCard>[0], 'project' | 'publishedAt' | 'changed'>,
  recipient: CardRecipient,
  before: Card | undefined,
): { readonly card: Card; readonly past: boolean } {
  const { project } = facts;
  const { filter, at } = reading;
  const { subscription, settings, canPostNow } = recipient;
  const { channel } = subscription;
  const wantsPast = reading.backfillFor === channel;
  const matches = matchesRules(subscription.rules, project);
  const decision = decideCard({
    ...facts,
    filter,
    card: before,
    matches,
    startsAt: Math.max(startOf(subscription), wantsPast ? 0 : reading.staleBefore),
    wantsPast,
    mutes: settings.mutes,
    canPostNow,
  });
  const isNews = decision.state !== 'suppressed' && before?.state === 'suppressed';
  const card: Card = {
    ...(before ?? { channel, project: project.key }),
    filters: [...decision.filters],
    passed: addPassedFilter(before, filter, { matches, state: decision.state }) ?? before?.passed,
    foundAt: before && !isNews ? before.foundAt : at,
    state: decision.state,
    because: decision.because,
  };
  return { card, past: decision.past };
}

/** Dates may be in whole seconds: projects from the starting second aren't past. */
function startOf({ startsAt }: CardRecipient['subscription']): Instant {
  return Math.floor(startsAt / SECOND) * SECOND;
}

/** Reasons why nobody hears of a project, whatever their own rules say. */
const OLD_NEWS: ReadonlySet<Card['because']> = new Set(['past', 'unsubscribed']);

interface FoundCard {
  readonly card: Card;
  /** This filter hadn't found it for the channel before. */
  readonly isNew: boolean;
  /** Posted for a backfill. */
  readonly past: boolean;
}

/** What is news for people who follow projects: also what a channel's own rules or mutes keep back. */
async function noteFound(
  tx: Transaction,
  reading: ProjectReading,
  { seen, changedHere }: Awaited<ReturnType<typeof remember>>,
  found: readonly FoundCard[],
): Promise<void> {
  const { filter, at, projectFollowers } = reading;
  const current = found.filter(({ card, past }) => !past && !OLD_NEWS.has(card.because));
  const isNew = current.some((each) => each.isNew);
  if (current.length === 0 || !(isNew || (changedHere && seen.firstSeenAt > at - NEWS_MS))) return;
  await projectFollowers?.noteFound(tx, {
    project: seen.project.key,
    filter,
    channels: current.map(({ card }) => card.channel),
    at,
    since: isNew ? at : seen.firstSeenAt,
  });
}

/**
 * Stores the project and decides every recipient's card.
 * @param before as stored: the project, and the card of each recipient
 * @returns wanted: at least one recipient gets a card, or may once a verdict arrives · examined: for the
 * backfill that the page was read for · hasPostedPast: posted or deferred as a requested past project
 */
export async function recordFoundProject(
  tx: Transaction,
  reading: ProjectReading,
  listed: ListedProject,
  before: { readonly seen: SeenProject | undefined; readonly cards: readonly (Card | undefined)[] },
  recipients: readonly CardRecipient[],
) {
  const { filter, at, timezone, backfillFor, fitHistories } = reading;
  const remembered = await remember(tx, reading, listed, before.seen);
  const { seen, changed, changedHere } = remembered;
  const project = withFilterVerdict(seen, [filter]);
  const publishedAt = project.publishedAt ?? before.seen?.firstSeenAt ?? reading.undatedAt;
  const facts = { project, publishedAt, changed: changedHere };
  const result = { wanted: false, examined: false, hasPostedPast: false };
  const found: FoundCard[] = [];
  for (const [place, recipient] of recipients.entries()) {
    const key = [recipient.subscription.channel, project.key];
    const had = before.cards[place];
    // A newer version wrote the card: the channel has it, so leave it unchanged.
    if (!had && (await tx.has(cards, key))) continue;
    const { card, past } = decideFor(reading, facts, recipient, had);
    const { settings } = recipient;
    const order = publishedAt || at;
    const history = fitHistories?.get(card.channel);
    const posting = { order, at, settings, timezone, seen, isChanged: changed, history };
    await saveCardAndPost(tx, card, had, posting);
    found.push({ card, isNew: !had?.filters.includes(filter), past });
    if (card.state !== 'suppressed' || card.because === 'no-match') result.wanted = true;
    const isPast = publishedAt < startOf(recipient.subscription);
    if (backfillFor === card.channel && isPast && (had === undefined || had.because === 'past')) {
      result.examined = true;
      result.hasPostedPast = past;
    }
  }
  await noteFound(tx, reading, remembered, found);
  if (changed) {
    await markCardsChanged(tx, project.key);
    await markCardDetailsChanged(tx, project.key);
  }
  return result;
}
