/** Tries rules on the stored projects of a filter, as the channel would get them. */

import { DAY, type Instant } from '../clock.ts';
import { findSubscription, readChannelSettings } from '../feed/channels.ts';
import type { FeedService } from '../feed/create-feed.ts';
import { matchesRules, parseRules } from '../feed/decide-card.ts';
import type { Card, NamedFilter, Subscription } from '../feed/feed.ts';
import { withFilterVerdict } from '../feed/merge-project.ts';
import { cards, type SeenProject, seenProjects, subscriptions } from '../feed/records.ts';
import type { ChannelId, FilterId } from '../ids.ts';
import type { QueryError } from '../query/query.ts';
import type { Workspace } from '../workspace.ts';
import { furthestProgress } from './count-steps.ts';
import { type ProjectBids, readNewest, readProjectBids, takeInPages } from './read-bids.ts';
import {
  type KnownProject,
  RulesTrial,
  TEAM_OUTCOMES,
  type TriedCounts,
  type TriedLists,
} from './try-rules.ts';

/** How far back rules are tried. */
export const TRIED_DAYS = 14;
/** Projects that are tried at most. */
export const MOST_TRIED = 2_000;
/** Of all filters of the channel. */
const MOST_CARDS = 20_000;
/** Packed records of all filters, for a filter that the channel doesn't follow. */
const MOST_SCANNED = 4_000;
const MOST_LISTED = { missed: 10, examples: 5 };
/** Unpacking and matching a project takes up to 0.5 ms. */
const TRIED_AT_ONCE = 20;
/** More than a channel has. */
const MOST_SUBSCRIPTIONS = 200;

export interface TriedRules {
  readonly kind: 'tried';
  readonly filter: NamedFilter;
  /** Normalized. */
  readonly rules: string;
  /** Undefined: the channel doesn't follow the filter. */
  readonly rulesToday: string | undefined;
  readonly counts: TriedCounts;
  readonly lists: TriedLists;
  /** There were more projects: only the newest were tried. */
  readonly isCut: boolean;
}

interface TryRequest {
  readonly channel: ChannelId;
  readonly filter: FilterId;
  readonly from: Instant;
}

/** A project of the filter, with the channel's card if it has one. */
interface Found {
  readonly seen: SeenProject;
  readonly card?: Card;
}

/** What the filter found for the channel. Projects from before the subscription count for no rules. */
async function takeChannelProjects(
  { store }: Pick<Workspace, 'store' | 'clock'>,
  { channel, filter, from }: TryRequest,
  take: (page: readonly Found[]) => void,
): Promise<boolean> {
  const range = { index: 'byChannel', prefix: [channel], from: [from] } as const;
  const all = await readNewest(store, cards, range, MOST_CARDS);
  const own = all.values.filter(({ filters, because }) => filters.includes(filter) && because !== 'past');
  await takeInPages(
    own.slice(0, MOST_TRIED),
    async (page) => {
      const keys = page.map(({ project }) => [project]);
      const seen = await store.read((tx) => tx.getMany(seenProjects, keys));
      take(
        page.flatMap((card, place) => {
          const project = seen[place];
          return project ? [{ seen: project, card }] : [];
        }),
      );
    },
    TRIED_AT_ONCE,
  );
  return all.isCut || own.length > MOST_TRIED;
}

async function takeTeamProjects(
  { store }: Pick<Workspace, 'store' | 'clock'>,
  { filter, from }: TryRequest,
  take: (page: readonly Found[]) => void,
): Promise<boolean> {
  const range = { index: 'byAge', from: [from] } as const;
  const all = await readNewest(store, seenProjects, range, MOST_SCANNED);
  const own = all.values.filter(({ filters }) => filters.includes(filter));
  await takeInPages(own.slice(0, MOST_TRIED), (page) => take(page.map((seen) => ({ seen }))), TRIED_AT_ONCE);
  return all.isCut || own.length > MOST_TRIED;
}

function describeKnown(
  { seen, card }: Found,
  filter: FilterId,
  others: readonly Subscription[],
  { byProject }: ProjectBids,
): KnownProject {
  const ofBids = (byProject.get(seen.project.key) ?? []).map(({ progress }) => progress);
  const [first, ...more] = card?.claim ? [...ofBids, { step: 'claimed' } as const] : ofBids;
  const furthest = first && more.reduce(furthestProgress, first).step;
  return {
    project: withFilterVerdict(seen, [filter]),
    isShownByOthers: others.some(
      (other) =>
        card?.filters.includes(other.filter) === true &&
        matchesRules(other.rules, withFilterVerdict(seen, [other.filter])),
    ),
    outcome: TEAM_OUTCOMES.find((each) => each === furthest),
  };
}

export interface FunnelContext extends Pick<Workspace, 'store' | 'clock'> {
  readonly feed: Pick<FeedService, 'listStoredFilters'>;
}

/**
 * On the newest projects of the last 14 days, at most 2,000. Reads in pages, between which other work runs.
 * @param wanted the channel's rules of today, its other filters and its mutes count · `rules`: as typed
 * @throws StorageError
 */
export async function tryRules(
  context: FunnelContext,
  wanted: { readonly channel: ChannelId; readonly filter: FilterId; readonly rules: string },
): Promise<TriedRules | { readonly kind: 'wrong-rules'; readonly mistake: QueryError }> {
  const { clock, feed } = context;
  const { channel, filter } = wanted;
  const read = parseRules(wanted.rules);
  if (read.kind === 'mistake') return { kind: 'wrong-rules', mistake: read };
  const rules = read.printed;
  const from = clock.now() - TRIED_DAYS * DAY;
  const { own, others, mutes } = await context.store.read(async (tx) => ({
    own: await findSubscription(tx, channel, filter),
    others: (await tx.list(subscriptions, { prefix: [channel], limit: MOST_SUBSCRIPTIONS }))
      .map(({ value }) => value)
      .filter((each) => each.filter !== filter),
    mutes: (await readChannelSettings(tx, channel)).mutes,
  }));
  const bids = await readProjectBids(context, from);
  const trial = new RulesTrial({ rules, mutes }, own && { rules: own.rules, mutes });
  const request = { channel, filter, from };
  const takePage = (page: readonly Found[]) =>
    trial.add(page.map((found) => describeKnown(found, filter, others, bids)));
  const isCut = await (own ? takeChannelProjects : takeTeamProjects)(context, request, takePage);
  return {
    kind: 'tried',
    filter: (await feed.listStoredFilters()).find(({ id }) => id === filter) ?? { id: filter },
    rules,
    rulesToday: own?.rules,
    counts: trial.counts,
    lists: trial.list(MOST_LISTED),
    isCut,
  };
}
