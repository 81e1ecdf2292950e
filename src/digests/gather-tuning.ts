/** Gathers a week of a channel's filter results, card by card, in small reads. */

import { setImmediate as nextTurn } from 'node:timers/promises';
import { omitUndefined } from '../base/omit-undefined.ts';
import { hasBidOnProject } from '../bidding/open-bids.ts';
import { isProjectMuted } from '../feed/decide-card.ts';
import type { FeedService, SubscriptionStatus } from '../feed/feed.ts';
import { type Card, cardKey, cards, type Mute, seenProjectKey, seenProjects } from '../feed/records.ts';
import type { FilterId, ProjectKey, TeamId } from '../ids.ts';
import type { ListedProject } from '../marketplace/schema.ts';
import { posts } from '../outbox/posts.ts';
import { type ReadTransaction, type Store, scanRecordsInPages } from '../storage/store.ts';
import { suggestSubscriptionRule } from './advise-rule.ts';
import type { ChannelTimeRange, FilterTuningFacts } from './facts.ts';

type FilterFacts = FilterTuningFacts['filters'][number];

/** The most projects used for advice: more add nothing. */
const MOST_JUDGED = 300;

function judge(into: ListedProject[], project: ListedProject | undefined): void {
  if (project && into.length < MOST_JUDGED) into.push(project);
}

/** Adds up one filter's results in the channel. */
class WeeklyFilterStats {
  readonly #view: SubscriptionStatus;
  readonly #skipped: ListedProject[] = [];
  readonly #wanted: ListedProject[] = [];
  readonly #counts = { told: 0, claimed: 0, bid: 0, left: 0, muted: 0 };
  readonly #reasons: Record<string, number> = {};

  constructor(view: SubscriptionStatus) {
    this.#view = view;
  }

  addMuted(): void {
    this.#counts.muted += 1;
  }

  addPosted({ claim, skip }: Card, project: ListedProject | undefined, isBidOn: boolean): void {
    this.#counts.told += 1;
    if (claim) this.#counts.claimed += 1;
    if (isBidOn) this.#counts.bid += 1;
    if (claim || isBidOn) {
      judge(this.#wanted, project);
    } else if (skip) {
      this.#reasons[skip.reason] = (this.#reasons[skip.reason] ?? 0) + 1;
      judge(this.#skipped, project);
    } else {
      this.#counts.left += 1;
    }
  }

  toFacts(): FilterFacts {
    const { filter, subscription } = this.#view;
    const advice = suggestSubscriptionRule({ skipped: this.#skipped, wanted: this.#wanted });
    return {
      filter: filter.id,
      ...omitUndefined({ name: filter.name, advice }),
      rules: subscription.rules,
      ...this.#counts,
      skipped: this.#reasons,
    };
  }
}

interface Context {
  readonly store: Store;
  readonly team: TeamId;
  readonly feed: Pick<FeedService, 'listSubscriptions' | 'readChannelSettings'>;
}

/** How many projects each mute has suppressed. A project counts for every mute that matches it. */
class MuteCounts {
  readonly #counts: Map<Mute, number>;

  constructor(mutes: readonly Mute[]) {
    this.#counts = new Map(mutes.map((mute) => [mute, 0]));
  }

  add(project: ListedProject): void {
    for (const [mute, many] of this.#counts)
      if (isProjectMuted(project, [mute])) this.#counts.set(mute, many + 1);
  }

  facts(): FilterTuningFacts['mutes'] {
    return [...this.#counts]
      .filter(([, many]) => many > 0)
      .map(([{ kind, value }, many]) => ({ what: kind, value, kept: many }))
      .sort((a, b) => b.kept - a.kept);
  }
}

/**
 * What the channel got and what its mutes suppressed, per filter it follows now. A project found by several
 * filters counts for each. Concurrent changes may be included or not.
 */
export async function gatherFilterTuningFacts(
  { store, team, feed }: Context,
  when: ChannelTimeRange & { readonly timezone: string },
): Promise<FilterTuningFacts> {
  const { channel, from, to, timezone } = when;
  const kept = new MuteCounts((await feed.readChannelSettings(channel)).mutes);
  const weeks = new Map<FilterId, WeeklyFilterStats>();
  for (const view of await feed.listSubscriptions(channel))
    weeks.set(view.filter.id, new WeeklyFilterStats(view));

  const weeksOf = (card: Card) => card.filters.flatMap((filter) => weeks.get(filter) ?? []);
  const projectOf = async (tx: ReadTransaction, { project }: Card) =>
    (await tx.get(seenProjects, seenProjectKey(team, project)))?.project;

  const addTold = async (tx: ReadTransaction, key: ProjectKey) => {
    const card = await tx.get(cards, cardKey(team, channel, key));
    if (card?.state !== 'posted') return;
    const project = await projectOf(tx, card);
    const isBid = await hasBidOnProject(tx, team, key);
    for (const week of weeksOf(card)) week.addPosted(card, project, isBid);
  };
  const addMuted = async (tx: ReadTransaction, card: Card) => {
    for (const week of weeksOf(card)) week.addMuted();
    const project = await projectOf(tx, card);
    if (project) kept.add(project);
  };
  const range = { index: 'byChannel', prefix: [team, channel] as const, from: [when.from], to: [when.to] };
  // A deferred card is posted later than it was found: it counts in the week it was posted.
  await scanRecordsInPages(store, posts, range, async (tx, page) => {
    for (const { content } of page) if (content.kind === 'card') await addTold(tx, content.project);
  });
  await scanRecordsInPages(store, cards, range, async (tx, page) => {
    for (const card of page.filter(({ because }) => because === 'muted')) await addMuted(tx, card);
  });

  const filters: FilterTuningFacts['filters'] = [];
  for (const week of weeks.values()) {
    filters.push(week.toFacts());
    await nextTurn();
  }
  filters.sort((a, b) => b.told + b.muted - a.told - a.muted);
  return { channel, from, to, timezone, filters, mutes: kept.facts() };
}

/** Fewer projects prove nothing. */
const LEAST_PROJECTS = 10;

/**
 * Useful if there are enough projects and some of them were unwanted: otherwise there is nothing to improve.
 */
export function isTuningNoteUseful({ filters }: FilterTuningFacts): boolean {
  if (filters.some(({ advice }) => advice !== undefined)) return true;
  const sum = (count: (filter: FilterTuningFacts['filters'][number]) => number) =>
    filters.reduce((total, filter) => total + count(filter), 0);
  const unwanted = sum(({ skipped, left }) => left + Object.values(skipped).reduce((a, b) => a + b, 0));
  const muted = sum((filter) => filter.muted);
  return sum(({ told }) => told) + muted >= LEAST_PROJECTS && unwanted + muted > 0;
}
